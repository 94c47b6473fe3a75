"""The policy `substitute`: a decision that a bot fails to make is made for it, so many times a game, and counted; then
it forfeits.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from pitboss.protocol.messages import Clock
from pitboss.records import record as records
from pitboss.records.record import Record
from pitboss_tournament.plan.plan import Entrant, FaultRules
from tests.marks import first_rows
from tests.tournament.small_tournaments import FinishedTournament, load_magpie, make_plan, play_tournament, zoo_entrant

pytestmark = pytest.mark.once

CLUMSY_BOT = """
import json, os, sys, time
how, fails_at, heard = sys.argv[1], set(map(int, sys.argv[2].split(","))), 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        os.write(1, b'{"type":"ready","want":"both"}\\n')
    elif message["type"] == "start":
        heard = 0
    elif message["type"] == "decide":
        heard += len(message["events"])
        number = message["id"]
        if number in fails_at:
            if how == "crash": sys.exit(3)
            if how == "sleep": time.sleep(60)
            if how == "babble": os.write(1, b"what?\\n")
        choose = 999 if number in fails_at else 0
        note = json.dumps([os.getpid(), heard])
        os.write(1, json.dumps({"type": "act", "id": number, "choose": choose, "note": note}).encode() + b"\\n")
"""


def clumsy_entrant(how: str, *fails_at: int) -> Entrant:
    """Return a bot that fails in a certain way at certain questions; its notes say which process it is and how many
    events that has heard.
    """
    return Entrant(name="clumsy", command=(sys.executable, "-S", "-c", CLUMSY_BOT, how, ",".join(map(str, fails_at))))


def play_deal(tmp_path: Path, bot: Entrant, substitutions: int = 3) -> FinishedTournament:
    """Play one deal under the policy."""
    rules = FaultRules(policy="substitute", substitutions=substitutions, disqualify_after=1000)
    clock = Clock(start_ms=60_000, decision_ms=2_000 if "sleep" in bot.command else 60_000)
    return play_tournament(
        make_plan(tmp_path / "x.pitboss", zoo_entrant("good"), bot, deals=1, faults=rules, clock=clock)
    )


def own_notes(record: Record) -> list[Any]:
    """Return what the clumsy bot noted at each of its decisions; None for those that were made for it."""
    seat = record.players.index("clumsy")
    mine = [decision for decision in record.decisions if decision.seat == seat]
    return [None if decision.forced else json.loads(decision.note or "") for decision in mine]


@first_rows(1)(("how", "kind"), [("play", "illegal"), ("crash", "crashed"), ("sleep", "late"), ("babble", "malformed")])
def test_a_failure_costs_one_decision(tmp_path: Path, how: str, kind: str) -> None:
    """The neutral action is played once; the bot plays all others, and has not forfeited."""
    _, games = play_deal(tmp_path, clumsy_entrant(how, 3))

    assert len(games) == 2
    for result, record in games:
        seat = record.players.index("clumsy")
        assert [(fault.kind, fault.decision, fault.verdict) for fault in record.faults] == [(kind, 3, "substitute")]
        assert [number for number, mine in enumerate(own_notes(record), 1) if mine is None] == [3]
        assert result.seats[seat].fault is None
        assert result.seats[seat].substituted == {kind: 1}
        assert record.forfeited_seats == frozenset()
        assert records.verify(record, load_magpie()) == len(record.decisions)


def test_a_wrong_choice_does_not_end_the_process(tmp_path: Path) -> None:
    """A bot that makes an illegal choice has still kept to the protocol, and keeps its process."""
    _, games = play_deal(tmp_path, clumsy_entrant("play", 3))

    for _, record in games:
        assert len({mine[0] for mine in own_notes(record) if mine}) == 1


def test_a_fresh_process_is_told_all_that_its_seat_has_seen(tmp_path: Path) -> None:
    """The next question after a crash goes to a fresh process, with all events of the game so far."""
    _, games = play_deal(tmp_path, clumsy_entrant("crash", 3))

    for _, record in games:
        before, _, after = own_notes(record)[1:4]
        assert before[0] != after[0]
        assert after[1] > before[1]


def test_too_many_failures_forfeit_the_game(tmp_path: Path) -> None:
    """Two decisions are made for a bot that fails; its third failure forfeits, and nothing is asked any more."""
    _, games = play_deal(tmp_path, clumsy_entrant("play", 2, 4, 5), substitutions=2)

    for result, record in games:
        seat = record.players.index("clumsy")
        assert [(fault.decision, fault.verdict) for fault in record.faults] == [
            (2, "substitute"),
            (4, "substitute"),
            (5, "forfeit"),
        ]
        assert (result.seats[seat].fault, result.seats[seat].substituted) == ("illegal", {"illegal": 2})
        assert result.seats[seat].place == 2
        assert all(mine is None for mine in own_notes(record)[4:])


def test_each_game_begins_its_own_count(tmp_path: Path) -> None:
    """Faults that were forgiven in one game are not held against the bot in the next."""
    rules = FaultRules(policy="substitute", substitutions=1, disqualify_after=1000)
    ended = play_tournament(
        make_plan(tmp_path / "x.pitboss", zoo_entrant("good"), clumsy_entrant("play", 3), deals=3, faults=rules)
    )

    assert [record.forfeited_seats for _, record in ended.games] == [frozenset()] * 6
    assert ended.tournament.running_standings.faults[1].total() == 0


def test_a_bot_that_never_starts_forfeits(tmp_path: Path) -> None:
    """A bot that never starts forfeits: a program that cannot be run will not play later either."""
    _, games = play_deal(tmp_path, Entrant(name="clumsy", command=("/no/such/program",)))

    for _, record in games:
        assert [(fault.kind, fault.verdict) for fault in record.faults] == [("never_started", "forfeit")]
