"""The list of the commands, and `run_app`.

The signature of a command is in a module of `commands`, which is imported when the command is asked for, and imports
typer and the standard library alone. Its body is the function of the same name in the module of the same name beside
this one. That is imported when the command is called, and has its imports at its top. So `pitboss --help` and shell
completion answer at once.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial, wraps
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

import typer
from typer.core import TyperCommand

from pitboss_tournament.cli.bash_completion import complete_in_bash, is_asked_by_bash
from pitboss_tournament.cli.command_kind import PitbossCommand, PitbossGroup
from pitboss_tournament.cli.exit_status import flush_output
from pitboss_tournament.cli.standard_streams import open_standard_streams
from pitboss_tournament.cli.verdict_command import VerdictCommand

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from pitboss.plugins.installed_entries import InstalledEntry


class CommandSource(NamedTuple):
    """Where a command is: a function, or a typer of several, in a module of this package."""

    module: str
    function: str
    short_help: str  # a sentence for the list of the commands
    has_verdict: bool = False  # its exit status is one, and no error ends it with that of a verdict


WIDEST_HELP: Final = 120  # columns
PLUGIN_COMMANDS: Final = "pitboss.commands"  # the group of entry points: see `pitboss.plugins.hookspec`
COMMAND_NAME: Final = re.compile(r"\w[\w-]*")
COMMAND_RULE: Final = "a name of a command has letters, digits, _ and -, and no - at its start"
COMMAND_GROUPS: Final[dict[str, dict[str, CommandSource]]] = {
    "Play": {
        "match": CommandSource("run", "match", "Play a tournament between some bots, without a file."),
        "run": CommandSource("run", "run", "Play the tournament that a file describes, or carry on with it."),
        "plan": CommandSource("sample_size", "plan", "Tell how many deals it takes to tell bots apart."),
        "stop": CommandSource("stop", "stop", "Stop a tournament that runs elsewhere."),
        "play": CommandSource("play", "play", "Play against bots yourself, in the terminal or in the browser."),
    },
    "Judge": {
        "standings": CommandSource("standings", "standings", "Print the standings of a tournament."),
        "compare": CommandSource(
            "compare", "compare", "Tell whether a change has made a bot better.", has_verdict=True
        ),
        "queue": CommandSource("queue", "queue", "Compare versions of bots one after another, as overnight."),
        "report": CommandSource("export", "report", "Write the report of a tournament: one page for a browser."),
        "why": CommandSource("why", "why", "Show why a bot lost, with its costliest decisions."),
    },
    "Look at games": {
        "replay": CommandSource("replay", "replay", "Step through a recorded game, or check that records replay."),
        "serve": CommandSource("serve", "serve", "Show tournaments and their games in the browser, live."),
        "log": CommandSource("replay", "log", "Show the messages of bots and runner in a game."),
        "ask": CommandSource("ask", "ask", "Ask a bot the question of a recorded game again."),
        "export": CommandSource("export", "export", "Export records, notation, event logs or results."),
        "import": CommandSource("notation", "import_games", "Read games in notation; write records, or a store."),
        "merge": CommandSource("export", "merge", "Write the games of several stores into one."),
    },
    "Write a bot": {
        "new": CommandSource("bot_folders", "new", "Make the folder of a new bot, or of a new game."),
        "bots": CommandSource("bots", "bots", "List the bots that have a name."),
        "build": CommandSource("bot_folders", "build", "Build the bots that have to be built."),
        "models": CommandSource("models", "models", "Serve fake language models, for bots that ask one."),
        "check": CommandSource("check", "check", "Check that a bot keeps its promises, and how to mend it."),
    },
    "Run a league": {
        "league": CommandSource("league_commands", "league", "Make a league, serve it, look after it."),
        "token": CommandSource("tokens", "token", "Make, list and revoke the tokens of a league."),
        "submit": CommandSource("submit", "submit", "Send a bot to a league, and watch its validation."),
    },
    "Let programs write bots": {
        "arena": CommandSource("arena_commands", "arena", "Let coding agents and scripts write bots, in rounds."),
    },
    "Write a game": {
        "check-game": CommandSource("check_game", "check_game", "Check that a game keeps its promises."),
        "simulate": CommandSource("simulate", "simulate", "Play random games: length, balance and speed."),
        "study": CommandSource("study", "study", "Measure a game: length, choices, seats, skill."),
        "schema": CommandSource("schema", "schema", "Print JSON Schema of messages, records, files and games."),
    },
    "Inspect and maintain": {
        "games": CommandSource("installed", "games", "List the installed games, or show one of them."),
        "rules": CommandSource("installed", "rules", "Print the rule book of a game."),
        "settings": CommandSource("settings", "settings", "List the settings of a tournament, or show one of them."),
        "formats": CommandSource("formats", "formats", "List the tournament formats."),
        "plugins": CommandSource("plugins", "plugins", "List the plugins, what each adds, and what was left out."),
        "install": CommandSource("install", "install", "Install plugins, such as games, for this Pitboss."),
        "uninstall": CommandSource("install", "uninstall", "Uninstall plugins of this Pitboss."),
        "integrity": CommandSource(
            "integrity", "integrity", "Check that a store is whole, and each game what it should be."
        ),
        "rejudge": CommandSource("rejudge", "rejudge", "Judge all games of a store by the rules as they are now."),
        "help": CommandSource("help", "show_help", "Explain a command, a game, a format or a setting."),
        "doctor": CommandSource("doctor", "doctor", "Show what this machine can and cannot do, and how to mend it."),
    },
}
SOURCES: Final = {name: source for group in COMMAND_GROUPS.values() for name, source in group.items()}


class LoadedCommands(Mapping[str, Any]):
    """The commands by name, as typer's own click has them; each is imported when it is first asked for."""

    def __init__(self) -> None:
        self._loaded: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - typer's own click
        if name not in self._loaded:
            self._loaded[name] = _load_command(name) if name in SOURCES else _load_plugin_command(name)
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter([*SOURCES, *find_plugin_commands()])

    def __len__(self) -> int:
        return len(list(iter(self)))


