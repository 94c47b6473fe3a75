"""The messages of Gin Rummy: options, actions, view and position (sections 5 and 6 of the rule book)."""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self, TypeAlias

from msgspec import Meta, Struct

from pitboss import OptionError, Options
from pitboss.options import CARD, IN_ZONES, SEAT, Action
from pitboss.plugins.packs import STANDARD_PACK

MAX_LOOSE: Final = 10  # points that a knocker may have loose, unless the options say less


class GinRummyOptions(Options, frozen=True):
    """What Gin Rummy can be played with."""

    target: Annotated[int, Meta(ge=1, le=500, description="Points that win a game.")] = 100
    deals: Annotated[int, Meta(ge=1, le=200, description="Maximum number of deals in a match.")] = 20
    knock: Annotated[
        int, Meta(ge=0, le=MAX_LOOSE, description="What the loose cards of a knocker may count; 0: gin alone.")
    ] = MAX_LOOSE
    gin_bonus: Annotated[int, Meta(ge=0, le=100, description="For gin.")] = 25
    undercut_bonus: Annotated[int, Meta(ge=0, le=100, description="For an undercut.")] = 25
    big_gin_bonus: Annotated[
        int, Meta(ge=0, le=100, description="For big gin, all eleven cards in melds; 0: it is not played.")
    ] = 0
    next_dealer: Annotated[
        Literal["turns", "winner", "loser"],
        Meta(
            description="Who of two players deals next: each in turn, or who won or lost the deal; after a deal that "
            "nobody won the same player again. At a table of three or four the loser always deals."
        ),
    ] = "turns"
    oklahoma: Annotated[
        Literal["no", "one", "gin"],
        Meta(
            description="The card turned up says what a knocker may have loose; an ace allows one point, or gin alone."
        ),
    ] = "no"
    spades_double: Annotated[
        bool, Meta(description="With `oklahoma`: if that card is a spade, the deal counts double.")
    ] = False
    last_discard: Annotated[
        bool, Meta(description="When two cards are left, the next player may yet take the discard to knock.")
    ] = False
    hollywood: Annotated[bool, Meta(description="Three games are played at once.")] = False
    line_bonus: Annotated[int, Meta(ge=0, le=100, description="For each deal that a player has won.")] = 25
    game_bonus: Annotated[
        int, Meta(ge=0, le=500, description="For a game that is won; twice as much if the others have won no deal.")
    ] = 100

    def resolve(self, seats: int) -> Self:
        """Return the options; section 5 says what does not go together."""
        if self.next_dealer != "turns" and seats != 2:
            raise OptionError(
                f"gin-rummy: next_dealer is {self.next_dealer!r}; this option is for 2 players, and {seats} play",
                "next_dealer",
            )
        if self.oklahoma != "no" and self.knock != MAX_LOOSE:
            raise OptionError(
                f"gin-rummy: knock is {self.knock}; with oklahoma {self.oklahoma!r} it is {MAX_LOOSE}",
                "knock",
                "oklahoma",
            )
        if self.oklahoma == "no" and self.spades_double:
            raise OptionError(
                "gin-rummy: spades_double is true; that needs oklahoma, which is 'no'", "spades_double", "oklahoma"
            )
        return self


PRESETS: Final = {
    "standard": GinRummyOptions(),
    "single": GinRummyOptions(deals=1, line_bonus=0, game_bonus=0),
    "classic": GinRummyOptions(gin_bonus=20, undercut_bonus=10, line_bonus=20),
    "straight": GinRummyOptions(knock=0),
    "oklahoma": GinRummyOptions(target=150, oklahoma="gin", spades_double=True, big_gin_bonus=50, last_discard=True),
    "hollywood": GinRummyOptions(deals=40, hollywood=True, big_gin_bonus=31),
}


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

    hand: Annotated[list[Card], IN_ZONES, Meta(description="Your cards; empty for a spectator.")]
    known: Annotated[
        list[list[Card]], IN_ZONES, Meta(description="By seat, the cards that you know to be in its hand.")
    ]
    discards: Annotated[list[Card], Meta(description="The cards discarded, the last on top.")]
    stock: Annotated[int, Meta(description="How many cards lie in the stock.")]
    taken: Annotated[Card | None, Meta(description="The discard that was taken in this turn.")]
    limit: Annotated[int, Meta(description="What the loose cards of a knocker may count in this deal.")]
    up_card: Annotated[Card, Meta(description="The card that was turned up first.")]
    takes: Annotated[int, Meta(description="How many discards were taken in this deal, without the card turned up.")]
    players: Annotated[tuple[Seat, Seat], Meta(description="Who plays this deal, the first to act first.")]
    waiting: Annotated[tuple[Seat, ...], Meta(description="Who sits out, the next to come in first.")]
    games: Annotated[tuple[GameScore, ...], Meta(max_length=3, description="The games that are played at once.")]
    totals: Annotated[list[int], Meta(description="By seat, the points of all games with their bonuses.")]
    deal_no: Annotated[int, Meta(description="The number of the deal, from 1.")]


class GameScore(Struct, frozen=True):
    """A game as it is written down."""

    points: Annotated[
        tuple[int, ...], Meta(max_length=4, description="By seat, the points of its deals, without bonuses.")
    ]
    lines: Annotated[
        tuple[int, ...], Meta(max_length=4, description="By seat, how many deals are written here for it.")
    ]


class Position(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A position written down; what is left out is dealt at random, or as in a first deal."""

    deal_no: Annotated[int, Meta(ge=1, description="The number of the deal.")] = 1
    players: Annotated[
        tuple[Seat, Seat] | None, Meta(description="Who plays this deal, the first to act first; of two seat 0 first.")
    ] = None
    waiting: Annotated[list[Seat] | None, Meta(description="Who sits out, the next to come in first.")] = None
    turn: Annotated[Seat | None, Meta(description="The seat on turn. Default: the first to act.")] = None
    phase: Phase = "first"
    hands: Annotated[
        list[list[Card | None]] | None, Meta(description="By seat, the cards that it holds; null: any card.")
    ] = None
    discards: Annotated[
        list[Card | None] | None, Meta(description="The cards discarded, the last on top. Default: one.")
    ] = None
    stock: Annotated[list[Card | None] | None, Meta(description="The first cards of the stock, the top one first.")] = (
        None
    )
    up_card: Annotated[
        Card | None, Meta(description="The card that was turned up first. Default: the lowest discard.")
    ] = None
    taken: Annotated[Card | None, Meta(description="The discard that was taken in this turn.")] = None
    takes: Annotated[int, Meta(ge=0, le=50, description="How many discards were taken in this deal.")] = 0
    passes: Annotated[int, Meta(ge=0, le=2, description="How many have passed the first card, until one draws.")] = 0
    known: Annotated[
        list[list[Card]] | None, Meta(description="By seat, the cards that all know to be in its hand.")
    ] = None
    games: Annotated[list[GameScore] | None, Meta(description="The games that are played at once.")] = None
    over: Annotated[bool, Meta(description="The match is over.")] = False
