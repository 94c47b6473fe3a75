"""`pitboss ask`: a bot asked again what was asked in a recorded game."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pitboss_tournament.cli import complete
from pitboss_tournament.cli.match import Limit, Sandbox
from pitboss_tournament.cli.parameters import Json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pitboss.game import AnyGame
    from pitboss_tournament.asking.again import Asked, Session
    from pitboss_tournament.asking.recorded import RecordedGame
    from pitboss_tournament.planning.plan import Entrant


def ask(
    record: Annotated[
        Path,
        typer.Option(
            "--record", "-r", metavar="FILE", help="A store, or records that `pitboss export` wrote.", show_default=False
        ),
    ],
    game: Annotated[int, typer.Option("--game", "-g", metavar="ID", help="The number of the game.", min=0, show_default=False)],
    decision: Annotated[
        int,
        typer.Option(
            "--decision",
            "-d",
            metavar="N",
            help="The number of the decision, as `pitboss replay` counts them.",
            min=1,
            show_default=False,
        ),
    ],
    bot: Annotated[
        str | None,
        typer.Argument(
            metavar="[BOT]",
            help="A folder with a bot.toml, a command in quotes, or a name from `pitboss bots`; by default the bot that sat there.",
            autocompletion=complete.bots,
            show_default=False,
        ),
    ] = None,
    seat: Annotated[
        int | None, typer.Option(help="Whose decision it is: only needed to ask BOT in another bot's place.", min=0)
    ] = None,
    alone: Annotated[
        bool,
        typer.Option(
            "--alone", help="Ask nothing before it: as a bot is asked whose process was started in the middle of a game."
        ),
    ] = False,
    repeat: Annotated[int, typer.Option(metavar="K", help="Ask so many times, each time a fresh process.", min=1)] = 1,
    sandbox: Sandbox = "auto",
    limit: Limit = None,
    no_clock: Annotated[bool, typer.Option("--no-clock", help="Wait for the bot as long as it takes.")] = False,
    pause: Annotated[
        bool,
        typer.Option(
            "--pause", help="Say the bot's process id and wait for Enter before the question, so that a debugger can be attached."
        ),
    ] = False,
    wire: Annotated[bool, typer.Option("--wire", help="Show all lines exchanged, too.")] = False,
    as_json: Json = False,
) -> None:
    """Ask a bot exactly what was asked in a recorded game, and see what it does now, how long it takes and what it writes to standard error.

    The bot is started as in the tournament, with its limits, clocks and seeds, and is asked all earlier questions of its seat first, so that it remembers what it would remember;
    the game goes on as it was recorded, and where it now answers otherwise is said. With --alone it is asked this one question only, with all events of the game so far.

    For a debugger: --pause --no-clock --sandbox none. The exit status is 1 if the bot does wrong.

    With --json: an object with game_id, game, seed, bot, seat, decision, phase, legal, then, answers (one for each time) and earlier; then and
    answers have choose (null: it did wrong), action, us, note and fault, answers also errors and wire.
    """
    from msgspec.structs import replace

    from pitboss_tournament.asking.again import Wish, sessions
    from pitboss_tournament.asking.recorded import recorded_game
    from pitboss_tournament.asking.who import check_seat, who_sat
    from pitboss_tournament.cli.given import limits
    from pitboss_tournament.cli.installed import registry
    from pitboss_tournament.processes.sandbox import resolve

    recorded = recorded_game(record, game)
    rules = registry().game(recorded.record.game)
    named = None if bot is None else _resolved(bot, Path.cwd(), rules.name)
    asked_seat = check_seat(recorded, decision, named, seat)
    entrant = named or _resolved(*who_sat(recorded, asked_seat, registry(), Path.cwd()), rules.name)
    mode, warning = resolve(sandbox)
    if warning:
        typer.echo(warning, err=True)
    allowed = limits(limit or (), Path.cwd(), recorded.bots[asked_seat].limits)
    entrant = replace(entrant, limits=allowed, hidden=(record.absolute(),))
    wish = Wish(seat=asked_seat, decision=decision, alone=alone, timed=not no_clock, sandbox=mode)
    found = sessions(rules, recorded, entrant, wish, repeat, _pause if pause else None)
    if as_json:
        _print_json(recorded, entrant.name, asked_seat, found)
    else:
        _print(recorded, rules, asked_seat, found, wire)
    if any(session.asked.fault for session in found):
        raise typer.Exit(1)


def _resolved(spec: str, base: Path, game: str) -> Entrant:
    from pitboss_tournament.cli.build import build_where_needed
    from pitboss_tournament.cli.installed import registry
    from pitboss_tournament.planning import entrants

    build_where_needed([spec], base)
    return entrants.resolve(spec, registry(), base, game)


async def _pause(pid: int) -> None:
    import trio

    typer.echo(f"the bot is process {pid}; press Enter to ask it", err=True)
    await trio.to_thread.run_sync(sys.stdin.readline, abandon_on_cancel=True)


def _print(recorded: RecordedGame, rules: AnyGame, seat: int, found: Sequence[Session], with_wire: bool) -> None:
    from itertools import islice

    from pitboss.record import replayed
    from pitboss_tournament.showing import asked
    from pitboss_tournament.showing.words import fitted, harmless

    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    record, number = recorded.record, found[0].asked.decided.number
    typer.echo(harmless(f"Game {recorded.game_id}: {record.game}, seed {record.seed!r}"))
    if not recorded.is_exact:
        typer.echo("(exported records do not say the bots' seeds and the clock: these are others than then)")
    state = next(islice(replayed(record, rules), number - 1, None))
    lines = [
        asked.as_sentence(record, seat, found),
        *asked.question_lines(record, state, seat, width),
        "",
        *asked.answer_lines(found, width),
        "",
        *asked.error_lines(found[0], width),
        *(asked.wire_lines(found[0], width) if with_wire else ()),
        *asked.earlier_lines(found[0]),
    ]
    for line in lines:
        typer.echo("\n".join(fitted(line, width)))


def _print_json(recorded: RecordedGame, bot: str, seat: int, found: Sequence[Session]) -> None:
    from pitboss_tournament.cli.printing import print_json

    first = found[0].asked
    print_json(
        {
            "game_id": recorded.game_id,
            "game": recorded.record.game,
            "seed": recorded.record.seed,
            "bot": bot,
            "seat": seat,
            "decision": first.decided.number,
            "phase": first.phase,
            "legal": first.legal,
            "then": _then(first),
            "answers": [{**_now(one.asked), "errors": one.errors, "wire": one.wire.splitlines()} for one in found],
            "earlier": [
                {"decision": one.decided.number, "phase": one.phase, "then": _then(one), "now": _now(one)}
                for one in found[0].earlier
            ],
        }
    )


def _then(asked: Asked) -> dict[str, Any]:
    then, incident = asked.decided.then, asked.decided.incident
    return {
        "choose": asked.then_choice,
        "action": then.action,
        "us": then.us if incident is None else incident.us,
        "note": then.note,
        "fault": None if incident is None else incident.fault,
    }


def _now(asked: Asked) -> dict[str, Any]:
    return {"choose": asked.choice, "action": asked.action, "us": asked.us, "note": asked.note, "fault": asked.fault}
