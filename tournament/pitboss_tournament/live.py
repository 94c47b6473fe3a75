"""What a person, or a program, sees of a tournament: a live screen, plain lines, or a line of JSON an event."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from typing import Final, TextIO

import msgspec
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table as Grid
from rich.text import Text

from pitboss.errors import PitbossError
from pitboss.record import Record
from pitboss_tournament.runner import Tournament
from pitboss_tournament.scoring import GameResult
from pitboss_tournament.standings import Estimate, Standing

LINE_SECONDS: Final = 5.0  # between two lines of plain progress
MINUTE: Final = 60


class NobodyListens(PitbossError):
    """What a tournament says cannot be written where it was to go."""


@contextmanager
def listening() -> Iterator[None]:
    """Print to standard output in this block.

    Raises:
        NobodyListens: the reader is gone, the terminal is closed, the disk is full.
    """
    try:
        yield
    except OSError as wrong:
        raise NobodyListens(f"standard output: {wrong.strerror}; finished games are kept") from None


class Screen:
    """The standings and the progress, drawn again and again in place, as long as the terminal is there."""

    def __init__(self, tournament: Tournament, console: Console) -> None:
        self._tournament = tournament
        self._pace = Pace(tournament)
        self._live = Live(console=console, auto_refresh=False, transient=True)

    def __enter__(self) -> Screen:
        self._live.start()
        return self

    def __exit__(self, *wrong: object) -> None:
        with suppress(OSError):
            self._live.stop()

    def played(self, result: GameResult, record: Record) -> None:
        """See a finished game."""

    def refresh(self) -> None:
        """Draw."""
        tally = self._tournament.tally
        with suppress(OSError):
            self._live.update(Group(standings_grid(tally.standings()), Text(self._pace.line())), refresh=True)


class Lines:
    """A line of progress every few seconds, for a log; a tournament goes on if nobody reads it."""

    def __init__(self, tournament: Tournament, out: TextIO) -> None:
        self._pace = Pace(tournament)
        self._out = out
        self._next = monotonic() + LINE_SECONDS

    def __enter__(self) -> Lines:
        return self

    def __exit__(self, *wrong: object) -> None:
        """Nothing is left open."""

    def played(self, result: GameResult, record: Record) -> None:
        """See a finished game."""

    def refresh(self) -> None:
        """Print a line if it is time."""
        if monotonic() >= self._next:
            self._next = monotonic() + LINE_SECONDS
            with suppress(OSError):
                print(self._pace.line(), file=self._out, flush=True)


class JsonLines:
    """One JSON object a line: `start`, a `game` for each finished game, `end` with the standings.

    If nobody reads it, the tournament stops: `NobodyListens`.
    """

    def __init__(self, tournament: Tournament, out: TextIO = sys.stdout) -> None:
        self._tournament = tournament
        self._out = out
        self._is_heard = True

    def __enter__(self) -> JsonLines:
        plan = self._tournament.plan
        self._say(
            event="start",
            game=plan.game,
            seats=plan.seats,
            seed=plan.seed,
            bots=self._tournament.tally.names,
            games=self._tournament.total,
            played=self._tournament.played_before,
            store=str(plan.store),
        )
        return self

    def __exit__(self, *wrong: object) -> None:
        if not self._is_heard:
            return
        tournament = self._tournament
        self._say(
            event="end",
            played=tournament.tally.games,
            games=tournament.total,
            stopped=tournament.was_stopped,
            standings=msgspec.to_builtins(tournament.tally.standings()),
        )

    def played(self, result: GameResult, record: Record) -> None:
        """Say how a game ended."""
        self._say(
            event="game",
            id=result.game_id,
            deal=result.deal,
            rotation=result.rotation,
            seed=record.seed,
            bots=record.players,
            points=[seat.points for seat in result.seats],
            places=[seat.place for seat in result.seats],
            faults=msgspec.to_builtins(record.faults),
            decisions=len(record.decisions),
        )

    def refresh(self) -> None:
        """Draw nothing: this is for programs."""

    def _say(self, **event: object) -> None:
        self._is_heard = False
        with listening():
            print(msgspec.json.encode(event).decode(), file=self._out, flush=True)
        self._is_heard = True


class Pace:
    """How far a tournament has come, and how fast it goes."""

    def __init__(self, tournament: Tournament) -> None:
        self._tournament = tournament
        self._began = monotonic()

    def line(self) -> str:
        """Say it in one line."""
        tournament = self._tournament
        done, total = tournament.tally.games, tournament.total
        seconds = monotonic() - self._began
        speed = (done - tournament.played_before) / seconds if seconds > 0 else 0.0
        text = f"{done:,} of {total:,} games, {speed:,.1f} a second"
        if speed and done < total:
            text += f", {_duration((total - done) / speed)} left"
        faults = sum(counted.total() for counted in tournament.tally.faults)
        return text + (f", {faults:,} forfeited" if faults else "") + (f", {tournament.voids} void" if tournament.voids else "")


def standings_grid(standings: Iterable[Standing]) -> Grid:
    """Return the standings as a table for a terminal."""
    grid = Grid(box=None, pad_edge=False, header_style="bold")
    grid.add_column("", justify="right")
    grid.add_column("bot", overflow="fold")
    for heading in ("games", "blocks", "points", "wins %", "think ms"):
        grid.add_column(heading, justify="right", no_wrap=True)
    grid.add_column("faults", overflow="fold")
    for place, line in enumerate(standings, 1):
        faults = ", ".join(f"{kind} {count}" for kind, count in sorted(line.faults.items())) or "-"
        grid.add_row(
            str(place),
            Text(line.name),
            f"{line.games:,}",
            f"{line.blocks:,}",
            with_interval(line.points),
            with_interval(line.wins, 100),
            "-" if line.think_ms is None else f"{line.think_ms:.2f}",
            f"{faults}{' (out)' if line.is_out else ''}",
        )
    return grid


def with_interval(estimate: Estimate, scale: float = 1) -> str:
    """Write an estimate: "61.3 ±4.2"; "±?" where the interval is not known."""
    if estimate.mean is None:
        return "-"
    width = "?" if estimate.half_width is None else f"{estimate.half_width * scale:.1f}"
    return f"{estimate.mean * scale:.1f} ±{width}"


def _duration(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.0f} s"
    if seconds < 100 * MINUTE:
        return f"{seconds / MINUTE:.0f} min"
    return f"{seconds / MINUTE / MINUTE:.1f} h"
