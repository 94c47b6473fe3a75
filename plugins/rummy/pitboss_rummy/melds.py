"""The pack, and melds: sequences and groups, the cards that may be laid off on one, and all melds of a hand.

Cards are places in the pack.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from pitboss.parts.melds import CARDS, MIN_MELD, RANK_COUNT, SUIT_COUNT, SUIT_MASK, iter_places, suit_masks
from pitboss_rummy.messages import Kind, Meld

RANKS: Final = RANK_COUNT
SUITS: Final = SUIT_COUNT
HALF_CARDS: Final = CARDS // 2
HALF_MASK: Final = (1 << HALF_CARDS) - 1
PACK_MASK: Final = (1 << CARDS) - 1
NO_CARD: Final = -1
LAST_START: Final = RANKS - MIN_MELD  # the rank, from 0, at which the highest sequence begins
RUN_STARTS: Final = sum(((1 << LAST_START + 1) - 1) << RANKS * suit for suit in range(SUITS))


def places_of(held: int) -> int:
    """Return the mask of the different places in the pack of the cards that a hand holds."""
    return held if held <= PACK_MASK else (held | held >> CARDS) & PACK_MASK


class GroupRules(NamedTuple):
    """D12: what a group may be: how many cards at most, and whether it may hold both copies of a card."""

    largest: int
    copies: bool


def kind_of(cards: Sequence[int], groups: GroupRules) -> Kind | None:
    """Section 1: return what cards in card order are, None if they are no meld.

    S2: the ace is below the 2 alone. D12: a sequence cannot hold a rank twice.
    """
    if len(cards) < MIN_MELD:
        return None
    first, last = cards[0], cards[-1]
    if first // RANKS == last // RANKS and all(card == first + step for step, card in enumerate(cards)):
        return "sequence"
    if len(cards) > groups.largest or any(card % RANKS != first % RANKS for card in cards):
        return None
    most = 2 if groups.copies else 1
    return "group" if all(cards.count(card) <= most for card in cards) else None


def layoff_mask_of(kind: Kind, cards: Sequence[int], groups: GroupRules) -> int:
    """D9: return the mask of the cards that may be laid off on a meld: at either end, or of the same rank."""
    if kind == "sequence":
        low, high = cards[0], cards[-1]
        return (1 << low - 1 if low % RANKS else 0) | (1 << high + 1 if (high + 1) % RANKS else 0)
    if len(cards) >= groups.largest:
        return 0
    most = 2 if groups.copies else 1
    rank = cards[0] % RANKS
    return sum(1 << card for card in range(rank, CARDS, RANKS) if cards.count(card) < most)


class _RunsByRanks(dict[int, tuple[Meld, ...]]):
    """All sequences of one suit by the mask of its ranks, made when they are first asked for."""

    def __init__(self, faces: Sequence[str]) -> None:
        self._melds = [
            [Meld(tuple(faces[low : low + length])) for length in range(MIN_MELD, RANKS - low + 1)]
            for low in range(LAST_START + 1)
        ]

    def __missing__(self, mask: int) -> tuple[Meld, ...]:
        self[mask] = found = tuple(
            meld for low, melds in enumerate(self._melds) for meld in melds[: _run_length(mask >> low) - 2]
        )
        return found


def _run_length(mask: int) -> int:
    """Return how many of the lowest bits are set, at least two being counted."""
    lowest_not_set = ~mask & mask + 1
    return max(2, lowest_not_set.bit_length() - 1)


class _GroupsBySuits(dict[int, tuple[Meld, ...]]):
    """All groups of one rank by the mask of the suits held, S first; the suits held twice are above bit 3."""

    def __init__(self, faces: Sequence[str], groups: GroupRules) -> None:
        self._faces = faces
        self._groups = groups
        self._melds: dict[tuple[int, ...], Meld] = {}

    def __missing__(self, mask: int) -> tuple[Meld, ...]:
        held = [suit for suit in range(SUITS) if mask >> suit & 1]
        if self._groups.copies:
            held = sorted([*held, *(suit for suit in range(SUITS) if mask >> SUITS + suit & 1)])
        sizes = range(MIN_MELD, min(self._groups.largest, len(held)) + 1)
        self[mask] = found = tuple(
            self._meld(suits) for size in sizes for suits in sorted(set(combinations(held, size)))
        )
        return found

    def _meld(self, suits: tuple[int, ...]) -> Meld:
        if suits not in self._melds:
            self._melds[suits] = Meld(tuple(self._faces[suit] for suit in suits))
        return self._melds[suits]


class MeldTable:
    """All melds of any hand, for a pack: actions that are made once and shared."""

    def __init__(self, pack: Sequence[str], groups: GroupRules) -> None:
        self._runs = tuple(_RunsByRanks(pack[RANKS * suit : RANKS * suit + RANKS]) for suit in range(SUITS))
        self._groups = tuple(_GroupsBySuits(pack[rank::RANKS], groups) for rank in range(RANKS))

    def all_melds(self, places: int, twice: int) -> tuple[Meld, ...]:
        """Section 6.2: return every meld of a hand, in the order of the legal list.

        `twice` are the places held in both copies.
        """
        runs = places & places >> 1 & places >> 2 & RUN_STARTS
        one, other = places & HALF_MASK, places >> HALF_CARDS
        either = one | other
        same = one & other & (either >> RANKS | either << RANKS)  # of ranks that are held in three suits
        if not (runs or same or twice):
            return ()
        found = self._all_runs(places) if runs else ()
        return found + tuple(self._all_groups(places, twice, same)) if same or twice else found

    def _all_runs(self, places: int) -> tuple[Meld, ...]:
        spades, hearts, diamonds, clubs = suit_masks(places)
        one, two, three, four = self._runs
        return one[spades] + two[hearts] + three[diamonds] + four[clubs]

    def _all_groups(self, places: int, twice: int, same: int) -> Iterator[Meld]:
        for rank in iter_places((same | same >> RANKS | _ranks(twice)) & SUIT_MASK):
            yield from self._groups[rank][_suits(places >> rank) | _suits(twice >> rank) << SUITS]


def _ranks(mask: int) -> int:
    """Return the mask of the ranks of some cards."""
    halves = mask | mask >> HALF_CARDS
    return (halves | halves >> RANKS) & SUIT_MASK


def _suits(mask: int) -> int:
    """Return the mask of the suits in which there is an ace."""
    return mask & 1 | mask >> RANKS - 1 & 2 | mask >> 2 * RANKS - 2 & 4 | mask >> 3 * RANKS - 3 & 8
