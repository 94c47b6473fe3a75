"""The messages of Rack-O: options, actions, view and position (sections 4 and 6 of the rule book)."""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from pitboss import OptionError, Options
from pitboss.options import CARD, IN_ZONES, SeatIndex

DECK_SIZES: Final = {2: 40, 3: 50, 4: 60}  # S3


class RackoOptions(Options, frozen=True):
    """What Rack-O can be played with. What is null is decided by the number of players or by another option."""

    deck_size: Annotated[
        int | None,
        Meta(description="Cards 1..deck_size are in play, 10n+2 to 60; null: 40, 50 or 60 for 2, 3 or 4 players."),
    ] = None
    target: Annotated[int, Meta(ge=1, description="Points that end the game.")] = 500
    bonus_runs: Annotated[bool, Meta(description="The declarer's longest run scores 50, 100, 200 or 400 more.")] = False
    declare: Annotated[
        Literal["auto", "choice"] | None,
        Meta(
            description='"auto": a complete rack ends the round; "choice": the player may wait; null: "choice" with '
            "bonus runs."
        ),
    ] = None
    min_run: Annotated[Literal[0, 3], Meta(description="3: a RACK-O needs a run of three cards (2 players only).")] = 0
    partners: Annotated[bool, Meta(description="Seats 0+2 against 1+3, scores added (4 players only).")] = False
    may_return_discard: Annotated[
        bool, Meta(description="A player may take the discard and put it back: the action `pass`.")
    ] = False
    first_dealer: Annotated[
        Literal["draw"] | int, Meta(description='Who deals first: "draw" (the highest of one card each), or a seat.')
    ] = "draw"
    max_turns: Annotated[int, Meta(ge=1, description="Turns per player after which a round is stalled.")] = 100
    stalled_round: Annotated[
        Literal["score", "void"],
        Meta(description='A stalled round scores 5 a card in order, or nothing ("void": needs max_rounds).'),
    ] = "score"
    max_rounds: Annotated[
        Annotated[int, Meta(ge=1)] | None, Meta(description="The game also ends after this number of rounds.")
    ] = None
    tie: Annotated[
        Literal["shared", "extra_round"],
        Meta(description="Equal highest totals at the target: shared, or played on until one leads."),
    ] = "shared"
    restock_shuffle: Annotated[
        bool, Meta(description="The discards are shuffled when they become the new draw pile.")
    ] = False

    def resolve(self, seats: int) -> Self:
        """Return the options for a table, nothing open; section 4 says what does not go together."""
        deck_size = DECK_SIZES[seats] if self.deck_size is None else self.deck_size
        least = 10 * seats + 2
        if not least <= deck_size <= 60:
            raise OptionError(f"racko: deck_size is {deck_size}; with {seats} players it is {least} to 60", "deck_size")
        if self.min_run and seats != 2:
            raise OptionError(
                f"racko: min_run is {self.min_run}; that is for 2 players only, and {seats} play", "min_run"
            )
        if self.partners and seats != 4:
            raise OptionError(f"racko: partners is true; that is for 4 players only, and {seats} play", "partners")
        if self.first_dealer != "draw" and not 0 <= self.first_dealer < seats:
            raise OptionError(
                f"racko: first_dealer is {self.first_dealer}; with {seats} players it is 'draw' or 0 to {seats - 1}",
                "first_dealer",
            )
        if self.stalled_round == "void" and self.max_rounds is None:
            raise OptionError(
                "racko: stalled_round is 'void'; the game might never end, so it needs max_rounds",
                "stalled_round",
                "max_rounds",
            )
        declare = self.declare or ("choice" if self.bonus_runs else "auto")
        return replace(self, deck_size=deck_size, declare=declare)


PRESETS: Final = {
    "classic": RackoOptions(),
    "bonus": RackoOptions(bonus_runs=True),
    "duel_ja": RackoOptions(bonus_runs=True, declare="choice"),
    "duel_en": RackoOptions(min_run=3),
    "duel_en_bonus": RackoOptions(min_run=3, bonus_runs=True),
    "partners": RackoOptions(partners=True),
    "short": RackoOptions(max_rounds=1),
}


