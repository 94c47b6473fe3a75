"""Display of a running tournament in a terminal: a screen that is redrawn in place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, Self

from msgspec.structs import asdict
from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from pitboss.records.record import Incident
from pitboss.text import format_count
from pitboss_tournament.counting.scored_results import name_score
from pitboss_tournament.results.notes import format_kinds
from pitboss_tournament.results.standings_rows import BotRow, leave_out_places, number_rows
from pitboss_tournament.running.progress_listener import ProgressListener
from pitboss_tournament.running.tournament import Tournament
from pitboss_tournament.showing.live import RunNews, RunProgress
from pitboss_tournament.showing.standings_table import board_lines
from pitboss_tournament.text.columns import fold_lines

MIN_SHOWN_BOTS: Final = 5  # however low the screen is
MAX_SHOWN_TABLES: Final = 6  # shown; more are only counted
MAX_SHOWN_MACHINES: Final = 4  # of a cluster; more are only counted
MAX_FORFEITERS: Final = 3


class LiveScreen(ProgressListener):
    """Standings and progress, redrawn in place."""

    def __init__(self, tournament: Tournament, console: Console) -> None:
        self._tournament = tournament
        self._counted = name_score(tournament.store.header)
        self._pace = RunProgress(tournament)
        self._news = RunNews()
        self._live = Live(console=console, auto_refresh=False, transient=True)

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        with suppress(OSError):
            self._live.stop()

    def show_fault(self, name: str, game_id: int, incident: Incident) -> None:
        """Keep the first fault of a bot for the next refresh."""
        self._news.add_fault(name, game_id, incident)

    def show_note(self, text: str) -> None:
        """Keep a note for the next refresh."""
        self._news.add_note(text)

    def prepare_refresh(self) -> Callable[[], None]:
        """Return a function that prints new faults above the current state, and draws that."""
        news = [Text(line.text) for line in self._news.take_lines(self._live.console.width)]
        below = [*_current_tables(self._tournament), *_forfeit_lines(self._tournament), self._pace.text()]
        last = [Text(line) for line, _ in fold_lines(below, self._live.console.width)]
        return partial(self._draw, news, Group(*self._write_standings(len(last)), *last))

    def _write_standings(self, lines_below: int) -> Iterator[Text]:
        """Yield the standings, as many lines as the screen has room for."""
        standings = self._tournament.running_standings.standings(anytime=True)
        room = max(MIN_SHOWN_BOTS, self._live.console.height - lines_below - 2)  # heading, hidden bots
        shown = standings if len(standings) <= room + 1 else standings[:room]
        rows = number_rows([BotRow(**asdict(line), counted=self._counted) for line in shown])
        if self._tournament.plan.is_cooperative:
            rows = leave_out_places(rows)
        for line in board_lines(rows, self._live.console.width):
            yield Text(line.text, style="bold" if line.is_heading else "", no_wrap=True)
        if len(shown) < len(standings):
            yield Text(f"and {len(standings) - len(shown):,} more bots", no_wrap=True)

    def _draw(self, news: Sequence[Text], picture: Group) -> None:
        with suppress(OSError):
            if news:
                self._live.console.print(*news, sep="\n")
            self._live.update(picture, refresh=True)


def _current_tables(tournament: Tournament) -> Iterator[str]:
    names, tables = tournament.running_standings.names, tournament.tables()
    if not tables:
        return
    shown = [" - ".join(names[entrant] for entrant in table) for table in tables[:MAX_SHOWN_TABLES]]
    more = f"; and {len(tables) - MAX_SHOWN_TABLES} more tables" if len(tables) > MAX_SHOWN_TABLES else ""
    yield f"now: {'; '.join(shown)}{more}"
    if machines := sorted(tournament.count_machines().items()):
        where = [f"{name}, {format_count(number, 'table')}" for name, number in machines[:MAX_SHOWN_MACHINES]]
        hidden = len(machines) - MAX_SHOWN_MACHINES
        more = f"; and {format_count(hidden, 'more machine')}" if hidden > 0 else ""
        yield f"on: {'; '.join(where)}{more}"


def _forfeit_lines(tournament: Tournament) -> Iterator[str]:
    """Yield the bots with forfeits, the most first."""
    tally = tournament.running_standings
    worst = sorted(range(len(tally.names)), key=lambda entrant: -tally.faults[entrant].total())
    faulty = [f"{tally.names[one]} ({format_kinds(tally.faults[one])})" for one in worst if tally.faults[one]]
    if faulty:
        yield f"forfeits: {', '.join(faulty[:MAX_FORFEITERS])}{', …' if len(faulty) > MAX_FORFEITERS else ''}"
