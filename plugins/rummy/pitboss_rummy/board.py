"""The Rummy table: its zones, and the actions, made once and shared by all games with the same options."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeVar

from pitboss import Deck, Layout, Turn, Visibility
from pitboss.plugins.registry import find_pack
from pitboss_rummy.melds import MIN_MELD, GroupRules, MeldTable, kind_of, layoff_mask_of
from pitboss_rummy.messages import Discard, Draw, Kind, Layoff, Take
from pitboss_rummy.options import RummyOptions
from pitboss_rummy.pack import CARDS, PACK_MASK, RANKS, SUIT_MASK, SUITS, iter_places

T = TypeVar("T")

DRAW: Final = Draw()
TAKE: Final = Take()
DRAW_ACTIONS: Final = (DRAW, TAKE)


class MeldCards(NamedTuple):
    """Cards that are a meld: their places in the pack, in card order."""

    kind: Kind
    cards: tuple[int, ...]
    layoff_mask: int  # the mask of the cards that may be laid off on it


class SuitTable(dict[int, tuple[T, ...]]):
    """What belongs to each card of a suit, by the mask of ranks; a row is made when it is first asked for."""

    def __init__(self, of_cards: Sequence[T]) -> None:
        self._of_cards = of_cards

    def __missing__(self, mask: int) -> tuple[T, ...]:
        self[mask] = found = tuple(map(self._of_cards.__getitem__, iter_places(mask)))
        return found


def make_suit_tables(of_cards: Sequence[T]) -> tuple[SuitTable[T], ...]:
    """Return a table for each suit of what belongs to each card of a pack."""
    return tuple(SuitTable(of_cards[RANKS * suit : RANKS * suit + RANKS]) for suit in range(SUITS))


class RummyBoard:
    """The layout for a number of players, a pack and what groups are: shared by all games with these."""

    def __init__(self, seats: int, decks: int, groups: GroupRules, pack_name: str) -> None:
        pack = find_pack(pack_name).faces
        self.layout = Layout(Deck([*pack] * decks), seats)
        self.stock = self.layout.add_pile("stock", Visibility.NOBODY)
        self.discard = self.layout.add_pile("discard", Visibility.EVERYBODY)  # 2.4: the whole pile
        self.box = self.layout.add_pile("box", Visibility.EVERYBODY)  # cards that a written position leaves out
        self.hands = self.layout.add_hands()
        most = len(pack) * decks // MIN_MELD
        self.melds = tuple(self.layout.add_spread(f"meld {number}") for number in range(1, most + 1))
        self.pack = tuple(pack)
        self.faces = self.pack * decks  # of all cards
        self.groups = groups
        self.place_by_face = {face: place for place, face in enumerate(pack)}
        self.meld_table = MeldTable(pack, groups)
        self.discards = make_suit_tables([Discard(face) for face in pack])
        self.layoffs = [[Layoff(face, number) for number in range(1, most + 1)] for face in pack]
        self.suit_faces = make_suit_tables(self.pack)
        self.left_neighbour = tuple((seat + 1) % seats for seat in range(seats))
        self.draw_turns = tuple(Turn(seat, "draw") for seat in range(seats))
        self.play_turns = tuple(Turn(seat, "play") for seat in range(seats))

    def places(self, faces: Iterable[str]) -> tuple[int, ...]:
        """Return the places of some faces in the pack, in card order."""
        return tuple(sorted([self.place_by_face[face] for face in faces]))

    def find_meld(self, faces: Sequence[str]) -> MeldCards | None:
        """Return the meld that these faces, in any order, form; None if they form none."""
        if any(face not in self.place_by_face for face in faces):
            return None
        cards = self.places(faces)
        kind = kind_of(cards, self.groups)
        return None if kind is None else MeldCards(kind, cards, layoff_mask_of(kind, cards, self.groups))

    def extend_meld(self, meld: MeldCards, card: int) -> MeldCards:
        """Return a meld with a card that fits it."""
        cards = tuple(sorted((*meld.cards, card)))
        return MeldCards(meld.kind, cards, layoff_mask_of(meld.kind, cards, self.groups))

    def sorted_faces(self, held: int) -> list[str]:
        """Return the faces of a mask of cards, in card order."""
        if held > PACK_MASK:
            return [self.pack[place] for place in sorted([card % CARDS for card in iter_places(held)])]
        spades, hearts, diamonds, clubs = self.suit_faces
        return [
            *spades[held & SUIT_MASK],
            *hearts[held >> RANKS & SUIT_MASK],
            *diamonds[held >> 2 * RANKS & SUIT_MASK],
            *clubs[held >> 3 * RANKS],
        ]

    def faces_at(self, places: Sequence[int]) -> tuple[str, ...]:
        """Return the faces at some places of the pack."""
        return tuple(map(self.pack.__getitem__, places))


board_for: Final = lru_cache(RummyBoard)


def board_of(seats: int, options: RummyOptions) -> RummyBoard:
    """Return the board for a number of players and resolved options."""
    groups = GroupRules(options.group_max, options.group_copies and options.decks == 2)
    return board_for(seats, options.decks, groups, options.pack)