class CommandList(PitbossGroup):
    """The group of all commands: only the one that is called is imported."""

    def __init__(self, **attributes: Any) -> None:  # noqa: ANN401 - typer's own click
        super().__init__(**attributes)
        self.commands = LoadedCommands()  # type: ignore[assignment]

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401 - typer's own click
        """Return the names of the commands."""
        return list(self.commands)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ANN401 - typer's own click
        """Return the command of this name; None if there is none, or if the shell wants to complete a broken one."""
        if cmd_name in SOURCES:
            return super().get_command(ctx, cmd_name)
        from pitboss.errors import ConfigError  # noqa: PLC0415 - no command of Pitboss needs it here

        try:
            return super().get_command(ctx, cmd_name)
        except ConfigError:
            if ctx.resilient_parsing:
                return None
            raise

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - typer's own click
        """Write the list of the commands, by what one wants to do."""
        widest = max(map(len, self.commands))
        rows = {title: {name: one.short_help for name, one in group.items()} for title, group in COMMAND_GROUPS.items()}
        if added := find_plugin_commands():
            rows["Of plugins"] = {name: f"Of the plugin {_describe_plugin(entry)}." for name, entry in added.items()}
        for title, group in rows.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(widest), short_help) for name, short_help in group.items()])


app = typer.Typer(
    name="pitboss",
    cls=CommandList,
    invoke_without_command=True,
    rich_markup_mode=None,  # rich would double the time that --help takes
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": WIDEST_HELP},
)


@cache
def find_plugin_commands() -> dict[str, EntryPoint | InstalledEntry]:
    """Return the commands that plugins add, by name, without importing one; those of `list_refused_commands` are left
    out.
    """
    return {entry.name: entry for entry in _list_command_entries() if not _is_refused(entry)}


def list_refused_commands() -> list[str]:
    """Return a sentence for each command of a plugin that cannot be called by its name."""
    return [
        f"the command {entry.name!r} of the plugin {_describe_plugin(entry)} was left out: "
        f"{'Pitboss has one of this name' if entry.name in SOURCES else COMMAND_RULE}"
        for entry in _list_command_entries()
        if _is_refused(entry)
    ]


def _list_command_entries() -> list[EntryPoint | InstalledEntry]:
    if not _may_have_commands():
        return []
    from pitboss.plugins.installed_entries import find_entries  # noqa: PLC0415 - `pitboss` takes longer than `--help`

    return sorted(find_entries(PLUGIN_COMMANDS), key=lambda one: one.name)


