"""Display of a running tournament by lines: plain lines of progress, or a JSON line per event.

The events are objects, one a line, as `pitboss match` and `run` print them with --json.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from time import monotonic
from types import MappingProxyType
from typing import Annotated, Final, Self, TextIO, TypeAlias

import msgspec
from msgspec import Meta, Struct

from pitboss.errors import PitbossError
from pitboss.protocol.faults import Fault
from pitboss.records.record import Incident
from pitboss_tournament.counting.stored_findings import StoredFindings, kept_luck
from pitboss_tournament.results.fault_evidence import first_fault_lines
from pitboss_tournament.results.headline import Headline
from pitboss_tournament.results.model_use import ModelUse, list_model_use
from pitboss_tournament.results.notes import format_kinds
from pitboss_tournament.results.standings_rows import BotRow, list_bot_rows
from pitboss_tournament.results.verdict import tell_verdict
from pitboss_tournament.rounds.stored_headline import read_headline
from pitboss_tournament.running.progress_listener import ProgressListener
from pitboss_tournament.running.run_end import EndCause
from pitboss_tournament.running.tournament import Tournament
from pitboss_tournament.running.worker_protocol import FinishedGame
from pitboss_tournament.showing.version_comparison import format_proofs
from pitboss_tournament.text.columns import TableLine, fold_lines
from pitboss_tournament.text.progress import Pace, format_progress

HOLD_SENTENCES: Final[Mapping[EndCause | None, str]] = MappingProxyType(
    {
        "time": "The time of this run is up",
        "games": "The games of this run are played",
        "request": "This run was asked to end",
        "budget": "A budget is used up",
        "change": "Other bots are out now",
        "record": "The record ends here",
    }
)

LINE_SECONDS: Final = 5.0  # between two lines of plain progress


class OutputClosed(PitbossError):
    """Standard output cannot be written: its reader, the terminal or the disk space is gone."""


@contextmanager
def translate_output_errors() -> Iterator[None]:
    """Context manager: translate an OSError of the block, which prints to standard output.

    Raises:
        OutputClosed: the reader is gone, the terminal is closed, the disk is full.
    """
    try:
        yield
    except OSError as error:
        raise OutputClosed(f"standard output: {error.strerror}; finished games are kept") from None


class ProgressLines(ProgressListener):
    """A line of progress every few seconds, for a log; write errors are ignored."""

    def __init__(self, tournament: Tournament, out: TextIO) -> None:
        self._pace = RunProgress(tournament)
        self._out = out
        self._next = monotonic() + LINE_SECONDS
        self._news = RunNews()

    def show_fault(self, name: str, game_id: int, incident: Incident) -> None:
        """Keep the first fault of a bot for the next refresh."""
        self._news.add_fault(name, game_id, incident)

    def show_note(self, text: str) -> None:
        """Keep a note for the next refresh."""
        self._news.add_note(text)

    def prepare_refresh(self) -> Callable[[], None]:
        """Return a function that prints new faults, and a line of progress if the last is LINE_SECONDS ago."""
        lines = [line.text for line in self._news.take_lines(None)]
        if monotonic() >= self._next:
            self._next = monotonic() + LINE_SECONDS
            lines.append(self._pace.text())
        return partial(self._print, lines) if lines else super().prepare_refresh()

    def _print(self, lines: Sequence[str]) -> None:
        with suppress(OSError):
            for line in lines:
                print(line, file=self._out, flush=True)


class RunNews:
    """First faults of bots, and notes on machines, that are not shown yet."""

    def __init__(self) -> None:
        self._news: list[Callable[[int | None], Iterable[str]]] = []  # lines for a width

    def add_fault(self, name: str, game_id: int, incident: Incident) -> None:
        """Add the first fault of a bot."""
        self._news.append(lambda width: [f"The first fault of {name}:", *first_fault_lines(game_id, incident, width)])

    def add_note(self, text: str) -> None:
        """Add a sentence."""
        self._news.append(lambda _: [text])

    def take_lines(self, width: int | None) -> Iterator[TableLine]:
        """Yield the news as lines of text, each once."""
        while self._news:
            yield from fold_lines(self._news.pop(0)(width), width)


class JsonEventLines(ProgressListener):
    """One JSON object a line: `start`, `game` for each finished game, `fault` for the first fault of each bot, `end`.

    There is a `note` where a machine that plays was lost or refused, or the server of a language model fails.

    If standard output cannot be written, the tournament stops with `OutputClosed`.
    """

    def __init__(self, tournament: Tournament, out: TextIO = sys.stdout, *, has_end_alone: bool = False) -> None:
        """With `has_end_alone` the last event alone is written."""
        self._tournament = tournament
        self._out = out
        self._can_write = True
        self._has_end_alone = has_end_alone

    def __enter__(self) -> Self:
        plan = self._tournament.plan
        self._write_event(
            RunStarted(
                game=plan.game,
                seats=plan.seats,
                seed=plan.seed,
                bots=self._tournament.running_standings.names,
                games=self._tournament.total_games,
                played=self._tournament.games_before,
                sandbox=plan.sandbox,
                store=str(plan.store) if plan.keeps_store else None,
            )
        )
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        if not self._can_write:
            return
        tournament = self._tournament
        store = tournament.store
        summary = StoredFindings(store, luck=kept_luck(store)) if kind is None else None
        self._write_event(
            RunEnded(
                played=tournament.running_standings.games,
                games=tournament.total_games,
                stopped=tournament.was_stopped,
                cause=tournament.end_cause,
                headline=None if summary is None else read_headline(summary, store, summary.team_scores),
                standings=None if summary is None else list_bot_rows(summary),
                verdict=None if summary is None else list(tell_verdict(summary, summary.team_scores)),
                models=None if summary is None else list_model_use(store),
                store=str(tournament.plan.store) if tournament.plan.keeps_store else None,
            )
        )

    def show_fault(self, name: str, game_id: int, incident: Incident) -> None:
        """Write the first fault of a bot, with its evidence."""
        self._write_event(FirstFaultFound(id=game_id, bot=name, incident=incident))

    def show_note(self, text: str) -> None:
        """Write what happened to the machines that play."""
        self._write_event(RunNote(text=text))

    def show_game(self, game: FinishedGame) -> None:
        """Write the result of a game."""
        result, names = game.result, self._tournament.running_standings.names
        self._write_event(
            GamePlayed(
                id=result.game_id,
                deal=result.deal,
                rotation=result.rotation,
                seed=game.seed,
                bots=[names[seat.entrant] for seat in result.seats],
                points=[seat.points for seat in result.seats],
                places=[seat.place for seat in result.seats],
                faults=game.faults,
                decisions=game.decisions,
            )
        )

    def _write_event(self, event: RunEvent) -> None:
        if self._has_end_alone and not isinstance(event, RunEnded):
            return
        self._can_write = False
        with translate_output_errors():
            print(msgspec.json.encode(event).decode(), file=self._out, flush=True)
        self._can_write = True


class RunProgress:
    """Games done, speed and faults of a running tournament."""

    def __init__(self, tournament: Tournament) -> None:
        self._tournament = tournament
        self._pace = Pace(tournament.games_before, monotonic())

    def text(self) -> str:
        """Return a line of progress, with forfeits, void games and the proofs of a bounded test if there are any.

        It says so if no more games are begun.
        """
        tournament = self._tournament
        done, total = tournament.running_standings.games, tournament.total_games
        stages = tournament.progress.stages
        text = f"{stages[-1].name}: " if stages else ""
        text += format_progress(done, total, self._pace.measure(done, monotonic()))
        faults = sum(counted.total() for counted in tournament.running_standings.faults)
        voids = format_kinds(tournament.voids)
        text += (f", {faults:,} forfeited" if faults else "") + (f", void: {voids}" if voids else "")
        if spent := tournament.spent.values():
            calls, usd = sum(one.calls for one in spent), sum(one.usd for one in spent)
            text += f"; {calls:,} calls of models, ${usd:,.2f}"
        bounded = tournament.stop_monitor and tournament.stop_monitor.bounded
        test = bounded and bounded.run_test()
        text += f"; {format_proofs(test)}" if test else ""
        if (cause := tournament.hold_cause) is not None:
            text += f". {HOLD_SENTENCES[cause]}: games in progress are finished (Ctrl-C breaks them off)"
        return text


class RunStarted(Struct, frozen=True, kw_only=True, tag_field="event", tag="start"):
    """A run begins."""

    game: str
    seats: int
    seed: str
    bots: list[str]
    games: Annotated[int, Meta(description="In total; in formats that decide as they go, the expected number.")]
    played: Annotated[int, Meta(description="Before this run.")]
    sandbox: Annotated[str, Meta(description="The level of this run.")]
    store: Annotated[str | None, Meta(description="Null: it is deleted at the end.")]


class GamePlayed(Struct, frozen=True, kw_only=True, tag_field="event", tag="game"):
    """A game has been played."""

    id: int
    deal: int
    rotation: int
    seed: str
    bots: Annotated[list[str], Meta(description="By seat, as all lists of a game.")]
    points: list[float]
    places: list[int]
    faults: list[Fault]
    decisions: int


class FirstFaultFound(Struct, frozen=True, kw_only=True, tag_field="event", tag="fault"):
    """A bot has done wrong for the first time."""

    id: Annotated[int, Meta(description="The number of the game, which is in play.")]
    bot: str
    incident: Incident


class RunNote(Struct, frozen=True, kw_only=True, tag_field="event", tag="note"):
    """Something has happened to a machine that plays, or to the server of a language model."""

    text: str


class RunEnded(Struct, frozen=True, kw_only=True, tag_field="event", tag="end"):
    """The run has ended. After an error cause, headline, standings, verdict and models are null."""

    played: int
    games: int
    stopped: Annotated[bool, Meta(description="By a signal.")]
    cause: EndCause | None
    headline: Annotated[Headline | None, Meta(description="Who has won, in one sentence, and the places.")]
    standings: list[BotRow] | None
    verdict: list[str] | None
    models: list[ModelUse] | None
    store: Annotated[str | None, Meta(description="Null: it is deleted at the end.")]


RunEvent: TypeAlias = RunStarted | GamePlayed | FirstFaultFound | RunNote | RunEnded
