"""`pitboss standings` and `pitboss export`: what a store holds."""

from __future__ import annotations

import shutil
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss_tournament.cli.parameters import Json

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pitboss.record import Incident
    from pitboss_tournament.results.standings import Tally
    from pitboss_tournament.results.store import Store

StoreFile = Annotated[Path, typer.Argument(metavar="STORE", help="A tournament's store (….pitboss).", show_default=False)]


class What(StrEnum):
    """What can be exported."""

    RECORDS = "records"
    EVENTS = "events"
    INCIDENTS = "incidents"
    LOGS = "logs"
    CSV = "csv"
    PARQUET = "parquet"


def standings(file: StoreFile, as_json: Json = False) -> None:
    """Print the standings of a tournament, finished or not: who is better, what the bots did wrong, and how long they thought.

    Half of a bot's decisions took it no longer than p50, 99 of 100 no longer than p99. The runner's lag is the time between an answer and its being read; it is billed to nobody.

    With --json: an object with game, seed, seats, deals, played, lag_p50_ms and lag_p99_ms, voids (games broken off by no bot's fault, by cause), standings: a list of name,
    games, blocks, points and wins (each mean and half_width of its 95 % interval), faults (forfeited games by kind), substituted (decisions by kind), think_ms (the mean),
    think_p50_ms, think_p99_ms, is_out; and first_faults: a list of bot, game_id, and incident (as records have it).
    """
    from pitboss_tournament.cli.printing import print_json
    from pitboss_tournament.results.standings import Tally
    from pitboss_tournament.results.store import Store
    from pitboss_tournament.showing.words import harmless

    store = Store(file)
    header = store.header
    tally = Tally(header.bots, header.seats, header.faults.disqualify_after)
    tally.add_all(store.results())
    voids = store.void_causes()
    if as_json:
        print_json(_as_json(store, tally, voids))
    else:
        about = f"{header.game}, {header.seats} at a table, seed {header.seed!r}: {tally.games:,} games played"
        typer.echo(harmless(about))
        print_standings(store, tally, voids)


def print_standings(store: Store, tally: Tally, voids: Mapping[str, int]) -> None:
    """Print the standings, what the numbers mean, and each bot's first fault."""
    from rich.console import Console
    from rich.text import Text

    from pitboss_tournament.showing.scoreboard import board, fault_lines, folded, notes

    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    lines = tally.standings()
    first = _first_faults(store, tally)
    console = Console(highlight=False)
    for line in board(lines, width):
        console.print(Text(line.text, style="bold" if line.is_heading else ""), soft_wrap=True)
    for text, _ in folded(notes(tally, voids), width):
        typer.echo(text)
    for standing in lines:
        if standing.faults or standing.substituted:
            for text, _ in folded(fault_lines(standing, first.get(standing.name), store.path), width):
                typer.echo(text)


def _first_faults(store: Store, tally: Tally) -> dict[str, tuple[int, Incident]]:
    """Return the first fault of each bot that has one, with its game."""
    found = {}
    for entrant, (game, seat) in tally.first_faults.items():
        incidents = store.record(game).incidents
        found[tally.names[entrant]] = (game, next(incident for incident in incidents if incident.fault.seat == seat))
    return found


def _as_json(store: Store, tally: Tally, voids: Mapping[str, int]) -> dict[str, object]:
    from pitboss_tournament.results.standings import quantile_ms

    about = {key: getattr(store.header, key) for key in ("game", "seed", "seats", "deals")}
    return {
        **about,
        "played": tally.games,
        "lag_p50_ms": quantile_ms(tally.lag, 0.5),
        "lag_p99_ms": quantile_ms(tally.lag, 0.99),
        "voids": voids,
        "standings": tally.standings(),
        "first_faults": [
            {"bot": bot, "game_id": game, "incident": incident} for bot, (game, incident) in _first_faults(store, tally).items()
        ],
    }


def export(
    file: StoreFile,
    what: Annotated[
        What,
        typer.Option("--what", "-w", help="Records, event logs, incidents or logs as JSON lines, or results as CSV or Parquet."),
    ] = What.RECORDS,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="A file to write; by default standard output.")] = None,
    times: Annotated[
        bool,
        typer.Option(
            help="With thinking times and the evidence of faults. Without them two runs of a tournament export the same bytes."
        ),
    ] = True,
) -> None:
    """Export all games of a tournament, in the order of their numbers.

    Records hold everything that is needed to rebuild a game, and its incidents: what the bots did wrong, with the evidence. Events are the full log of the table, hidden cards
    included, rebuilt from the records. Incidents are those of the records, a line for each, with the bot's name. Logs are what was said and what was written to standard error,
    of the games whose logs are kept.

    CSV and Parquet have a line for each seat of each game: points and place with forfeits considered, fault (the kind by which it forfeited), substituted (for how many decisions
    the neutral action was played, the game going on), decisions (its own), think_ms (all of them together), think_p50_ms and think_p99_ms (half, and 99 of 100, took no longer,
    to within 5 %), and lag_p99_ms of the game: by how much the runner was late to read answers, for which nobody is billed.
    """
    from pitboss.errors import ConfigError
    from pitboss_tournament.results.store import Store
    from pitboss_tournament.showing.words import harmless_json

    store = Store(file)
    if output is None:
        if what is What.PARQUET:
            raise ConfigError("Parquet is no text: name the file to write with --output")
        plain = harmless_json if sys.stdout.isatty() else str
        sys.stdout.writelines(f"{plain(line)}\n" for line in _lines(store, what, times))
        return
    try:
        _write(store, what, times, output)
    except OSError as wrong:
        raise ConfigError(f"{output}: cannot be written: {wrong.strerror or wrong}") from None


def _write(store: Store, what: What, times: bool, output: Path) -> None:
    from pitboss_tournament.results import export

    if what is What.PARQUET:
        export.write_parquet(store, times, output)
        return
    with output.open("w", encoding="utf-8", newline="\n") as out:
        out.writelines(f"{line}\n" for line in _lines(store, what, times))


def _lines(store: Store, what: What, times: bool) -> Iterator[str]:
    from pitboss_tournament.cli.installed import registry
    from pitboss_tournament.results import export

    match what:
        case What.RECORDS:
            return export.record_lines(store, times)
        case What.EVENTS:
            return export.event_lines(store, registry())
        case What.INCIDENTS:
            return export.incident_lines(store, times)
        case What.LOGS:
            return export.log_lines(store)
        case _:
            return export.csv_lines(store, times)
