"""Melds of one ordinary pack as bit masks: all melds of a hand, its least deadwood, and what can be laid off.

A card is its place in `STANDARD_PACK`: its suit's number times 13, and its rank from the ace, which is low. A set of
cards is a number in which the bits of these places are set. A meld is a sequence of three cards and more of a suit, or
three or four cards of a rank.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import Final

RANK_COUNT: Final = 13
SUIT_COUNT: Final = 4
CARDS: Final = RANK_COUNT * SUIT_COUNT
MIN_MELD: Final = 3  # cards of a meld
SUIT_MASK: Final = (1 << RANK_COUNT) - 1
ACES: Final = 1 | 1 << RANK_COUNT | 1 << 2 * RANK_COUNT | 1 << 3 * RANK_COUNT
BITS: Final = tuple(1 << card for card in range(2 * CARDS))
GIN_WORTH: Final = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)  # by rank: court cards count 10


def mask_of(cards: Iterable[int]) -> int:
    """Return the mask of different cards."""
    return sum(map(BITS.__getitem__, cards))


def iter_places(mask: int) -> Iterator[int]:
    """Yield the members of a mask, the lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def suit_masks(mask: int) -> tuple[int, int, int, int]:
    """Return the ranks of a mask of places in each suit."""
    return mask & SUIT_MASK, mask >> RANK_COUNT & SUIT_MASK, mask >> 2 * RANK_COUNT & SUIT_MASK, mask >> 3 * RANK_COUNT


def find_melds(mask: int) -> list[int]:
    """Return all melds that a hand holds, sequences first."""
    found = [
        run << RANK_COUNT * suit for suit, ranks in enumerate(suit_masks(mask)) if ranks for run in _runs_of(ranks)
    ]
    return found + [
        meld for rank in iter_places(_ranks_held_thrice(mask)) for meld in _sets_of(mask >> rank & ACES, rank)
    ]


def is_sequence(meld: int) -> bool:
    """Return whether a meld is of one suit, not of one rank."""
    return bool(meld & meld >> 1)


def find_layoffs(meld: int) -> int:
    """Return the cards that can be laid off on a meld: at either end of a sequence, or the fourth of a rank."""
    if not is_sequence(meld):
        rank = ((meld & -meld).bit_length() - 1) % RANK_COUNT
        return ACES << rank & ~meld
    low, high = (meld & -meld).bit_length() - 1, meld.bit_length() - 1
    return (BITS[low - 1] if low % RANK_COUNT else 0) | (BITS[high + 1] if (high + 1) % RANK_COUNT else 0)


