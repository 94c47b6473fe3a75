"""Checks of what can be seen without starting the bot: its bot.toml, its program, its script."""

from __future__ import annotations

import ast
import os
import re
import shutil
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from itertools import islice
from pathlib import Path
from typing import Final

from pitboss.errors import ConfigError
from pitboss.simulation.game_setup import DEFAULTS
from pitboss.testing.framework.check import CheckFailed, CheckNote, NotApplicable, check
from pitboss.text import join_words, suggest_nearest
from pitboss_tournament.authoring import bot_build
from pitboss_tournament.bot_checks.check_context import CheckContext
from pitboss_tournament.config import entrants
from pitboss_tournament.config.entrants import check_bot_setup
from pitboss_tournament.plan.paths import BUILD_FOLDER, PYTHON
from pitboss_tournament.processes import sandbox

SHELLS = ("sh", "bash", "dash", "ksh", "zsh")

MAX_PROGRAM_FILES: Final = 200
_OWN: Final = "pitboss"  # this distribution; those of games begin with it
_REQUIREMENT: Final = re.compile(r"[\w.-]+")


@check(advice="see bots/README.md for the keys of a bot.toml; `command` is the one that it needs")
async def describes_itself(context: CheckContext) -> None:
    """The bot's folder holds a valid bot.toml."""
    if context.bot.source != "folder":
        raise NotApplicable("it is not a folder")
    if context.bot.bot_file_error:
        raise CheckFailed(context.bot.bot_file_error)


@check(
    advice="name the games as `pitboss games` does, or leave `games` out if the bot plays any",
    after=(describes_itself,),
)
async def names_games_that_exist(context: CheckContext) -> str:
    """The games that bot.toml names are installed, and the games that the bot is checked with are among them."""
    if context.bot.bot_file is None or context.bot.bot_file.games is None:
        raise NotApplicable("it does not say which games it plays")
    named, installed = context.bot.bot_file.games, context.registry.games
    if missing := [name for name in named if name not in installed]:
        raise CheckFailed(
            f"bot.toml names {join_words(missing, 'and')}; installed are {join_words(sorted(installed), 'and')}"
        )
    if others := [game.name for game in context.bot.games if game.name not in named]:
        raise CheckFailed(
            f"bot.toml says that it plays {join_words(named, 'and') or 'no game'}, not {join_words(others)}"
        )
    return join_words(named, "and")


@check(advice="name presets that `pitboss games GAME` lists, or take `presets` out", after=(names_games_that_exist,))
async def names_presets_that_exist(context: CheckContext) -> str:
    """Each preset that bot.toml names is one of a game that the bot plays."""
    about = context.bot.bot_file
    if about is None or about.presets is None:
        raise NotApplicable("it does not say which presets it plays")
    names = [*about.games] if about.games is not None else list(context.registry.games)
    known = {DEFAULTS, *(preset for name in names for preset in context.registry.find_game(name).presets)}
    for name in about.presets:
        if name not in known:
            raise CheckFailed(f"its games have no preset {name!r}{suggest_nearest(name, known)}")
    return join_words(about.presets, "and")


@check(advice="name numbers that `pitboss games GAME` lists, or take `seats` out", after=(names_games_that_exist,))
async def names_seats_that_exist(context: CheckContext) -> str:
    """Each number of players that bot.toml names is one of a game that the bot plays."""
    about = context.bot.bot_file
    if about is None or about.seats is None:
        raise NotApplicable("it does not say with how many it plays")
    names = [*about.games] if about.games is not None else list(context.registry.games)
    known = sorted({number for name in names for number in context.registry.find_game(name).seats})
    for number in about.seats:
        if number not in known:
            raise CheckFailed(f"its games are played by {join_words(known)} players, not by {number}")
    return join_words(about.seats, "and")


