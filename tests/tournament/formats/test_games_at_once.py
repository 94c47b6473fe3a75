"""`games_at_once` of one bot: it never thinks in more games at a time, and nothing else of the tournament changes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from pitboss.records.record import Record
from pitboss_tournament.formats.selection import choose_format
from pitboss_tournament.plan.plan import Entrant
from tests.tournament.small_tournaments import make_plan, play_tournament, zoo_entrant

pytestmark = pytest.mark.once

# It holds a lock while it thinks, the first that no other process of it holds, and notes which one that is.
COUNTING_BOT: Final = """
import fcntl, itertools, json, os, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        os.write(1, b'{"type":"ready"}\\n')
    elif message["type"] == "decide":
        for number in itertools.count():
            lock = open(f"{sys.argv[1]}/{number}", "w")
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                continue
        time.sleep(0.003)
        lock.close()
        answer = {"type": "act", "id": message["id"], "choose": 0, "note": str(number)}
        os.write(1, json.dumps(answer).encode() + b"\\n")
"""


def played_actions(record: Record) -> tuple[str, list[str], list[object]]:
    """Return what of a game does not depend on the machine."""
    return record.seed, record.players, [(one.seat, one.action) for one in record.decisions]


@pytest.mark.long
@pytest.mark.parametrize("format_name", ["round-robin", pytest.param("swiss", marks=pytest.mark.long)])
@pytest.mark.parametrize("limit", [1, pytest.param(2, marks=pytest.mark.long)])
def test_a_bot_thinks_in_so_many_games_at_once(tmp_path: Path, format_name: str, limit: int) -> None:
    """A bot thinks in no more games at once than its limit, as its processes note. All games are played as they are
    without a limit.
    """
    command = (sys.executable, "-S", "-c", COUNTING_BOT, str(tmp_path))
    counting = Entrant(name="counting", command=command, games_at_once=limit)
    others = [zoo_entrant("good", name) for name in "abc"]
    plan = make_plan(
        tmp_path / "limited", counting, *others, deals=4, format=choose_format(format_name, {}), games_at_once=6
    )
    free = replace(plan, store=tmp_path / "free", entrants=(replace(counting, games_at_once=None), *others))

    limited, unlimited = play_tournament(plan), play_tournament(free)

    notes = [one.note for _, record in limited.games for one in record.decisions if one.note]
    assert notes
    assert all(int(note) < limit for note in notes)
    assert [played_actions(record) for _, record in limited.games] == [
        played_actions(record) for _, record in unlimited.games
    ]
