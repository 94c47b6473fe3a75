"""The list of the commands, each of which has a module of its own, and `run_app`.

A command's module is imported when the command is called, and only typer and the standard library at its top: what a
command needs beyond that, it imports when it runs. So `pitboss --help` and shell completion answer at once.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Annotated, Any, Final, NamedTuple

import typer
from typer.core import TyperGroup

from pitboss_tournament.cli.exit_status import flush_output, report_error


class CommandSource(NamedTuple):
    """Where a command is: a function, or a typer of several, in a module of this package."""

    module: str
    function: str
    short_help: str  # a sentence for the list of the commands
    has_verdict: bool = False  # its exit status is one, and no error ends it with that of a verdict


SOURCES: Final = {
    "games": CommandSource("installed", "games", "List the installed games, or show one of them."),
    "rules": CommandSource("installed", "rules", "Print the rule book of a game."),
    "bots": CommandSource("installed", "bots", "List the bots that can be called by name."),
    "build": CommandSource("bot_folders", "build", "Build the bots that have to be built."),
    "formats": CommandSource("installed", "formats", "List the ways in which a tournament can be played."),
    "plugins": CommandSource("installed", "plugins", "List the plugins, what each adds, and what was left out."),
    "run": CommandSource("run", "run", "Play the tournament that a file describes, or carry on with it."),
    "match": CommandSource("run", "match", "Play a tournament between some bots, without a file."),
    "compare": CommandSource("compare", "compare", "Tell whether a change has made a bot better.", has_verdict=True),
    "plan": CommandSource("sample_size", "plan", "Tell how many deals a tournament needs, and how long it takes."),
    "play": CommandSource("play", "play", "Play against bots yourself, in the terminal."),
    "stop": CommandSource("run", "stop", "Stop a tournament that runs elsewhere, in good order."),
    "standings": CommandSource("standings", "standings", "Print the standings of a tournament."),
    "report": CommandSource("export", "report", "Write the report of a tournament: one page for a browser."),
    "replay": CommandSource("replay", "replay", "Step through a recorded game, or check that records replay."),
    "serve": CommandSource("serve", "serve", "Show tournaments and their games in the browser, live."),
    "ask": CommandSource("ask", "ask", "Ask a bot again what was asked in a recorded game."),
    "log": CommandSource("replay", "log", "Show what the bots and the runner said in a game."),
    "export": CommandSource("export", "export", "Export records, event logs or results."),
    "integrity": CommandSource(
        "integrity", "integrity", "Check that a store is whole, and each game what it should be."
    ),
    "simulate": CommandSource("simulate", "simulate", "Play random games: how long, balanced and fast they are."),
    "study": CommandSource("study", "study", "Tell what kind of game it is: length, choices, seats, skill."),
    "check": CommandSource("check", "check", "Check that a bot keeps its promises, and say how to mend it."),
    "check-game": CommandSource("check", "check_game", "Check that a game keeps its promises."),
    "doctor": CommandSource("doctor", "doctor", "Say what this machine can and cannot do, and how to mend it."),
    "schema": CommandSource("schema", "schema", "Print JSON Schema of messages, records, files and games."),
    "new": CommandSource("bot_folders", "new", "Make a folder to begin with: a bot, or a game."),
}


class LoadedCommands(Mapping[str, Any]):
    """The commands by name, as typer's own click has them; each is imported when it is first asked for."""

    def __init__(self) -> None:
        self._loaded: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - typer's own click
        if name not in self._loaded:
            self._loaded[name] = _load_command(name, SOURCES[name])
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(SOURCES)

    def __len__(self) -> int:
        return len(SOURCES)


class CommandList(TyperGroup):
    """The group of all commands: only the one that is called is imported."""

    def __init__(self, **attributes: Any) -> None:  # noqa: ANN401 - typer's own click
        super().__init__(**attributes)
        self.commands = LoadedCommands()  # type: ignore[assignment]

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401 - typer's own click
        """Return the names of the commands."""
        return list(SOURCES)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - typer's own click
        """Write the list of the commands."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, source.short_help) for name, source in SOURCES.items()])


app = typer.Typer(
    name="pitboss",
    cls=CommandList,
    no_args_is_help=True,
    rich_markup_mode=None,  # rich would double the time that --help takes
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _load_command(name: str, source: CommandSource) -> Any:  # noqa: ANN401 - typer's own click
    function = getattr(import_module(f"{__package__}.{source.module}"), source.function)
    around = typer.Typer(rich_markup_mode=None)
    if isinstance(function, typer.Typer):
        around.add_typer(function, name=name, short_help=source.short_help)
    elif source.has_verdict:
        from pitboss_tournament.cli.verdict_command import VerdictCommand

        around.command(name, cls=VerdictCommand, short_help=source.short_help)(function)
    else:
        around.command(name, short_help=source.short_help)(function)
    return typer.main.get_group(around).commands[name]


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
