"""The messages of Gin Rummy: actions, the view and the written position (section 6 of the rule book)."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from pitboss.options import CARD, SEAT, Action
from pitboss.plugins.packs import STANDARD_PACK
from pitboss_gin_rummy.scoring import GameScore

FACES: Final = tuple(map(str, STANDARD_PACK.faces))
CARD_OF: Final = {face: card for card, face in enumerate(FACES)}

Card: TypeAlias = Annotated[str, CARD, Meta(pattern="^[SHDC]([2-9]|10|[JQKA])$")]
Seat: TypeAlias = Annotated[int, SEAT, Meta(ge=0, le=3)]
Phase: TypeAlias = Literal["first", "draw", "discard", "wall", "arrange"]


class Pass(Action, frozen=True):
    """Leave the card that lies open."""


class Draw(Action, frozen=True):
    """Draw from the stock."""


class Take(Action, frozen=True):
    """Take the last card discarded."""


class Discard(Action, frozen=True):
    """Discard a card."""

    card: Card


class Knock(Action, frozen=True):
    """Discard a card, and knock."""

    card: Card


class BigGin(Action, frozen=True, tag="big_gin"):
    """Lay down eleven cards that are all in melds."""


class Arrange(Action, frozen=True):
    """Lay down these melds after a knock; other melds of the same hand would leave as little loose."""

    melds: Annotated[
        tuple[tuple[Card, ...], ...],
        Meta(description="Each meld by suit and rank, in the order of their first cards: suit S H D C, A to K."),
    ]


GinRummyAction: TypeAlias = Pass | Draw | Take | Discard | Knock | BigGin | Arrange

PASS: Final[tuple[GinRummyAction, ...]] = (Pass(),)
PASS_OR_TAKE: Final[tuple[GinRummyAction, ...]] = (Pass(), Take())
DRAW: Final[tuple[GinRummyAction, ...]] = (Draw(),)
DRAW_OR_TAKE: Final[tuple[GinRummyAction, ...]] = (Draw(), Take())
DISCARDS: Final[tuple[GinRummyAction, ...]] = tuple(map(Discard, FACES))  # by card
KNOCKS: Final[tuple[GinRummyAction, ...]] = tuple(map(Knock, FACES))
BIG_GIN: Final = BigGin()


class View(Struct, frozen=True, kw_only=True):
    """What a seat may know."""

    hand: Annotated[list[Card], Meta(description="Your cards; empty for a spectator.")]
    known: Annotated[list[list[Card]], Meta(description="By seat, the cards that you know to be in its hand.")]
    discards: Annotated[list[Card], Meta(description="The cards discarded, the last on top.")]
    stock: Annotated[int, Meta(description="How many cards lie in the stock.")]
    taken: Annotated[Card | None, Meta(description="The discard that was taken in this turn.")]
    limit: Annotated[int, Meta(description="What the loose cards of a knocker may count in this deal.")]
    up_card: Annotated[Card, Meta(description="The card that was turned up first.")]
    takes: Annotated[int, Meta(description="How many discards were taken in this deal, without the card turned up.")]
    players: Annotated[tuple[Seat, Seat], Meta(description="Who plays this deal, the first to act first.")]
    waiting: Annotated[tuple[Seat, ...], Meta(description="Who sits out, the next to come in first.")]
    games: Annotated[tuple[GameScore, ...], Meta(description="The games that are played at once.")]
    totals: Annotated[list[int], Meta(description="By seat, the points of all games with their bonuses.")]
    deal_no: Annotated[int, Meta(description="The number of the deal, from 1.")]


class Position(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A position written down; what is left out is dealt at random, or as in a first deal."""

    deal_no: Annotated[int, Meta(ge=1, description="The number of the deal.")] = 1
    players: Annotated[
        tuple[Seat, Seat] | None, Meta(description="Who plays this deal, the first to act first; of two seat 0 first.")
    ] = None
    waiting: Annotated[list[Seat] | None, Meta(description="Who sits out, the next to come in first.")] = None
    turn: Annotated[Seat | None, Meta(description="Who is on turn; by default the first to act.")] = None
    phase: Phase = "first"
    hands: Annotated[
        list[list[Card | None]] | None, Meta(description="By seat, the cards that it holds; null: any card.")
    ] = None
    discards: Annotated[
        list[Card | None] | None, Meta(description="The cards discarded, the last on top; by default one.")
    ] = None
    stock: Annotated[list[Card | None] | None, Meta(description="The first cards of the stock, the top one first.")] = (
        None
    )
    up_card: Annotated[
        Card | None, Meta(description="The card that was turned up first; by default the lowest discard.")
    ] = None
    taken: Annotated[Card | None, Meta(description="The discard that was taken in this turn.")] = None
    takes: Annotated[int, Meta(ge=0, le=50, description="How many discards were taken in this deal.")] = 0
    passes: Annotated[int, Meta(ge=0, le=2, description="How many have passed the first card, until one draws.")] = 0
    known: Annotated[
        list[list[Card]] | None, Meta(description="By seat, the cards that all know to be in its hand.")
    ] = None
    games: Annotated[list[GameScore] | None, Meta(description="The games that are played at once.")] = None
    over: Annotated[bool, Meta(description="The match is over.")] = False
