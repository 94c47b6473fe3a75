"""The options of Hearts: section 5 of the rule book."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta

from pitboss import Options


class HeartsOptions(Options, frozen=True):
    """What Hearts can be played with."""

    limit: Annotated[int, Meta(ge=1, le=500, description="Points of one player that end the match.")] = 100
    deals: Annotated[int, Meta(ge=1, le=200, description="After so many deals the match is over at the latest.")] = 100
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
