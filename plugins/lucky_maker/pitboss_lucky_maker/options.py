"""The options of Lucky Maker: section 4 of the rule book."""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self

from msgspec import Meta
from msgspec.structs import replace

from pitboss import Options


class LuckyMakerOptions(Options, frozen=True):
    """What Lucky Maker can be played with."""

    games: Annotated[
        int,
        Meta(
            ge=0,
            le=100,
            description="Games of the series, each with a fresh deal, points added; 0: as many as players.",
        ),
    ] = 0
    tie_lead: Annotated[
        Literal["same", "winner"],
        Meta(
            description="Who leads to the next trick when the highest number lay on the table twice, the master's "
            "counted (exception 4): "
            'the same leader again ("same"), or who won the trick.'
        ),
    ] = "same"
    void_lead: Annotated[
        Literal["same", "next"],
        Meta(
            description="Who leads to the next trick when nobody had a suit of the master (exception 3): "
            'the same leader again ("same"), or the player on the leader\'s left ("next").'
        ),
    ] = "same"
    start: Annotated[
        Literal["rotate", "random", "seat0"],
        Meta(
            description='Who leads first: "rotate": by lot in game 1, then one seat on in each game; "random": by lot '
            "in each game; "
            '"seat0": seat 0 in game 1, then one seat on.'
        ),
    ] = "rotate"

    def resolve(self, seats: int) -> Self:
        """Return the options for a table: section 6 of the sheet advises as many games as players (D12)."""
        return replace(self, games=self.games or seats)


PRESETS: Final = {
    "series": LuckyMakerOptions(),
    "single": LuckyMakerOptions(games=1),
    "winner_leads": LuckyMakerOptions(tie_lead="winner"),
}
