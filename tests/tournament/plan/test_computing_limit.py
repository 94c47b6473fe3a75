"""`cpu_s`: what a bot may compute in a game, all its processes together."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pitboss.protocol.messages import Clock
from pitboss.records.record import Incident
from pitboss_tournament.plan.limits import Limits
from pitboss_tournament.plan.plan import Entrant
from tests.marks import first_rows
from tests.tournament.small_tournaments import make_plan, play_tournament, zoo_entrant

pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="it is known on Linux only"),
]

BURNER = """
import os, sys, time
seconds, is_in_child = float(sys.argv[1]), sys.argv[2] == "child"
for line in sys.stdin:
    if '"hello"' in line:
        os.write(1, b'{"type":"ready"}\\n')
    elif '"decide"' in line:
        number = int(line.partition('"id":')[2].partition(",")[0])
        if number == 1:
            child = os.fork() if is_in_child else 0
            until = time.process_time() + seconds
            while child == 0 and time.process_time() < until: pass
            if is_in_child: os.waitpid(child, 0) if child else os._exit(0)
        os.write(1, b'{"type":"act","id":%d,"choose":0}\\n' % number)
"""


def play_burner(folder: Path, seconds: float, deals: int, where: str = "itself") -> list[Incident]:
    """Let a bot that may compute for a second a game compute for so long in each; return what it did wrong."""
    (folder / "burner.py").write_text(BURNER)
    burner = Entrant(
        name="burner",
        command=(sys.executable, "-S", str(folder / "burner.py"), str(seconds), where),
        limits=Limits(cpu_s=1),
    )
    clock = Clock(start_ms=60_000, decision_ms=600_000)
    made = make_plan(folder / "x.pitboss", burner, zoo_entrant("good"), deals=deals, clock=clock)
    return [incident for _, record in play_tournament(made).games for incident in record.incidents]


@pytest.mark.long
def test_many_games_in_one_process(tmp_path: Path) -> None:
    """The computing of a bot in other games does not count for a game."""
    assert [] == play_burner(tmp_path, 0.6, deals=2)


@first_rows(1)("where", ["itself", "child"])
def test_a_bot_that_computes_too_long_in_a_game(tmp_path: Path, where: str) -> None:
    """A bot that computes too long in a game, in any of its processes, is ended, and told which limit that was and what
    to do about it.
    """
    found = play_burner(tmp_path, 3600, deals=1, where=where)

    assert ["crashed", "crashed"] == [incident.fault.kind for incident in found]
    assert found[0].fault.message.startswith(
        "it computed for more than 1 s in one game, and was ended before it answer"
    )
    assert "cpu_s under [limits]" in found[0].fault.message
    assert "-s limits.cpu_s=N" in found[0].fault.message
