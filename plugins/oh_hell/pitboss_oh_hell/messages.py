"""The messages of Oh Hell: actions, the view and the written position (section 6 of the rule book)."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, field

from pitboss.options import CARD, Action
from pitboss.parts.trick_match import TrickMatchView, TrickPosition
from pitboss.parts.tricks import PlayCard

Card: TypeAlias = Annotated[str, CARD, Meta(pattern="^[SHDC]([2-9]|10|[JQKA])$")]
Tricks: TypeAlias = Annotated[int, Meta(ge=0, le=17)]


class Bid(Action, frozen=True):
    """Bid the number of tricks that you will take."""

    tricks: Tricks


OhHellAction: TypeAlias = Bid | PlayCard
BIDS = tuple(Bid(tricks) for tricks in range(18))


class View(TrickMatchView, frozen=True, kw_only=True):
    """What a seat may know."""

    turned_up: Annotated[str | None, Meta(description="The card whose suit is trumps; null: there are no trumps.")]
    bids: Annotated[list[int | None], Meta(description="By seat, what it has bid in this deal.")]
    hand_sizes: Annotated[list[int], Meta(description="The cards of a hand in each deal of the match.")]


class Position(TrickPosition, frozen=True, kw_only=True):
    """A position written down; seat `deal_no` - 1, counted round the table, bids first and leads."""

    turned_up: Annotated[Card | None, Meta(description="The card that tells the trump suit.")] = None
    stock: Annotated[
        list[Card | None] | None, Meta(description="The cards that were not dealt, the top one first.")
    ] = None
    bids: Annotated[list[Tricks], Meta(description="The bids of this deal, from the first bidder's on.")] = field(
        default_factory=list
    )