class DeadwoodTable:
    """The least deadwood of a hand: what its cards outside melds count, with the best arrangement of melds.

    The least deadwood of a suit by the ranks that are held there, sequences taken out, is a table of 8,192 numbers. A
    hand then is four look-ups for each way to take out sets, and few hands hold three of a rank.
    """

    def __init__(self, worth: Sequence[int] = GIN_WORTH) -> None:
        """`worth` is what a card counts, by rank."""
        self.worth = tuple(worth)
        self._loose = _make_loose_table(self.worth)

    def count_all(self, mask: int) -> int:
        """Return what cards count without melds."""
        return sum(self.worth[card % RANK_COUNT] for card in iter_places(mask))

    def find_least(self, mask: int) -> int:
        """Return the least deadwood of a hand."""
        loose = self._loose
        spades, hearts, diamonds = mask & SUIT_MASK, mask >> RANK_COUNT & SUIT_MASK, mask >> 2 * RANK_COUNT & SUIT_MASK
        clubs = mask >> 3 * RANK_COUNT
        least = loose[spades] + loose[hearts] + loose[diamonds] + loose[clubs]
        one, two = spades & hearts, diamonds & clubs
        ranks = one & (diamonds | clubs) | two & (spades | hearts)
        if not (ranks and least):
            return least
        for rank in iter_places(ranks):
            # a set of this rank, and only higher ones after it: each choice of sets is met once
            for meld in _sets_of(mask >> rank & ACES, rank):
                least = min(least, self._find_least_above(mask ^ meld, rank))
        return least

    def iter_arrangements(self, mask: int) -> Iterator[tuple[int, ...]]:
        """Yield each choice of melds that leaves the least deadwood of a hand; sequences that join count as one."""
        least = self.find_least(mask)
        if self.count_all(mask) == least:
            yield ()
            return
        melds = [meld for meld in find_melds(mask) if self.find_least(mask ^ meld) == least]
        for number, meld in enumerate(melds):
            later = {*melds[number + 1 :]}
            for rest in self.iter_arrangements(mask ^ meld):
                if later.issuperset(rest) and not any(_are_joined(meld, other) for other in rest):
                    yield (meld, *rest)

    def choose_layoffs(self, mask: int, melds: Sequence[int]) -> tuple[int, tuple[int, ...]]:
        """Return the least deadwood of a hand that may lay off cards on melds, and the fewest cards to lay off for it.

        They are laid off one after the other, in the order in which they are returned.
        """
        best: tuple[int, tuple[int, ...]] = (self.find_least(mask), ())
        for number, meld in enumerate(melds):
            for card in iter_places(find_layoffs(meld) & mask) if best[0] else ():
                longer = [*melds[:number], meld | BITS[card], *melds[number + 1 :]]
                least, more = self.choose_layoffs(mask ^ BITS[card], longer)
                best = min(best, (least, (card, *more)), key=_layoff_order)
        return best

    def _find_least_above(self, mask: int, rank: int) -> int:
        """Return the least deadwood of what is left of a hand, with sets of higher ranks only."""
        loose = self._loose
        spades, hearts, diamonds, clubs = suit_masks(mask)
        least = loose[spades] + loose[hearts] + loose[diamonds] + loose[clubs]
        higher = _ranks_held_thrice(mask) >> rank + 1
        for other in iter_places(higher):
            above = rank + 1 + other
            for meld in _sets_of(mask >> above & ACES, above):
                least = min(least, self._find_least_above(mask ^ meld, above))
        return least


def _layoff_order(layoffs: tuple[int, tuple[int, ...]]) -> tuple[int, int]:
    return layoffs[0], len(layoffs[1])


def _are_joined(one: int, other: int) -> bool:
    """Return whether two melds are sequences of one suit, of which one goes on where the other ends."""
    low, high = min(one, other), max(one, other)
    first = high & -high
    is_next = first == 1 << low.bit_length() and (low.bit_length() % RANK_COUNT) > 0
    return is_next and is_sequence(one) and is_sequence(other)


def _ranks_held_thrice(mask: int) -> int:
    spades, hearts, diamonds, clubs = suit_masks(mask)
    return spades & hearts & (diamonds | clubs) | diamonds & clubs & (spades | hearts)


@lru_cache(SUIT_MASK)
def _runs_of(ranks: int) -> tuple[int, ...]:
    """Return all sequences of one suit."""
    return tuple(
        run
        for low in range(RANK_COUNT - MIN_MELD + 1)
        for length in range(MIN_MELD, RANK_COUNT - low + 1)
        if (run := (1 << length) - 1 << low) & ranks == run
    )


@cache
def _sets_of(suits: int, rank: int) -> tuple[int, ...]:
    """Return all melds of one rank; `suits` are the aces of those held."""
    held = [1 << card + rank for card in iter_places(suits)]
    return tuple(sum(some) for size in range(MIN_MELD, len(held) + 1) for some in combinations(held, size))


@lru_cache(8)
def _make_loose_table(worth: tuple[int, ...]) -> tuple[int, ...]:
    """Return by the mask of ranks held in a suit what is least in no sequence."""
    loose = [0]  # of the masks whose ranks are all lower than `high`
    for high in range(RANK_COUNT):
        with_high = [least + worth[high] for least in loose]
        for length in range(MIN_MELD, high + 2):  # of a sequence that `high` ends: the last of the masks hold its ranks
            others = BITS[high + 1 - length]
            with_high[-others:] = map(min, with_high[-others:], loose)
        loose += with_high
    return tuple(loose)
