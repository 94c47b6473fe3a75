"""One language tried: a new bot is made from its template, built, and put through `pitboss check`."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Final

import msgspec
from msgspec import Struct

from pitboss.game import AnyGame
from pitboss.plugins.registry import Registry
from pitboss.protocol.messages import Clock, Hello
from pitboss_tournament.authoring import bot_build
from pitboss_tournament.authoring.templates import NewBot, Template, make_bot
from pitboss_tournament.bot_checks.bot_under_test import make_entrant, resolve_bot
from pitboss_tournament.bot_checks.suite import BotReport, check_bot
from pitboss_tournament.config.bot_file import read_bot_file
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.processes.sandbox_probe import resolve_sandbox

NAME: Final = "newcomer"
IN_SHORT: Final = ("plays-a-whole-game",)  # and what it builds upon
_START_COUNT: Final = 3
_CLOCK: Final = Clock(start_ms=10_000, decision_ms=1_000)


class TemplateVerdict(Struct, frozen=True):
    """What `pitboss check` found in some games."""

    games: tuple[str, ...]
    kept: int
    broken: tuple[str, ...]  # names of checks, with what was seen

    def __str__(self) -> str:
        return "BROKEN" if self.broken else f"{self.kept} kept"


class TemplateTrial(Struct, frozen=True):
    """A language that was tried."""

    language: str
    tool: str  # and its version
    start_ms: float  # until `ready`, the best of a few
    verdicts: tuple[TemplateVerdict, ...]
    warnings: str  # of the compiler

    @property
    def complaints(self) -> list[str]:
        """What was broken, and where."""
        broken = [f"{', '.join(one.games)}: {text}" for one in self.verdicts for text in one.broken]
        return [*broken, *([f"it is not built without a word: {self.warnings}"] if self.warnings else [])]


def missing_programs(template: Template) -> list[str]:
    """Return the programs that a template needs and this machine does not have."""
    return [program for program in read_bot_file(template.folder)[1].needs if shutil.which(program) is None]


def try_template(template: Template, folder: Path, registry: Registry, *, is_short: bool) -> TemplateTrial:
    """Try a language; in short: only whole games are checked, and what they build upon."""
    bot = NewBot(name=NAME, into=folder)
    make_bot(bot, template)
    warnings = _build_bot(bot.folder)
    found = resolve_bot(str(bot.folder), registry, folder, tuple(registry.games.values()), _CLOCK)
    start_ms = min(_measure_start(make_entrant(found, registry)) for _ in range(_START_COUNT))
    verdicts = []
    for games in (found.games,) if is_short else ((game,) for game in found.games):
        here = msgspec.structs.replace(
            found, games=games, sandbox=resolve_sandbox("auto")[0], game_seconds=0.3 if is_short else 1.0
        )
        verdicts.append(_summarize_report(check_bot(here, registry, IN_SHORT if is_short else ())))
    return TemplateTrial(
        template.language,
        f"{template.about.version[0].strip('{}')} {tool_version(template)}",
        start_ms,
        tuple(verdicts),
        warnings,
    )


def try_code(template: Template, code: str, folder: Path, registry: Registry, games: Sequence[AnyGame]) -> list[str]:
    """Make a bot with other code in the file to change; return what the compiler says, and what is broken in games."""
    bot = NewBot(name=NAME, into=folder)
    make_bot(bot, template)
    (bot.folder / template.about.change).write_text(code, encoding="utf-8")
    said = _build_bot(bot.folder)
    found = resolve_bot(str(bot.folder), registry, folder, tuple(games), _CLOCK)
    verdict = _summarize_report(check_bot(msgspec.structs.replace(found, game_seconds=0.3), registry, IN_SHORT))
    return [*filter(None, [said]), *verdict.broken]


def _build_bot(folder: Path) -> str:
    """Build a bot; return what the compiler has to say about it."""
    bot_build.build(folder, bot_build.announce_nothing, is_shown=False)
    command = read_bot_file(folder)[1].build
    again = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False) if command else None
    return again.stdout + again.stderr if again else ""


def tool_version(template: Template) -> str:
    """Return what a tool says of its version: the first word with a point between digits, else the first line with a
    digit.
    """
    words = [word.replace("{python}", sys.executable) for word in template.about.version]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    said = f"{ran.stdout}\n{ran.stderr}"
    found = re.search(r"\d+(\.\d+)+", said) or re.search(r".*\d.*", said)
    return found[0] if found else "?"


def _summarize_report(report: BotReport) -> TemplateVerdict:
    failed = tuple(f"{result.name} ({result.detail})" for result in report.results_with("failed"))
    return TemplateVerdict(tuple(report.games), len(report.results_with("passed")), failed)


def _measure_start(entrant: Entrant) -> float:
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
