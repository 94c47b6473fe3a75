"""What `pitboss arena rung` tells: a bot's rung, the range that holds it, and the deals behind it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct

from pitboss.plugins.rungs import GameRungs
from pitboss_tournament.rungs.rung_estimate import RungBlock, estimate_rung


class MetRung(Struct, frozen=True, kw_only=True):
    """The deals against one rung."""

    rung: int
    bot: str
    deals: int
    wins: Annotated[int, Meta(description="Comparisons of places that the bot won, over all games of the deals.")]
    losses: int
    ties: int
    points: Annotated[float, Meta(description="The bot's mean lead in a game, in points of the game.")]


class RungReport(Struct, frozen=True, kw_only=True):
    """A bot's rung. The range from `lowest` to `highest` holds its true rung with 95 %."""

    game: str
    bot: str
    rung: int
    lowest: int
    highest: int
    rungs: Annotated[int, Meta(description="How many the game has.")]
    strength: Annotated[float, Meta(description="Above the game's own bot, in `unit`.")]
    low: Annotated[float | None, Meta(description="The lower end of the 95 % interval; null: it has none.")]
    high: Annotated[float | None, Meta(description="The upper end; null: it has none.")]
    unit: Literal["rating", "points"]
    deals: int
    seed: str
    faults: Annotated[int, Meta(description="Games that the bot forfeited, and actions that were played for it.")]
    met: list[MetRung]


def describe_rung(
    table: GameRungs, bot: str, played: Mapping[int, Sequence[RungBlock]], seed: str, faults: int
) -> RungReport:
    """Return what the blocks against rungs, by number, tell of a bot.

    Raises:
        ValueError: there are fewer than two blocks.
    """
    found = estimate_rung(table, played)
    return RungReport(
        game=table.name,
        bot=bot,
        rung=found.rung,
        lowest=found.lowest,
        highest=found.highest,
        rungs=len(table.rungs),
        strength=found.strength,
        low=found.low,
        high=found.high,
        unit=table.unit,
        deals=found.blocks,
        seed=seed,
        faults=faults,
        met=[
            MetRung(
                rung=number,
                bot=table.rungs[number - 1].bot,
                deals=len(blocks),
                wins=sum(block.wins for block in blocks),
                losses=sum(block.losses for block in blocks),
                ties=sum(block.ties for block in blocks),
                points=sum(block.points for block in blocks) / len(blocks),
            )
            for number, blocks in sorted(played.items())
        ],
    )


def rung_lines(report: RungReport, table: GameRungs) -> Iterator[str]:
    """Yield the report as sentences."""
    reach = "" if report.lowest == report.highest else f" ({report.lowest} to {report.highest})"
    yield f"{report.bot}: rung {report.rung}{reach} of {report.rungs} in {report.game}, by {report.deals} deals."
    own = next((number for number, rung in enumerate(table.rungs, 1) if rung.bot == f"house:{table.name}"), None)
    if own is not None:
        yield f"The game's own bot, house:{table.name}, is rung {own}; {_format_interval(report)}."
    for met in report.met:
        score = f"{met.wins} won, {met.losses} lost" + (f", {met.ties} even" if met.ties else "")
        yield f"  rung {met.rung:2} {met.bot}: {score} in {met.deals} deals, {met.points:+.1f} points a game"
    if report.faults:
        yield f"The bot committed faults in {report.faults} games: see `pitboss check {report.bot}`."
    yield f"The range holds the true rung with 95 %. Seed {report.seed!r}."


def _format_interval(report: RungReport) -> str:
    unit = "rating points" if report.unit == "rating" else "points a game"
    low = "no lower end" if report.low is None else f"{report.low:+.0f}"
    high = "no upper end" if report.high is None else f"{report.high:+.0f}"
    side = "above" if report.strength >= 0 else "below"
    return f"the bot is {abs(report.strength):.0f} {unit} {side} it ({low} to {high})"