Card = Annotated[int, CARD, Meta(ge=1, le=60)]
SlotLabel = Annotated[int, Meta(ge=5, le=50, multiple_of=5, description="As printed on the rack: 5, 10, … 50.")]
Phase = Literal["draw", "place", "declare"]


class Draw(Struct, frozen=True, tag_field="do", tag="draw", forbid_unknown_fields=True):
    """Take the top card of the draw pile."""


class Take(Struct, frozen=True, tag_field="do", tag="take", forbid_unknown_fields=True):
    """Take the visible discard and put it in a slot; the card that was there is discarded."""

    slot: SlotLabel


class Pass(Struct, frozen=True, tag_field="do", tag="pass", forbid_unknown_fields=True):
    """Take the visible discard and put it straight back (option `may_return_discard`)."""


class Swap(Struct, frozen=True, tag_field="do", tag="swap", forbid_unknown_fields=True):
    """Put the drawn card in a slot; the card that was there is discarded."""

    slot: SlotLabel


class Discard(Struct, frozen=True, tag_field="do", tag="discard", forbid_unknown_fields=True):
    """Discard the drawn card."""


class Declare(Struct, frozen=True, tag_field="do", tag="declare", forbid_unknown_fields=True):
    """Declare RACK-O: the round ends."""


class Wait(Struct, frozen=True, tag_field="do", tag="wait", forbid_unknown_fields=True):
    """Keep a complete rack to yourself and play on."""


Action: TypeAlias = Draw | Take | Pass | Swap | Discard | Declare | Wait


class View(Struct, frozen=True, kw_only=True):
    """What a seat may know. Racks are written from slot #5 to slot #50."""

    dealer: SeatIndex
    round: Annotated[int, Meta(description="From 1.")]
    turns_done: Annotated[int, Meta(description="All players' finished turns of this round.")]
    max_turns: int
    rack: Annotated[list[Card], IN_ZONES, Meta(description="Your own cards; empty for a spectator.")]
    drawn: Annotated[Card | None, Meta(description="The drawn card, while you may know it and it is not yet placed.")]
    discard: Annotated[list[Card], Meta(description="The discard pile, oldest first: the last one can be taken.")]
    stock: Annotated[int, Meta(description="Cards left in the draw pile.")]
    stock_known: Annotated[
        list[Card], Meta(description="The draw pile, top first, when everybody knows it; else empty.")
    ]
    known_racks: Annotated[
        list[list[Card | None]], IN_ZONES, Meta(description="What is public of each rack; your own row is your rack.")
    ]
    scores: Annotated[list[int], Meta(description="Totals, by side.")]
    sides: Annotated[tuple[tuple[SeatIndex, ...], ...], Meta(description="The seats of each side.")]


class Position(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A position written down. What is null or left out is dealt at random from the cards that are not mentioned.

    A list of cards that is given is complete: cards mentioned nowhere then lie in the box. With `deck` a round is dealt
    from that deck, and no pile or rack may be given.
    """

    dealer: Annotated[int, Meta(ge=0)] = 0
    turn: Annotated[int, Meta(ge=0)] | None = None  # null: the dealer's left neighbour
    phase: Phase = "draw"
    racks: list[list[Card | None]] | None = None
    drawn: Card | None = None
    discard: list[Card] | None = None  # oldest first
    stock: list[Card] | None = None  # top first
    stock_public: bool = False
    known_racks: list[list[Card | None]] | None = None  # what everybody knows of the racks
    deck: list[Card] | None = None  # top first
    over: bool = False  # the game has ended; nobody is on turn
    round: Annotated[int, Meta(ge=1)] = 1
    turns_done: Annotated[int, Meta(ge=0)] = 0
    scores: list[Annotated[int, Meta(ge=0)]] | None = None  # by side; null: all zero