@check(advice="install what is missing, or take it out of `needs`", after=(describes_itself,))
async def has_what_it_needs(context: CheckContext) -> str:
    """The programs that bot.toml says it needs are on the PATH."""
    if context.bot.bot_file is None or not context.bot.bot_file.needs:
        raise NotApplicable("it does not say that it needs any program")
    if missing := [program for program in context.bot.bot_file.needs if shutil.which(program) is None]:
        raise CheckFailed(f"not on the PATH: {join_words(missing, 'and')}")
    return join_words(context.bot.bot_file.needs, "and")


@check(
    advice="mend what the compiler complains about; `pitboss build` runs the same command (with --network if need be)",
    after=(has_what_it_needs,),
)
async def can_be_built(context: CheckContext) -> str:
    """Its build step runs without an error; nothing is built if no file has changed since."""
    if context.bot.bot_file is None or context.bot.bot_file.build is None:
        raise NotApplicable("it has no build step")
    try:
        rules = bot_build.BuildRules(context.bot.sandbox)
        was_built = bot_build.build(context.bot.base, bot_build.announce_nothing, rules, is_shown=False)
    except bot_build.BuildFailed as failed:
        raise CheckFailed(str(failed), failed.output) from None
    return "it was built" if was_built else "its build is current"


@check(
    advice="a program in the folder is written with a slash, as ./bot; one from the PATH without", after=(can_be_built,)
)
async def names_a_program(context: CheckContext) -> str:
    """The first word of the bot's command is a program."""
    program = _find_program(context)
    if program is None:
        raise CheckFailed(f"there is no program {context.bot.command[0]!r}")
    return str(program)


@check(advice="chmod +x the file, or name its interpreter before it", after=(names_a_program,))
async def program_may_be_run(context: CheckContext) -> None:
    """The system lets the program be executed."""
    program = _find_program(context)
    assert program is not None
    if program.is_dir():
        raise CheckFailed(f"{str(program)!r} is a folder", advice="name the program in it")
    if not os.access(program, os.X_OK):
        raise CheckFailed(f"{str(program)!r} is not marked as executable")


@check(advice="write the interpreter's whole path after #!, or #!/usr/bin/env NAME", after=(program_may_be_run,))
async def interpreter_exists(context: CheckContext) -> str:
    """A script that is run by its own name begins with #! and an interpreter that exists."""
    program = _find_program(context)
    assert program is not None
    head = _read_head(program)
    if head.startswith(b"\x7fELF") or not _is_text(head):
        raise NotApplicable("its program is not a script")
    if complaint := _find_shebang_error(head, program.name):
        raise CheckFailed(complaint)
    return head.splitlines()[0][2:].decode("utf-8", "replace").strip()


@check(advice="save it with Unix line ends: sed -i 's/\\r$//' FILE", after=(program_may_be_run,))
async def script_has_unix_line_ends(context: CheckContext) -> None:
    """The first line of a script, and any line of a shell script, ends without a carriage return, which the system
    would take for a part of the name.
    """
    scripts = [path for path in _find_own_files(context) if _is_text(_read_head(path))]
    if not scripts:
        raise NotApplicable("it has no script")
    for path in scripts:
        text = path.read_bytes()[:100_000]
        first = text.split(b"\n")[0]
        if (first.startswith(b"#!") and first.endswith(b"\r")) or (_is_shell_script(path, context) and b"\r\n" in text):
            raise CheckFailed(f"{path.name!r} has Windows line ends: {first[:80].decode('utf-8', 'replace')!r}")


@check(
    advice="make bot.toml and the command agree with what `pitboss match` takes",
    after=(names_presets_that_exist, names_seats_that_exist, has_what_it_needs, program_may_be_run),
)
async def can_be_entered(context: CheckContext) -> str:
    """The bot can take part in a tournament under its name."""
    try:
        entrant, table = context.entrant(), context.bot.first_table()
        check_bot_setup(entrant, table.game, table.seats, table.options, table.variant.preset)
        sandbox.check_sandbox(entrant, context.bot.sandbox)
    except ConfigError as wrong:
        raise CheckFailed(str(wrong)) from None
    return " ".join(entrant.command)


