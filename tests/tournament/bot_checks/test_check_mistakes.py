"""`pitboss check`: every check finds the mistake that it is there for, and says how to mend it."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from pitboss.protocol.messages import Clock
from pitboss_tournament.bot_checks.bot_under_test import resolve_bot
from pitboss_tournament.bot_checks.suite import EVERY_CHECK, BotReport, check_bot
from pitboss_tournament.plan.limits import Limits
from pitboss_tournament.processes.sandbox_probe import probe_bubblewrap
from tests.marks import first_rows
from tests.plugins import load_registry
from tests.tournament.faulty_bots import LONG_GAME_SECONDS, MISTAKES, BotMistake, set_waits, write_bot

pytestmark = pytest.mark.once
QUICK = {one.group: one.name for one in reversed(EVERY_CHECK)}.values()  # the first check of each group
REPORTED_AS_NOTES = (  # found, and no fault
    "brings-its-packages",
    "takes-games-without-a-question",
    "reads-odd-numbers",
    "takes-faults-in-end",
    "does-the-same-again",
    "keeps-tables-apart",
)


def check_mistake(folder: Path, only: str, mistake: BotMistake) -> BotReport:
    """Put a bot to one check, after those that it builds upon, without a sandbox."""
    registry = load_registry()
    clock = Clock(start_ms=mistake.start_ms, decision_ms=mistake.decision_ms, game_ms=mistake.game_ms, margin_ms=10)
    bot = resolve_bot(str(folder / mistake.spec), registry, Path.cwd(), (registry.find_game("magpie"),), clock)
    limits = Limits(memory_mb=mistake.memory_mb, cpu_s=mistake.cpu_s)
    return check_bot(replace(bot, game_seconds=LONG_GAME_SECONDS, seats=(2, 3), limits=limits), registry, [only])


def test_every_check_has_its_mistake() -> None:
    """No check is without a bot that does not pass it, and there are at least 45."""
    assert [one.name for one in EVERY_CHECK] == list(MISTAKES)
    assert len(MISTAKES) >= 45


@first_rows(1)("name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.long) for name in MISTAKES])
def test_a_mistake_is_found(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot with the mistake does not keep the promise; it keeps all those that are checked before, and is told a
    cure.
    """
    if name == "runs-in-the-sandbox" and (trouble := probe_bubblewrap().sentence):
        pytest.skip(trouble)
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)  # it hides a missing flush
    set_waits(monkeypatch, **MISTAKES[name].waits)

    report = check_mistake(write_bot(tmp_path / "bot", MISTAKES[name]), name, MISTAKES[name])

    [last] = [result for result in report.checks if result.name == name]
    failed, notes = ([], [name]) if name in REPORTED_AS_NOTES else ([name], [])
    assert [result.name for result in report.checks if result.is_note] == notes, [*map(str, report.checks[-3:])]
    assert [result.name for result in report.results_with("failed")] == failed
    assert last.detail
    assert last.advice


@pytest.mark.parametrize("check", EVERY_CHECK, ids=lambda check: check.name)
def test_a_check_is_a_sentence_and_a_cure(check: object) -> None:
    """The promise ends as a sentence does, and the cure fits on one line of a page."""
    promise, cure = getattr(check, "promise", ""), getattr(check, "advice", "")

    assert (promise[0].isupper() or promise[0] == "`") and promise.endswith(".") and len(promise) <= 160
    assert 10 < len(cure) <= 130 and "\n" not in cure
