"""Entrants over several games: one row for each, with an interval over the games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct

from pitboss_tournament.arena.measures import ArenaReport, EntrantReport
from pitboss_tournament.statistics.running_moments import Estimate, average_means


class EntrantOverGames(Struct, frozen=True, kw_only=True):
    """An entrant over the games of several arenas."""

    name: str
    games: Annotated[dict[str, Estimate], Meta(description="By arena: the rating (or points) of the last round.")]
    wins: Annotated[int, Meta(description="Arenas whose last round it won, as proven.")]
    mean: Annotated[
        Estimate, Meta(description="The mean rating over the games that have one, with an interval over games.")
    ]
    gain: Annotated[Estimate, Meta(description="The mean gain over these games, with an interval over games.")]
    seconds: float
    dollars: float | None


class GamesReport(Struct, frozen=True, kw_only=True):
    """Several arenas as one table."""

    arenas: list[str]
    entrants: Annotated[list[EntrantOverGames], Meta(description="The highest mean rating first.")]


def compare_games(reports: Sequence[ArenaReport]) -> GamesReport:
    """Return one row for each entrant of some arenas, which may have different entrants."""
    names = dict.fromkeys(entrant.name for report in reports for entrant in report.entrants)
    rows = [_join(name, reports) for name in names]
    rows.sort(key=lambda row: (row.mean.mean is None, -(row.mean.mean or 0.0), row.name))
    return GamesReport(arenas=[report.title for report in reports], entrants=rows)


def _join(name: str, reports: Sequence[ArenaReport]) -> EntrantOverGames:
    found = [
        (report, entrant)
        for report in reports
        for entrant in report.entrants
        if entrant.name == name and entrant.rounds
    ]
    rated = [entrant for report, entrant in found if report.measure == "rating"]
    dollars = [entrant.dollars for _, entrant in found if entrant.dollars is not None]
    return EntrantOverGames(
        name=name,
        games={report.title: getattr(entrant.rounds[-1], report.measure) for report, entrant in found},
        wins=sum(report.winner == name for report, _ in found),
        mean=average_means([entrant.rounds[-1].rating for entrant in rated]),
        gain=average_means([entrant.gain for entrant in rated]),
        seconds=sum(entrant.seconds for _, entrant in found),
        dollars=sum(dollars) if dollars else None,
    )


def tell_total_cost(entrant: EntrantReport | EntrantOverGames) -> str:
    """Return what an entrant's edits have cost, in words."""
    tokens = getattr(entrant, "tokens", None)
    parts = [f"{entrant.seconds:,.0f} s"]
    parts += [f"{tokens:,} tokens"] if tokens is not None else []
    parts += [f"${entrant.dollars:,.2f}"] if entrant.dollars is not None else []
    return ", ".join(parts)
