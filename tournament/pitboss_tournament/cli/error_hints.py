"""What to do next after an error, for programs: with --json the last line of standard error is an object with hints.

A hint comes from the words of the message (`HINTS_BY_WORDS`, the first that fits), else from the class of the error
(`HINTS_BY_CLASS`, of the nearest base class). docs/agents.md lists both; a test compares them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from typing import Annotated, Final

import msgspec
import typer
from msgspec import Meta, Struct

from pitboss.text import escape_json

MEANT: Final = re.compile(r"did you mean (?:'([^']*)'|`([^`]*)`)", re.IGNORECASE)
HINTS_BY_WORDS: Final[dict[tuple[str, ...], str]] = {  # by phrases of the message, in small letters
    ("no such option", "unexpected extra argument", "no such command", "missing argument", "missing option"): (
        "`{help}` lists the arguments and options"
    ),
    ("names no bot", "there is no bot"): (
        "`pitboss bots` lists the named bots; another bot is a folder with a bot.toml, or a command in quotes"
    ),
    ("no game '", "is not installed"): "`pitboss games` lists the installed games; `pitboss install` adds others",
    ("the bots are ", "there are: "): "take one of the names that the message lists",
    ("no preset", "no option"): "`pitboss games GAME` lists a game's presets and options",
    ("no setting", "no key", "unknown key"): (
        "`pitboss settings` lists the settings, `pitboss settings KEY` explains one"
    ),
    ("seats need", "at a table"): (
        "name as many bots as there are seats (a bot may be named twice), or change --seats"
    ),
    ("no logs of game",): "play again with `-s logs.keep=all`",
    ("never played",): "`pitboss check BOT --failed --json` tells why",
    ("committed faults",): "`pitboss why STORE BOT --json` shows the first fault, `pitboss check BOT` its cure",
    ("no decision", "its games are numbered", "its seats are"): (
        "`pitboss replay STORE --json` shows the first game, its seats and decisions"
    ),
    ("there is no such file", "there is no file", "there is no store", "does not exist"): (
        "give the path of a file that is there; `pitboss match … --store FILE` writes a store"
    ),
    ("sandbox", "bubblewrap", "landlock"): (
        "`pitboss doctor` tells which level works here; `--sandbox none` does without"
    ),
}
HINTS_BY_CLASS: Final = {
    "ConfigError": "`{help}` tells what is allowed",
    "OptionError": "`pitboss games GAME` lists a game's presets, options and numbers of seats",
    "PositionError": "`pitboss schema GAME` describes positions",
    "InvalidValue": "correct the key that the message names",
    "TomlFileError": "correct the line that the message names; `pitboss schema bot`, `pitboss schema tournament`",
    "BuildFailed": "mend what the build printed, then `pitboss build FOLDER`",
    "JournalBroken": "bring back the folder from a copy: its journal was changed by hand",
    "UnplayableVersion": "submit the version again",
    "LeagueRefusal": "do what the league says, then send again",
    "IllegalAction": "choose an entry of `legal`",
    "TableError": "report a bug of the game: `pitboss check-game GAME` names it",
    "NoWorldFound": "ask for nothing that looks ahead: `pitboss check-game GAME` says why the game samples no worlds",
    "EngineFailed": "start the program by hand in its folder; report a bug of the game",
    "NotEncodable": "report a bug of the game: `pitboss check-game GAME` names it",
    "ProtocolError": "`pitboss check BOT --failed` names the cure; `pitboss schema protocol` describes the messages",
    "StoppedGame": "`pitboss ask FILE` asks a bot there, `pitboss play --resume FILE` carries on",
    "RefusedGame": "correct the line that the message names",
    "RecordError": "export the games again; `pitboss schema record` describes a record",
    "ReplayDiffers": "install the version of the game that was played; `pitboss integrity STORE --replay`",
    "InputRefused": "correct the text at the place that the message names",
    "UnboundedAction": "give the field of the action bounds, or learn another game",
    "BotStartError": "look at `command` in bot.toml, and start the program by hand in the bot's folder",
    "MachineError": "`pitboss doctor` tells what this machine lacks; the same command carries on",
    "StoreError": "`pitboss integrity STORE` tells what is whole; is another run writing it?",
    "DiskFull": "make room on the disk; the same command carries on",
    "RandomGameError": "report a bug of the game: `pitboss check-game GAME` names it",
    "GamePluginError": "report a bug of the game: `pitboss check-game GAME` names it",
    "WorkerProtocolError": "install one version of Pitboss on all machines, then call the same command again",
    "FormatPluginError": "report a bug of the format, or take another one: `pitboss formats` lists them",
    "PlaceLost": "call the same command again: it carries on",
    "WorkerLossError": "call the same command again with fewer --workers: it carries on",
    "OutputClosed": "keep standard output open, or send it to a file; the same command carries on",
    "NameTaken": "choose another name for the bot",
    "OwnerNameTaken": "choose another name for yourself",
    "NotInvited": "ask the host of the league for an invitation: `pitboss token invite` makes one",
    "DraftRefused": "change the draft as the message says",
    "DraftMoved": "open the draft again",
    "NameRefused": "choose another name",
    "VersionBarred": "change the bot, then submit it again",
    "ComeAgain": "wait as long as the message says",
    "ArchiveRefused": "pack the folder again without links and large files",
    "DiskCrowded": "wait until the league has room, or send less",
    "AdviceError": "call the same command without advice",
    "QueueError": "look at the queue's folder: who may write there?",
    "LeagueUnreachable": "check the address and the network, then try again",
    "LobbyRefusal": "choose something that the lobby offers",
    "OSError": "make the file or the folder usable for this user, or name another one",
    "UnicodeEncodeError": "write the name in UTF-8",
    "UsageError": "`{help}` lists the arguments and options",
}
_WORD: Final = re.compile(r"[a-z][a-z-]*")
_HELP: Final = "pitboss COMMAND --help"


def tabulate_hints() -> str:
    """Return the tables of docs/agents.md."""
    by_words = [f"| {', '.join(words)} | {hint.format(help=_HELP)} |" for words, hint in HINTS_BY_WORDS.items()]
    by_class = [f"| `{kind}` | {hint.format(help=_HELP)} |" for kind, hint in HINTS_BY_CLASS.items()]
    head = "|---|---|"
    rows = ["| in the message | hint |", head, "| did you mean X | write X in its place |", *by_words]
    return "\n".join([*rows, "", "| class of the error | hint |", head, *by_class])


class HintedError(Struct, frozen=True):
    """An error, and what to do next."""

    message: Annotated[str, Meta(description="As the line before says it.")]
    hint: Annotated[str, Meta(description="What to do next.")]


class ErrorOutput(Struct, frozen=True):
    """What a command with --json writes as the last line of standard error, if errors have ended it."""

    errors: list[HintedError]


def find_hint(error: BaseException | None, message: str) -> str:
    """Return what to do next after an error; None: of a sentence that is no exception."""
    if meant := MEANT.search(message):
        return f"write {meant[1] or meant[2]} in its place"
    lower = message.lower()
    for words, hint in HINTS_BY_WORDS.items():
        if any(phrase in lower for phrase in words):
            return hint.format(help=_help_command())
    kinds = [] if error is None else [kind.__name__ for kind in type(error).__mro__]
    by_class = (HINTS_BY_CLASS[kind] for kind in kinds if kind in HINTS_BY_CLASS)
    return next(by_class, HINTS_BY_CLASS["ConfigError"]).format(help=_help_command())


def print_hints(errors: Iterable[tuple[BaseException | None, str]]) -> None:
    """Print the errors with their hints as one line of JSON on standard error, if --json was given."""
    if "--json" not in sys.argv[1:]:
        return
    output = ErrorOutput([HintedError(message, find_hint(error, message)) for error, message in errors])
    typer.echo(escape_json(msgspec.json.encode(output).decode()), err=True)


def _help_command() -> str:
    """Return the command that explains the one that was called."""
    words = [word for word in sys.argv[1:2] if _WORD.fullmatch(word)]
    return " ".join(["pitboss", *words, "--help"])
