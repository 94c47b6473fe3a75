"""What is said about Magpie: options, actions, view and written position."""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from pitboss import CARD, OptionError, Options

JOKER: Final = "X"
FACES: Final = (*(f"{suit}{number}" for suit in "ABC" for number in range(1, 7)), JOKER, JOKER, JOKER)
NEST: Final = (1, 2)  # what is printed at the places of a nest

Card = Annotated[str, CARD, Meta(max_length=2)]
Place = Annotated[int, Meta(ge=1, le=2, description="A place in the nest: 1 or 2.")]
Phase: TypeAlias = Literal["draw", "drop", "boast"]


class MagpieOptions(Options, frozen=True):
    """What Magpie can be played with."""

    hand: Annotated[
        Annotated[int, Meta(ge=2, le=4)] | None, Meta(description="Cards in a hand; null: 3, or 2 for four players.")
    ] = None
    turns: Annotated[int, Meta(ge=1, le=20, description="Turns of each player.")] = 8
    graves: Annotated[bool, Meta(description="A card may be buried, face down, instead of dropped.")] = False
    partners: Annotated[bool, Meta(description="Seats 0+2 against 1+3 (4 players only).")] = False

    def resolve(self, seats: int) -> Self:
        """Return the options with the size of the hand decided."""
        hand = self.hand or (2 if seats == 4 else 3)
        if seats * (hand + len(NEST)) + 2 > len(FACES):
            raise OptionError(f"magpie: hand is {hand}; with {seats} players the deck has too few cards", "hand")
        if self.partners and seats != 4:
            raise OptionError(f"magpie: partners is true; that is for 4 players only, and {seats} play", "partners")
        return replace(self, hand=hand)


PRESETS: Final = {"graves": MagpieOptions(graves=True), "pairs": MagpieOptions(partners=True)}


class Draw(Struct, frozen=True, tag_field="do", tag="draw", forbid_unknown_fields=True):
    """Draw the top card of the stock."""


class Take(Struct, frozen=True, tag_field="do", tag="take", forbid_unknown_fields=True):
    """Take the top discard into the hand (not a joker); it may not be dropped in this turn."""


class Lay(Struct, frozen=True, tag_field="do", tag="lay", forbid_unknown_fields=True):
    """Put the top discard into the nest; the card that was there is discarded."""

    place: Place


class Drop(Struct, frozen=True, tag_field="do", tag="drop", forbid_unknown_fields=True):
    """Discard a card from the hand: on a joker a joker, if the player holds one."""

    card: Card


class Bury(Struct, frozen=True, tag_field="do", tag="bury", forbid_unknown_fields=True):
    """Put a card from the hand face down on the grave (option `graves`)."""

    card: Card


class Boast(Struct, frozen=True, tag_field="do", tag="boast", forbid_unknown_fields=True):
    """Show a hand with two fives or two sixes: the game ends."""


class Wait(Struct, frozen=True, tag_field="do", tag="wait", forbid_unknown_fields=True):
    """Keep the hand to yourself and play on: a secret."""


Action: TypeAlias = Draw | Take | Lay | Drop | Bury | Boast | Wait


class View(Struct, frozen=True, kw_only=True):
    """What a seat may know."""

    hand: list[Card]
    nest: list[Card]
    discard: list[Card]
    stock: int
    grave: int
    hand_sizes: list[int]
    known_hands: list[list[Card]]  # of each hand the cards that the seat knows, sorted
    known_nests: list[list[Card | None]]
    turns_done: int
    first: int


class Position(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A position written down. What is null is dealt at random."""

    turn: Annotated[int, Meta(ge=0)] = 0
    phase: Phase = "draw"
    first: Annotated[int, Meta(ge=0)] = 0
    turns_done: Annotated[int, Meta(ge=0)] = 0
    over: bool = False  # the game has ended
    boaster: Annotated[int, Meta(ge=0)] | None = None  # who ended it
    taken: Card | None = None
    hands: list[list[Card]] | None = None
    open_hands: list[list[bool]] | None = None  # for each card: does everybody know it?
    nests: list[list[Card]] | None = None
    open_nests: list[list[bool]] | None = None
    discard: list[Card] | None = None  # oldest first
    stock: list[Card] | None = None  # top last
    grave: list[Card] = []
    buried_by: list[Annotated[int, Meta(ge=0)]] = []
