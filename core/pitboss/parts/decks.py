"""Decks that players have built: their check, their deal from a pool of cards, and worlds with unknown decks.

Each seat has a pool: all cards that a deck of it may hold, each as often as it may. The deck lies on top of the pool
after `stack_pool`, in random order, and the rest of the pool beneath it. So an unknown deck is hidden cards of the
pool, and `imagine` samples decks by itself, each set of cards being equally likely. `draw_deck` and `restrict_deck`
sample from named decks instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import accumulate
from math import comb, prod

from msgspec import Struct

from pitboss.table.randomness import Random
from pitboss.table.table import Table
from pitboss.table.zones import Zone
from pitboss.text import format_count, suggest_nearest


class DeckList(Struct, frozen=True, forbid_unknown_fields=True):
    """A deck as a loadout: how often it has each card."""

    cards: Mapping[str, int]

    @property
    def size(self) -> int:
        """The number of its cards."""
        return sum(self.cards.values())


def list_deck_faults(deck: DeckList, known: Collection[str], size: int, most: int) -> Iterator[str]:
    """Yield a sentence for each fault of a deck of `size` known cards, none of which it may have more than `most`."""
    for name, count in deck.cards.items():
        if name not in known:
            yield f"there is no card {name!r}{suggest_nearest(name, known)}"
        elif not 1 <= count <= most:
            yield f"it has {format_count(count, 'card')} {name!r}; 1 to {most} are allowed"
    if deck.size != size:
        yield f"it has {format_count(deck.size, 'card')}; it must have {size}"


def build_deck(known: Sequence[str], size: int, most: int, rng: Random) -> DeckList:
    """Return a deck of `size` known cards at random, none more than `most` times."""
    pool = [place for place in range(len(known)) for _ in range(most)]
    rng.shuffle(pool)
    counts = Counter(pool[:size])
    return DeckList({known[place]: counts[place] for place in sorted(counts)})


def stack_pool(table: Table, box: Zone, pool: Zone, cards: Sequence[int], rng: Random, deck: DeckList | None) -> None:
    """Take the cards of a seat's pool out of the box, shuffle them, and bring those of its deck to the top.

    They keep the order that the shuffle has given them. Without a deck the top of the pool is a deck at random.
    """
    table.lay(cards, box, pool, "sort")  # openly: everybody knows which cards there are
    order = sorted(cards)
    rng.shuffle(order)
    table.shuffle(pool, order=order if deck is None else _bring_up(order, table.layout.deck.faces, deck))


def _bring_up(order: Sequence[int], faces: Sequence[str], deck: DeckList) -> list[int]:
    """Return cards in another order: those of a deck last, on top of a pile, where of equal cards the first is on top.

    So it does not depend on the shuffle which of two equal cards lies where.
    """
    wanted = Counter(deck.cards)
    top, rest = list[str](), list[str]()
    for face in (faces[card] for card in reversed(order)):
        (top if wanted[face] > 0 else rest).append(face)
        wanted[face] -= 1
    copies: dict[str, Iterator[int]] = {}
    for face in set(top + rest):
        copies[face] = iter(sorted(card for card in order if faces[card] == face))
    return [next(copies[face]) for face in top + rest][::-1]


def draw_deck(decks: Sequence[DeckList], seen: Sequence[str], rng: Random) -> DeckList | None:
    """Return one of some decks by how likely it is after a part of it was seen; None if none has all these cards.

    Before that all were equally likely, and what was seen is a part at random.
    """
    counts = Counter(seen)
    weights = [prod(comb(deck.cards.get(face, 0), count) for face, count in counts.items()) for deck in decks]
    if not any(weights):
        return None
    drawn = rng.randbelow(sum(weights))
    return next(deck for deck, until in zip(decks, accumulate(weights), strict=True) if drawn < until)


def restrict_deck(table: Table, zones: Sequence[Zone], seat: int, deck: DeckList, pool: Sequence[int]) -> None:
    """State that the cards in some zones, which a seat does not all know, are those of a deck.

    `zones` are all in which cards of the deck can lie, and `pool` are the cards of its owner. The faces that the seat
    knows there have to fit.
    """
    faces, bit = table.layout.deck.faces, 1 << seat
    cards = [card for zone in zones for card in table.zones[zone]]
    known = [card for card in cards if table.known_by[card] & bit]
    missing = Counter(deck.cards)
    missing.subtract(Counter(faces[card] for card in known))
    allowed = set[int]()
    for card in sorted(set(pool).difference(known)):
        if missing[faces[card]] > 0:
            missing[faces[card]] -= 1
            allowed.add(card)
    table.restrict([card for card in cards if card not in known], allowed)
