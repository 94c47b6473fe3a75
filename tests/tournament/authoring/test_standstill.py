"""A worker that is stopped and goes on while a bot is asked, as by Ctrl-Z and `fg`: no bot is late by that."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pitboss.protocol.messages import Clock
from pitboss_tournament.plan.plan import Entrant
from tests.marks import first_rows
from tests.tournament.small_tournaments import make_plan, play_tournament, zoo_entrant

pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux tells how long a process stood still"),
]

STOPPER = r"""
import os, signal, sys, time
to_helper, from_helper = os.pipe(), os.pipe()
stopped = [os.getppid(), os.getpid()][: int(sys.argv[1])]
if os.fork() == 0:
    os.read(to_helper[0], 1)
    for pid in stopped:
        os.kill(pid, signal.SIGSTOP)
    time.sleep(1.5)
    os.write(from_helper[1], b"!")
    for pid in stopped:
        os.kill(pid, signal.SIGCONT)
    os._exit(0)
for line in sys.stdin:
    if '"hello"' in line:
        os.write(1, b'{"type":"ready"}\n')
    elif '"decide"' in line:
        number = int(line.partition('"id":')[2].partition(",")[0])
        if number == 2:
            os.write(to_helper[1], b"!")
            os.read(from_helper[0], 1)
        os.write(1, b'{"type":"act","id":%d,"choose":0}\n' % number)
"""


@first_rows(1)("stopped", [pytest.param(1, id="the worker"), pytest.param(2, id="the worker and the bot")])
def test_a_worker_that_is_stopped(tmp_path: Path, stopped: int) -> None:
    """The bots of a worker that is stopped play on, whether they were stopped with it or not."""
    (tmp_path / "stopper.py").write_text(STOPPER)
    stopper = Entrant(name="stopper", command=(sys.executable, "-S", str(tmp_path / "stopper.py"), str(stopped)))
    made = make_plan(
        tmp_path / "x.pitboss",
        stopper,
        zoo_entrant("good"),
        deals=1,
        clock=Clock(start_ms=60_000, decision_ms=1_000),
        workers=1,
        games_at_once=1,
    )

    played = play_tournament(made)

    assert [[], []] == [record.incidents for _, record in played.games]
