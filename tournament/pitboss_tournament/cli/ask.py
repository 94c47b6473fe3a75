"""`pitboss ask`: a bot asked again what was asked in a recorded game."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import trio
import typer
from msgspec import UNSET
from msgspec.structs import replace

from pitboss.records.record import replay_states
from pitboss_tournament.cli.bot_resolution import resolve_bots
from pitboss_tournament.cli.output import print_game_heading, print_json, terminal_width
from pitboss_tournament.cli.registry import load_registry
from pitboss_tournament.cli.setting_words import read_settings
from pitboss_tournament.processes.sandbox_probe import resolve_sandbox
from pitboss_tournament.reask import reask_output
from pitboss_tournament.reask.bot_lookup import check_seat, choose_decision, find_bot
from pitboss_tournament.reask.foreign_game import load_any_game
from pitboss_tournament.reask.reask import ReaskRequest, ReaskResult, reask_bot
from pitboss_tournament.reask.reask_output import describe_reask
from pitboss_tournament.reask.recorded_game import RecordedGame
from pitboss_tournament.text.terminal_text import escape_line, wrap_text

if TYPE_CHECKING:
    from pitboss.game import AnyGame


def ask(
    file: Path,
    game_id: int | None,
    decision: int | None,
    bot: str | None,
    seat: int | None,
    alone: bool,
    repeat: int,
    settings: list[str] | None,
    sandbox: str | None,
    no_clock: bool,
    pause: bool,
    wire: bool,
    as_json: bool,
) -> None:
    """Run `pitboss ask`."""
    said = read_settings(settings, ("limits", "sandbox"), sandbox=sandbox)
    level = said.to_file("").sandbox
    recorded = load_any_game(file, game_id, load_registry())
    rules = load_registry().find_game(recorded.record.game)
    named = None if bot is None else resolve_bots([bot], Path.cwd(), rules.name, level)[0]
    decision = choose_decision(recorded, seat) if decision is None else decision
    asked_seat = check_seat(recorded, decision, named, seat)
    if named is None:
        spec, base = find_bot(recorded, asked_seat, load_registry(), Path.cwd())
    entrant = named or resolve_bots([spec], base, rules.name, level)[0]
    mode, warning = resolve_sandbox(level)
    if warning:
        typer.echo(warning, err=True)
    allowed = said.merge_limits(recorded.bots[asked_seat].limits)
    entrant = replace(entrant, limits=allowed, hidden=(file.absolute(),))
    wish = ReaskRequest(seat=asked_seat, decision=decision, alone=alone, timed=not no_clock, sandbox=mode)
    found = reask_bot(rules, recorded, entrant, wish, repeat, _wait_for_enter if pause else None)
    if as_json:
        print_json(describe_reask(recorded, entrant.name, asked_seat, found))
    else:
        _print_text(recorded, rules, asked_seat, found, wire)
    if any(session.asked.fault for session in found):
        raise typer.Exit(1)


async def _wait_for_enter(pid: int) -> None:
    typer.echo(f"the bot is process {pid}; press Enter to ask it", err=True)
    await trio.to_thread.run_sync(sys.stdin.readline, abandon_on_cancel=True)


def _print_text(
    recorded: RecordedGame, rules: AnyGame, seat: int, found: Sequence[ReaskResult], with_wire: bool
) -> None:
    width = terminal_width()
    record, number = recorded.record, found[0].asked.original.number
    print_game_heading(recorded.game_id, record)
    if not recorded.is_exact:
        typer.echo("(exported records lack seeds and clock; new ones are used)")
    if record.broken is not UNSET:
        typer.echo("\n".join(wrap_text(escape_line(f"(not a whole game: {record.broken.why})"), width)))
    state = next(islice(replay_states(record, rules), number - 1, None))
    lines = [
        reask_output.question_title(record, seat, found),
        *reask_output.question_lines(record, state, seat, width),
        "",
        *reask_output.answer_lines(found, width),
        "",
        *reask_output.error_lines(found[0], width),
        *(reask_output.wire_lines(found[0], width) if with_wire else ()),
        *reask_output.earlier_lines(found[0]),
    ]
    for line in lines:
        typer.echo("\n".join(wrap_text(line, width)))
