"""`pitboss export`: what a store holds, for other programs."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss_tournament.cli.atomic_file import write_whole_file
from pitboss_tournament.cli.parameters import StoreFile
from pitboss_tournament.cli.registry import load_registry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pitboss_tournament.store.store import Store


class ExportKind(StrEnum):
    """What can be exported."""

    RECORDS = "records"
    EVENTS = "events"
    INCIDENTS = "incidents"
    LOGS = "logs"
    CSV = "csv"
    PARQUET = "parquet"


def export(
    file: StoreFile,
    what: Annotated[
        ExportKind,
        typer.Option(
            "--what", "-w", help="Records, event logs, incidents or logs as JSON lines, or results as CSV or Parquet."
        ),
    ] = ExportKind.RECORDS,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A file to write; by default standard output.")
    ] = None,
    times: Annotated[
        bool,
        typer.Option(
            help="With thinking times and the evidence of faults. "
            "Without them two runs of a tournament export the same bytes."
        ),
    ] = True,
) -> None:
    """Export all games of a tournament, in the order of their numbers.

    Records hold everything that is needed to rebuild a game, and its incidents: what the bots did wrong, with the
    evidence. Events are the full log of the table, hidden cards included, rebuilt from the records. Incidents are those
    of the records, a line for each, with the bot's name. Logs are what was said and what was written to standard error,
    of the games whose logs are kept.

    CSV and Parquet have a line for each seat of each game: points and place with forfeits considered, fault (the kind
    by which it forfeited), substituted (for how many decisions the neutral action was played, the game going on),
    decisions (its own), think_ms (all of them together), think_p50_ms and think_p99_ms (half, and 99 of 100, took no
    longer, to within 5 %), and lag_p99_ms of the game: by how much the runner was late to read answers, for which
    nobody is billed.
    """
    from pitboss.errors import ConfigError
    from pitboss_tournament.store.export import write_parquet
    from pitboss_tournament.store.store import Store
    from pitboss_tournament.text.terminal_text import escape_json

    store = Store(file)
    if output is None:
        if what is ExportKind.PARQUET:
            raise ConfigError("Parquet is no text: name the file to write with --output")
        plain = escape_json if sys.stdout.isatty() else str
        sys.stdout.writelines(f"{plain(line)}\n" for line in _export_lines(store, what, times))
        return
    with write_whole_file(output, file) as part:
        if what is ExportKind.PARQUET:
            write_parquet(store, times, part)
            return
        with part.open("w", encoding="utf-8", newline="\n") as out:
            out.writelines(f"{line}\n" for line in _export_lines(store, what, times))


def _export_lines(store: Store, what: ExportKind, times: bool) -> Iterator[str]:
    from pitboss_tournament.store import export

    match what:
        case ExportKind.RECORDS:
            return export.record_lines(store, times)
        case ExportKind.EVENTS:
            return export.event_lines(store, load_registry())
        case ExportKind.INCIDENTS:
            return export.incident_lines(store, times)
        case ExportKind.LOGS:
            return export.log_lines(store)
        case _:
            return export.csv_lines(store, times)
