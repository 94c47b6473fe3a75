"""The messages of Oh Hell: actions, the view and the written position (section 6 of the rule book)."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from pitboss.options import CARD, Action
from pitboss.parts.tricks import PlayCard, TrickView

Card: TypeAlias = Annotated[str, CARD, Meta(pattern="^[SHDC]([2-9]|10|[JQKA])$")]
Seat: TypeAlias = Annotated[int, Meta(ge=0, le=6)]
Tricks: TypeAlias = Annotated[int, Meta(ge=0, le=17)]


class Bid(Action, frozen=True):
    """Bid the number of tricks that you will take."""

    tricks: Tricks


OhHellAction: TypeAlias = Bid | PlayCard
BIDS = tuple(Bid(tricks) for tricks in range(18))


class View(TrickView, frozen=True, kw_only=True):
    """What a seat may know."""

    turned_up: Annotated[str | None, Meta(description="The card whose suit is trumps; null: there are no trumps.")]
    bids: Annotated[list[int | None], Meta(description="By seat, what it has bid in this deal.")]
    totals: Annotated[list[int], Meta(description="By seat, the points of the earlier deals.")]
    deal_no: Annotated[int, Meta(description="From 1.")]
    hand_sizes: Annotated[list[int], Meta(description="The cards of a hand in each deal of the match.")]


class Position(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A position written down. Cards that are null, or left out, are dealt at random."""

    hands: Annotated[list[list[Card | None]] | None, Meta(description="By seat, the cards that it still holds.")] = None
    turned_up: Annotated[Card | None, Meta(description="The card that tells the trump suit.")] = None
    stock: Annotated[
        list[Card | None] | None, Meta(description="The cards that were not dealt, the top one first.")
    ] = None
    bids: Annotated[list[Tricks], Meta(description="The bids of this deal, from the first bidder's on.")] = []
    plays: Annotated[
        list[tuple[Seat, Card]], Meta(description="The cards played in this deal, each with its player, in order.")
    ] = []
    totals: Annotated[list[int] | None, Meta(description="By seat, the points before this deal; null: none.")] = None
    deal_no: Annotated[int, Meta(ge=1, description="From 1: seat deal_no - 1 bids first, and leads.")] = 1
