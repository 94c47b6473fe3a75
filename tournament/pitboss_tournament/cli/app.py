"""The list of the commands, each of which has a module of its own, and `run_app`.

Only typer and the standard library are imported at the top of these modules: what a command needs beyond that, it
imports when it runs, so that `pitboss --help` and shell completion answer at once.
"""

from __future__ import annotations

import io
import os
import sys
from typing import Annotated

import typer

from pitboss_tournament.cli import (
    ask,
    bot_folders,
    check,
    compare,
    doctor,
    export,
    installed,
    integrity,
    play,
    replay,
    run,
    sample_size,
    schema,
    serve,
    simulate,
    standings,
    study,
)
from pitboss_tournament.cli.exit_status import flush_output, report_error
from pitboss_tournament.cli.verdict_command import VerdictCommand

app = typer.Typer(
    name="pitboss",
    no_args_is_help=True,
    rich_markup_mode=None,  # rich would double the time that --help takes
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("games", short_help="List the installed games, or show one of them.")(installed.games)
app.command("rules", short_help="Print the rule book of a game.")(installed.rules)
app.command("bots", short_help="List the bots that can be called by name.")(installed.bots)
app.add_typer(bot_folders.new, name="new", short_help="Make a folder to begin with: a bot, or a game.")
app.command("build", short_help="Build the bots that have to be built.")(bot_folders.build)
app.command("formats", short_help="List the ways in which a tournament can be played.")(installed.formats)
app.command("plugins", short_help="List the plugins, what each adds, and what was left out.")(installed.plugins)
app.command("run", short_help="Play the tournament that a file describes, or carry on with it.")(run.run)
app.command("match", short_help="Play a tournament between some bots, without a file.")(run.match)
app.command("compare", cls=VerdictCommand, short_help="Tell whether a change has made a bot better.")(compare.compare)
app.command("plan", short_help="Tell how many deals a tournament needs, and how long it takes.")(sample_size.plan)
app.command("play", short_help="Play against bots yourself, in the terminal.")(play.play)
app.command("stop", short_help="Stop a tournament that runs elsewhere, in good order.")(run.stop)
app.command("standings", short_help="Print the standings of a tournament.")(standings.standings)
app.command("report", short_help="Write the report of a tournament: one page for a browser.")(export.report)
app.command("replay", short_help="Step through a recorded game, or check that records replay.")(replay.replay)
app.command("serve", short_help="Show tournaments and their games in the browser, live.")(serve.serve)
app.command("ask", short_help="Ask a bot again what was asked in a recorded game.")(ask.ask)
app.command("log", short_help="Show what the bots and the runner said in a game.")(replay.log)
app.command("export", short_help="Export records, event logs or results.")(export.export)
app.command("integrity", short_help="Check that a store is whole, and each game what it should be.")(
    integrity.integrity
)
app.command("simulate", short_help="Play random games: how long, balanced and fast they are.")(simulate.simulate)
app.command("study", short_help="Tell what kind of game it is: length, choices, seats, skill.")(study.study)
app.command("check", short_help="Check that a bot keeps its promises, and say how to mend it.")(check.check)
app.command("check-game", short_help="Check that a game keeps its promises.")(check.check_game)
app.command("doctor", short_help="Say what this machine can and cannot do, and how to mend it.")(doctor.doctor)
app.command("schema", short_help="Print JSON Schema of messages, records, files and games.")(schema.schema)


def _show_version(is_wanted: bool) -> None:
    if is_wanted:
        from pitboss import __version__

        typer.echo(f"pitboss {__version__}")
        raise typer.Exit


@app.callback()
def pitboss(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Pitboss runs card games between programs in any language, and tells who is better and how sure one can be."""


def run_app() -> None:
    """Run the command line and map every exception to an exit status."""
    if sys.stdout is None:  # it was closed: `pitboss … >&-`
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115
    if sys.stdin is None:
        sys.stdin = open(os.devnull)  # noqa: PTH123, SIM115
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # in most locales a byte that is no character would be an exception
    try:
        try:
            app(prog_name="pitboss")
        finally:
            flush_output()
    except SystemExit:
        raise
    except BaseException as error:
        status = report_error(error)
        if status is None:
            raise
        sys.exit(status)
