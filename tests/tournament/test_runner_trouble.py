"""What no bot is to blame for: the tournament stops with a sentence, nobody forfeits, and what was written stays."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import trio

from pitboss import Random
from pitboss.record import Record
from pitboss_racko.game import Racko, RackoState
from pitboss_racko.messages import View
from pitboss_racko.options import RackoOptions
from pitboss_tournament.match import BrokenGame
from pitboss_tournament.scoring import GameResult
from pitboss_tournament.store import Store

from .plans import BOTS, entrant, plan, tournament

GOOD = f"{sys.executable} -S {BOTS / 'bad' / 'good.py'}"


def match(store: Path, limit: str, deals: int) -> subprocess.CompletedProcess[str]:
    """Play a match in a shell with a resource limit."""
    words = [
        "match",
        "racko",
        f'"{GOOD}"',
        f'"{GOOD}"',
        "--deals",
        str(deals),
        "-o",
        "max_rounds=1",
        "--seed",
        "s",
        "--store",
        str(store),
    ]
    script = f"{limit}; exec {sys.executable} -m pitboss_tournament.cli {' '.join(words)}"
    return subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=False)


def test_no_descriptors_left(tmp_path: Path) -> None:
    """Where no process can be started the games are void: tried again, and then given up with a sentence; no bot forfeits."""
    run = match(tmp_path / "x.pitboss", "ulimit -n 20", deals=1)

    assert run.returncode == 1
    assert "cannot be started: Too many open files" in run.stderr
    assert "Traceback" not in run.stderr
    assert Store(tmp_path / "x.pitboss").count() == 0


def test_the_disk_fills_up(tmp_path: Path) -> None:
    """A store that cannot grow stops the run with a sentence that names it; the games that were written are whole."""
    run = match(tmp_path / "x.pitboss", "ulimit -f 300", deals=2000)

    assert run.returncode == 1
    assert f"pitboss: {tmp_path / 'x.pitboss'}: cannot be written:" in run.stderr
    assert "Traceback" not in run.stderr
    store = Store(tmp_path / "x.pitboss")
    assert store.count() == len(list(store.records())) == len(list(store.results()))


def test_a_game_that_fails_in_the_middle(tmp_path: Path) -> None:
    """A plugin's bug ends the tournament and is reported with the seed and the decision that show it again."""
    played = tournament(plan(tmp_path / "x.pitboss", entrant("good", "a"), entrant("good", "b"), games_at_once=1))
    played.game = BrokenRacko()
    with pytest.RaisesGroup(BrokenGame, flatten_subgroups=True) as failed:
        trio.run(played.run, Silent())

    [wrong] = failed.value.exceptions
    while isinstance(wrong, BaseExceptionGroup):
        [wrong] = wrong.exceptions
    assert str(wrong) == "the plugin failed: ZeroDivisionError: division by zero; game 'racko', seed 'test/a+b/0', decision 1"


class Silent:
    """Sees nothing."""

    def played(self, result: GameResult, record: Record) -> None:
        """See a finished game."""

    def refresh(self) -> None:
        """Show nothing."""


class BrokenState(RackoState):
    """Rack-O that cannot be looked at."""

    def view(self, seat: int) -> View:
        """Fail."""
        raise ZeroDivisionError("division by zero")


class BrokenRacko(Racko):
    """The game of it."""

    def deal(self, seats: int, options: RackoOptions, rng: Random) -> RackoState:
        """Begin a game."""
        state = BrokenState(seats, options, rng)
        state.start_game()
        return state
