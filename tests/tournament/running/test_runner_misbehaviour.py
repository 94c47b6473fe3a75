"""Bots with bad manners, as real processes: whatever they do, the games end, and each fault is the right one."""

from __future__ import annotations

import os
import resource
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import trio
from msgspec.structs import replace

from pitboss.protocol.faults import Fault
from pitboss.protocol.messages import Clock, Hello, Start
from pitboss.records.record import Incident
from pitboss_tournament.cli.exit_status import INTERRUPTED
from pitboss_tournament.match.bot_seat import BotSeat
from pitboss_tournament.match.seat import Answer
from pitboss_tournament.plan.plan import FaultRules
from pitboss_tournament.processes.supervisor import open_supervisor
from tests.marks import first_rows
from tests.soak.process_watch import SeenProcess
from tests.tournament.run_processes import limit_lead, run_processes, wait_exited
from tests.tournament.small_tournaments import load_magpie, make_plan, play_tournament, zoo_entrant

pytestmark = pytest.mark.once

GENEROUS_CLOCK = Clock(start_ms=60_000, decision_ms=60_000)
SHORT_CLOCK = Clock(start_ms=60_000, decision_ms=2_000)  # for who never answers


def play_for_faults(store: Path, bot: str, clock: Clock) -> list[Fault]:
    """Play two games of a good bot with a bad one; return the faults."""
    _, games = play_tournament(make_plan(store, zoo_entrant("good"), zoo_entrant(bot), deals=1, clock=clock))
    assert len(games) == 2
    return [fault for _, record in games for fault in record.faults]


@first_rows(1)(
    ("bot", "kind", "question", "said"),
    [
        ("stops_itself", "late", 2, "it has written nothing since"),
        ("closes_stdout", "crashed", 2, "closed its pipe and lives on before it answered"),
        ("closes_stdin", "crashed", 3, "closed its pipe and lives on before it answered"),
        ("drips_blanks", "late", 2, "no whole answer to 'decide'"),
        ("nonsense_and_leaves", "malformed", 1, "is not a message"),
    ],
)
def test_misbehaviour_that_forfeits(tmp_path: Path, bot: str, kind: str, question: int, said: str) -> None:
    """The fault names what happened, at the right question."""
    clock = SHORT_CLOCK if kind == "late" else GENEROUS_CLOCK
    found = play_for_faults(tmp_path / "x.pitboss", bot, clock)

    assert [(fault.kind, fault.decision) for fault in found] == [(kind, question)] * 2
    assert all(said in fault.message for fault in found)


@first_rows(1)(
    "bot",
    [
        "leaves_after_a_game",
        "leaves_when_asked_again",
        "crashes_at_the_end",
        "dies_before_it_reads_on",
        "stuffs_its_ears",
        "kills_the_reaper",
    ],
)
def test_misbehaviour_that_costs_no_game(tmp_path: Path, bot: str) -> None:
    """A bot that leaves after a game, or does not listen to its end, is seated afresh; a reaper that was killed is
    replaced.
    """
    made = make_plan(tmp_path / "x.pitboss", zoo_entrant("good"), zoo_entrant(bot), deals=3)
    _, games = play_tournament(made)

    assert len(games) == 6
    assert [record.faults for _, record in games] == [[]] * 6


@first_rows(1)("bot", ["crashes_when_asked_again", "crashes_at_the_second_start"])
def test_a_bot_that_crashes_in_its_second_game(tmp_path: Path, bot: str) -> None:
    """A bot may leave after a game; a bot that reads of the next game and crashes forfeits it."""
    _, games = play_tournament(make_plan(tmp_path / "x.pitboss", zoo_entrant("good"), zoo_entrant(bot), deals=2))

    found = [fault for _, record in games for fault in record.faults]
    assert [fault.kind for fault in found] == ["crashed"] * 2
    assert all(fault.message.startswith("exited with status 3 ") for fault in found)


def test_an_answer_that_was_there_before_the_question(tmp_path: Path) -> None:
    """The numbers of questions can be foreseen; an answer that lies in the pipe already is none."""
    os.mkfifo(tmp_path / "foreseen")

    async def ask_twice() -> tuple[Answer | Incident, Answer | Incident]:
        hello = Hello(game="magpie", options={}, seats=2, seat=0, seed="s", clock=GENEROUS_CLOCK)
        async with open_supervisor() as room:
            player = BotSeat(
                room,
                replace(zoo_entrant("answers_before_being_asked"), folder=tmp_path),
                load_magpie(),
                hello,
                FaultRules(),
            )
            assert await player.start(Start(game_id=0, seat=0, players=["a", "b"], seed="s")) is None
            first = await player.decide("draw", ["draw", "pass"], None, [])
            await trio.to_thread.run_sync((tmp_path / "foreseen").read_text)
            return first, await player.decide("draw", ["draw", "pass"], None, [])

    first, second = trio.run(ask_twice)

    assert isinstance(first, Answer)
    assert isinstance(second, Incident)
    assert (second.fault.kind, second.fault.decision) == ("out_of_turn", 2)
    assert "it spoke before question 2 was asked" in second.fault.message


