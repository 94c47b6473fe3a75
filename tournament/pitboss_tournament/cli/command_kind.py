"""The kind of all commands and groups: help in sections, and an answer to words that they do not have or lack."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from typer.core import TyperCommand, TyperGroup

WITHOUT_SECTION: Final = "Options"
SETTINGS: Final = "settings"  # the parameter of a command that takes `-s KEY=VALUE`
FORMER_OPTIONS: Final = {  # those that are now keys are found by their names
    "--no-pin": "-s pinned=false",
    "--keep-logs": "-s logs.keep=all",
    "--limit": "-s limits.NAME=VALUE, as -s limits.memory_mb=512",
    "--format-option": "-s format.NAME=VALUE, as -s format.rounds=5",
    "--clock": "-s clock.KEY=VALUE, as -s clock.decision_ms=200",
}
FORMER_OF_COMMANDS: Final = {
    "compare": {
        **dict.fromkeys(("--game", "-g"), "the first word: compare GAME OLD NEW"),
        "--deals": "--games N, the maximum: a comparison plays until its test is sure",
    },
    "add": {"--deals": "--games N, the maximum: a comparison plays until its test is sure"},
    "ask": {
        **dict.fromkeys(("--record", "-r"), "the first word: ask STORE GAME DECISION"),
        **dict.fromkeys(("--game", "-g"), "the second word: ask STORE GAME DECISION"),
        **dict.fromkeys(("--decision", "-d"), "the third word: ask STORE GAME DECISION"),
    },
    "play": {
        "--seats": "--against BOT, once for each bot: with you they are all that play",
        "--deals": "--games N: games in a row",
    },
    "plan": {"--bots": "behind the game: plan GAME BOT BOT"},
    "init": {"--game": "the second word: league init FOLDER GAME", "-g": "the second word: league init FOLDER GAME"},
}
MEANT_COMMANDS: Final = {  # what people call the commands, the first that a group has
    **dict.fromkeys(("make", "create", "add", "setup"), ("init", "new", "add")),
    **dict.fromkeys(("start", "resume", "continue", "serve", "host", "open", "launch"), ("run", "serve")),
    **dict.fromkeys(("tournament", "begin"), ("run", "match")),
    **dict.fromkeys(
        ("results", "result", "ranking", "ladder", "table", "scores", "leaderboard"), ("standings", "status")
    ),
    **dict.fromkeys(("show", "view", "watch"), ("status", "list", "replay")),
    **dict.fromkeys(("delete", "rm", "drop", "cancel"), ("remove", "revoke", "retire", "stop")),
    **dict.fromkeys(("test", "validate", "lint"), ("check",)),
    **dict.fromkeys(("verify", "audit"), ("integrity",)),
    **dict.fromkeys(("option", "options", "config", "keys", "set"), ("settings",)),
    **dict.fromkeys(("explain", "man"), ("help",)),
    **dict.fromkeys(("bot", "game", "format", "rule", "plugin", "setting"), ("bots", "games", "formats", "rules")),
    **dict.fromkeys(("tokens", "leagues", "standing", "reports", "logs", "records"), ("token", "league", "standings")),
    **dict.fromkeys(("upload", "send"), ("submit",)),
    **dict.fromkeys(("sprt", "diff", "versus", "vs"), ("compare", "match")),
    **dict.fromkeys(("explore", "analyse", "analyze", "analysis"), ("why", "study")),
}


class PitbossCommand(TyperCommand):
    """A command of Pitboss."""

    def format_options(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - typer's own click
        """Write arguments and options, in the sections that they name, the plain ones first."""
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], WITHOUT_SECTION: []}
        for parameter in self.get_params(ctx):
            if (record := parameter.get_help_record(ctx)) is not None:
                is_argument = parameter.param_type_name == "argument"
                own = getattr(parameter, "rich_help_panel", None)
                sections.setdefault("Arguments" if is_argument else own or WITHOUT_SECTION, []).append(record)
        plain = sections.pop(WITHOUT_SECTION)
        titles = [title for title, records in sections.items() if records and title != "Arguments"]
        if len(plain) == 1 and titles:  # --help alone
            sections[titles[-1]] += plain
            plain = []
        for title, records in [*sections.items(), (WITHOUT_SECTION, plain)]:
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - typer's own click
        """Parse the words of the command line."""
        words = list(args)  # the parser takes them out
        try:
            return super().parse_args(ctx, args)
        except Exception as error:
            option = getattr(error, "option_name", "")  # of NoSuchOption, which typer does not export
            if answer := option and self._answer_option(option):
                error.message = f"{error.message}: {answer}"  # type: ignore[attr-defined]
                error.possibilities = None  # type: ignore[attr-defined]
            if type(error).__name__ == "MissingParameter":
                error.message = answer_missing(error.param.name, words)  # type: ignore[attr-defined]
            add_hint(error)
            raise

    def _answer_option(self, option: str) -> str:
        """Return what is typed now in place of an option that this command does not have; "" if that is not known."""
        if former := FORMER_OF_COMMANDS.get(self.name or "", {}).get(option):
            return f"it is {former}"
        if not any(parameter.name == SETTINGS for parameter in self.params):
            return ""
        if option in FORMER_OPTIONS:
            return f"it is {FORMER_OPTIONS[option]}"
        from pitboss_tournament.plan.setting_keys import match_key  # noqa: PLC0415 - only after an error

        key = match_key(option.lstrip("-"))
        return f"it is -s {key}=VALUE; see `pitboss settings {key}`" if key else ""


class PitbossGroup(TyperGroup):
    """A group of commands of Pitboss."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # noqa: ANN401 - typer's own click
        """Return the command that the first word names."""
        is_unknown = self.get_command(ctx, args[0]) is None and not args[0].startswith("-")
        try:
            if is_unknown and (answer := answer_command(ctx.command_path, list(self.commands), args)):
                ctx.fail(f"No such command {args[0]!r}: {answer}")
            return super().resolve_command(ctx, args)
        except Exception as error:
            add_hint(error)
            raise


