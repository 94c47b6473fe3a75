"""Bare `pitboss`: what is installed, what this machine can do, and the next three commands to type."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pitboss.text import format_count, join_words
from pitboss_tournament.cli.registry import load_registry
from pitboss_tournament.plan.paths import BOT_FILE, STORE_ENDING
from pitboss_tournament.processes.cpu import available_cpus
from pitboss_tournament.processes.sandbox_probe import resolve_sandbox

FIRST_MATCH: Final = "racko house:racko house:random"  # short, if these are installed
COMPILERS: Final = {"node": "JavaScript", "java": "Java", "gcc": "C", "g++": "C++", "go": "Go", "rustc": "Rust"}


def welcome_lines(here: Path) -> Iterator[str]:
    """Yield ten lines, for a person in the folder `here`."""
    registry = load_registry()
    level, _ = resolve_sandbox("auto")
    languages = ["Python", *(name for program, name in COMPILERS.items() if shutil.which(program))]
    yield "Pitboss runs card games between programs in any language, and shows which is better, and how sure that is."
    yield ""
    yield (
        f"Installed: {format_count(len(registry.games), 'game')}, {format_count(len(registry.bots), 'named bot')}, "
        f"{format_count(len(registry.formats), 'format')}: see `pitboss games`, `bots` and `formats`."
    )
    yield (
        f"This machine: {format_count(available_cpus(), 'processor')}; the sandbox is {level}; bots in "
        f"{join_words(languages, 'and')}. `pitboss doctor` says more."
    )
    yield ""
    yield "Next:"
    commands = list(_next_commands(here))
    widest = max(len(command) for command, _ in commands)
    for command, what in commands:
        yield f"  {command:{widest}}   {what}"
    yield "`pitboss --help` lists all commands; `pitboss help WORD` explains a command, a game, a format or a setting."


def _next_commands(here: Path) -> Iterator[tuple[str, str]]:
    """Yield three commands to type next, and what they do."""
    registry = load_registry()
    game, *rivals = FIRST_MATCH.split()
    if game not in registry.games:
        game = next(iter(registry.games), "GAME")
    rival, other = (one if one in registry.bots else next(iter(registry.bots), "BOT") for one in rivals)
    bots = sorted(file.parent.name for file in here.glob(f"*/{BOT_FILE}"))
    stores = sorted(here.glob(f"*{STORE_ENDING}"), key=lambda file: file.stat().st_mtime)
    if bots:
        bot = shlex.quote(bots[0])
        yield f"pitboss check {bot}", "what is wrong with your bot, and how to mend it"
        yield f"pitboss match {game} {bot} {rival}", "a tournament of some minutes, and which bot is better"
    else:
        yield f"pitboss new bot python first --game {game}", "a folder with a bot to begin with"
        yield f"pitboss match {game} {rival} {other}", "a tournament of some minutes, and which bot is better"
    if stores:
        yield f"pitboss standings {shlex.quote(stores[-1].name)}", "the results of your last tournament"
    else:
        yield f"pitboss play {game} --against {rival}", "play yourself"
