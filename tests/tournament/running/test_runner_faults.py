"""Bad bots at the table, as real processes: each verdict names what happened, and the others' results stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitboss.protocol.messages import Clock
from pitboss.records import record as records
from pitboss_tournament.plan.plan import Entrant, FaultRules
from tests.marks import first_rows
from tests.tournament.small_tournaments import load_magpie, make_plan, play_tournament, zoo_entrant

pytestmark = pytest.mark.once

SHORT_CLOCK = Clock(start_ms=60_000, decision_ms=2_000)  # for who never answers


@first_rows(3)(
    ("bot", "kind", "clock", "said"),
    [
        pytest.param("sleeps", "late", SHORT_CLOCK, "no whole answer to 'decide' after 2", marks=pytest.mark.long),
        pytest.param(
            "never_ready",
            "late",
            Clock(start_ms=4_000, decision_ms=60_000),
            "to 'hello' after 4",
            marks=pytest.mark.long,
        ),
        pytest.param("drips_an_answer", "late", SHORT_CLOCK, "allowed were 2000 ms", marks=pytest.mark.long),
        ("exits_with_3", "crashed", None, "exited with status 3 before it answered 'decide'"),
        ("kills_itself", "crashed", None, "was ended by signal SIG"),
        ("nonsense_and_leaves", "malformed", None, "is not a message"),
        ("chatters", "malformed", None, "is not a message"),
        ("answers_twice", "out_of_turn", None, "more was said than one line"),
        ("answers_an_old_question", "out_of_turn", None, "was asked; the answer is to question"),
        ("plays_illegally", "illegal", None, "it chose 999; there were 4 legal actions, 0..3"),
        ("one_long_line", "flooded", None, "a line of more than 65536 bytes"),
        ("crashes_later", "crashed", None, "exited with status"),
        ("deaf", "late", SHORT_CLOCK, "it has written nothing since: does it loop"),
    ],
)
def test_a_bad_bot_forfeits_and_the_good_one_plays_on(
    tmp_path: Path, bot: str, kind: str, clock: Clock | None, said: str
) -> None:
    """The tournament ends; the bad bot is last in each game, with a verdict that names what happened; the records
    replay.
    """
    made = make_plan(tmp_path / "x.pitboss", zoo_entrant("good"), zoo_entrant(bot), deals=1)
    if clock is not None:
        made = make_plan(tmp_path / "x.pitboss", zoo_entrant("good"), zoo_entrant(bot), deals=1, clock=clock)
    _, games = play_tournament(made)

    assert len(games) == 2
    for result, record in games:
        bad = record.players.index(bot)
        [fault] = record.faults
        assert (fault.seat, fault.kind) == (bad, kind)
        assert said in fault.message
        assert (result.seats[bad].place, result.seats[1 - bad].place) == (2, 1)
        assert result.seats[1 - bad].fault is None
        assert not any(decision.forced for decision in record.decisions if decision.seat != bad)
        assert records.verify(record, load_magpie()) == len(record.decisions)


def test_a_bot_that_cannot_be_run(tmp_path: Path) -> None:
    """A program that is not there forfeits every game as `never_started`, with the reason."""
    _, games = play_tournament(
        make_plan(
            tmp_path / "x.pitboss", zoo_entrant("good"), Entrant(name="gone", command=("./no-such-program",)), deals=1
        )
    )

    assert {record.faults[0].kind for _, record in games} == {"never_started"}
    assert games[0][1].faults[0].message.startswith("'./no-such-program' cannot be run: ")
    assert "No such file or directory" in games[0][1].faults[0].message


@pytest.mark.parametrize(
    ("first", "told"),
    [
        ("#!/bin/sh\r", r"'#!/bin/sh\r', which ends as lines of Windows do"),
        ("#!/usr/bin/no-such-thing", "'#!/usr/bin/no-such-thing'"),
    ],
)
def test_a_script_whose_interpreter_is_not_there(tmp_path: Path, first: str, told: str) -> None:
    """The script itself is there: the verdict says what its first line asks for."""
    script = tmp_path / "bot.sh"
    script.write_text(f"{first}\ncat\n")
    script.chmod(0o755)
    bot = Entrant(name="script", command=(str(script),), folder=tmp_path)

    _, games = play_tournament(make_plan(tmp_path / "x.pitboss", zoo_entrant("good"), bot, deals=1))

    [fault] = games[0][1].faults
    assert fault.kind == "never_started"
    assert fault.message.endswith(f"No such file or directory; its first line is {told}")


def test_what_a_crashed_bot_wrote_to_standard_error_is_kept(tmp_path: Path) -> None:
    """The record holds its last words, and the tournament's other bots do not get to see them."""
    _, games = play_tournament(
        make_plan(tmp_path / "x.pitboss", zoo_entrant("good"), zoo_entrant("exits_with_3"), deals=1)
    )

    for _, record in games:
        [incident] = record.incidents
        assert incident.last_words
        assert incident.last_words not in incident.fault.message