def add_hint(error: Any) -> None:  # noqa: ANN401 - typer's own click, which typer does not export
    """Have typer, when it shows an error of usage, print also the hint for programs."""
    if "--json" not in sys.argv[1:] or not hasattr(error, "format_message"):
        return
    show = error.show

    def show_with_hint(*words: Any, **options: Any) -> None:  # noqa: ANN401
        from pitboss_tournament.cli.error_hints import print_hints  # noqa: PLC0415 - only after an error

        show(*words, **options)
        print_hints([(error, error.format_message())])

    error.show = show_with_hint


def answer_command(path: str, commands: Sequence[str], words: Sequence[str]) -> str:
    """Return what was meant by words after a group of commands that name none of its commands; "" if unknown."""
    first, *more = words
    if more and more[0] in commands:
        return f"did you mean `{path} {shlex.join([more[0], first, *more[1:]])}`?"
    if path == "pitboss" and Path(first).suffix in (".toml", ".pitboss"):
        verb = "run" if Path(first).suffix == ".toml" else "standings"
        return f"did you mean `pitboss {verb} {shlex.quote(first)}`?"
    meant = [one for one in MEANT_COMMANDS.get(first, ()) if one in commands and one[:3] == first[:3]] or [
        one for one in MEANT_COMMANDS.get(first, ()) if one in commands
    ]
    if meant:
        return f"did you mean `{shlex.join([*path.split(), meant[0], *more])}`?"
    if len(commands) == 2:
        first_form, other = (f"`{path} {one} {shlex.join(words)}`" for one in commands)
        return f"did you mean {first_form} or {other}?"
    return ""


def answer_missing(parameter: str, words: Sequence[str]) -> str:
    """Return what there is for a parameter that is missing, "" if nothing is to be said."""
    if parameter in ("file", "files") and "--from" not in words:
        stores = sorted(Path().glob("*.pitboss"), key=lambda file: file.stat().st_mtime, reverse=True)
        files = sorted(Path().glob("*.toml"))
        return _list_files("Stores here", stores) or _list_files("Files here", files)
    if parameter in ("bots", "old", "new", "words") and any(word.endswith(".toml") for word in words):
        file = next(word for word in words if word.endswith(".toml"))
        return f"{file} is a tournament file: `pitboss run {shlex.quote(file)}` plays it"
    if parameter in ("bot", "bots", "old", "new"):
        return "A bot is a folder with a bot.toml, a command in quotes, or a name from `pitboss bots`"
    return "`pitboss games` lists them" if parameter == "game" else ""


def _list_files(title: str, files: Sequence[Path]) -> str:
    return f"{title}: {', '.join(shlex.quote(str(file)) for file in files[:3])}" if files else ""
