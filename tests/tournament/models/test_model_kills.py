"""Runs with language models that are killed, or end at a budget: what they have paid, and their games played again."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from time import sleep
from typing import Any, Final

import pytest

from pitboss_tournament.models.fake_server import FakeAnswer, FakeModels
from pitboss_tournament.store.store import Store
from tests.tournament.command_line import COMMAND, CommandResult, run_pitboss
from tests.tournament.model_tournaments import ServedModels, serve_models
from tests.tournament.run_processes import TIMEOUT_S, run_processes, wait_exited, wait_for

AT_ONCE: Final = 4
FILE: Final = """
game = "poker"
preset = "kuhn"
seats = 2
deals = 4
seed = "kills"
sandbox = "none"
workers = 2
games_at_once = 2
[[bots]]
bot = "mind"
[[bots]]
bot = "house:random"
[models.main]
url = "{url}"
model = "random"
price_in = 1.0
price_out = 10.0
max_at_once = {at_once}
{more}
"""

ROUNDS: Final = """
[format]
name = "swiss"
rounds = 2
[[bots]]
bot = "house:first"
[[bots]]
bot = "house:poker"
"""


class SlowModels(FakeModels):
    """Models that take a moment, so that a kill finds calls open."""

    def answer(self, body: dict[str, Any]) -> FakeAnswer:
        """Answer after a moment."""
        answer = super().answer(body)
        sleep(0.02)
        return answer


def write_tournament(folder: Path, served: ServedModels, more: str = "") -> None:
    """Write a tournament of eight games, and the bot that asks."""
    if not (folder / "mind").exists():
        assert run_pitboss("new", "bot", "llm", "mind", cwd=folder).status == 0
        (folder / "mind" / "prompt.md").write_text("{legal}", encoding="utf-8")
    text = FILE.format(url=served.url, at_once=AT_ONCE, more=more)
    (folder / "t.toml").write_text(text, encoding="utf-8")


def run(folder: Path, *words: str) -> CommandResult:
    """Run the tournament; it must succeed."""
    ran = run_pitboss("run", "t.toml", *words, cwd=folder)
    assert ran.status == 0, ran.out + ran.err
    return ran


def kill_after(folder: Path, fake: FakeModels, calls: int) -> None:
    """Begin a run, and kill it (-9) when its server has had a number of requests."""
    output = (folder / "run.log").open("wb")
    with output, subprocess.Popen([*COMMAND, "run", "t.toml"], cwd=folder, stdout=output, stderr=output) as runner:
        wait_for(lambda: fake.calls >= calls, runner)
        processes = run_processes(runner.pid)
        os.kill(runner.pid, signal.SIGKILL)
        assert runner.wait(TIMEOUT_S) == -signal.SIGKILL
    wait_exited(processes)


def count_requests(store: Path) -> tuple[int, int]:
    """Return how many requests the rows of a store count, and how many rows have no answer."""
    with closing(sqlite3.connect(store)) as db:
        [requests] = db.execute("select sum(tries) from model_calls where outcome not in ('own', 'budget')").fetchone()
        [unanswered] = db.execute("select count(*) from model_calls where outcome = 'interrupted'").fetchone()
    return requests, unanswered


def read_games(store: Path) -> dict[int, object]:
    """Return the games of a store by number, without times."""
    return {
        number: ([(one.seat, one.action, one.note) for one in record.decisions], record.outcome)
        for number, record in Store(store).records()
    }


@pytest.mark.once
@pytest.mark.long
def test_a_run_that_is_killed_knows_what_it_has_paid(tmp_path: Path) -> None:
    """A run that is killed three times counts each request that its server had. What is asked again are only calls that
    were open at a kill, and each of them counts twice.
    """
    with serve_models(fake=SlowModels()) as served:
        write_tournament(tmp_path, served)
        for calls in (15, 60, 110):
            kill_after(tmp_path, served.fake, calls)
        run(tmp_path)
    requests, unanswered = count_requests(tmp_path / "t.pitboss")

    assert len(read_games(tmp_path / "t.pitboss")) == 8
    assert served.fake.calls <= requests <= served.fake.calls + 3 * AT_ONCE  # some were on record, and not yet sent
    assert unanswered <= 3 * AT_ONCE


@pytest.mark.once
@pytest.mark.long
@pytest.mark.parametrize("rounds", ["", ROUNDS], ids=["all-at-once", "by-rounds"])
def test_the_record_of_a_run_that_its_budget_ended_is_played_again(tmp_path: Path, rounds: str) -> None:
    """All games that were finished within a budget are played again without a server; then the record ends, which the
    run says with status 0. With a model again, the run carries on.
    """
    with serve_models() as served:
        write_tournament(tmp_path, served, rounds)
        run(tmp_path)
        whole = Store(tmp_path / "t.pitboss").calls.sum_spending()["mind"].tokens
        games = len(read_games(tmp_path / "t.pitboss"))
        (tmp_path / "t.pitboss").unlink()
        write_tournament(tmp_path, served, f"{rounds}\n[budget]\ntokens = {whole * 7 // 10}\n")
        first = run(tmp_path)
        (tmp_path / "t.pitboss").rename(tmp_path / "recorded.pitboss")
        asked = served.fake.calls
        again = run(tmp_path, "--replay-models", "recorded.pitboss")
        replayed = read_games(tmp_path / "t.pitboss")

        assert "budget of the tournament" in first.out.replace("\n", " ") and served.fake.calls == asked
        assert replayed == read_games(tmp_path / "recorded.pitboss") and 0 < len(replayed) < games
        assert f"The record ends here, with {games - len(replayed)} games to play" in again.out

        write_tournament(tmp_path, served, rounds)
        run(tmp_path)

    assert len(read_games(tmp_path / "t.pitboss")) == games


@pytest.mark.once
@pytest.mark.long
def test_a_budget_of_a_game_is_played_again(tmp_path: Path) -> None:
    """A bot whose budget of a game was used up is told so again when the game is played from the record."""
    with serve_models() as served:
        more = '[faults]\npolicy = "substitute"\nsubstitutions = 1000\n[budget]\ngame_tokens = 1_000\n'
        write_tournament(tmp_path, served, more)
        run(tmp_path)
        (tmp_path / "t.pitboss").rename(tmp_path / "recorded.pitboss")
        run(tmp_path, "--replay-models", "recorded.pitboss")

    assert Store(tmp_path / "t.pitboss").calls.count_outcomes()["mind"]["budget"] > 0
    assert read_games(tmp_path / "t.pitboss") == read_games(tmp_path / "recorded.pitboss")