def test_late_with_more_than_a_thousand_descriptors_open() -> None:
    """The watchdog works where many games are played at once."""

    async def ask_twice() -> Answer | Incident:
        hello = Hello(game="magpie", options={}, seats=2, seat=0, seed="s", clock=SHORT_CLOCK)
        async with open_supervisor() as room:
            player = BotSeat(room, zoo_entrant("stops_itself"), load_magpie(), hello, FaultRules())
            assert await player.start(Start(game_id=0, seat=0, players=["a", "b"], seed="s")) is None
            assert isinstance(await player.decide("draw", ["draw", "pass"], None, []), Answer)
            return await player.decide("draw", ["draw", "pass"], None, [])

    with open_descriptors(1100):
        found = trio.run(ask_twice)

    assert isinstance(found, Incident)
    assert found.fault.kind == "late"


@contextmanager
def open_descriptors(count: int) -> Iterator[None]:
    """Hold so many descriptors open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 2 * count:
        pytest.skip(f"the system allows only {hard} descriptors")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2 * count), hard))
    held = [os.open(os.devnull, os.O_RDONLY) for _ in range(count)]
    try:
        yield
    finally:
        for descriptor in held:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


GAMES = ["--deals", "50", "--seed", "m", "-o", "turns=3", "-s", "clock.decision_ms=20000"]


def match_command(store: Path, first: str, second: str, *more: str) -> list[str]:
    """Return the command that plays a match of two bots of the zoo."""
    bots = [shlex.join(zoo_entrant(name).command) for name in (first, second)]
    return [
        sys.executable,
        "-m",
        "pitboss_tournament.cli",
        "match",
        "magpie",
        *bots,
        *GAMES,
        "--store",
        str(store),
        "--json",
        *more,
    ]


@pytest.mark.long
def test_a_bot_kills_the_worker_that_it_plays_in(tmp_path: Path) -> None:
    """Without a sandbox a bot can do that: the tournament stops with a sentence that names the game, and nobody is left
    behind.
    """
    words = match_command(tmp_path / "x.pitboss", "good", "kills_the_runner", "--sandbox", "none", "--workers", "1")
    everybody = set[SeenProcess]()
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as runner:
        assert runner.stdout and runner.stderr
        while runner.poll() is None:
            everybody.update(run_processes(runner.pid))
        said = runner.stderr.read()

    assert runner.returncode == 1
    assert said.startswith(
        "pitboss: game 0 (seed 'm/good+kills_the_runner/0', bots good, kills_the_runner) has brought down 3 "
        "worker processes"
    )
    assert "the last one was ended by signal 9 (Killed)" in said
    wait_exited(everybody)


@first_rows(1)("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_told_to_stop_twice(tmp_path: Path, number: signal.Signals) -> None:
    """Ctrl-C, `kill` and a terminal that is closed stop the tournament, once; what is finished is kept."""
    store = tmp_path / "x.pitboss"
    with subprocess.Popen(
        match_command(store, "good", "good"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as runner:
        assert runner.stdout and runner.stderr
        limit_lead(runner)
        for _ in range(3):
            runner.stdout.readline()
        runner.send_signal(number)
        runner.send_signal(number)
        last = runner.stdout.read().splitlines()[-1]
        assert (runner.wait(), runner.stderr.read()) == (128 + number, "")

    assert '"stopped":true' in last


@pytest.mark.long
def test_a_hangup_that_is_to_be_ignored(tmp_path: Path) -> None:
    """Under `nohup` the tournament plays on when the terminal is closed."""
    words = ["nohup", *match_command(tmp_path / "x.pitboss", "good", "good")]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as runner:
        assert runner.stdout
        limit_lead(runner)
        for _ in range(3):
            runner.stdout.readline()
        runner.send_signal(signal.SIGHUP)
        last = runner.stdout.read().splitlines()[-1]
        assert runner.wait() == 0

    assert '"stopped":false' in last


def test_the_reader_of_json_is_gone(tmp_path: Path) -> None:
    """A reader of `--json` that is gone, as with `head -1`, stops the tournament with a sentence; what is finished is
    kept.
    """
    store = tmp_path / "x.pitboss"
    with subprocess.Popen(
        match_command(store, "good", "good"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as runner:
        assert runner.stdout and runner.stderr
        limit_lead(runner)
        runner.stdout.readline()
        runner.stdout.close()
        said = runner.stderr.read()
        assert runner.wait() == 1

    why = "standard output: Broken pipe; finished games are kept"
    hint = "keep standard output open, or send it to a file; the same command carries on"
    assert said == f'pitboss: {why}\n{{"errors":[{{"message":"{why}","hint":"{hint}"}}]}}\n'


@pytest.mark.long
def test_two_runs_of_one_tournament(tmp_path: Path) -> None:
    """The second is refused as long as the first goes on; the store stays whole."""
    words = match_command(tmp_path / "x.pitboss", "good", "good", "--deals", "100000")
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as runner:
        assert runner.stdout
        runner.stdout.readline()
        second = subprocess.run(words, capture_output=True, text=True, check=False)
        runner.send_signal(signal.SIGINT)
        runner.stdout.read()
        assert runner.wait() == INTERRUPTED

    assert second.returncode == 2
    assert "another run is playing this tournament" in second.stderr
    assert "Traceback" not in second.stderr
