"""`pitboss ask`: a bot asked again what was asked in a recorded game."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss_tournament.cli import completion, parameters
from pitboss_tournament.cli.bot_resolution import resolve_bots
from pitboss_tournament.cli.number_args import whole_number
from pitboss_tournament.cli.output import print_game_heading, print_json, terminal_width
from pitboss_tournament.cli.parameters import Json
from pitboss_tournament.cli.registry import load_registry
from pitboss_tournament.cli.setting_words import read_settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pitboss.game import AnyGame
    from pitboss_tournament.reask.reask import ReaskResult
    from pitboss_tournament.reask.recorded_game import RecordedGame


def ask(
    file: Annotated[
        Path,
        typer.Argument(metavar="STORE", help="A store, or records that `pitboss export` wrote.", show_default=False),
    ],
    game_id: parameters.OptionalGameNumber = None,
    decision: parameters.OptionalDecision = None,
    bot: Annotated[
        str | None,
        typer.Option(
            "--bot",
            metavar="BOT",
            help="Ask another bot: a folder with a bot.toml, a command in quotes, or a name from `pitboss bots`. "
            "Default: the bot that sat there.",
            autocompletion=completion.complete_bots,
            show_default=False,
        ),
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Whose decision it is, to ask for the fault of this seat, or --bot in another bot's place.",
            parser=whole_number(0),
        ),
    ] = None,
    alone: Annotated[
        bool,
        typer.Option(
            "--alone",
            help="Ask nothing before it: as a bot is asked whose process was started in the middle of a game.",
        ),
    ] = False,
    repeat: Annotated[
        int, typer.Option(metavar="K", help="Ask so many times, each time a fresh process.", parser=whole_number(1))
    ] = 1,
    settings: parameters.Settings = None,
    sandbox: parameters.Sandbox = None,
    no_clock: Annotated[bool, typer.Option("--no-clock", help="Wait for the bot as long as it takes.")] = False,
    pause: Annotated[
        bool,
        typer.Option(
            "--pause",
            help="Say the bot's process id and wait for Enter before the question, so that a debugger can be attached.",
        ),
    ] = False,
    wire: Annotated[bool, typer.Option("--wire", help="Show all lines exchanged, too.")] = False,
    as_json: Json = False,
) -> None:
    """Ask a bot exactly what was asked in a recorded game, and see what it does now, how long it takes and what it
    writes to standard error.

    The bot is started as in the tournament, with its limits, clocks and seeds, and is asked all earlier questions of
    its seat first, so that it remembers what it would remember; the game goes on as it was recorded, and where it now
    answers otherwise is said. With --alone it is asked this one question only, with all events of the game so far.

    For a debugger: --pause --no-clock --sandbox none. The exit status is 1 if the bot does wrong.
    """
    from msgspec.structs import replace

    from pitboss_tournament.processes.sandbox_probe import resolve_sandbox
    from pitboss_tournament.reask.bot_lookup import check_seat, choose_decision, find_bot
    from pitboss_tournament.reask.reask import ReaskRequest, reask_bot
    from pitboss_tournament.reask.reask_output import describe_reask
    from pitboss_tournament.reask.recorded_game import load_recorded_game

    said = read_settings(settings, ("limits", "sandbox"), sandbox=sandbox)
    level = said.to_file("").sandbox
    recorded = load_recorded_game(file, game_id)
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
    import trio

    typer.echo(f"the bot is process {pid}; press Enter to ask it", err=True)
    await trio.to_thread.run_sync(sys.stdin.readline, abandon_on_cancel=True)


def _print_text(
    recorded: RecordedGame, rules: AnyGame, seat: int, found: Sequence[ReaskResult], with_wire: bool
) -> None:
    from itertools import islice

    from pitboss.records.record import replay_states
    from pitboss_tournament.reask import reask_output
    from pitboss_tournament.text.terminal_text import wrap_text

    width = terminal_width()
    record, number = recorded.record, found[0].asked.original.number
    print_game_heading(recorded.game_id, record)
    if not recorded.is_exact:
        typer.echo("(exported records do not say the bots' seeds and the clock: these are others than then)")
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
