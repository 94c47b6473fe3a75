"""The messages of Crazy Eights: options, actions, view and position (sections 5 and 6 of the rule book)."""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from pitboss import OptionError, Options
from pitboss.options import CARD, IN_ZONES, SEAT, Action

PACK: Final = 52
LARGE_TABLE: Final = 6  # players who take two packs
ActionRank: TypeAlias = Literal["none", "A", "2", "3", "4", "5", "6", "7", "9", "10", "J", "Q", "K"]


class EightsOptions(Options, frozen=True):
    """What Crazy Eights can be played with."""

    packs: Annotated[
        Annotated[int, Meta(ge=1, le=2)] | None,
        Meta(description="Packs of 52 cards. Default: one; two for six or more players."),
    ] = None
    hand: Annotated[
        Annotated[int, Meta(ge=1, le=10)] | None,
        Meta(description="Cards dealt to each player. Default: seven with two players, otherwise five."),
    ] = None
    draws: Annotated[int, Meta(ge=0, le=10, description="Cards that one may draw in a turn; 0: any number.")] = 1
    restock: Annotated[
        bool, Meta(description="An empty stock is made again from the cards played, except the last one.")
    ] = True
    skip: Annotated[ActionRank, Meta(description="Cards of this rank let the next player miss a turn.")] = "none"
    reverse: Annotated[ActionRank, Meta(description="Cards of this rank turn the direction of play round.")] = "none"
    draw_two: Annotated[ActionRank, Meta(description="After a card of this rank the next player draws two cards.")] = (
        "none"
    )
    draw_five: Annotated[bool, Meta(description="After the queen of spades the next player draws five cards.")] = False
    stack: Annotated[
        bool, Meta(description="Who is to draw may play another such card instead, and the next player draws all.")
    ] = False
    last_card: Annotated[
        int,
        Meta(ge=0, le=5, description="Cards that a player draws who does not announce its last card; 0: nobody does."),
    ] = 0
    scoring: Annotated[
        Literal["winner", "penalty"],
        Meta(
            description="The first without a card scores what the others hold, or everybody what it holds itself, and "
            "the fewest points win."
        ),
    ] = "winner"
    action_points: Annotated[
        int, Meta(ge=0, le=50, description="What an action card counts in a hand; 0: as any card of its rank.")
    ] = 0
    target: Annotated[
        Annotated[int, Meta(ge=1, le=1000)] | None,
        Meta(description="Points of a player that end the match. By default 50 for each player."),
    ] = None
    deals: Annotated[int, Meta(ge=1, le=200, description="Maximum number of deals in a match.")] = 20
    max_turns: Annotated[
        int, Meta(ge=1, le=1000, description="Turns of all players after which a deal is blocked.")
    ] = 200

    def resolve(self, seats: int) -> Self:
        """Return the options for a table, nothing open; section 5 says what does not go together."""
        packs = self.packs or (2 if seats >= LARGE_TABLE else 1)
        hand = self.hand or (7 if seats == 2 else 5)
        most = (packs * PACK - 1) // seats
        if hand > most:
            raise OptionError(
                f"eights: hand is {hand}; with {seats} players and {packs * PACK} cards it is 1 to {most}",
                "hand",
                "packs",
            )
        ranks = [rank for rank in (self.skip, self.reverse, self.draw_two) if rank != "none"]
        if len({*ranks}) < len(ranks):
            raise OptionError(
                f"eights: skip is {self.skip!r}, reverse {self.reverse!r} and draw_two {self.draw_two!r}; a rank "
                "does one of these",
                "skip",
                "reverse",
                "draw_two",
            )
        if self.stack and self.draw_two == "none" and not self.draw_five:
            raise OptionError("eights: stack is true; it needs draw_two or draw_five", "stack", "draw_two", "draw_five")
        return replace(self, packs=packs, hand=hand, target=self.target or 50 * seats)


PRESETS: Final = {
    "standard": EightsOptions(),
    "single": EightsOptions(deals=1),
    "until": EightsOptions(draws=0, restock=False),
    "actions": EightsOptions(draws=3, skip="Q", reverse="A", draw_two="2", stack=True),
    "penalty": EightsOptions(
        skip="J",
        reverse="K",
        draw_two="2",
        draw_five=True,
        last_card=2,
        scoring="penalty",
        action_points=20,
    ),
}


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

    hand: Annotated[list[Card], IN_ZONES, Meta(description="Your cards; empty for a spectator.")]
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
    turn: Annotated[Seat | None, Meta(description="The seat on turn. Default: the seat that begins this deal.")] = None
    hands: Annotated[
        list[list[Card | None]] | None, Meta(description="By seat, the cards that it holds; null: any card.")
    ] = None
    played: Annotated[
        list[Card | None] | None, Meta(description="The cards played, the last on top. Default: one.")
    ] = None
    stock: Annotated[list[Card | None] | None, Meta(description="The first cards of the stock, the top one first.")] = (
        None
    )
    suit: Annotated[Suit | None, Meta(description="The suit that must follow. Default: the suit of the last card.")] = (
        None
    )
    direction: Annotated[Literal[1, -1], Meta(description="Turns go by rising seats, or by falling ones.")] = 1
    draws: Annotated[int, Meta(ge=0, description="How many cards were drawn in this turn.")] = 0
    due: Annotated[int, Meta(ge=0, description="How many cards the player on turn is to draw.")] = 0
    passes: Annotated[int, Meta(ge=0, description="How many have passed in a row with an empty stock.")] = 0
    turns: Annotated[int, Meta(ge=0, description="How many turns this deal has had.")] = 0
    totals: Annotated[list[int] | None, Meta(description="By seat, the points of the earlier deals.")] = None
    over: Annotated[bool, Meta(description="The match is over.")] = False
