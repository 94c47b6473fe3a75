"""Many tables in one bot: the same games as one after the other, kills and limits, faults that cost their tables."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import pytest
from msgspec.structs import replace

from pitboss.protocol.messages import Clock
from pitboss.records.record import Record
from pitboss_tournament.plan.limits import Limits
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.store.store import Store
from pitboss_tournament.text.terminal_text import decode_text
from tests import ROOT
from tests.tournament.run_processes import run_processes, wait_exited, wait_for
from tests.tournament.small_tournaments import FinishedTournament, make_plan, play_tournament, zoo_entrant

pytestmark = pytest.mark.once

TABLES_BOT: Final = """
import json, os, random, sys, time
mode = sys.argv[1] if len(sys.argv) > 1 else ""
seeds, rest, rounds, games, held, ended = {}, b"", 0, {}, {}, 0
def say(*messages):
    os.write(1, b"".join(json.dumps(one).encode() + b"\\n" for one in messages))
while part := os.read(0, 1 << 20):
    *lines, rest = (rest + part).split(b"\\n")
    answers = []
    for line in lines:
        message = json.loads(line)
        kind, table = message["type"], message.get("table")
        named = {} if table is None else {"table": table}
        if kind == "hello":
            say({"type": "ready", **({"tables": message["tables"]} if message.get("tables") else {})})
        elif kind == "start":
            seeds[table], games[table] = message["seed"], message["game_id"]
            if mode == "hoard" and games[table] < 8: held[table] = b"x" * (48 << 20)
        elif kind == "end":
            held.pop(table, None)
            ended += 1
        elif kind == "decide":
            if mode == "meet":
                open(os.path.join(sys.argv[2], str(os.getppid())), "w").close()
                while len(os.listdir(sys.argv[2])) < 2: time.sleep(0.01)
            if mode == "halt" and ended and not os.path.exists(sys.argv[2]):
                open(sys.argv[2], "w").close()
                time.sleep(1000)
            choice = random.Random(seeds[table] + str(message["id"])).randrange(len(message["legal"]))
            note = json.dumps([os.getpid(), rounds, os.getppid()])
            act = {"type": "act", "id": message["id"], **named, "choose": choice, "note": note}
            if message["id"] == 3 and games[table] == 2:
                if mode == "illegal": act["choose"] = 999
                if mode == "crash": sys.exit(7)
                if mode == "forget" and not os.path.exists(sys.argv[2]):
                    open(sys.argv[2], "w").close()
                    continue
                if mode == "twice": answers.append(act)
            answers.append(act)
        elif kind == "fault":
            print("fault at", table, message["fault"]["kind"], file=sys.stderr)
        elif kind == "bye":
            print("bye", file=sys.stderr)
            sys.exit()
    if answers:
        rounds += 1
        if mode == "uneven" and len(answers) > 1:
            say(answers.pop(0))
            time.sleep(0.03)
        say(*reversed(answers))
