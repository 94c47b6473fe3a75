"""`pitboss check` on bots whose libraries take long to load and to end: they have their time, and few starts."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from pitboss.protocol.messages import Clock
from pitboss_tournament.bot_checks.bot_under_test import resolve_bot
from pitboss_tournament.bot_checks.suite import BotReport, check_bot
from pitboss_tournament.processes.cpu import available_cpus
from tests.plugins import load_registry
from tests.tournament.faulty_bots import ALONE, AT_THE_END, LONG_GAME_SECONDS, BotMistake, set_waits, write_bot

pytestmark = [pytest.mark.once, pytest.mark.long]
CLOCK: Final = Clock(start_ms=60_000, decision_ms=60_000, margin_ms=10)
NOTED_START: Final = "open(os.path.dirname(__file__) + '/../starts', 'a').write('.')\n"
MOST_STARTS: Final = 36 + 2 * available_cpus()  # at one table without a sandbox


def check_heavy_bot(
    folder: Path, changes: dict[str, str], only: Collection[str] = (), game_seconds: float = LONG_GAME_SECONDS
) -> BotReport:
    """Put a bot with these changes to all checks, or to some, with two players of Magpie and its defaults."""
    registry = load_registry()
    bot = resolve_bot(
        str(write_bot(folder, BotMistake(changes))), registry, Path.cwd(), (registry.find_game("magpie"),), CLOCK
    )
    return check_bot(replace(bot, seats=(2,), presets=("defaults",), game_seconds=game_seconds), registry, only)


def test_a_bot_that_starts_and_ends_slowly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that needs long to start and to end keeps every promise, and is started at most MOST_STARTS times for all
    checks: those that can share a process do.
    """
    set_waits(monkeypatch)

    report = check_heavy_bot(
        tmp_path / "bot",
        {
            "# before\n": f"{NOTED_START}time.sleep(0.4)\n",
            AT_THE_END: "import atexit\natexit.register(time.sleep, 0.7)\ndef at_the_end(): pass\n",
        },
    )

    assert report.results_with("failed") == []
    assert len((tmp_path / "starts").read_text()) <= MOST_STARTS
    [ended] = [result for result in report.checks if result.name == "ends-at-bye"]
    assert "which is no fault" in ended.detail
    assert "os._exit(0)" in ended.detail


def test_a_bot_has_as_long_to_end_as_it_took_to_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that takes three seconds to start may take one to end, however little all bots have."""
    set_waits(monkeypatch, FAREWELL_S=0.1)

    report = check_heavy_bot(
        tmp_path / "bot",
        {"# before\n": "time.sleep(3)\n", AT_THE_END: "def at_the_end():\n    time.sleep(1)\n"},
        ["ends-with-status-0", "ends-with-its-input"],
    )

    assert report.results_with("failed") == []


def test_a_bot_that_ends_too_slowly_is_told_a_cure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that ends too slowly is told how to end a program without the clean-up of its libraries."""
    set_waits(monkeypatch, FAREWELL_S=0.1)

    report = check_heavy_bot(
        tmp_path / "bot",
        {AT_THE_END: "import atexit\natexit.register(time.sleep, 60)\ndef at_the_end(): pass\n"},
        ["ends-at-bye", "ends-with-its-input"],
    )

    assert [failure.name for failure in report.results_with("failed")] == ["ends-at-bye", "ends-with-its-input"]
    assert all("flush, then os._exit(0)" in failure.advice for failure in report.results_with("failed"))


def test_a_slow_start_leaves_time_for_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot whose start takes longer than the time for a game is asked questions all the same."""
    set_waits(monkeypatch)

    report = check_heavy_bot(
        tmp_path / "bot", {"# before\n": "time.sleep(1)\n"}, ["plays-in-every-seat"], game_seconds=0.5
    )

    [played] = [result for result in report.checks if result.name == "plays-in-every-seat"]
    assert played.outcome == "passed"
    assert not played.detail.startswith("0 games, 0 decisions"), played.detail


def test_a_bot_that_cannot_run_twice_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot of which only one process can live fails the check of that, and no check that starts it once: a check that
    fails beside others is run again by itself.
    """
    set_waits(monkeypatch)

    report = check_heavy_bot(
        tmp_path / "bot",
        {"# before\n": ALONE},
        ["starts-several-times-at-once", "needs-no-home", "needs-no-locale", "plays-from-another-seat"],
    )

    assert [failure.name for failure in report.results_with("failed")] == ["starts-several-times-at-once"]
    assert report.results_with("skipped") == []
