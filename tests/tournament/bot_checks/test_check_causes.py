"""`pitboss check` tells one fault once: one failed check, the cure of its cause, and all others refer to it."""

from __future__ import annotations

import shlex
from collections.abc import Collection
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from pitboss.protocol.messages import Clock
from pitboss_tournament.bot_checks.bot_under_test import resolve_bot
from pitboss_tournament.bot_checks.suite import BotReport, check_bot
from tests.bots.zoo_entrants import entrant_in_place
from tests.marks import first_rows
from tests.plugins import load_registry
from tests.tournament.faulty_bots import LONG_GAME_SECONDS, BotMistake, insert_code, set_waits, write_bot

pytestmark = pytest.mark.once

PATIENT: Final = Clock(start_ms=60_000, decision_ms=60_000, margin_ms=10)
SHORT_START: Final = Clock(start_ms=3_000, decision_ms=60_000, margin_ms=10)
SHORT: Final = Clock(start_ms=60_000, decision_ms=1_500, margin_ms=10)


@pytest.fixture(autouse=True)
def generous_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Call no bot late on a busy machine that is not."""
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)  # it hides a missing flush
    set_waits(monkeypatch)


def check_spec(
    spec: str,
    clock: Clock,
    base: Path | None = None,
    game_seconds: float = LONG_GAME_SECONDS,
    only: Collection[str] = (),
) -> BotReport:
    """Put a bot to all checks, or to some, with two players, without a sandbox."""
    registry = load_registry()
    bot = resolve_bot(spec, registry, base or Path.cwd(), (registry.find_game("magpie"),), clock)
    return check_bot(replace(bot, seats=(2,), game_seconds=game_seconds), registry, only)


def assert_one_failure(report: BotReport, name: str, seen: str, cure: str) -> None:
    """Assert that the bot failed in this check only, with these words, and that no check was skipped otherwise."""
    failures = report.results_with("failed")
    assert [failure.name for failure in failures] == [name], [*map(str, failures)]
    assert seen in failures[0].detail
    assert cure in failures[0].advice
    assert {result.detail for result in report.results_with("skipped")} <= {f"`{name}` failed"}


@pytest.mark.long
@first_rows(3)(
    ("bot", "clock", "name", "seen", "cure"),
    [
        ("late_from_the_fourth", SHORT, "decides-in-time", "question 4, in phase", "answer sooner"),
        pytest.param(
            "always_late",
            SHORT,
            "decides-in-time",
            "1 of 1 decision came late; median",
            "answer sooner",
            marks=pytest.mark.long,
        ),
        pytest.param(
            "reads_everything_first",
            SHORT_START,
            "reads-line-by-line",
            "the end of its input",
            "read line by line",
            marks=pytest.mark.long,
        ),
        ("answers_null", PATIENT, "answers-with-act", "it said 'null", 'answer each `decide` with {"type": "act"'),
        ("starts_slowly", SHORT_START, "starts-in-time", "allowed are 3,000 ms", "start_ms, by default 10000"),
        pytest.param(
            "floods_stderr_at_questions",
            SHORT,
            "answers-questions",
            " bytes to standard error in",
            "print less",
            marks=pytest.mark.long,
        ),
        pytest.param(
            "crashes_later",
            PATIENT,
            "plays-at-every-table",
            "question 10, in phase",
            "line 7: RuntimeError: the tenth",
            marks=pytest.mark.long,
        ),
        pytest.param(
            "ready_before_hello",
            PATIENT,
            "waits-for-hello",
            "before `hello` it said",
            "wait for the first line",
            marks=pytest.mark.long,
        ),
    ],
)
def test_a_bot_of_the_zoo(bot: str, clock: Clock, name: str, seen: str, cure: str) -> None:
    """The check reports the fault of a bot of the zoo once, and no other check blames the bot for it."""
    report = check_spec(shlex.join(entrant_in_place(bot).command), clock)

    assert_one_failure(report, name, seen, cure)


AUTHORS: Final = {
    "no flush": (
        BotMistake({"    sys.stdout.flush()\n": ""}, start_ms=3_000),
        ("flushes-its-output", "came it said", "flush=True"),
    ),
    "does not read": (
        insert_code("before", "time.sleep(60)", start_ms=3_000),
        ("answers-hello", "it has not read the line", "read standard input line by line"),
    ),
    "debug output": (insert_code("decide", "        print('hm')"), ("answers-with-act", "'hm", "standard error")),
    "debug output in turn 7": (
        insert_code("decide", "        if m['id'] == 7: print('hm')"),
        ("plays-a-whole-game", "question 7,", "print for yourself to standard error"),
    ),
    "a wrong key": (
        BotMistake({'"choose": 0': '"choice": 0'}),
        ("adds-no-keys-to-act", "'choice'", "the keys type, id, choose"),
    ),
    "an index as text": (
        BotMistake({'"choose": 0': '"choose": "0"'}),
        ("chooses-what-is-legal", '"choose": "0"', "whole number"),
    ),
    "null as an index": (BotMistake({'"choose": 0': '"choose": None'}), ("says-what-it-does", "null", "not null")),
    "a prompt": (
        BotMistake({"    yield from sys.stdin.buffer\n": "    while True: yield input('next> ').encode()\n"}),
        ("prints-no-noise", "next> {", "no prompt"),
    ),
    "dies of a game": (
        BotMistake({"# start\n": "m['card']\n"}, waits={"SILENCE_S": 3.0}),
        ("answers-questions", "after `start` its process exited with status 1: KeyError: 'card' (bot.py", "`start`"),
    ),
    "leaves without a word at a game": (
        BotMistake({"# start\n": "sys.exit(3)\n"}, waits={"SILENCE_S": 3.0}),
        ("answers-questions", "after `start` its process exited with status 3", "go on"),
    ),
    "answers twice": (BotMistake({"say(act)": "say(act); say(act)"}), ("answers-once", "it said", "one line for each")),
    "UTF-16": (
        insert_code("before", "sys.stdout.reconfigure(encoding='utf-16')"),
        ("speaks-utf8", "UTF-16", "PowerShell"),
    ),
    "a byte order mark": (
        insert_code("before", "sys.stdout.reconfigure(encoding='utf-8-sig')"),
        ("speaks-utf8", "byte order mark", "utf-8"),
    ),
    "loads at its first question": (
        insert_code("decide", "        if not state['leak']: state['leak'].append(time.sleep(3))", decision_ms=2_000),
        ("decides-in-time-at-first", "allowed are 2,000 ms", "before you say `ready`"),
    ),
    "dies of a message that it does not know": (
        insert_code("other", "    elif m['type'] != 'end': raise ValueError(m['type'])"),
        ("ignores-unknown-types", "ValueError: weather (bot.py, line ", "no other type"),
    ),
}


QUICK_TO_FIND: Final = ("no flush", "a wrong key", "answers twice", "UTF-16")


@first_rows(1)("author", [pytest.param(one, marks=() if one in QUICK_TO_FIND else pytest.mark.long) for one in AUTHORS])
def test_what_authors_do(author: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each mistake of an author is one failure, with a cure that names it."""
    mistake, expected = AUTHORS[author]
    set_waits(monkeypatch, **mistake.waits)
    clock = Clock(start_ms=mistake.start_ms, decision_ms=mistake.decision_ms, margin_ms=10)

    report = check_spec(str(write_bot(tmp_path / "bot", mistake)), clock)

    assert_one_failure(report, *expected)


