"""Ends that are asked for: `--games`, `--for`, and `pitboss stop --after-running`, with real processes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from time import sleep
from typing import Final

import pytest

from pitboss_tournament.store.store import Store
from tests.tournament.cli.test_cli_stop import run_long_match
from tests.tournament.command_line import COMMAND, run_pitboss
from tests.tournament.run_processes import LOOK_S, wait_for
from tests.tournament.running.test_runner_resume import GOOD, export_games

pytestmark = pytest.mark.once

PARTS: Final = ("match", "magpie", GOOD, GOOD, GOOD, "--deals", "3", "--seed", "s", "--seats", "2", "-o", "turns=3")
WAITING_BOT: Final = """
import json, sys, time
from pathlib import Path
here = Path(sys.argv[1])
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "start":
        (here / f"began-{message['game_id']}").touch()
    elif message["type"] == "decide":
        while not (here / "go").exists():
            time.sleep(0.01)
        print(json.dumps({"type": "act", "id": message["id"], "choose": 0}), flush=True)
    elif message["type"] == "bye":
        break
"""


@pytest.mark.long
def test_a_tournament_in_parts(tmp_path: Path) -> None:
    """Runs of seven games each, however many tables play, make the store that one run makes; each says why it ended."""
    whole, parts = tmp_path / "whole.pitboss", tmp_path / "parts.pitboss"
    assert run_pitboss(*PARTS, "--store", str(whole)).status == 0

    runs = [run_pitboss(*PARTS, "--store", str(parts), "--games", "7", "--json") for _ in range(3)]

    ends = [json.loads(run.out.splitlines()[-1]) for run in runs]
    assert [run.status for run in runs] == [0, 0, 0]
    assert [(end["played"], end["cause"], end["stopped"]) for end in ends] == [
        (7, "games", False),
        (14, "games", False),
        (18, "complete", False),
    ]
    assert export_games(parts) == export_games(whole)


def test_a_file_that_is_played_in_parts(tmp_path: Path) -> None:
    """The terminal says how much is left, and that the same command carries on; that does."""
    (tmp_path / "x.toml").write_text(
        f'game = "magpie"\nseats = 2\ndeals = 2\noptions = {{ turns = 3 }}\nbots = [{GOOD!r}, "house:first"]\n'
    )

    first, second = (run_pitboss("run", "x.toml", "-n", "3", cwd=tmp_path) for _ in range(2))

    said = "The games of this run are played, with 1 game to play; the same command carries on."
    assert (first.status, second.status) == (0, 0)
    assert said in first.out.splitlines()
    assert "4 games, of which 3 are already played" in second.out
    assert "to play" not in second.out


@pytest.mark.parametrize(("option", "given"), [("--for", "2x"), ("--for", "0s"), ("--games", "0"), ("--games", "many")])
def test_a_limit_that_is_none(option: str, given: str) -> None:
    """A sentence says what was given and what is allowed; status 2."""
    ran = run_pitboss("run", "x.toml", option, given)

    assert ran.status == 2
    assert f"{given} is not allowed: it has to be a " in " ".join(ran.err.split())


@contextmanager
def run_waiting_match(folder: Path, *more: str) -> Iterator[subprocess.Popen[str]]:
    """Run a match at one table, whose bots wait in the first game for the file `go`."""
    (folder / "bot.py").write_text(WAITING_BOT)
    bots = [f"{sys.executable} {folder / 'bot.py'} {folder}"] * 2
    words = ["match", "magpie", *bots, "--deals", "20", "--store", str(folder / "x.pitboss"), "--sandbox", "none"]
    clock = ["-s", "clock.start_ms=600000", "-s", "clock.decision_ms=600000", "-o", "turns=3"]
    if not any(word.startswith("games_at_once") for word in more):
        clock += ["-s", "games_at_once=1"]
    with (
        (folder / "out").open("w") as out,
        (folder / "err").open("w") as err,
        subprocess.Popen([*COMMAND, *words, *clock, *more], stdout=out, stderr=err, text=True) as match,
    ):
        try:
            yield match
        finally:
            match.kill()


@contextmanager
def run_playing_match(folder: Path, games: int = 1, *more: str) -> Iterator[subprocess.Popen[str]]:
    """Run the match, and wait until so many games are in play."""
    with run_waiting_match(folder, *more) as match:
        for number in range(games):
            wait_for((folder / f"began-{number}").exists, match)
        yield match


@contextmanager
def ask_to_stop(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Run `pitboss stop --after-running`."""
    words = ["stop", str(folder / "x.pitboss"), "--after-running"]
    with subprocess.Popen([*COMMAND, *words], stdout=subprocess.PIPE, text=True) as asking:
        try:
            yield asking
        finally:
            asking.kill()