@check(
    advice="put a .venv with the package into the folder, whose python `command` names, or ask the organiser",
    after=(can_be_entered,),
)
async def brings_its_packages(context: CheckContext) -> str | None:
    """A bot in Python brings the packages that it imports, or takes those that come with Pitboss."""
    if context.bot.source != "folder" or context.entrant().command[0] != sys.executable:
        raise NotApplicable("it is no folder that runs with the Python of Pitboss")
    if foreign := find_foreign_packages(context.bot.base):
        raise CheckNote(
            f"{join_words(foreign, 'and')}: installed where Pitboss runs here, and not in the bot's folder: where the "
            "organiser lacks that, the bot cannot start"
        )
    return None


def _find_shebang_error(head: bytes, name: str) -> str:
    """Return what is wrong with the first line of a script, "" if nothing."""
    if not head.startswith(b"#!"):
        return f"{name!r} is a text that does not begin with #!: the system does not know how to run it"
    first = head.splitlines()[0].decode("utf-8", "replace")
    words = first[2:].replace("\r", "").split()
    if not words or not Path(words[0]).exists():
        return f"its first line is {first!r}, and there is no {' '.join(words[:1])!r}"
    missing = [word for word in words[1:2] if not word.startswith("-") and shutil.which(word) is None]
    if missing and Path(words[0]).name == "env":
        return f"its first line asks for {missing[0]!r}, which is not on the PATH"
    return ""


def _find_program(context: CheckContext) -> Path | None:
    return entrants.find_program(context.bot.command[0].replace(PYTHON, sys.executable), context.bot.base)


def _find_own_files(context: CheckContext) -> list[Path]:
    """Return the bot's own files that its command names; [] for a named bot."""
    if context.bot.source == "named":
        return []
    named = [context.bot.base / word for word in context.bot.command if not word.startswith("-") and PYTHON not in word]
    return [path for path in named if path.is_file() and not path.is_relative_to("/usr")]


def _is_shell_script(path: Path, context: CheckContext) -> bool:
    first = _read_head(path).split(b"\n")[0].decode("utf-8", "replace")
    if context.bot.command[0] in SHELLS or path.suffix == ".sh":
        return True
    return first.startswith("#!") and Path(first.split()[-1]).name in SHELLS


def _read_head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(1024)


def _is_text(head: bytes) -> bool:
    return b"\0" not in head and bool(head)


def find_foreign_packages(folder: Path) -> list[str]:
    """Return the packages that programs of a folder import, and that are installed here and not in the folder.

    Those that come with Pitboss are there wherever it runs. An import inside a `try` may fail: it is not counted.
    """
    by_package, present = packages_distributions(), {*_list_requirements()}
    foreign = {
        package
        for package, names in by_package.items()
        if package not in sys.stdlib_module_names
        and present.isdisjoint(names)
        and not any(name.startswith(_OWN) for name in names)
    }
    files = [*islice(_find_files(folder), MAX_PROGRAM_FILES)]
    own = {file.stem for file in files} | {file.parent.name for file in files}
    return sorted({name for file in files for name in _list_imports(file)} & foreign - own)


def _list_requirements() -> Iterator[str]:
    """Yield the distributions that Pitboss always has."""
    try:
        needed = requires(_OWN) or ()
    except PackageNotFoundError:
        return
    yield from (word[0] for line in needed if "extra ==" not in line and (word := _REQUIREMENT.match(line)))


def _find_files(folder: Path) -> Iterator[Path]:
    """Yield the Python files of a folder, without those of environments in it."""
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            if not (path.name.startswith((".", "_")) or path.name == BUILD_FOLDER or (path / "pyvenv.cfg").exists()):
                yield from _find_files(path)
        elif path.suffix == ".py":
            yield path


def _list_imports(file: Path) -> Iterator[str]:
    """Yield the top-level names that a file imports outside of `try`; none if it is no Python."""
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError, RecursionError, OSError):
        return
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]
        elif not isinstance(node, ast.Try):
            waiting += ast.iter_child_nodes(node)
