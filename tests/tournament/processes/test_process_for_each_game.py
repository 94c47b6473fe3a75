"""`process = "game"`: a bot has a fresh process for each game, and nothing else of the tournament changes."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from msgspec.structs import replace

from pitboss.records.record import Record
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.reask.recorded_game import load_recorded_game
from pitboss_tournament.results.own_settings import own_settings_text
from pitboss_tournament.store.header import Header, OwnSettings
from pitboss_tournament.store.store import Store
from pitboss_tournament.text.terminal_text import decode_text
from tests.tournament.small_tournaments import make_plan, play_tournament, zoo_entrant
from tests.tournament.stored_games import with_own_settings

REMEMBERING_BOT: Final = """
import json, os, sys
games = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        hello = message["seed"]
        os.write(1, b'{"type":"ready"}\\n')
    elif message["type"] == "start":
        games += 1
        start = message["seed"]
    elif message["type"] == "decide":
        note = json.dumps([os.getpid(), games, hello, start])
        os.write(1, json.dumps({"type": "act", "id": message["id"], "choose": 0, "note": note}).encode() + b"\\n")
    elif message["type"] == "bye":
        print("bye", start, file=sys.stderr)
"""
REMEMBERING: Final = Entrant(name="remembering", command=(sys.executable, "-S", "-c", REMEMBERING_BOT))


class Memory(NamedTuple):
    """What a process knows in a game."""

    pid: int
    games: int  # that it has heard of
    hello_seed: str
    start_seed: str


def read_memory(record: Record) -> Memory:
    """Return what the bot noted in a game, the same at each decision."""
    seat = record.players.index("remembering")
    [note] = {one.note for one in record.decisions if one.seat == seat and not one.forced}
    return Memory(*json.loads(note or ""))


def test_results_name_the_bot(header: Header) -> None:
    """The results name a bot with a process for each game, beside what else is its own."""
    assert own_settings_text(with_own_settings(header, 1, OwnSettings(process="game"))) == (
        "Not the same for all bots: b (a process for each game)."
    )
    assert own_settings_text(header) is None


@pytest.mark.once
def test_a_fresh_process_for_each_game(tmp_path: Path) -> None:
    """A fresh process has heard of one game only, and is greeted with the seed of that game; its output at `bye` is in
    its log.
    """
    bot = replace(REMEMBERING, process="game")
    plan = make_plan(tmp_path / "x", bot, zoo_entrant("good"), deals=4, keep_logs="all")

    _, games = play_tournament(plan)

    found = [read_memory(record) for _, record in games]
    assert [one.games for one in found] == [1] * 8
    assert len({one.pid for one in found}) == 8
    assert all(one.hello_seed == one.start_seed for one in found)
    for (result, record), one in zip(games, found, strict=True):
        seat = record.players.index("remembering")
        logs = Store(plan.store).logs(result.game_id)
        assert decode_text(logs[seat].errors) == f"bye {one.start_seed}\n"
        assert load_recorded_game(plan.store, result.game_id).bots[seat].process_seed == one.hello_seed


@pytest.mark.once
def test_without_it_a_process_plays_a_row_of_games(tmp_path: Path) -> None:
    """The four games in one seat have one process, as those of the bot beside it have in any case."""
    _, games = play_tournament(make_plan(tmp_path / "x", REMEMBERING, zoo_entrant("good"), deals=4))

    found = [read_memory(record) for _, record in games]
    assert sorted(one.games for one in found) == [1, 1, 2, 2, 3, 3, 4, 4]
    assert len({one.pid for one in found}) == len({one.hello_seed for one in found}) == 2


@pytest.mark.once
def test_the_other_bots_keep_their_processes(tmp_path: Path) -> None:
    """The other bots keep their processes: only the bot itself is started anew."""
    plan = make_plan(tmp_path / "x", REMEMBERING, replace(zoo_entrant("good"), process="game"), deals=4)

    _, games = play_tournament(plan)

    assert len({read_memory(record).pid for _, record in games}) == 2
