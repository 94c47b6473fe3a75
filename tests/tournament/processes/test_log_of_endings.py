"""The log of a game when the next one follows: what a bot writes at `end`, and how its process ended."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import trio
from msgspec.structs import replace

from pitboss_tournament.processes.logs import STDERR_BYTES
from pitboss_tournament.running.progress_listener import ProgressListener
from pitboss_tournament.store.store import Store
from tests.marks import first_rows
from tests.plugins import magpie_installed
from tests.tournament.small_tournaments import make_plan, open_tournament, zoo_entrant

pytestmark = pytest.mark.once

DEALS = 19
TELLER = """
import json, sys, time
def think(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end: pass
    return ""
game = None
for line in sys.stdin:
    message = json.loads(line)
    game = message.get("game_id", game)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        print(json.dumps({"type": "act", "id": message["id"], "choose": 0}), flush=True)
    if message["type"] != "decide":
        sys.stderr.write(FILL + message["type"] + " " + str(game) + "\\n")
"""


def play_logged(folder: Path, bot: str, deals: int) -> list[str]:
    """Play a tournament of the good bot and a script; return what the script wrote to standard error, by game."""
    script = folder / "teller.py"
    script.write_text(bot)
    teller = replace(zoo_entrant("good"), name="teller", command=(sys.executable, "-S", str(script)), folder=folder)
    tournament = open_tournament(
        make_plan(folder / "x.pitboss", zoo_entrant("good"), teller, deals=deals, keep_logs="all")
    )
    try:
        with magpie_installed():
            trio.run(tournament.run, ProgressListener())
        return [read_errors(tournament.store, game) for game in range(2 * deals)]
    finally:
        tournament.store.close()


def read_errors(store: Store, game: int) -> str:
    """Return what the teller wrote in a game, in which nobody did wrong."""
    record = store.record(game)
    assert record.faults == []
    [log] = [log for log in store.logs(game) if record.players[log.seat] == "teller"]
    return log.errors.decode()


@first_rows(1)("fill", ["''", "think(0.03)", "'x' * 40_000 + chr(10)"])
def test_what_is_written_at_the_end_of_a_game_is_in_its_log(tmp_path: Path, fill: str) -> None:
    """Each line belongs to the game that the bot was told of last; that at `bye` to the last game of its process. So
    it is with texts that do not fit into a pipe, and with a bot that computes before it writes.
    """
    errors = play_logged(tmp_path, TELLER.replace("FILL", fill), DEALS)

    for game, text in enumerate(errors):
        told = [line for line in text.splitlines() if not line.startswith(("x", "["))]
        first = ["hello None"] if game < 2 else []
        last = [f"bye {game}"] if game >= 2 * DEALS - 2 else []
        wanted = [*first, f"start {game}", f"end {game}", *last]
        assert told == (wanted if "x" not in fill else [line for line in wanted if line in told])
        assert told[-1] == wanted[-1]
        assert len(text) < 3 * STDERR_BYTES


def test_the_log_tells_how_a_bot_ended_after_a_game(tmp_path: Path) -> None:
    """Traceback and exit status after each game are in a log, though they are no fault; the status is noted at the
    latest in the log of the next game.
    """
    bot = TELLER.replace("FILL", "''") + "    if message['type'] == 'end': raise ValueError('no such place')\n"
    errors = play_logged(tmp_path, bot, 4)

    assert all("\nValueError: no such place\n" in text for text in errors)
    for game in range(6):  # of the last game of a process nothing is noted if it ends after all was played
        note = f"[ended after game {game}: exited with status 1]\n"
        assert note in errors[game] + errors[game + 2]
