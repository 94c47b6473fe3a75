"""The messages of Hearts: actions, the view and the written position (section 6 of the rule book)."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from pitboss.options import CARD, Action
from pitboss.parts.tricks import PlayCard, TrickView

Card: TypeAlias = Annotated[str, CARD, Meta(pattern="^[SHDC]([2-9]|10|[JQKA])$")]
Seat: TypeAlias = Annotated[int, Meta(ge=0, le=4)]
PassedCards: TypeAlias = tuple[Card, Card, Card]


class Pass(Action, frozen=True):
    """Pass three cards."""

    cards: PassedCards


HeartsAction: TypeAlias = Pass | PlayCard


class View(TrickView, frozen=True, kw_only=True):
    """What a seat may know."""

    known: Annotated[list[list[str]], Meta(description="By seat, the cards that you know to be in its hand.")]
    totals: Annotated[list[int], Meta(description="By seat, the points of the earlier deals.")]
    deal_no: Annotated[int, Meta(description="From 1.")]


class Position(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A position written down. Cards that are null, or hands left out, are dealt at random."""

    hands: Annotated[list[list[Card | None]] | None, Meta(description="By seat, the cards that it still holds.")] = None
    is_passing: Annotated[bool, Meta(description="Cards are passed; nobody has played.")] = False
    passed: Annotated[
        list[list[Card]] | None,
        Meta(description="By seat, the cards that it has passed; later those of them that are still held."),
    ] = None
    plays: Annotated[
        list[tuple[Seat, Card]], Meta(description="The cards played in this deal, each with its player, in order.")
    ] = []
    totals: Annotated[list[int] | None, Meta(description="By seat, the points before this deal; null: none.")] = None
    deal_no: Annotated[int, Meta(ge=1, description="From 1; it says in which direction cards are passed.")] = 1
