"""Exporters: the formats in which `pitboss export` writes a tournament. Plugins add theirs by `pitboss_exporters`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from msgspec import Struct

from pitboss.game import AnyGame
from pitboss.plugins.registry import Registry
from pitboss.records.record import ExportFunction, RecordExporter
from pitboss_tournament.exchange import export
from pitboss_tournament.exchange.decision_export import write_decisions
from pitboss_tournament.rounds.round_replay import number_rounds
from pitboss_tournament.store.store import Store


class ExportRequest(NamedTuple):
    """What is to be exported."""

    store: Store
    registry: Registry
    with_times: bool  # False: two runs of a tournament export the same bytes
    ending: str = ""  # of the file that was named, as ".npz"; "" on standard output

    def number_rounds(self) -> Iterator[int | None]:
        """Yield the round of each game, as `number_rounds` does."""
        return number_rounds(self.store)


class Exporter(Struct, frozen=True, kw_only=True):
    """A format: of text, whose lines it yields without their ends, or another, which it writes to a file."""

    name: str  # as people type it: `--what NAME`
    summary: str
    lines: Callable[[ExportRequest], Iterator[str]] | None = None
    write: Callable[[ExportRequest, Path], None] | None = None


EXPORTERS: Final = (
    Exporter(
        name="records",
        summary="Each game whole, a line of JSON.",
        lines=lambda wanted: export.record_lines(wanted.store, wanted.with_times),
    ),
    Exporter(
        name="events",
        summary="What happened at the tables, hidden cards included, a line of JSON each.",
        lines=lambda wanted: export.event_lines(wanted.store, wanted.registry),
    ),
    Exporter(
        name="incidents",
        summary="Faults of bots with their evidence, a line of JSON each.",
        lines=lambda wanted: export.incident_lines(wanted.store, wanted.with_times),
    ),
    Exporter(
        name="logs",
        summary="What was said, and written to standard error, of games whose logs are kept.",
        lines=lambda wanted: export.log_lines(wanted.store),
    ),
    Exporter(
        name="notation",
        summary="Each game as a text to read, a line a decision.",
        lines=lambda wanted: export.notation_lines(wanted.store, wanted.with_times),
    ),
    Exporter(
        name="csv",
        summary="Results, a line for each seat of each game.",
        lines=lambda wanted: export.csv_lines(wanted.store, wanted.with_times, wanted.number_rounds()),
    ),
    Exporter(
        name="parquet",
        summary="The same as a file of Parquet.",
        write=lambda wanted, path: export.write_parquet(wanted.store, wanted.with_times, path, wanted.number_rounds()),
    ),
    Exporter(
        name="decisions",
        summary="What seats knew, what was legal and what they chose, as numbers: a file .npz or .parquet.",
        write=lambda wanted, path: write_decisions(wanted.store, wanted.registry, path, wanted.ending),
    ),
)


def list_own_exporters(store: Store, registry: Registry) -> dict[str, Exporter]:
    """Return the formats of a tournament's game by name; none if it is not installed."""
    game = registry.games.get(store.header.game)
    own: Mapping[str, ExportFunction] = game.exports if isinstance(game, RecordExporter) else {}
    return {
        name: Exporter(name=name, summary=f"A format of {game.title}.", lines=partial(_own_lines, game, write))
        for name, write in own.items()
        if game is not None
    }


def _own_lines(game: AnyGame, write: ExportFunction, wanted: ExportRequest) -> Iterator[str]:
    return write(game, wanted.store.records())