@pytest.mark.long
def test_a_pipeline_that_buffers(tmp_path: Path) -> None:
    """A pipeline that buffers is reported as a missing flush, wherever in the pipeline it is; the cure is in the
    language of the shell.
    """
    folder = write_bot(tmp_path / "bot")

    report = check_spec("sh -c 'python3 -u bot.py | grep -v debug'", SHORT_START, folder)

    assert_one_failure(report, "flushes-its-output", "came it said", "grep --line-buffered")


def test_lines_that_end_as_those_of_windows(tmp_path: Path) -> None:
    """Lines that end as those of Windows are no fault."""
    mistake = insert_code("before", "sys.stdout.reconfigure(newline='\\r\\n')")

    report = check_spec(str(write_bot(tmp_path / "bot", mistake)), PATIENT, only=["plays-a-whole-game"])

    assert report.results_with("failed") == []
    assert report.whole_games == 1


def test_a_bot_too_slow_for_a_whole_game(tmp_path: Path) -> None:
    """A bot that is too slow for a whole game answers in time, but does not pass as having played a whole game."""
    folder = write_bot(tmp_path / "bot", insert_code("decide", "        time.sleep(0.2)"))

    report = check_spec(str(folder), PATIENT, game_seconds=0.5, only=["plays-a-whole-game"])

    [last] = [result for result in report.checks if result.name == "plays-a-whole-game"]
    assert (last.outcome, report.whole_games) == ("not applicable", 0)
    assert "no game came to its end in time" in last.detail
