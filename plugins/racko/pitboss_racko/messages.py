"""The messages of Rack-O: the actions, the view and the written position (section 6 of the rule book)."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

Card = Annotated[int, Meta(ge=1, le=60)]
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

    dealer: int
    round: Annotated[int, Meta(description="From 1.")]
    turns_done: Annotated[int, Meta(description="All players' finished turns of this round.")]
    max_turns: int
    rack: Annotated[list[int], Meta(description="Your own cards; empty for a spectator.")]
    drawn: Annotated[int | None, Meta(description="The drawn card, while you may know it and it is not yet placed.")]
    discard: Annotated[list[int], Meta(description="The discard pile, oldest first: the last one can be taken.")]
    stock: Annotated[int, Meta(description="Cards left in the draw pile.")]
    stock_known: Annotated[
        list[int], Meta(description="The draw pile, top first, when everybody knows it; else empty.")
    ]
    known_racks: Annotated[
        list[list[int | None]], Meta(description="What is public of each rack; your own row is your rack.")
    ]
    scores: Annotated[list[int], Meta(description="Totals, by side.")]
    sides: Annotated[tuple[tuple[int, ...], ...], Meta(description="The seats of each side.")]


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
