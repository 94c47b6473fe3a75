"""The first fault of each bot: shown as soon as it happens; a bot that is never ready is not started for ever."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from pitboss.protocol.faults import Fault
from pitboss.records.record import Incident
from pitboss_tournament.match.bot_link import MAX_FAILED_STARTS
from pitboss_tournament.showing.live import ProgressLines
from tests.tournament.command_line import run_pitboss
from tests.tournament.small_tournaments import BOT_TESTS, make_plan, open_tournament, play_tournament, zoo_entrant

TRACE = """\
Traceback (most recent call last):
  File "/home/ann/bot.py", line 7, in <module>
    answer(pick(message))
  File "/home/ann/bot.py", line 3, in pick\x1b[2J
    return legal[99]
           ~~~~~^^^^
IndexError: list index out of range
"""
ONE_TABLE = {"workers": 1, "games_at_once": 1}
FAULT = Fault(kind="crashed", seat=1, decision=4, message="exited with status 1 before it answered 'decide'")


def test_lines_of_progress_tell_a_first_fault(tmp_path: Path) -> None:
    """The line of a first fault comes at the next refresh, long before the next line of progress, once, with file and
    line, harmless to a terminal.
    """
    tournament = open_tournament(make_plan(tmp_path / "x.pitboss", zoo_entrant("good", "a"), zoo_entrant("good", "b")))
    out = io.StringIO()
    lines = ProgressLines(tournament, out)
    tournament.store.close()

    lines.prepare_refresh()()
    assert out.getvalue() == ""
    lines.show_fault("b", 17, Incident(fault=FAULT, last_words=TRACE))
    for _ in range(2):
        lines.prepare_refresh()()
    assert out.getvalue().splitlines() == [
        "The first fault of b:",
        "  first in game 17, question 4, crashed: exited with status 1 before it answered 'decide'",
        "  its standard error then:",
        r'     |   File "/home/ann/bot.py", line 3, in pick\x1b[2J',
        "     |     return legal[99]",
        "     | IndexError: list index out of range",
    ]


@pytest.mark.once
def test_the_events_of_a_run_tell_a_first_fault_before_its_game(tmp_path: Path) -> None:
    """The events of a run tell a first fault in a line of its own, one for each bot that does wrong, before the game
    has ended.
    """
    bots = [f"{sys.executable} -S {BOT_TESTS / 'zoo' / name}.py" for name in ("good", "crashes_later", "chatters")]
    limits = (
        "--sandbox",
        "none",
        "-s",
        "clock.decision_ms=60000",
        "-s",
        "clock.start_ms=60000",
        "-s",
        "pinned=false",
        "--workers",
        "2",
    )
    words = ("match", "magpie", *bots, "--seats", "2", "--deals", "2", "--seed", "s", "--no-store", "--json", *limits)
    events = [json.loads(line) for line in run_pitboss(*words, cwd=tmp_path).out.splitlines()]

    told = {event["bot"]: number for number, event in enumerate(events) if event["event"] == "fault"}
    assert set(told) == {"crashes_later", "chatters"}
    assert len(told) == sum(event["event"] == "fault" for event in events)
    for bot, number in told.items():
        event = events[number]
        assert event["incident"]["fault"]["verdict"] == "forfeit"
        first = next(
            at
            for at, one in enumerate(events)
            if one["event"] == "game" and any(one["bots"][fault["seat"]] == bot for fault in one["faults"])
        )
        assert number < first


@pytest.mark.once
def test_a_bot_that_is_never_ready_is_started_a_few_times_only(tmp_path: Path) -> None:
    """A bot that is never ready is started a few times; after that it forfeits its games at once, with the reason of
    its last start.
    """
    script = tmp_path / "never.py"
    script.write_text(f"open({str(tmp_path / 'starts')!r}, 'a').write('.'); raise SystemExit('no model')")
    never = replace(zoo_entrant("good"), name="never", command=(sys.executable, "-S", str(script)))
    _, games = play_tournament(make_plan(tmp_path / "x.pitboss", zoo_entrant("good"), never, deals=4, **ONE_TABLE))

    faults = [fault for _, record in games for fault in record.faults]
    assert [fault.kind for fault in faults] == ["crashed"] * 8
    assert (tmp_path / "starts").read_text() == "." * MAX_FAILED_STARTS
    refused = [fault.message for fault in faults if "is not started again" in fault.message]
    assert len(refused) == 8 - MAX_FAILED_STARTS
    assert set(refused) == {
        "exited with status 1 before it answered 'hello'; "
        f"it has never said 'ready' in {MAX_FAILED_STARTS} starts, and is not started again"
    }


@pytest.mark.once
def test_a_bot_that_was_ready_once_is_started_again(tmp_path: Path) -> None:
    """A bot that was ready once is started again for each game, however often it fails to start."""
    script = tmp_path / "once.py"
    script.write_text(
        f"import os, sys\nsys.path.insert(0, {str(BOT_TESTS / 'zoo')!r})\n"
        f"starts = os.open({str(tmp_path / 'starts')!r}, os.O_WRONLY | os.O_APPEND | os.O_CREAT)\n"
        "os.write(starts, b'.')\n"
        "if os.fstat(starts).st_size > 1:\n    sys.exit(1)\n"
        "from polite import messages\nfor kind, number in messages():\n    if kind == 'decide':\n        break\n"
    )
    once = replace(zoo_entrant("good"), name="once", command=(sys.executable, "-S", str(script)))
    _, games = play_tournament(make_plan(tmp_path / "x.pitboss", zoo_entrant("good"), once, deals=4, **ONE_TABLE))

    assert len([fault for _, record in games for fault in record.faults]) == 8
    assert (tmp_path / "starts").read_text() == "." * 8
