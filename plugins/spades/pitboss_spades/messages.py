"""The messages of Spades: actions, the view and the written position (section 6 of the rule book)."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, field

from pitboss.options import Action
from pitboss.parts.trick_match import TrickMatchView, TrickPosition
from pitboss.parts.tricks import PlayCard

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


class View(TrickMatchView, frozen=True, kw_only=True):
    """What a seat may know."""

    bids: Annotated[list[int | None], Meta(description="By seat, what it has bid in this deal; 0 is nil.")]
    blind: Annotated[list[bool], Meta(description="By seat, whether its nil was bid blind.")]
    bags: Annotated[list[int], Meta(description="By side (0 and 2, 1 and 3), its bags of the earlier deals.")]


class Position(TrickPosition, frozen=True, kw_only=True):
    """A position written down; seat `deal_no` - 1, counted round the table, bids first and leads."""

    bids: Annotated[list[Tricks | None], Meta(description="By seat, what it has bid; null: it has not bid yet.")] = (
        field(default_factory=lambda: [None] * 4)
    )
    blind: Annotated[list[bool], Meta(description="By seat, whether its nil was bid blind.")] = field(
        default_factory=lambda: [False] * 4
    )
    has_looked: Annotated[bool, Meta(description="Who is to bid has decided not to bid blind.")] = False
    bags: Annotated[list[int], Meta(description="By side, its bags before this deal.")] = field(
        default_factory=lambda: [0, 0]
    )
