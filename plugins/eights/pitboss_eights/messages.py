"""The messages of Crazy Eights: actions, the view and the written position (section 6 of the rule book)."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from pitboss.options import CARD, SEAT, Action

Card: TypeAlias = Annotated[str, CARD, Meta(pattern="^[SHDC]([2-9]|10|[JQKA])$")]
Suit: TypeAlias = Literal["S", "H", "D", "C"]
Seat: TypeAlias = Annotated[int, SEAT, Meta(ge=0, le=9)]


class Play(Action, frozen=True, omit_defaults=True):
    """Play a card."""

    card: Card
    suit: Annotated[Suit | None, Meta(description="With an eight: the suit that must follow.")] = None
    last: Annotated[bool, Meta(description="You announce that you have one card left.")] = False


class Draw(Action, frozen=True):
    """Draw a card from the stock, or all that you are to draw."""


class Pass(Action, frozen=True):
    """Leave it to the next player."""


EightsAction: TypeAlias = Play | Draw | Pass

DRAW: Final = Draw()
PASS: Final = Pass()


class View(Struct, frozen=True, kw_only=True):
    """What a seat may know."""

    hand: Annotated[list[Card], Meta(description="Your cards; empty for a spectator.")]
    counts: Annotated[list[int], Meta(description="By seat, how many cards it holds.")]
    played: Annotated[list[Card], Meta(description="The cards played that are not in the stock, the last on top.")]
    suit: Annotated[Suit, Meta(description="The suit that must follow.")]
    stock: Annotated[int, Meta(description="How many cards can be drawn.")]
    direction: Annotated[int, Meta(description="1: turns go by rising seats; -1: by falling ones.")]
    draws: Annotated[int, Meta(description="How many cards were drawn in this turn.")]
    due: Annotated[int, Meta(description="How many cards the player on turn is to draw.")]
    passes: Annotated[int, Meta(description="How many have passed in a row with an empty stock.")]
    turns: Annotated[int, Meta(description="How many turns this deal has had.")]
    dealer: Annotated[Seat, Meta(description="Who has dealt.")]
    totals: Annotated[list[int], Meta(description="By seat, the points of the earlier deals.")]
    deal_no: Annotated[int, Meta(description="The number of the deal, from 1.")]


class Position(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A position written down; what is left out is dealt at random, or as at the beginning of a deal."""

    deal_no: Annotated[int, Meta(ge=1, description="The number of the deal.")] = 1
    turn: Annotated[Seat | None, Meta(description="Who is on turn; by default who begins this deal.")] = None
    hands: Annotated[
        list[list[Card | None]] | None, Meta(description="By seat, the cards that it holds; null: any card.")
    ] = None
    played: Annotated[
        list[Card | None] | None, Meta(description="The cards played, the last on top; by default one.")
    ] = None
    stock: Annotated[list[Card | None] | None, Meta(description="The first cards of the stock, the top one first.")] = (
        None
    )
    suit: Annotated[Suit | None, Meta(description="The suit that must follow; by default that of the last card.")] = (
        None
    )
    direction: Annotated[Literal[1, -1], Meta(description="Turns go by rising seats, or by falling ones.")] = 1
    draws: Annotated[int, Meta(ge=0, description="How many cards were drawn in this turn.")] = 0
    due: Annotated[int, Meta(ge=0, description="How many cards the player on turn is to draw.")] = 0
    passes: Annotated[int, Meta(ge=0, description="How many have passed in a row with an empty stock.")] = 0
    turns: Annotated[int, Meta(ge=0, description="How many turns this deal has had.")] = 0
    totals: Annotated[list[int] | None, Meta(description="By seat, the points of the earlier deals.")] = None
    over: Annotated[bool, Meta(description="The match is over.")] = False