def test_a_bot_hears_what_it_did_wrong(tmp_path: Path) -> None:
    """A bot is told of its fault, and has a moment to say so to its author, before it is ended."""
    _, games = play_tournament(
        make_plan(tmp_path / "x.pitboss", zoo_entrant("good"), zoo_entrant("plays_illegally"), deals=1)
    )

    for _, record in games:
        [incident] = record.incidents
        assert incident.last_words == f"heard: {incident.fault.message}\n"


def test_a_bot_that_floods_standard_error_plays_on(tmp_path: Path) -> None:
    """Standard error without end neither blocks the bot nor fills the memory."""
    _, games = play_tournament(
        make_plan(
            tmp_path / "x.pitboss",
            zoo_entrant("good"),
            zoo_entrant("floods_stderr"),
            deals=1,
        )
    )

    assert not any(record.faults for _, record in games)


def test_a_bot_that_starts_slowly_is_waited_for(tmp_path: Path) -> None:
    """The start has a limit of its own."""
    _, games = play_tournament(
        make_plan(tmp_path / "x.pitboss", zoo_entrant("good"), zoo_entrant("slow_in_time"), deals=1)
    )

    assert not any(record.faults for _, record in games)


@pytest.mark.long
def test_too_many_forfeits_put_a_bot_out(tmp_path: Path) -> None:
    """A bot that has forfeited as often as is allowed meets nobody any more; the others go on."""
    made = make_plan(
        tmp_path / "x.pitboss",
        zoo_entrant("good", "a"),
        zoo_entrant("good", "b"),
        zoo_entrant("exits_with_3"),
        deals=10,
        faults=FaultRules(disqualify_after=3),
        games_at_once=1,
    )
    played, games = play_tournament(made)

    assert played.running_standings.faults[2].total() == 3
    assert sum(record.players == ["a", "b"] or record.players == ["b", "a"] for _, record in games) == 20
    assert played.total_games - played.running_standings.games == 2 * 20 - 3


def test_all_three_ways_to_lose_at_one_table(tmp_path: Path) -> None:
    """The last good bot wins where several bad bots sit at a table, and the game ends."""
    made = make_plan(
        tmp_path / "x.pitboss",
        zoo_entrant("good"),
        zoo_entrant("nonsense_and_leaves"),
        zoo_entrant("exits_with_3"),
        seats=3,
        deals=1,
    )
    _, games = play_tournament(made)

    for result, record in games:
        good = record.players.index("good")
        assert len(record.faults) == 2
        assert [seat.place for seat in result.seats] == [1 if seat == good else 2 for seat in range(3)]


@pytest.mark.long
def test_a_game_bank_runs_out(tmp_path: Path) -> None:
    """The bank is for all decisions together: each is quick enough, and yet there are too many."""
    made = make_plan(
        tmp_path / "x.pitboss",
        zoo_entrant("good"),
        zoo_entrant("sleeps"),
        deals=1,
        clock=Clock(start_ms=60_000, decision_ms=60_000, game_ms=3_000),
    )
    _, games = play_tournament(made)

    for _, record in games:
        assert [fault.kind for fault in record.faults] == ["late"]
        assert "what was left of 3000 ms for the game" in record.faults[0].message


def test_no_process_of_a_bot_is_left_behind(tmp_path: Path) -> None:
    """A child that moved to a session of its own and ignores polite signals ends with its bot's seat."""
    made = make_plan(tmp_path / "x.pitboss", zoo_entrant("good"), zoo_entrant("forks_holders"), deals=1)
    play_tournament(made)

    assert not [process for process in Path("/proc").glob("[0-9]*") if is_pipe_holder(process)]


def is_pipe_holder(process: Path) -> bool:
    """Tell whether a process is the bot `forks_holders`, or a child of it."""
    try:
        return "zoo/forks_holders.py" in (process / "cmdline").read_text()
    except OSError:
        return False
