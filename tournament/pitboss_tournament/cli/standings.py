"""`pitboss standings`: who is better, how sure that is, what went wrong, and how a run that is on its way comes along."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from pitboss_tournament.cli.parameters import Json, StoreFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pitboss.record import Incident
    from pitboss_tournament.results.store import Store
    from pitboss_tournament.results.summary import Summary
    from pitboss_tournament.showing.columns import Line
    from pitboss_tournament.statistics.pairwise import Comparison


def standings(
    file: StoreFile,
    pairs: Annotated[bool, typer.Option("--pairs", help="Compare each two bots instead.")] = False,
    as_json: Json = False,
) -> None:
    """Print the standings of a tournament, finished or on its way: who is better, what the bots did wrong, and how long they thought.

    The order is that of the ratings, which count every game at once and consider who sat at the table; if some bots cannot be compared, that of the shares of wins.
    Half of a bot's decisions took it no longer than p50, 99 of 100 no longer than p99. The runner's lag is the time between an answer and its being read; it is billed to nobody.

    With --json: an object with game, seed, seats, deals, played; decided (null, or why it was over before all games were played); running (null, or pid (null if it cannot be seen), began, played_before, total, games_per_second); lag_p50_ms, lag_p99_ms;
    voids (games broken off by no bot's fault, by cause); standings: a list of name, games, blocks, points and wins (each mean and half_width of its 95 % interval), rating (the same), group (only
    bots of one group can be compared), faults (forfeited games by kind), substituted (decisions by kind), think_ms (the mean), think_p50_ms, think_p99_ms, is_out; pairs: a list of bot, other,
    blocks, points and places (each estimate, chance that more of it is the bot's, more_blocks), rating (mean and half_width of the difference) and rating_chance; duplicates: what they saved (ratio of games, low, high,
    blocks, games); and first_faults: a list of bot, game_id, and incident (as records have it).
    """
    from pitboss_tournament.cli.printing import print_json
    from pitboss_tournament.results.store import Store
    from pitboss_tournament.results.summary import Summary

    held = _look(file)
    store = Store(file)
    running = held and _course(store, held)
    summary = Summary(store)
    if as_json:
        print_json(_as_json(summary, running))
        return
    header = store.header
    about = f"{header.game}, {header.seats} at a table, seed {header.seed!r}: {summary.tally.games:,} games played"
    decided = store.decided()
    print_lines(
        [about, *([running.line(summary.tally.games)] if running else []), *([f"It is over: {decided}"] if decided else [])]
    )
    if pairs:
        print_pairs(summary)
    else:
        print_standings(summary)


class Held(NamedTuple):
    """A run that has the store: its process, None if that cannot be seen."""

    pid: int | None


class Course(NamedTuple):
    """A run that is on its way."""

    pid: int | None
    began: str | None
    seconds: float
    before: int
    total: int | None

    def line(self, played: int) -> str:
        """Say how it comes along."""
        from pitboss_tournament.showing.pace import pace

        who = "" if self.pid is None else f" (process {self.pid})"
        if self.began is None:
            return f"A run{who} is just beginning."
        return f"It is being played now{who}: {pace(played, self.total, self.before, self.seconds)}."


def _look(file: Path) -> Held | None:
    """Return the run that has a store. This comes before the store is opened: see `holder.is_held`."""
    from pitboss_tournament.results.holder import holder, is_held

    if not file.is_file():
        return None
    if (found := holder(file)) is not None:
        with found:
            return Held(found.pid)
    return Held(None) if is_held(file) else None


def _course(store: Store, held: Held) -> Course:
    from datetime import UTC, datetime

    runs = store.runs()
    if not runs:
        return Course(held.pid, None, 0.0, 0, None)
    run = runs[-1]
    seconds = (datetime.now(UTC) - datetime.fromisoformat(run.began)).total_seconds()
    return Course(held.pid, run.began, seconds, run.played, run.total)


def print_standings(summary: Summary) -> None:
    """Print the standings, what the numbers mean, and each bot's first fault."""
    from pitboss_tournament.showing.scoreboard import board, fault_lines, notes

    width = _width()
    first = _first_faults(summary)
    _print_table(board(summary.standings, width, summary.ratings))
    print_lines(notes(summary.tally, summary.voids, summary.ratings, summary.saved))
    for standing in summary.standings:
        if standing.faults or standing.substituted:
            print_lines(fault_lines(standing, first.get(standing.name), summary.store.path))


def print_pairs(summary: Summary) -> None:
    """Print each two bots side by side, and what the numbers mean."""
    from pitboss_tournament.showing.pairs import PAIRS, pair_lines, paired

    order = [line.name for line in summary.standings]
    _print_table(pair_lines(list(paired(summary.comparisons, summary.names, order)), _width()))
    print_lines([PAIRS])


def _width() -> int | None:
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def _print_table(lines: Sequence[Line]) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    for line in lines:
        console.print(Text(line.text, style="bold" if line.is_heading else ""), soft_wrap=True)


def print_lines(lines: Iterable[str]) -> None:
    """Print lines of text, folded where the terminal is narrower."""
    from pitboss_tournament.showing.scoreboard import folded

    for text, _ in folded(lines, _width()):
        typer.echo(text)


def _first_faults(summary: Summary) -> dict[str, tuple[int, Incident]]:
    """Return the first fault of each bot that has one, with its game."""
    found = {}
    for entrant, (game, seat) in summary.tally.first_faults.items():
        incidents = [incident for incident in summary.store.record(game).incidents if incident.fault.seat == seat]
        if incidents:  # there are none only in a damaged store: see `pitboss integrity`
            found[summary.names[entrant]] = (game, incidents[0])
    return found


def _as_json(summary: Summary, running: Course | None) -> dict[str, object]:
    from pitboss_tournament.results.standings import quantile_ms

    tally, header = summary.tally, summary.store.header
    return {
        **{key: getattr(header, key) for key in ("game", "seed", "seats", "deals")},
        "played": tally.games,
        "decided": summary.store.decided(),
        "running": running and _running(running, tally.games),
        "lag_p50_ms": quantile_ms(tally.lag, 0.5),
        "lag_p99_ms": quantile_ms(tally.lag, 0.99),
        "voids": summary.voids,
        "standings": summary.told(),
        "pairs": [_pair(summary, pair) for pair in summary.comparisons],
        "duplicates": {key: getattr(summary.saved, key) for key in ("ratio", "low", "high", "blocks", "games")},
        "first_faults": [
            {"bot": bot, "game_id": game, "incident": incident} for bot, (game, incident) in _first_faults(summary).items()
        ],
    }


def _running(course: Course, played: int) -> dict[str, object]:
    speed = (played - course.before) / course.seconds if course.seconds > 0 else None
    return {
        "pid": course.pid,
        "began": course.began,
        "played_before": course.before,
        "total": course.total,
        "games_per_second": speed,
    }


def _pair(summary: Summary, pair: Comparison) -> dict[str, object]:
    return {
        "bot": summary.names[pair.entrant],
        "other": summary.names[pair.other],
        "blocks": pair.blocks,
        "points": pair.points,
        "places": pair.places,
        "rating": summary.ratings.difference(pair.entrant, pair.other),
        "rating_chance": summary.ratings.chance(pair.entrant, pair.other),
    }
