"""Checks of what can be seen without starting the bot: its bot.toml, its program, its script."""

# ruff: noqa: D401 - the docstring of a check is what a bot promises

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from pitboss.errors import ConfigError
from pitboss_tournament.authoring import building
from pitboss_tournament.checks.bench import Bench
from pitboss_tournament.checks.check import Broken, Skipped, check
from pitboss_tournament.planning.wording import listed
from pitboss_tournament.processes import sandbox

SHELLS = ("sh", "bash", "dash", "ksh", "zsh")


@check("see bots/README.md for the keys of a bot.toml; `command` is the one that it needs")
async def describes_itself(bench: Bench) -> str:
    """The bot's folder holds a bot.toml that says nothing but what it may say."""
    if bench.bot.kind != "folder":
        raise Skipped("it is not a folder")
    if bench.bot.complaint:
        raise Broken(bench.bot.complaint)
    return ""


@check("name the games as `pitboss games` does, or leave `games` out if the bot plays any", after=(describes_itself,))
async def names_games_that_exist(bench: Bench) -> str:
    """The games that bot.toml names are installed, and the games that the bot is checked with are among them."""
    if bench.bot.about is None or bench.bot.about.games is None:
        raise Skipped("it does not say which games it plays")
    named, installed = bench.bot.about.games, bench.registry.games
    if missing := [name for name in named if name not in installed]:
        raise Broken(f"bot.toml names {listed(missing, 'and')}; installed are {listed(sorted(installed), 'and')}")
    if others := [game.name for game in bench.bot.games if game.name not in named]:
        raise Broken(f"bot.toml says that it plays {listed(named, 'and') or 'no game'}, not {listed(others)}")
    return listed(named, "and")


@check("install what is missing, or take it out of `needs`", after=(describes_itself,))
async def has_what_it_needs(bench: Bench) -> str:
    """The programs that bot.toml says it needs are on the PATH."""
    if bench.bot.about is None or not bench.bot.about.needs:
        raise Skipped("it does not say that it needs any program")
    if missing := [program for program in bench.bot.about.needs if shutil.which(program) is None]:
        raise Broken(f"not on the PATH: {listed(missing, 'and')}")
    return listed(bench.bot.about.needs, "and")


@check("mend what the compiler complains about; `pitboss build` runs the same command", after=(has_what_it_needs,))
async def can_be_built(bench: Bench) -> str:
    """Its build step runs without an error; nothing is built if no file has changed since."""
    if bench.bot.about is None or bench.bot.about.build is None:
        raise Skipped("it has no build step")
    try:
        was_built = building.build(bench.bot.base, building.silent, is_shown=False)
    except building.BuildFailed as failed:
        raise Broken(str(failed), failed.output) from None
    return "it was built" if was_built else "its build is current"


@check("a program in the folder is written with a slash, as ./bot; one from the PATH without", after=(can_be_built,))
async def names_a_program(bench: Bench) -> str:
    """The first word of the bot's command is a program."""
    program = program_of(bench)
    if program is None:
        raise Broken(f"there is no program {bench.bot.words[0]!r}")
    return str(program)


@check("chmod +x the file, or name its interpreter before it", after=(names_a_program,))
async def program_may_be_run(bench: Bench) -> str:
    """The system lets the program be executed."""
    program = program_of(bench)
    assert program is not None
    if program.is_dir():
        raise Broken(f"{str(program)!r} is a folder", cure="name the program in it")
    if not os.access(program, os.X_OK):
        raise Broken(f"{str(program)!r} is not marked as executable")
    return ""


@check("write the interpreter's whole path after #!, or #!/usr/bin/env NAME", after=(program_may_be_run,))
async def interpreter_exists(bench: Bench) -> str:
    """A script that is run by its own name begins with #! and an interpreter that is there."""
    program = program_of(bench)
    assert program is not None
    head = _head(program)
    if head.startswith(b"\x7fELF") or not _is_text(head):
        raise Skipped("its program is not a script")
    if complaint := _about_first_line(head, program.name):
        raise Broken(complaint)
    return head.splitlines()[0][2:].decode("utf-8", "replace").strip()


@check("save it with Unix line ends: sed -i 's/\\r$//' FILE", after=(program_may_be_run,))
async def script_has_unix_line_ends(bench: Bench) -> str:
    """No carriage return stands at the end of a script's first line, or of any line of a shell script: the system takes it for a part of the name."""
    scripts = [path for path in _own_files(bench) if _is_text(_head(path))]
    if not scripts:
        raise Skipped("it has no script")
    for path in scripts:
        text = path.read_bytes()[:100_000]
        first = text.split(b"\n")[0]
        if (first.startswith(b"#!") and first.endswith(b"\r")) or (_is_shell(path, bench) and b"\r\n" in text):
            raise Broken(f"{path.name!r} has Windows line ends: {first[:80].decode('utf-8', 'replace')!r}")
    return ""


@check(
    "make bot.toml and the command agree with what `pitboss match` takes",
    after=(names_games_that_exist, has_what_it_needs, program_may_be_run),
)
async def can_be_entered(bench: Bench) -> str:
    """The bot can take part in a tournament under its name."""
    try:
        entrant = bench.entrant()
        sandbox.check(entrant, bench.bot.sandbox)
    except ConfigError as wrong:
        raise Broken(str(wrong)) from None
    return " ".join(entrant.command)


def _about_first_line(head: bytes, name: str) -> str:
    """Return what is wrong with the first line of a script, "" if nothing."""
    if not head.startswith(b"#!"):
        return f"{name!r} is a text that does not begin with #!: the system does not know how to run it"
    first = head.splitlines()[0].decode("utf-8", "replace")
    words = first[2:].replace("\r", "").split()
    if not words or not Path(words[0]).exists():
        return f"its first line is {first!r}, and there is no {' '.join(words[:1])!r}"
    if Path(words[0]).name == "env" and len(words) > 1 and not words[1].startswith("-") and shutil.which(words[1]) is None:
        return f"its first line asks for {words[1]!r}, which is not on the PATH"
    return ""


def program_of(bench: Bench) -> Path | None:
    """Return the file that the first word of the command means."""
    first = bench.bot.words[0].replace("{python}", sys.executable)
    if "/" in first:
        path = (bench.bot.base / first).absolute()
        return path if path.exists() else None
    found = shutil.which(first)
    return Path(found) if found else None


def _own_files(bench: Bench) -> list[Path]:
    """Return the files of the bot's own that its command names."""
    if bench.bot.kind == "named":
        return []
    named = [bench.bot.base / word for word in bench.bot.words if not word.startswith("-") and "{python}" not in word]
    return [path for path in named if path.is_file() and not path.is_relative_to("/usr")]


def _is_shell(path: Path, bench: Bench) -> bool:
    first = _head(path).split(b"\n")[0].decode("utf-8", "replace")
    if bench.bot.words[0] in SHELLS or path.suffix == ".sh":
        return True
    return first.startswith("#!") and Path(first.split()[-1]).name in SHELLS


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(1024)


def _is_text(head: bytes) -> bool:
    return b"\0" not in head and bool(head)
