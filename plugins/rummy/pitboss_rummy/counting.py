"""What `house:rummy` counts: which cards may still come, and which go together. Cards are places in the pack (see `pack`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import Any, Final, TypeAlias

from pitboss.packs import find_pack
from pitboss_rummy.melds import Groups, MeldTable
from pitboss_rummy.pack import CARDS, RANKS

Cards: TypeAlias = tuple[int, ...]

# What a card counts for that may come, an unseen one being 1.
IN_THE_DISCARDS: Final = 0.15
IN_A_HAND: Final = 0.05
NOT_IN_A_KNOWN_STOCK: Final = 0.1


class FacedPack:
    """The cards of a game: their faces, and all their melds."""

    def __init__(self, faces: Sequence[str], groups: Groups) -> None:
        self.faces: Final = faces
        self.place: Final = {face: place for place, face in enumerate(faces)}
        self._melds: Final = MeldTable(faces, groups)

    def places(self, faces: Iterable[str]) -> Cards:
        """Return the places of some cards, in card order."""
        return tuple(sorted(self.place[face] for face in faces))

    def melds_of(self, hand: Cards) -> list[Cards]:
        """Return all melds that a hand holds."""
        held = twice = 0
        for card in hand:
            twice |= held & 1 << card
            held |= 1 << card
        return [self.places(meld.cards) for meld in self._melds.all_of(held, twice)]


@lru_cache
def known_pack(name: str, groups: Groups) -> FacedPack:
    """Return a pack by its name."""
    return FacedPack(find_pack(name).faces, groups)


def without(hand: Cards, cards: Cards) -> Cards | None:
    """Return a hand without some cards, None if it does not hold them."""
    left = list(hand)
    for card in cards:
        if card not in left:
            return None
        left.remove(card)
    return tuple(left)


def unseen(view: Mapping[str, Any], pack: FacedPack, decks: int) -> list[int]:
    """Return by place how many cards the seat has not seen."""
    left = [decks] * CARDS
    for faces in (view["discard"], *view["known"], *(meld["cards"] for meld in view["melds"])):
        for face in faces:
            left[pack.place[face]] -= 1
    return left


def coming(view: Mapping[str, Any], pack: FacedPack, seat: int, left: Sequence[int]) -> list[float]:
    """Return by place how likely such a card is to come; `left` are the unseen ones."""
    counts = [float(count) for count in left]
    if view["stock_known"]:
        counts = [count * NOT_IN_A_KNOWN_STOCK for count in counts]
        for face in view["stock_known"]:
            counts[pack.place[face]] += 1 - NOT_IN_A_KNOWN_STOCK
    for face in view["discard"]:
        counts[pack.place[face]] += IN_THE_DISCARDS
    for owner, faces in enumerate(view["known"]):
        for face in faces if owner != seat else ():
            counts[pack.place[face]] += IN_A_HAND
    return counts


@cache
def completing(one: int, other: int) -> Cards:
    """Return the cards that make a meld with two others, the lower one given first."""
    if one % RANKS == other % RANKS:
        return tuple(card for card in range(one % RANKS, CARDS, RANKS) if card not in (one, other))
    if one // RANKS != other // RANKS or other - one > 2:
        return ()
    between = (one + 1,) if other - one == 2 else (one - 1, other + 1)
    return tuple(card for card in between if card // RANKS == one // RANKS)


@cache
def partners(card: int) -> tuple[tuple[int, int], ...]:
    """Return the pairs of other cards with which a card is a meld of three."""
    others = [same for same in range(card % RANKS, CARDS, RANKS) if same != card]
    runs = [(card + one, card + other) for one, other in ((-2, -1), (-1, 1), (1, 2))]
    return (*combinations(others, 2), *(pair for pair in runs if all(part // RANKS == card // RANKS for part in pair)))