"""
TABLES: Final = 8
QUICK_CLOCK: Final = Clock(start_ms=60_000, decision_ms=1_000)
PATIENT_CLOCK: Final = Clock(start_ms=60_000, decision_ms=600_000)


def tables_entrant(*words: str) -> Entrant:
    """Return a bot that takes as many tables as it is offered, and answers them in reverse order."""
    return Entrant(name="many", command=(sys.executable, "-S", "-c", TABLES_BOT, *words))


class NotedTurn(NamedTuple):
    """What the bot noted at a decision."""

    pid: int
    round: int  # of its questions
    parent: int  # the process of its worker


def play(store: Path, *entrants: Entrant, tables: int = TABLES, **fields: object) -> FinishedTournament:
    """Play eight deals, by default at eight tables at once in one worker."""
    given: dict[str, Any] = {"deals": 8, "workers": 1, "games_at_once": 1, "tables_per_bot": tables, **fields}
    return play_tournament(make_plan(store, *entrants, **given))


def list_turns(record: Record) -> list[NotedTurn]:
    """Return what the bot noted in a game."""
    seat = record.players.index("many")
    return [NotedTurn(*json.loads(one.note or "")) for one in record.decisions if one.seat == seat and not one.forced]


def list_deals_met(records: Iterable[Record]) -> dict[int, list[str]]:
    """Return the deals that each process of the bot has played."""
    met = defaultdict(list)
    for record in records:
        for pid in {turn.pid for turn in list_turns(record)}:
            met[pid].append(record.seed)
    return met


def list_actions(ended: FinishedTournament) -> list[tuple[object, ...]]:
    """Return what was played in all games."""
    return [(result.game_id, *describe_play(record)) for result, record in ended.games]


def describe_play(record: Record) -> tuple[object, ...]:
    """Return what was played in a game."""
    return record.seed, record.players, [msgspec.to_builtins(one.action) for one in record.decisions]


def count_faults(ended: FinishedTournament) -> dict[int, list[str]]:
    """Return the kinds of the faults, by game."""
    return {result.game_id: [fault.kind for fault in record.faults] for result, record in ended.games if record.faults}


def test_the_same_games_as_one_after_the_other(tmp_path: Path) -> None:
    """Two bots at many tables, or one beside a bot with one game, play the games that they play one after the other; a
    process plays each deal once, is asked at several tables at once, and both seats have one process.
    """
    pairs = {"both": (tables_entrant(), Entrant(name="other", command=tables_entrant().command))}
    pairs["one"] = (tables_entrant(), zoo_entrant("good"))
    for name, bots in pairs.items():
        alone = play(tmp_path / f"{name}-1", *bots, tables=1)
        together = play(tmp_path / name, *bots)

        assert list_actions(together) == list_actions(alone)
        met = list_deals_met(record for _, record in together.games)
        assert len(met) == 2
        assert all(len(set(deals)) == len(deals) > 4 for deals in met.values())
        at_once = Counter(turn for _, record in together.games for turn in list_turns(record))
        assert max(at_once.values()) > 2
        assert max(Counter(turn for _, record in alone.games for turn in list_turns(record)).values()) == 1


@pytest.mark.long
def test_two_workers(tmp_path: Path) -> None:
    """Two workers at once play the games that one plays, both at many tables; no process meets a deal twice."""
    (tmp_path / "workers").mkdir()
    bot = tables_entrant("meet", str(tmp_path / "workers"))
    both: dict[str, Any] = {"workers": 2, "games_at_once": 2, "deals": 24, "order": "deals"}
    ended = play(tmp_path / "two", bot, zoo_entrant("good"), clock=PATIENT_CLOCK, **both)

    assert list_actions(ended) == list_actions(play(tmp_path / "one", tables_entrant(), zoo_entrant("good"), deals=24))
    records = [record for _, record in ended.games]
    assert all(len(set(deals)) == len(deals) for deals in list_deals_met(records).values())
    at_once = Counter(turn for record in records for turn in list_turns(record))
    assert len({turn.parent for turn, questions in at_once.items() if questions > 2}) == 2


PLAY_PROGRAM: Final = """
import sys
from pathlib import Path
from tests.tournament.match.test_many_tables import play_to_halt
play_to_halt(Path(sys.argv[1]), sys.argv[2])
"""


def play_to_halt(store: Path, halted: str) -> FinishedTournament:
    """Play with a bot that stops answering after some games, at many tables, unless it has done that already."""
    return play(store, tables_entrant("halt", halted), zoo_entrant("good"), clock=PATIENT_CLOCK)


@pytest.mark.long
def test_a_run_that_is_killed_and_resumed(tmp_path: Path) -> None:
    """A run that is killed by `kill -9` while games are open at many tables, and resumed, has the games of one run; no
    process meets a deal twice, and none outlives the run.
    """
    store, halted = tmp_path / "killed", tmp_path / "halted"
    command = [sys.executable, "-c", PLAY_PROGRAM, str(store), str(halted)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) as runner:
        wait_for(lambda: halted.exists() and count_stored(store), runner)
        everybody = run_processes(runner.pid)
        runner.kill()
    wait_exited(everybody)
    kept = count_stored(store)

    resumed = play_to_halt(store, str(halted))

    assert 0 < kept <= len(resumed.games) - TABLES
    assert list_actions(resumed) == list_actions(play_to_halt(tmp_path / "whole", str(halted)))
    met = list_deals_met(record for _, record in resumed.games)
    assert all(len(set(deals)) == len(deals) for deals in met.values())


def count_stored(store: Path) -> int:
    """Return how many games a store has, of a run that may be under way."""
    return sum(1 for _ in Store(store).results())


@pytest.mark.long
def test_memory_is_that_of_the_process(tmp_path: Path) -> None:
    """A bot that hoards for each of its first games keeps within the limit at one table, and not at many: the games
    that are open are lost, and the next ones have a fresh process.
    """
    hoarder = replace(tables_entrant("hoard"), limits=Limits(memory_mb=160))

    alone = play(tmp_path / "alone", hoarder, zoo_entrant("good"), tables=1)
    together = play(tmp_path / "x", hoarder, zoo_entrant("good"), deals=12)

    assert count_faults(alone) == {}
    assert len(together.games) == 24
    faults = count_faults(together)
    assert all(kinds == ["out_of_memory"] for kinds in faults.values())
    assert 4 <= len(faults) <= 16


def test_a_bot_that_takes_no_tables_hears_the_same(tmp_path: Path) -> None:
    """A bot that does not take tables is told the same bytes as without the offer, which is in `hello` alone."""
    told = []
    for tables in (1, TABLES):
        bots = zoo_entrant("good", "a"), zoo_entrant("good", "b")
        ended = play(tmp_path / str(tables), *bots, tables=tables, keep_logs="all")
        logs = Store(ended.tournament.store.path).logs
        lines = [
            re.sub(r"^\S+ ", "", line)
            for result, _ in ended.games
            for log in logs(result.game_id)
            for line in decode_text(log.wire).splitlines()
        ]
        told.append(lines)

    assert any('"tables":8' in line for line in told[1])
    assert [line.replace(',"tables":8', "") for line in told[1]] == told[0]
    assert not any('"table"' in line for line in told[0])


def test_an_illegal_answer_costs_its_table(tmp_path: Path) -> None:
    """The game at that table is lost; the others go on in the same process, which is told the table."""
    ended = play(tmp_path / "x", tables_entrant("illegal"), zoo_entrant("good"), keep_logs="all")

    assert count_faults(ended) == {2: ["illegal"]}
    assert len({turn.pid for _, record in ended.games for turn in list_turns(record)}) == 2
    assert "fault at" in decode_text(Store(ended.tournament.store.path).logs(4)[0].errors)


@pytest.mark.long
def test_a_table_that_is_forgotten(tmp_path: Path) -> None:
    """The table without an answer is late; the games at the others go on in a fresh process, without a fault."""
    bot = tables_entrant("forget", str(tmp_path / "forgotten"))
    ended = play(tmp_path / "x", bot, zoo_entrant("good"), clock=QUICK_CLOCK)

    assert count_faults(ended) == {2: ["late"]}
    [fault] = next(record.faults for result, record in ended.games if result.game_id == 2)
    assert "at table" in fault.message
    moved = [record for _, record in ended.games if len({turn.pid for turn in list_turns(record)}) == 2]
    assert moved
    whole = list_actions(play(tmp_path / "y", tables_entrant(), zoo_entrant("good")))
    assert [one for one in list_actions(ended) if one[0] != 2] == [one for one in whole if one[0] != 2]


@pytest.mark.parametrize(("mode", "kind"), [("crash", "crashed"), ("twice", "out_of_turn")])
def test_a_fault_of_the_process_costs_all_open_games(tmp_path: Path, mode: str, kind: str) -> None:
    """A crash, or a line against the protocol, costs the games that are open; the next ones have a fresh process."""
    ended = play(tmp_path / "x", tables_entrant(mode), zoo_entrant("good"), deals=12)

    faults = count_faults(ended)
    assert 2 in faults
    assert 2 <= len(faults) <= TABLES
    assert all(kinds == [kind] for kinds in faults.values())
    assert len(ended.games) == 24


def test_a_round_is_billed_as_its_longest_wait(tmp_path: Path) -> None:
    """The questions that are put together are billed alike: the one that is answered at once, as the others."""
    ended = play(tmp_path / "x", tables_entrant("uneven"), zoo_entrant("good"))

    billed = defaultdict(list)
    for _, record in ended.games:
        decisions = [one for one in record.decisions if one.seat == record.players.index("many")]
        for turn, decision in zip(list_turns(record), decisions, strict=True):
            billed[turn].append(decision.us)
    together = [times for times in billed.values() if len(times) > 1]
    assert together
    assert [times for times in together if len(set(times)) > 1] == []