def _may_have_commands() -> bool:
    """Tell whether a distribution in a folder of `sys.path` names the group; true also if there are archives."""
    if any(map(os.path.isfile, sys.path)):
        return True
    files = (file for place in sys.path for file in Path(place).glob("*-info/entry_points.txt"))
    return any(PLUGIN_COMMANDS.encode() in file.read_bytes() for file in files)


def _is_refused(entry: EntryPoint | InstalledEntry) -> bool:
    return entry.name in SOURCES or COMMAND_NAME.fullmatch(entry.name) is None


def _describe_plugin(entry: EntryPoint | InstalledEntry) -> str:
    from pitboss.text import make_safe_line  # noqa: PLC0415 - `--help` without plugins does not need it

    return "somebody" if entry.dist is None else make_safe_line(f"{entry.dist.name} {entry.dist.version}")


def _load_command(name: str) -> Any:  # noqa: ANN401 - typer's own click
    """Import the signature of a command; its body is imported when it is called."""
    source = SOURCES[name]
    found = getattr(import_module(f"{__package__}.commands.{source.module}"), source.function)
    if isinstance(found, typer.Typer):
        for one in found.registered_commands:
            one.callback = bind_body(one.callback)
    else:
        found = bind_body(found)
    return _make_command(name, found, source.short_help, VerdictCommand if source.has_verdict else PitbossCommand)


def bind_body(signature: Any) -> Callable[..., None]:  # noqa: ANN401 - a function of any parameters
    """Return a function with this signature that calls the function of the same name in `cli/X`, for one in
    `cli/commands/X`.
    """

    @wraps(signature)
    def call_body(**given: object) -> None:
        body = getattr(import_module(signature.__module__.replace(".commands.", ".")), signature.__name__)
        body(**given)

    return call_body


def _load_plugin_command(name: str) -> Any:  # noqa: ANN401 - typer's own click
    """Import the command of a plugin.

    Raises:
        KeyError: no plugin has it.
        ConfigError: it cannot be imported.
    """
    from pitboss_tournament.cli.plugin_command import load_guarded  # noqa: PLC0415 - no command of Pitboss needs it

    entry = find_plugin_commands()[name]
    what = f"the command {name!r} of the plugin {_describe_plugin(entry)}"
    return load_guarded(what, lambda: _make_command(name, entry.load(), None))


def _make_command(
    name: str,
    function: Any,  # noqa: ANN401 - a function, or a typer
    short_help: str | None,
    kind: type[TyperCommand] = PitbossCommand,
) -> Any:  # noqa: ANN401 - typer's own click
    """Return the command that typer makes of a function, or of a typer of several."""
    around = typer.Typer(rich_markup_mode=None)
    if isinstance(function, typer.Typer):
        _choose_kinds(function)
        around.add_typer(function, name=name, cls=PitbossGroup, short_help=short_help)
    else:
        around.command(name, cls=kind, short_help=short_help)(function)
    return typer.main.get_group(around).commands[name]


def _choose_kinds(group: typer.Typer) -> None:
    """Make each command of a group a PitbossCommand that has no kind of its own."""
    for command in group.registered_commands:
        command.cls = PitbossCommand if command.cls is TyperCommand else command.cls
    for inner in group.registered_groups:
        if inner.typer_instance is not None:
            _choose_kinds(inner.typer_instance)


def _show_version(is_wanted: bool) -> None:
    if is_wanted:
        from pitboss import __version__  # noqa: PLC0415 - the import of `pitboss` takes longer than all of `--help`

        typer.echo(f"pitboss {__version__}")
        raise typer.Exit


@app.callback()
def pitboss(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Pitboss runs card games between programs in any language, and shows which is better, and how sure that is."""
    if context.invoked_subcommand is None:
        lines = import_module(f"{__package__}.welcome").welcome_lines(Path.cwd())
        typer.echo("\n".join(lines))


def run_app() -> None:
    """Run the command line and map every exception to an exit status."""
    open_standard_streams()
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # in most locales a byte that is no character would be an exception
    try:
        try:
            run = partial(app, prog_name="pitboss")
            complete_in_bash(run) if is_asked_by_bash() else run()
        finally:
            flush_output()
    except SystemExit:
        raise
    except BaseException as error:
        from pitboss_tournament.cli.error_report import report_error  # noqa: PLC0415 - only after an error

        status = report_error(error)
        if status is None:
            raise
        sys.exit(status)
