"""The messages of Hearts: actions, the view and the written position (section 6 of the rule book)."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from pitboss.options import CARD, Action
from pitboss.parts.trick_match import TrickMatchView, TrickPosition
from pitboss.parts.tricks import PlayCard

Card: TypeAlias = Annotated[str, CARD, Meta(pattern="^[SHDC]([2-9]|10|[JQKA])$")]
PassedCards: TypeAlias = tuple[Card, Card, Card]


class Pass(Action, frozen=True):
    """Pass three cards."""

    cards: PassedCards


MoonChoice: TypeAlias = Literal["add", "subtract"]


class Moon(Action, frozen=True):
    """Say what it does that you have taken all points: 26 are added to each other total, or subtracted from yours."""

    points: MoonChoice


HeartsAction: TypeAlias = Pass | PlayCard | Moon


class View(TrickMatchView, frozen=True, kw_only=True):
    """What a seat may know."""

    known: Annotated[list[list[str]], Meta(description="By seat, the cards that you know to be in its hand.")]


class Position(TrickPosition, frozen=True, kw_only=True):
    """A position written down; `deal_no` says in which direction cards are passed."""

    is_passing: Annotated[bool, Meta(description="Cards are passed; nobody has played.")] = False
    passed: Annotated[
        list[list[Card]] | None,
        Meta(description="By seat, the cards that it has passed; later those of them that are still held."),
    ] = None
    moon: Annotated[
        MoonChoice | None, Meta(description="What the shooter of the moon has chosen, after the last trick.")
    ] = None
