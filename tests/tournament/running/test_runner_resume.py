"""A tournament that is stopped, or killed, and carried on: every game once, and no process left behind."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tournament.run_processes import limit_lead, run_processes, wait_exited
from tests.tournament.small_tournaments import BOT_TESTS

pytestmark = pytest.mark.once

MATCH = ["--deals", "12", "--seed", "resume", "--seats", "2", "-o", "turns=3"]
GOOD = f"{sys.executable} -S {BOT_TESTS / 'zoo' / 'good.py'}"


def match_command(store: Path, *more: str) -> list[str]:
    """Return the command that plays the tournament."""
    match = [sys.executable, "-m", "pitboss_tournament.cli", "match", "magpie", GOOD, GOOD, GOOD]
    return [*match, *MATCH, "--store", str(store), *more]


def export_games(store: Path) -> list[str]:
    """Return all games of a store, without their times."""
    run = [sys.executable, "-m", "pitboss_tournament.cli", "export", str(store), "--no-times"]
    return subprocess.run(run, check=True, capture_output=True, text=True).stdout.splitlines()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return the games of the tournament, played without interruption."""
    store = tmp_path_factory.mktemp("whole") / "x.pitboss"
    subprocess.run(match_command(store), check=True, capture_output=True)
    return export_games(store)


@pytest.mark.long
def test_the_same_tournament_again_is_the_same(tmp_path: Path, whole: list[str]) -> None:
    """Two runs with the same seed export the same bytes, apart from times, however many games are played at once."""
    subprocess.run(match_command(tmp_path / "x.pitboss", "-s", "games_at_once=5"), check=True, capture_output=True)

    assert whole == export_games(tmp_path / "x.pitboss")
    assert len(whole) == 3 * 12 * 2


@pytest.mark.long
def test_killed_again_and_again(tmp_path: Path, whole: list[str]) -> None:
    """A run that is killed by `kill -9` in the middle, several times, and carried on has the games of the uninterrupted
    run; no process outlives the runner.
    """
    store, kills = tmp_path / "x.pitboss", 0
    for _ in range(4):
        with subprocess.Popen(match_command(store, "--json"), stdout=subprocess.PIPE, bufsize=0) as runner:
            assert (
                runner.stdout
            )  # without a buffer: no more is read than the line, so that the run cannot get far ahead
            limit_lead(runner)
            lines = [runner.stdout.readline() for _ in range(3)]
            everybody = run_processes(runner.pid)
            kills += b'"event":"game"' in lines[-1]
            runner.kill()
        wait_exited(everybody)
    subprocess.run(match_command(store), check=True, capture_output=True)

    assert kills >= 3
    assert whole == export_games(store)


def test_interrupted_by_the_person(tmp_path: Path, whole: list[str]) -> None:
    """Ctrl-C ends a run with status 130: finished games are kept, the sentence says how to go on, and going on
    completes the tournament.
    """
    store = tmp_path / "x.pitboss"
    with subprocess.Popen(match_command(store, "--json"), stdout=subprocess.PIPE, text=True) as runner:
        assert runner.stdout
        limit_lead(runner)
        for _ in range(6):
            runner.stdout.readline()
        runner.send_signal(signal.SIGINT)
        rest = runner.stdout.read().splitlines()
        assert runner.wait() == 130
    assert json.loads(rest[-1])["stopped"] is True
    kept = export_games(store)
    assert 5 <= len(kept) < len(whole)

    subprocess.run(match_command(store), check=True, capture_output=True)
    assert whole == export_games(store)
