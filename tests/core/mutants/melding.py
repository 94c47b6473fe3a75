"""Laydown, a small game in which players say how their cards lie in melds, and games whose lists of cards say it badly.

The cards are all aces, all fours, and the two and three of spades. Two players are dealt eight of them in turn. Who is
on turn lays out the hand so that as many cards as can be are in melds: three or four of a rank, or in sequence of a
suit. Where there are several ways it chooses one. It has a point for each card of its longest meld.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from msgspec import Struct

from pitboss import (
    Action,
    CardFace,
    Deck,
    Options,
    Outcome,
    TableGame,
    Turn,
    Visibility,
    Zone,
    Zones,
    hand_each,
    outcome_by_side,
    pile,
)
from pitboss.parts.deals import DealsState
from pitboss.parts.melds import RANK_COUNT, DeadwoodTable, iter_places, mask_of
from pitboss.rendering.presentation import Presentation

SUITS: Final = "SHDC"
RANKS: Final = "A234"
FACES: Final = ("SA", "S2", "S3", "S4", "HA", "H4", "DA", "D4", "CA", "C4")
HAND: Final = 8  # cards
DEALS: Final = 8
LOOSE: Final = DeadwoodTable((1,) * RANK_COUNT)  # counts cards


class ShowMelds(Action, frozen=True, tag="show"):
    """Lay out the hand in these melds."""

    melds: tuple[tuple[CardFace, ...], ...]


class ShowMeldsFlat(Action, frozen=True, tag="show"):
    """Lay out the hand in melds, whose cards follow one another."""

    cards: tuple[CardFace, ...]


class LaydownOptions(Options, frozen=True):
    """There are none."""


class LaydownView(Struct, frozen=True):
    """What a seat may know."""

    hand: list[CardFace]
    shown: list[list[CardFace]]
    totals: list[int]
    deal_no: int


class LaydownState(DealsState[LaydownOptions, Any]):
    """A game of Laydown at one moment."""

    preset: ClassVar[str | None] = None
    players: ClassVar[int] = 2
    games: ClassVar[int] = 6
    deck = Deck(FACES)

    stock: Zone = pile(Visibility.NOBODY)
    hands: Zones = hand_each()

    def deal_cards(self) -> None:
        """Deal to the player who is on turn in this deal."""
        seat = (self.deal_no - 1) % self.seats
        self.table.deal(self.stock, [self.hands[seat]], HAND)
        self.turn = Turn(seat, "lay out")

    def is_match_over(self) -> bool:
        """Return whether all deals are played."""
        return self.deal_no == DEALS

    def list_ways(self, seat: int) -> list[tuple[tuple[str, ...], ...]]:
        """Return the ways in which most cards are in melds; of each the melds by their lowest cards."""
        held = mask_of(map(place_of, self.table.faces(self.hands[seat])))
        ways = (sorted(melds, key=lambda meld: meld & -meld) for melds in LOOSE.iter_arrangements(held))
        return [tuple(tuple(map(face_at, iter_places(meld))) for meld in way) for way in ways]

    def legal(self) -> Sequence[Any]:
        """Return the ways to lay out the hand."""
        return [] if self.turn is None else [*self.name_ways(self.turn.seat)]

    def name_ways(self, seat: int) -> Mapping[Any, tuple[tuple[str, ...], ...]]:
        """Return the ways by the actions that choose them."""
        return {ShowMelds(melds): melds for melds in self.list_ways(seat)}

    def apply(self, action: Any) -> None:  # noqa: ANN401 - of the game or of a broken one
        """Show the hand, and count its longest meld."""
        seat = self.require_turn().seat
        melds = self.name_ways(seat)[action]
        self.table.reveal(self.hands[seat], "show")
        self.table.tell("melds", seat=seat, melds=[" ".join(meld) for meld in melds])
        self.end_deal([max(map(len, melds), default=0) * (one == seat) for one in range(self.seats)])

    def view(self, seat: int) -> LaydownView:
        """Return the own hand, and what lies open."""
        shown = [self.table.faces_known_to(hand, self.seats) for hand in self.hands]
        return LaydownView(
            sorted(map(str, self.table.faces(self.hands[seat]))) if seat < self.seats else [],
            [sorted(str(face) for face in row if face) for row in shown],
            [*self.totals],
            self.deal_no,
        )

    def outcome(self) -> Outcome:
        """Count points."""
        return outcome_by_side(self.totals)


class Laydown(TableGame[LaydownOptions, LaydownState]):
    """The game of Laydown, played with a class of states."""

    preset: ClassVar[str | None] = None
    players: ClassVar[int] = 2
    games: ClassVar[int] = 6
    name: str = "laydown"
    title: str = "Laydown"
    seats: Sequence[int] = (2,)
    Options = LaydownOptions
    Action: Any = ShowMelds
    View = LaydownView
    presentation = Presentation(actions={"show": "lay out {melds}"})

    def __init__(self, state: type[LaydownState] = LaydownState) -> None:
        self.state = state


class FlatLaydown(Laydown):
    """Laydown with flat lists of cards."""

    Action: Any = ShowMeldsFlat
    presentation = Presentation(actions={"show": "lay out {cards}"})


class KeysByFlatCards(LaydownState):
    """Melds are named by one list of their cards: two ways share it, or it can be read in two ways."""

    def name_ways(self, seat: int) -> Mapping[Any, tuple[tuple[str, ...], ...]]:
        """Name the cards alone."""
        return {ShowMeldsFlat(tuple(card for meld in melds for card in meld)): melds for melds in self.list_ways(seat)}


class ReadsAlike(Laydown):
    """A person reads that melds are laid out, and not which."""

    presentation = Presentation(actions={"show": "lay out the hand"})


MUTANTS: Final = ((FlatLaydown, KeysByFlatCards), ReadsAlike)


def place_of(face: object) -> int:
    """Return the place of a card among the 52, as `pitboss.parts.melds` counts."""
    return RANK_COUNT * SUITS.index(str(face)[0]) + RANKS.index(str(face)[1])


def face_at(place: int) -> str:
    """Return the card at a place among the 52."""
    return f"{SUITS[place // RANK_COUNT]}{RANKS[place % RANK_COUNT]}"
