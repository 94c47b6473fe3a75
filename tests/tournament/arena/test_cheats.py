"""Cheats in an arena gain nothing, and are named where they can be: see `tests.soak.arena_cheats`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest
from msgspec.structs import replace

from pitboss_tournament.arena.edit_phase import commit_workspace
from pitboss_tournament.arena.measures import ArenaReport, EntrantReport, RoundOfEntrant
from pitboss_tournament.arena.report_lines import report_lines
from pitboss_tournament.arena.workspace import begin_repository
from pitboss_tournament.plan.plan import SandboxLevel
from pitboss_tournament.processes.edit_run import EditBounds
from pitboss_tournament.statistics.running_moments import Estimate
from tests.soak import arena_cheats, arena_kills
from tests.soak.arena_cheats import CHEATS, GIT_PROGRAMS, QUICK, play_cheats
from tests.tournament.sandbox_programs import needs_bubblewrap, needs_landlock


@pytest.mark.once
@pytest.mark.parametrize(
    "level", [pytest.param("bubblewrap", marks=needs_bubblewrap), pytest.param("landlock", marks=needs_landlock)]
)
def test_a_commit_changes_the_repository_alone(tmp_path: Path, level: SandboxLevel) -> None:
    """What a repository lets git run when the judge commits cannot edit the bot: the edit phase is over."""
    tmp_path.chmod(0o755)
    work = tmp_path / "work"
    (work / "bot").mkdir(parents=True)
    (work / "bot" / "bot.py").write_text("the bot")
    (work / "GAME.md").write_text("the game")
    begin_repository(work)
    trap = dedent(f"import sys\nfrom pathlib import Path\n{dedent(GIT_PROGRAMS)}")
    subprocess.run([sys.executable, "-c", trap], cwd=work, check=True)
    (work / "bot" / "bot.py").write_text("another bot")

    commit_workspace(work, 1, EditBounds(seconds=60, cpu_s=60, workspace_mb=20), level, "test", tmp_path / "output")

    assert not (work / "bot" / "late.py").exists()
    assert (work / "GAME.md").read_text() == "the game"
    log = subprocess.run(["git", "log", "--format=%s"], cwd=work, capture_output=True, text=True, check=True)
    assert log.stdout.split("\n")[0] == "Round 1", (tmp_path / "output").read_text()


LINE = RoundOfEntrant(round=1, edit="ended", seconds=1.0, cpu_s=1.0, usage=None, digest="d", is_new=True)


@pytest.mark.parametrize(
    ("overfit", "said"),
    [
        (Estimate(30.0, 20.0), "over-fitted to the practice deals by 30"),
        (Estimate(-30.0, 20.0), "worse on the practice deals by"),
        (Estimate(-10.0, 20.0), ""),
    ],
)
def test_practice_that_is_not_as_the_rest_is_named(overfit: Estimate, said: str) -> None:
    """So are gifts; a difference within its interval is not."""
    entrant = EntrantReport(
        name="ann",
        rounds=[replace(LINE, overfit=overfit)],
        gain=Estimate(None, None),
        seconds=1.0,
        cpu_s=1.0,
        tokens=None,
        dollars=None,
    )
    found = ArenaReport(
        title="arena",
        game="poker",
        rounds=1,
        planned=1,
        measure="rating",
        anchor="house:random",
        winner=None,
        verdict=[],
        gifts=["Round 1: ann gains by bob"],
        entrants=[entrant],
        anchors=[],
    )

    remarks = [line.text for line in report_lines(found) if line.text.startswith("Round 1")]

    assert remarks[0] == "Round 1: ann gains by bob"
    assert len(remarks) == 1 + bool(said)
    assert said in remarks[-1]


@pytest.mark.once
@needs_landlock
def test_a_star_that_a_friend_folds_to_has_not_won(tmp_path: Path) -> None:
    """The star is proven better than all others, by the games with its friend alone."""
    tmp_path.chmod(0o755)

    seen = arena_cheats.play_dumpers(tmp_path, "landlock", deals=20)

    gain, width, said, is_kept = seen["star"]
    assert gain > width, said
    assert is_kept, said


@pytest.mark.long
@needs_bubblewrap
def test_quick_cheats(tmp_path: Path) -> None:
    """Cheats of one arena read and change nothing of others, gain nothing, and are named."""
    chosen = [one for one in CHEATS if one.name in QUICK]

    results, harm = play_cheats(tmp_path, chosen, "bubblewrap", deals=1, practice=1)

    assert harm == []
    assert [one for one in results if not one.is_kept] == []
    assert len(results) == len(QUICK)


@pytest.mark.long
def test_all_cheats(capsys: pytest.CaptureFixture[str]) -> None:
    """All cheats, at each level of the sandbox that works here."""
    assert arena_cheats.main([]) == 0, capsys.readouterr().out


@pytest.mark.long
def test_kills(capsys: pytest.CaptureFixture[str]) -> None:
    """An arena that is killed again and again comes to the end to which it comes undisturbed."""
    assert arena_kills.main(["--kills", "5", "--rounds", "2"]) == 0, capsys.readouterr().out
