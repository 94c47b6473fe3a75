"""`pitboss standings` and `pitboss export`: what a store holds."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss_tournament.cli.parameters import Json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pitboss_tournament.store import Store

StoreFile = Annotated[Path, typer.Argument(metavar="STORE", help="A tournament's store (….pitboss).", show_default=False)]


class What(StrEnum):
    """What can be exported."""

    RECORDS = "records"
    EVENTS = "events"
    CSV = "csv"
    PARQUET = "parquet"


def standings(file: StoreFile, as_json: Json = False) -> None:
    """Print the standings of a tournament, finished or not.

    With --json: an object with game, seed, seats, deals, played, and standings: a list of name, games, blocks, points and wins (each mean and half_width of its
    95 % interval), faults by kind, think_ms, is_out.
    """
    import msgspec
    from rich.console import Console

    from pitboss_tournament.cli.printing import print_json
    from pitboss_tournament.live import standings_grid
    from pitboss_tournament.standings import Tally
    from pitboss_tournament.store import Store

    store = Store(file)
    header = store.header
    tally = Tally(header.bots, header.seats, header.fault_limit)
    tally.add_all(store.results())
    lines = tally.standings()
    if as_json:
        about = {key: getattr(header, key) for key in ("game", "seed", "seats", "deals")}
        print_json({**about, "played": tally.games, "standings": msgspec.to_builtins(lines)})
        return
    typer.echo(f"{header.game}, {header.seats} at a table, seed {header.seed!r}: {tally.games:,} games played")
    Console(highlight=False).print(standings_grid(lines))
    typer.echo("± is a 95 % interval over blocks; a block is one deal in all its rotations.")
    for line in fault_lines(store):
        typer.echo(line)


def fault_lines(store: Store) -> Iterator[str]:
    """Yield for each bot that has forfeited its first fault, and how to look at it."""
    told: set[int] = set()
    for result in store.results():
        for seat, own in enumerate(result.seats):
            if own.fault is not None and own.entrant not in told:
                told.add(own.entrant)
                fault = next(fault for fault in store.record(result.game_id).faults if fault.seat == seat)
                name = store.header.bots[own.entrant]
                yield f"{name}, first in game {result.game_id}, {fault.kind}: {fault.message}"
                yield f"  (to see it: pitboss replay {store.path} {result.game_id})"


def export(
    file: StoreFile,
    what: Annotated[
        What, typer.Option("--what", "-w", help="Records or event logs as JSON lines, or results as CSV or Parquet.")
    ] = What.RECORDS,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="A file to write; by default standard output.")] = None,
    times: Annotated[
        bool, typer.Option(help="With thinking times. Without them two runs of a tournament export the same bytes.")
    ] = True,
) -> None:
    """Export all games of a tournament, in the order of their numbers.

    Records hold everything that is needed to rebuild a game; events are the full log, hidden cards included, rebuilt from the records; CSV and
    Parquet have a line for each seat of each game.
    """
    from pitboss.errors import ConfigError
    from pitboss_tournament.store import Store

    store = Store(file)
    if output is None:
        if what is What.PARQUET:
            raise ConfigError("Parquet is no text: name the file to write with --output")
        for line in _lines(store, what, times):
            sys.stdout.write(f"{line}\n")
        return
    try:
        _write(store, what, times, output)
    except OSError as wrong:
        raise ConfigError(f"{output}: cannot be written: {wrong.strerror or wrong}") from None


def _write(store: Store, what: What, times: bool, output: Path) -> None:
    from pitboss_tournament import export

    if what is What.PARQUET:
        export.write_parquet(store, times, output)
        return
    with output.open("w", encoding="utf-8", newline="\n") as out:
        out.writelines(f"{line}\n" for line in _lines(store, what, times))


def _lines(store: Store, what: What, times: bool) -> Iterator[str]:
    from pitboss_tournament import export
    from pitboss_tournament.cli.installed import registry

    match what:
        case What.RECORDS:
            return export.record_lines(store, times)
        case What.EVENTS:
            return export.event_lines(store, registry())
        case _:
            return export.csv_lines(store, times)
