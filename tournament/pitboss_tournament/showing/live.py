"""What a person, or a program, sees of a tournament: a live screen, plain lines, or a line of JSON an event."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from time import monotonic
from typing import Final, TextIO

import msgspec
from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from pitboss.errors import PitbossError
from pitboss_tournament.playing.lanes import Finished
from pitboss_tournament.playing.runner import Tournament
from pitboss_tournament.results.summary import Summary
from pitboss_tournament.showing.pace import pace
from pitboss_tournament.showing.scoreboard import board, by_kind, folded

LINE_SECONDS: Final = 5.0  # between two lines of plain progress
MOST_TABLES: Final = 6  # shown; more are only counted
MOST_TROUBLES: Final = 3


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

    def played(self, game: Finished) -> None:
        """See a finished game."""

    def refresh(self) -> Callable[[], None]:
        """Return what draws how things stand now."""
        lines = board(self._tournament.tally.standings(), self._live.console.width)
        texts = [Text(line.text, style="bold" if line.is_heading else "", no_wrap=True) for line in lines]
        below = [*_tables(self._tournament), *_troubles(self._tournament), self._pace.line()]
        return partial(self._draw, Group(*texts, *(Text(line) for line, _ in folded(below, self._live.console.width))))

    def _draw(self, picture: Group) -> None:
        with suppress(OSError):
            self._live.update(picture, refresh=True)


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

    def played(self, game: Finished) -> None:
        """See a finished game."""

    def refresh(self) -> Callable[[], None]:
        """Return what prints a line, if it is time."""
        if monotonic() < self._next:
            return _nothing
        self._next = monotonic() + LINE_SECONDS
        return partial(self._print, self._pace.line())

    def _print(self, line: str) -> None:
        with suppress(OSError):
            print(line, file=self._out, flush=True)


class JsonLines:
    """One JSON object a line: `start`, a `game` for each finished game, `end` with the standings (null if something has broken the tournament off).

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

    def __exit__(self, kind: type[BaseException] | None, *wrong: object) -> None:
        if not self._is_heard:
            return
        tournament = self._tournament
        self._say(
            event="end",
            played=tournament.tally.games,
            games=tournament.total,
            stopped=tournament.was_stopped,
            standings=Summary(tournament.store).told() if kind is None else None,
        )

    def played(self, game: Finished) -> None:
        """Say how a game ended."""
        result, names = game.result, self._tournament.tally.names
        self._say(
            event="game",
            id=result.game_id,
            deal=result.deal,
            rotation=result.rotation,
            seed=game.seed,
            bots=[names[seat.entrant] for seat in result.seats],
            points=[seat.points for seat in result.seats],
            places=[seat.place for seat in result.seats],
            faults=msgspec.to_builtins(game.faults),
            decisions=game.decisions,
        )

    def refresh(self) -> Callable[[], None]:
        """Draw nothing: this is for programs."""
        return _nothing

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
        text = pace(done, total, tournament.played_before, monotonic() - self._began)
        faults = sum(counted.total() for counted in tournament.tally.faults)
        voids = by_kind(tournament.voids)
        return text + (f", {faults:,} forfeited" if faults else "") + (f", void: {voids}" if voids else "")


def _tables(tournament: Tournament) -> Iterator[str]:
    """Say who meets whom now, by seat."""
    names, tables = tournament.tally.names, tournament.tables()
    if not tables:
        return
    shown = [" - ".join(names[entrant] for entrant in table) for table in tables[:MOST_TABLES]]
    more = f"; and {len(tables) - MOST_TABLES} more tables" if len(tables) > MOST_TABLES else ""
    yield f"now: {'; '.join(shown)}{more}"


def _troubles(tournament: Tournament) -> Iterator[str]:
    """Say who has done wrong, the worst first."""
    tally = tournament.tally
    worst = sorted(range(len(tally.names)), key=lambda entrant: -tally.faults[entrant].total())
    faulty = [f"{tally.names[one]} ({by_kind(tally.faults[one])})" for one in worst if tally.faults[one]]
    if faulty:
        yield f"forfeits: {', '.join(faulty[:MOST_TROUBLES])}{', …' if len(faulty) > MOST_TROUBLES else ''}"


def _nothing() -> None:
    """Show nothing."""
