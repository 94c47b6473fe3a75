"""`pitboss check` on good bots: the example bots keep every promise, in the sandbox and without it; what is no fault is
none.
"""

from __future__ import annotations

import shutil
import sys
import tomllib
from collections.abc import Collection
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from pitboss import AnyGame
from pitboss.protocol.messages import Clock
from pitboss_magpie.magpie import Magpie
from pitboss_tournament.bot_checks.bot_under_test import resolve_bot
from pitboss_tournament.bot_checks.families.shutdown import FAREWELL_S
from pitboss_tournament.bot_checks.suite import EVERY_CHECK, BotReport, check_bot
from pitboss_tournament.plan.plan import SandboxLevel
from pitboss_tournament.processes.sandbox_probe import resolve_sandbox
from tests import ROOT
from tests.plugins import load_registry
from tests.tournament.faulty_bots import AT_THE_END, LONG_GAME_SECONDS, BotMistake, set_waits, write_bot

pytestmark = pytest.mark.once
BOTS: Final = ROOT / "bots"
CLOCK: Final = Clock(start_ms=60_000, decision_ms=60_000, margin_ms=10)


class OtherMagpie(Magpie):
    """The same game by another name."""

    name = "other"


@pytest.fixture(autouse=True)
def generous_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Call no good bot late on a busy machine."""
    set_waits(monkeypatch)


def run_all_checks(
    spec: str, sandbox: SandboxLevel, *more_games: AnyGame, base: Path | None = None, only: Collection[str] = ()
) -> BotReport:
    """Put a bot to all checks, or to some, with two players."""
    registry = load_registry()
    bot = resolve_bot(spec, registry, base or Path.cwd(), (Magpie(), *more_games), CLOCK)
    return check_bot(replace(bot, sandbox=sandbox, seats=(2,), game_seconds=LONG_GAME_SECONDS), registry, only)


def unexpected_findings(report: BotReport) -> list[str]:
    """Return what was found that is not as it should be."""
    return [str(result) for result in report.checks if result.outcome == "failed" or result.is_note]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long) for name in ("python-sdk", "python-stdlib", "javascript")]
)
def test_the_example_bots(name: str, tmp_path: Path) -> None:
    """The example bots keep every promise, in the sandbox if this machine has one; all checks are made."""
    folder = tmp_path / name
    shutil.copytree(BOTS / name, folder, ignore=shutil.ignore_patterns("build", "__pycache__"))
    about = tomllib.loads((folder / "bot.toml").read_text())
    if missing := [tool for tool in about.get("needs", ()) if shutil.which(tool) is None]:
        pytest.skip(f"bots/{name} needs {missing}, which is not on this machine")

    report = run_all_checks(str(folder), resolve_sandbox("auto")[0])

    assert unexpected_findings(report) == []
    assert [verdict.name for verdict in report.checks] == [one.name for one in EVERY_CHECK]
    assert report.decisions > 50


@pytest.mark.long
def test_the_bot_from_which_the_mistakes_are_made(tmp_path: Path) -> None:
    """The bot from which the mistakes are made keeps every promise without a sandbox too, as a folder and as a command,
    and leaves no process behind.
    """
    folder = write_bot(tmp_path / "bot")

    reports = [run_all_checks(str(folder), "none"), run_all_checks(f"{sys.executable} bot.py", "none", base=folder)]

    assert [unexpected_findings(report) for report in reports] == [[], []]
    assert "leaves-nobody-behind" in [result.name for result in reports[0].results_with("passed")]


@pytest.mark.parametrize("only", ["plays-a-whole-game", "plays-from-another-seat"])
def test_a_bot_that_reads_its_seeds_as_numbers(only: str, tmp_path: Path) -> None:
    """Seeds have the form of those in a match, in games by the script of a check and in whole ones."""
    code = "if 'seed' in m: assert len(m['seed']) == 16 and int(m['seed'], 16) >= 0\n"

    report = run_all_checks(str(write_bot(tmp_path / "bot", BotMistake({"# each\n": code}))), "none", only=[only])

    assert report.results_with("failed") == []
    assert only in [result.name for result in report.results_with("passed")]


@pytest.mark.long
def test_a_bot_whose_libraries_need_a_second_to_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that computes for a second after `bye`, as one that has loaded torch does, ends in time."""
    set_waits(monkeypatch, FAREWELL_S=FAREWELL_S)
    ending = "def at_the_end():\n    while time.process_time() < 1.5: pass\n"

    report = run_all_checks(
        str(write_bot(tmp_path / "bot", BotMistake({AT_THE_END: ending}))), "none", only=["ends-with-status-0"]
    )

    assert report.results_with("failed") == []
    [ended] = [result for result in report.checks if result.name == "ends-at-bye"]
    assert "which is no fault" in ended.detail


@pytest.mark.long
def test_a_bot_that_starts_afresh_for_each_game(tmp_path: Path) -> None:
    """A bot may leave with status 0 after a game: a note says what that costs, and no check that goes over several
    games is held against the bot.
    """
    report = run_all_checks(
        str(write_bot(tmp_path / "bot", BotMistake({"        # end\n": "        break\n"}))), "none"
    )

    assert [result.name for result in report.checks if result.is_note] == ["plays-several-games"]
    assert report.results_with("failed") == []


@pytest.mark.long
def test_a_named_bot() -> None:
    """The house's bots can be checked by their names, in several games."""
    report = run_all_checks("house:first", "none", OtherMagpie())

    assert unexpected_findings(report) == []
    assert report.games == ["magpie", "other"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("place", "clock", "only"),
    [
        pytest.param("# before", replace(CLOCK, start_ms=500), (), marks=pytest.mark.long),
        ("# decide", replace(CLOCK, decision_ms=100), ()),
        ("# bye", CLOCK, ("ends-at-bye", "plays-a-whole-game")),
    ],
)
def test_a_bot_that_hangs_does_not_hang_the_check(
    place: str, clock: Clock, only: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot that hangs, at once, at a question or at the end, fails one check, which all checks that cannot be made
    name.
    """
    folder = write_bot(tmp_path / "bot", BotMistake({f"{place}\n": "while True: time.sleep(60)\n"}))
    registry = load_registry()
    bot = resolve_bot(str(folder), registry, Path.cwd(), (Magpie(),), clock)
    set_waits(monkeypatch, FLUSH_WAIT_S=1.0, FAREWELL_S=0.5 if place == "# bye" else LONG_GAME_SECONDS)

    report = check_bot(replace(bot, seats=(2,), game_seconds=LONG_GAME_SECONDS), registry, only)

    [failed] = report.results_with("failed")
    reasons = {result.detail for result in report.results_with("skipped")}
    assert reasons <= {f"`{failed.name}` failed"}
