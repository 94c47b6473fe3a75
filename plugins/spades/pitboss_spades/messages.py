"""The messages of Spades: actions, the view and the written position (section 6 of the rule book)."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct, field

from pitboss.options import CARD, Action
from pitboss.parts.tricks import PlayCard, TrickView

Card: TypeAlias = Annotated[str, CARD, Meta(pattern="^[SHDC]([2-9]|10|[JQKA])$")]
Seat: TypeAlias = Annotated[int, Meta(ge=0, le=3)]
Tricks: TypeAlias = Annotated[int, Meta(ge=0, le=13)]


class Bid(Action, frozen=True):
    """Bid a number of tricks; 0 is nil."""

    tricks: Tricks


class BlindNil(Action, frozen=True):
    """Bid nil before you have looked at your cards."""


class Look(Action, frozen=True):
    """Look at your cards, and bid then."""


SpadesAction: TypeAlias = Bid | BlindNil | Look | PlayCard
BIDS = tuple(Bid(tricks) for tricks in range(14))


class View(TrickView, frozen=True, kw_only=True):
    """What a seat may know."""

    bids: Annotated[list[int | None], Meta(description="By seat, what it has bid in this deal; 0 is nil.")]
    blind: Annotated[list[bool], Meta(description="By seat, whether its nil was bid blind.")]
    totals: Annotated[list[int], Meta(description="By seat, the points of its side in the earlier deals.")]
    bags: Annotated[list[int], Meta(description="By side (0 and 2, 1 and 3), its bags of the earlier deals.")]
    deal_no: Annotated[int, Meta(description="From 1.")]


class Position(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A position written down. Cards that are null, or hands left out, are dealt at random."""

    hands: Annotated[list[list[Card | None]] | None, Meta(description="By seat, the cards that it still holds.")] = None
    bids: Annotated[list[Tricks | None], Meta(description="By seat, what it has bid; null: it has not bid yet.")] = (
        field(default_factory=lambda: [None] * 4)
    )
    blind: Annotated[list[bool], Meta(description="By seat, whether its nil was bid blind.")] = field(
        default_factory=lambda: [False] * 4
    )
    has_looked: Annotated[bool, Meta(description="Who is to bid has decided not to bid blind.")] = False
    plays: Annotated[
        list[tuple[Seat, Card]], Meta(description="The cards played in this deal, each with its player, in order.")
    ] = []
    totals: Annotated[list[int], Meta(description="By side, the points before this deal.")] = field(
        default_factory=lambda: [0, 0]
    )
    bags: Annotated[list[int], Meta(description="By side, its bags before this deal.")] = field(
        default_factory=lambda: [0, 0]
    )
    deal_no: Annotated[int, Meta(ge=1, description="From 1: seat (deal_no - 1) % 4 bids first, and leads.")] = 1
