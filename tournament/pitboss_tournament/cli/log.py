"""`pitboss log`: the messages between runner and bots in a game, and the bots' standard error."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss_tournament.cli.output import print_game_heading, print_json, terminal_width
from pitboss_tournament.cli.parameters import Json, StoreFile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pitboss.record import Record
    from pitboss_tournament.store.store import Store, StoredLog


def log(
    file: StoreFile,
    game_id: Annotated[int, typer.Argument(metavar="GAME-ID", help="The number of a game.", show_default=False, min=0)],
    seat: Annotated[int | None, typer.Option(help="Only this seat; by default all that have a log.", min=0)] = None,
    wire: Annotated[bool, typer.Option("--wire", help="Only the lines exchanged.")] = False,
    errors: Annotated[bool, typer.Option("--errors", help="Only what was written to standard error.")] = False,
    raw: Annotated[
        bool,
        typer.Option(
            "--raw", help="Nothing but the bytes themselves, of one seat: for a file or a pipe, not for a terminal."
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Show the logs of a game: for each seat what it wrote to standard error, and every line exchanged with it.

    A line of the wire has the seconds since the game began, then > for what the runner said, or < for what the bot
    said. Of long logs the head and the tail are kept; a line in between says how many bytes are left out. Logs are kept
    of the games in which a bot did wrong, or of all: `[logs] keep = "all"` in the tournament file.

    With --json: an object with game_id, game, seed, and logs: a list of seat, bot, errors (a text), wire (a list of
    lines); what is not UTF-8 is shown by its bytes.
    """
    from pitboss_tournament.plan.seating import check_seat_number
    from pitboss_tournament.store.store import Store

    store = Store(file)
    record = store.record(game_id)
    check_seat_number(seat, len(record.players))
    logs = [one for one in _load_logs(store, game_id, record) if seat in (None, one.seat)]
    wanted = [part for part, is_wanted in (("errors", errors or not wire), ("wire", wire or not errors)) if is_wanted]
    if raw:
        _write_raw(logs, wanted)
    elif as_json:
        print_json(_as_json(game_id, record, logs, wanted))
    else:
        _print_logs(game_id, record, logs, wanted)


def _load_logs(store: Store, game_id: int, record: Record) -> list[StoredLog]:
    from pitboss.errors import ConfigError

    logs = store.logs(game_id)
    if not logs:
        why = "no bot did wrong in it" if not record.faults else "the games were not played by this Pitboss"
        raise ConfigError(
            f"{store.path}: no logs of game {game_id} are kept, for {why}; to keep those of all games, write "
            '[logs] keep = "all" in the tournament file, or call `pitboss match` with --keep-logs all'
        )
    return logs


def _write_raw(logs: Sequence[StoredLog], wanted: Sequence[str]) -> None:
    from pitboss.errors import ConfigError

    if len(logs) != 1 or len(wanted) != 1:
        raise ConfigError("--raw writes one log: say which with --seat, and --wire or --errors")
    if sys.stdout.isatty():
        raise ConfigError("--raw is for a file or a pipe: what a bot wrote may do anything to a terminal")
    sys.stdout.buffer.write(getattr(logs[0], wanted[0]))


def _as_json(game_id: int, record: Record, logs: Sequence[StoredLog], wanted: Sequence[str]) -> dict[str, object]:
    from pitboss_tournament.store.export import decode_log

    said = [{"seat": one.seat, "bot": record.players[one.seat], **decode_log(one)} for one in logs]
    kept = ({key: value for key, value in one.items() if key in ("seat", "bot", *wanted)} for one in said)
    return {"game_id": game_id, "game": record.game, "seed": record.seed, "logs": list(kept)}


def _print_logs(game_id: int, record: Record, logs: Sequence[StoredLog], wanted: Sequence[str]) -> None:
    from pitboss_tournament.showing.evidence import fault_text
    from pitboss_tournament.text.terminal_text import decode_text, escape_line, escape_lines, quote_line, wrap_text

    width = terminal_width()
    print_game_heading(game_id, record)
    for one in logs:
        typer.echo(f"\nseat {one.seat} ({escape_line(record.players[one.seat])})")
        for fault in record.faults:
            if fault.seat == one.seat:
                typer.echo("\n".join(wrap_text(f"  question {fault.decision}: {fault_text(fault)}", width)))
        for part in wanted:
            text = decode_text(getattr(one, part))
            typer.echo(f"  {_TITLES[part]}{':' if text else ': nothing'}")
            for line in escape_lines(text) if text else ():
                typer.echo("\n".join(quote_line(line, "  | ", width)))


_TITLES = {"errors": "standard error", "wire": "the wire (seconds, > to the bot, < from it)"}
