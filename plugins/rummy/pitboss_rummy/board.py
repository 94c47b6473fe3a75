"""The Rummy table: its zones, and the actions, made once and shared by all games with the same options."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from pitboss import Deck, Layout, Sight, Turn
from pitboss.packs import find_pack
from pitboss_rummy.melds import LEAST, Groups, MeldTable, fits_of, kind_of
from pitboss_rummy.messages import Discard, Draw, Kind, Layoff, Take
from pitboss_rummy.pack import RANKS, SUITS, in_order

DRAW: Final = Draw()
TAKE: Final = Take()
DRAW_ACTIONS: Final = (DRAW, TAKE)


class Combination(NamedTuple):
    """Cards that are a meld: their places in the pack, in card order."""

    kind: Kind
    cards: tuple[int, ...]
    fits: int  # the mask of the cards that may be laid off on it


class Discards(dict[int, tuple[Discard, ...]]):
    """The discards of one suit by the mask of its ranks, made when they are first asked for."""

    def __init__(self, actions: Sequence[Discard]) -> None:
        self._actions = actions

    def __missing__(self, mask: int) -> tuple[Discard, ...]:
        self[mask] = found = tuple(map(self._actions.__getitem__, in_order(mask)))
        return found


class Board:
    """The layout for a number of players, a pack and what groups are: shared by all games with these."""

    def __init__(self, seats: int, decks: int, groups: Groups, pack: Sequence[str]) -> None:
        self.layout = Layout(Deck([*pack] * decks), seats)
        self.stock = self.layout.pile("stock", Sight.NOBODY)
        self.discard = self.layout.pile("discard", Sight.EVERYBODY)  # 2.4: the whole pile
        self.box = self.layout.pile("box", Sight.EVERYBODY)  # cards that a written position leaves out
        self.hands = self.layout.hands()
        most = len(pack) * decks // LEAST
        self.melds = tuple(self.layout.spread(f"meld {number}") for number in range(1, most + 1))
        self.pack = tuple(pack)
        self.groups = groups
        self.place = {face: place for place, face in enumerate(pack)}
        self.meld_table = MeldTable(pack, groups)
        actions = [Discard(face) for face in pack]
        self.discards = tuple(Discards(actions[RANKS * suit : RANKS * suit + RANKS]) for suit in range(SUITS))
        self.layoffs = [[Layoff(face, number) for number in range(1, most + 1)] for face in pack]
        self.left = tuple((seat + 1) % seats for seat in range(seats))
        self.draw_turns = tuple(Turn(seat, "draw") for seat in range(seats))
        self.play_turns = tuple(Turn(seat, "play") for seat in range(seats))

    def combined(self, faces: Sequence[str]) -> Combination | None:
        """Return what some faces, in any order, are together; None if they are no meld."""
        place = self.place
        if any(face not in place for face in faces):
            return None
        cards = tuple(sorted(place[face] for face in faces))
        kind = kind_of(cards, self.groups)
        return None if kind is None else Combination(kind, cards, fits_of(kind, cards, self.groups))

    def extended(self, meld: Combination, card: int) -> Combination:
        """Return a meld with a card that fits it."""
        cards = tuple(sorted((*meld.cards, card)))
        return Combination(meld.kind, cards, fits_of(meld.kind, cards, self.groups))

    def named(self, places: Sequence[int]) -> tuple[str, ...]:
        """Return the faces at some places of the pack."""
        return tuple(map(self.pack.__getitem__, places))


@lru_cache
def board(seats: int, decks: int, groups: Groups, pack: str) -> Board:
    """Return the board for a number of players, with a pack by its name."""
    return Board(seats, decks, groups, find_pack(pack).faces)
