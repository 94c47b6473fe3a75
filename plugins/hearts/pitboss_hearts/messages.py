"""The messages of Hearts: options, actions, view and position (sections 5 and 6 of the rule book)."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta

from pitboss import Options
from pitboss.options import CARD, IN_ZONES, Action, CardFace
from pitboss.parts.trick_match import TrickMatchView, TrickPosition
from pitboss.parts.tricks import PlayCard


class HeartsOptions(Options, frozen=True):
    """What Hearts can be played with."""

    limit: Annotated[int, Meta(ge=1, le=500, description="Points of one player that end the match.")] = 100
    deals: Annotated[int, Meta(ge=1, le=200, description="Maximum number of deals in a match.")] = 100
    passing: Annotated[bool, Meta(description="Three cards are passed before the play.")] = True
    queen_breaks: Annotated[bool, Meta(description="Hearts may be led after the queen of spades too.")] = False
    first_points: Annotated[bool, Meta(description="Cards that count may be played to the first trick.")] = False
    moon: Annotated[
        Literal["old", "new", "choice"],
        Meta(
            description='Who takes all points: the others get 26 each ("old"), or it loses 26 ("new"), or it chooses '
            'between the two ("choice").'
        ),
    ] = "old"
    jack: Annotated[bool, Meta(description="The jack of diamonds takes off 10 points (Omnibus).")] = False


PRESETS: Final = {
    "standard": HeartsOptions(),
    "short": HeartsOptions(limit=50),
    "single": HeartsOptions(deals=1),
    "omnibus": HeartsOptions(jack=True),
    "new_moon": HeartsOptions(moon="new"),
    "choose_moon": HeartsOptions(moon="choice"),
    "black_lady_breaks": HeartsOptions(queen_breaks=True, first_points=True),
}


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

    known: Annotated[
        list[list[CardFace]], IN_ZONES, Meta(description="By seat, the cards that you know to be in its hand.")
    ]


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