def wait_until_told(folder: Path, text: str, match: subprocess.Popen[str]) -> None:
    """Wait until the progress of a match says something."""
    wait_for(lambda: text in (folder / "err").read_text(), match)


def check_one_game(folder: Path, text: str) -> None:
    """Check that the game in play was finished, that no other one was begun, and that the last lines say why."""
    assert Store(folder / "x.pitboss").count_games() == 1
    assert sorted(path.name for path in folder.glob("began-*")) == ["began-0"]
    assert f"{text}, with 39 games to play; the same command carries on." in (folder / "out").read_text()
    assert run_pitboss("integrity", str(folder / "x.pitboss")).status == 0


@contextmanager
def run_until_a_game_begins(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Run the match for a second, or for as long as it takes on a slow machine until the first game is in play."""
    for seconds in count(1):
        with run_waiting_match(folder, "--for", f"{seconds}s") as match:
            while match.poll() is None and not (folder / "began-0").exists():
                sleep(LOOK_S)
            if match.poll() is None:
                yield match
                return
            assert match.returncode == 0


@pytest.mark.long
def test_the_time_of_a_run_is_up(tmp_path: Path) -> None:
    """The game in play is finished, though it takes longer; the rest of its batch is left for the next run."""
    with run_until_a_game_begins(tmp_path) as match:
        wait_until_told(tmp_path, "The time of this run is up: games in progress are finished", match)
        (tmp_path / "go").touch()
        assert match.wait() == 0

    check_one_game(tmp_path, "The time of this run is up")


@pytest.mark.long
def test_a_limit_that_keeps_no_game_from_being_played(tmp_path: Path) -> None:
    """If the last game is in play when the run is asked to end, the tournament is complete, and nothing else is
    said.
    """
    with (
        run_playing_match(tmp_path, 2, "--deals", "1", "-s", "games_at_once=2") as match,
        ask_to_stop(tmp_path),
    ):
        wait_until_told(tmp_path, "This run was asked to end", match)
        (tmp_path / "go").touch()
        assert match.wait() == 0

    assert Store(tmp_path / "x.pitboss").count_games() == 2
    assert "to play" not in (tmp_path / "out").read_text()


@pytest.mark.long
def test_a_run_is_asked_to_finish_its_games(tmp_path: Path) -> None:
    """`stop --after-running` returns when the game in play has been finished, with the run's good end."""
    with run_playing_match(tmp_path) as match, ask_to_stop(tmp_path) as asking:
        wait_until_told(tmp_path, "This run was asked to end: games in progress are finished", match)
        assert asking.poll() is None
        (tmp_path / "go").touch()
        assert match.wait() == 0
        said, _ = asking.communicate()

    assert asking.returncode == 0
    assert f"Process {match.pid} plays {tmp_path / 'x.pitboss'}; it is asked to stop when the games in" in said
    assert said.endswith("It has stopped. 1 games are kept.\n")
    check_one_game(tmp_path, "This run was asked to end")


@pytest.mark.long
def test_a_run_that_finishes_its_games_is_stopped(tmp_path: Path) -> None:
    """A plain `stop` breaks the game off at once, and who had asked before is told that the run has ended."""
    with run_playing_match(tmp_path) as match, ask_to_stop(tmp_path) as asking:
        wait_until_told(tmp_path, "This run was asked to end", match)

        stopped = run_pitboss("stop", str(tmp_path / "x.pitboss"))

        assert (stopped.status, match.wait()) == (0, 143)
        said, _ = asking.communicate()
    assert said.endswith("It has stopped. 0 games are kept.\n")
    assert "Stopped with 40 games to play; the same command carries on." in (tmp_path / "out").read_text()


@pytest.mark.long
def test_many_tables_finish_their_games(tmp_path: Path) -> None:
    """Every game that a long run told of is in the store; the last line says why it ended, and nothing was stopped."""
    with run_long_match(tmp_path) as (store, match):
        stopped = run_pitboss("stop", str(store), "--after-running")
        assert (stopped.status, match.wait()) == (0, 0)

    told = (tmp_path / "out").read_text().splitlines()
    assert (json.loads(told[-1])["cause"], json.loads(told[-1])["stopped"]) == ("request", False)
    assert Store(store).count_games() == len([line for line in told if '"event":"game"' in line])


def test_no_run_to_wait_for(tmp_path: Path) -> None:
    """A stop without a run to wait for is reported, with status 0."""
    run_pitboss(*PARTS, "--store", str(tmp_path / "x.pitboss"), "--games", "1")

    ran = run_pitboss("stop", str(tmp_path / "x.pitboss"), "--after-running")

    assert (ran.status, ran.out) == (0, f"No run is playing {tmp_path / 'x.pitboss'}. 1 games are kept.\n")
