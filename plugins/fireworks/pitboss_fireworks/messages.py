"""The messages of Fireworks: options, actions, view and position (sections 5 and 6 of the rule book)."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Final, Literal, Self, TypeAlias, get_args

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from pitboss import OptionError, Options
from pitboss.options import CARD, IN_ORDER, Action, letters_of
from pitboss_fireworks.cards import COPIES


class FireworksOptions(Options, frozen=True):
    """What Fireworks can be played with."""

    colours: Annotated[int, Meta(ge=1, le=6, description="Colours of the cards, and so fireworks.")] = 5
    rainbow: Annotated[bool, Meta(description="The last colour is the rainbow, which counts as each in a hint.")] = (
        False
    )
    special: Annotated[
        Literal["colourless", "pink", "brown", "omni", "null", "prism", "light_pink", "muddy_rainbow"] | None,
        Meta(description="What else the last colour is: a hint is about its cards as section 1 says; null: nothing."),
    ] = None
    single: Annotated[bool, Meta(description="Of the last colour there is one card of each number.")] = False
    hand: Annotated[
        Annotated[int, Meta(ge=1, le=6)] | None,
        Meta(description="Cards of a hand; null: five for two and three players, else four."),
    ] = None
    tokens: Annotated[int, Meta(ge=1, le=8, description="Hint tokens, at the beginning and at most.")] = 8
    lives: Annotated[int, Meta(ge=1, le=5, description="Cards that do not fit; the last one ends the game.")] = 3
    strict: Annotated[bool, Meta(description="A game that is lost counts no points.")] = True
    end: Annotated[
        Literal["deck", "play_on"],
        Meta(
            description="After the last card of the stock: a turn for each player, or on until all is played or lost."
        ),
    ] = "deck"
    early: Annotated[bool, Meta(description="The game is over as soon as no card can fit any more.")] = False
    empty_hints: Annotated[bool, Meta(description="A hint may be about no card of the hand.")] = False

    def resolve(self, seats: int) -> Self:
        """F3: fill in the size of a hand; refuse hands for which there are too few cards."""
        hand = self.hand if self.hand is not None else 5 if seats < 4 else 4
        copies = sum(COPIES.values())
        cards = copies * self.colours - self.single * (copies - len(COPIES))
        if hand * seats >= cards:
            raise OptionError(
                f"fireworks: hand is {hand}; with {cards} cards {seats} players can hold {(cards - 1) // seats} each",
                "hand",
                "colours",
            )
        if self.rainbow and self.colours == 1:
            raise OptionError("fireworks: with one colour there is no rainbow", "rainbow", "colours")
        if self.special is not None and self.colours == 1:
            raise OptionError("fireworks: with one colour none is special", "special", "colours")
        if self.special is not None and self.rainbow:
            text = f"fireworks: the last colour is the rainbow, or special is {self.special!r}; not both"
            raise OptionError(text, "special", "rainbow")
        return replace(self, hand=hand)


PRESETS: Final = {
    "standard": FireworksOptions(),
    "lenient": FireworksOptions(strict=False),
    "six": FireworksOptions(colours=6),
    "six_single": FireworksOptions(colours=6, single=True),
    "rainbow": FireworksOptions(colours=6, rainbow=True),
    "perfect": FireworksOptions(end="play_on"),
    "small": FireworksOptions(colours=2, hand=2, tokens=3, lives=1),
}


Card: TypeAlias = Annotated[str, CARD, Meta(pattern="^[RYGBWPMCKNOUILD][1-5]$")]
Slot: TypeAlias = Annotated[int, Meta(ge=1, le=6, description="1 is the oldest card of the hand.")]
Seat: TypeAlias = Annotated[int, Meta(ge=0, le=4)]
Sign: TypeAlias = Literal["R", "Y", "G", "B", "W", "P", "K", "N", "1", "2", "3", "4", "5"]
Signs: TypeAlias = Annotated[str, Meta(pattern="^[RYGBWPMCKNOUILD]+[1-5]+$")]


class Play(Action, frozen=True):
    """Play a card of your hand."""

    slot: Slot


class Discard(Action, frozen=True):
    """Discard a card of your hand, for a token."""

    slot: Slot


class Hint(Action, frozen=True):
    """Tell a player which of its cards have a colour (a letter) or a number, for a token."""

    seat: Seat
    sign: Sign


FireworksAction: TypeAlias = Play | Discard | Hint

PLAYS: Final = tuple(Play(slot) for slot in range(1, 7))
DISCARDS: Final = tuple(Discard(slot) for slot in range(1, 7))
HINTS: Final = tuple({sign: Hint(seat, sign) for sign in get_args(Sign)} for seat in range(5))  # by seat, then sign


@lru_cache(maxsize=8192)
def list_hints(seat: int, hints: tuple[str, ...], mask: int) -> tuple[Hint, ...]:
    """Return the hints to a seat whose bits are in a mask."""
    return tuple(HINTS[seat][sign] for bit, sign in enumerate(hints) if mask >> bit & 1)


CardSigns: TypeAlias = Annotated[list[Annotated[str, letters_of("RYGBWPMCKNOULDI12345")]], Meta(max_length=6)]


class View(Struct, frozen=True, kw_only=True):
    """What a seat may know."""

    hands: Annotated[
        list[Annotated[list[Card | None], IN_ORDER, Meta(max_length=6)]],
        Meta(description="By seat, its cards from the oldest; null for your own."),
    ]
    possible: Annotated[
        list[CardSigns], Meta(description="By seat and card, the colours and numbers that hints have left it: RY15.")
    ]
    hinted: Annotated[
        list[CardSigns],
        Meta(description="By seat and card, the colours and numbers with which it was pointed out: R5."),
    ]
    heights: Annotated[dict[str, int], Meta(description="By colour, the highest card played.")]
    discards: Annotated[list[Card], Meta(description="The cards discarded, and those that did not fit.")]
    points: Annotated[int, Meta(description="The cards played.")]
    tokens: Annotated[int, Meta(description="Hints that can be given.")]
    lives: int
    stock: Annotated[int, Meta(description="Its cards.")]
    last_turns: Annotated[int | None, Meta(description="Turns up to the end; null: there is a stock, or no such end.")]


class HeldCard(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A card of a hand, and what hints have said about it."""

    card: Annotated[Card | None, Meta(description="Null: any that is possible.")] = None
    possible: Annotated[Signs | None, Meta(description="The colours and numbers that are left; null: all.")] = None
    hinted: Annotated[str, Meta(description="The colours and numbers with which it was pointed out.")] = ""


class Position(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A position written down; what is left open is dealt at random, or as at the beginning."""

    hands: Annotated[list[list[HeldCard]] | None, Meta(description="By seat, its cards from the oldest.")] = None
    heights: Annotated[dict[str, Annotated[int, Meta(ge=0, le=5)]], Meta(description="By colour; 0 if left out.")] = (
        field(default_factory=dict)
    )
    discards: list[Card] = field(default_factory=list)
    stock: Annotated[
        list[Card | None] | None, Meta(description="The next card first; null: all cards that lie nowhere else.")
    ] = None
    tokens: Annotated[Annotated[int, Meta(ge=0, le=8)] | None, Meta(description="Null: all.")] = None
    lives: Annotated[Annotated[int, Meta(ge=0, le=5)] | None, Meta(description="Null: all.")] = None
    last_turns: Annotated[
        Annotated[int, Meta(ge=0, le=5)] | None, Meta(description="Turns up to the end, after the stock.")
    ] = None
    turn: Annotated[Seat | None, Meta(description="Null: the game is over.")] = 0
