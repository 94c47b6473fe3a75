"""One language tried: a new bot is made from its template, built, and put through `pitboss check`."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from time import perf_counter
from typing import Final

import msgspec
from msgspec import Struct

from pitboss.plugins import Registry
from pitboss.wire import Clock, Hello
from pitboss_tournament.authoring import building
from pitboss_tournament.authoring.templates import NewBot, Template, make_bot
from pitboss_tournament.checks.check import BotReport
from pitboss_tournament.checks.subject import entrant_of, subject
from pitboss_tournament.checks.suite import examined
from pitboss_tournament.planning.bot_file import read_bot_file
from pitboss_tournament.planning.plan import Entrant
from pitboss_tournament.processes.sandbox import resolve

NAME: Final = "newcomer"
IN_SHORT: Final = ("plays-a-whole-game",)  # and what it builds upon
_STARTS: Final = 3
_CLOCK: Final = Clock(start_ms=10_000, decision_ms=1_000)


class Verdict(Struct, frozen=True):
    """What `pitboss check` found in some games."""

    games: tuple[str, ...]
    kept: int
    broken: tuple[str, ...]  # names of checks, with what was seen

    def __str__(self) -> str:
        return "BROKEN" if self.broken else f"{self.kept} kept"


class Trial(Struct, frozen=True):
    """A language that was tried."""

    language: str
    tool: str  # and its version
    start_ms: float  # until `ready`, the best of a few
    verdicts: tuple[Verdict, ...]
    warnings: str  # of the compiler

    @property
    def complaints(self) -> list[str]:
        """What was broken, and where."""
        broken = [f"{', '.join(one.games)}: {text}" for one in self.verdicts for text in one.broken]
        return [*broken, *([f"it is not built without a word: {self.warnings}"] if self.warnings else [])]


def missing(template: Template) -> list[str]:
    """Return the programs that a template needs and this machine does not have."""
    return [program for program in read_bot_file(template.folder)[1].needs if shutil.which(program) is None]


def tried(template: Template, place: Path, registry: Registry, *, in_short: bool) -> Trial:
    """Try a language; in short: only whole games are checked, and what they build upon."""
    bot = NewBot(name=NAME, into=place)
    make_bot(bot, template)
    warnings = _built(bot.folder)
    found = subject(str(bot.folder), registry, place, tuple(registry.games.values()), _CLOCK)
    start_ms = min(_start_ms(entrant_of(found, registry)) for _ in range(_STARTS))
    verdicts = []
    for games in (found.games,) if in_short else ((game,) for game in found.games):
        here = msgspec.structs.replace(found, games=games, sandbox=resolve("auto")[0], game_seconds=0.3 if in_short else 1.0)
        verdicts.append(_verdict(examined(here, registry, IN_SHORT if in_short else ())))
    return Trial(
        template.language, f"{template.about.version[0].strip('{}')} {version(template)}", start_ms, tuple(verdicts), warnings
    )


def _built(folder: Path) -> str:
    """Build a bot; return what the compiler has to say about it."""
    building.build(folder, building.silent, is_shown=False)
    command = read_bot_file(folder)[1].build
    again = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False) if command else None
    return again.stdout + again.stderr if again else ""


def version(template: Template) -> str:
    """Return what a tool says of its version: the first word with a point between digits, else the first line with a digit."""
    words = [word.replace("{python}", sys.executable) for word in template.about.version]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    said = f"{ran.stdout}\n{ran.stderr}"
    found = re.search(r"\d+(\.\d+)+", said) or re.search(r".*\d.*", said)
    return found[0] if found else "?"


def _verdict(report: BotReport) -> Verdict:
    broken = tuple(f"{one.name} ({one.seen})" for one in report.found("broken"))
    return Verdict(tuple(report.games), len(report.found("kept")), broken)


def _start_ms(entrant: Entrant) -> float:
    """Start the bot without a sandbox; return how long it takes until it says `ready`."""
    hello = Hello(game="any", options={}, seats=2, seat=0, seed="any", clock=_CLOCK)
    began = perf_counter()
    with subprocess.Popen(entrant.command, cwd=entrant.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as bot:
        assert bot.stdin and bot.stdout
        bot.stdin.write(msgspec.json.encode(hello) + b"\n")
        bot.stdin.flush()
        answer = bot.stdout.readline()
        took = perf_counter() - began
        bot.stdin.close()
    assert b'"ready"' in answer, answer
    return took * 1000
