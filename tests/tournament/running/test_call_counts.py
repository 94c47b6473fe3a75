"""What a decision and the time between two games cost a worker, counted and not timed: calls, and system calls."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import FrameType
from typing import Any, Final, NamedTuple

import pytest
import trio
from msgspec.structs import replace

from pitboss_tournament.match.match import Match
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.processes import bot_process, clocks, process_tree
from pitboss_tournament.processes.cgroups import find_group_parents
from pitboss_tournament.processes.supervisor import open_supervisor
from pitboss_tournament.rounds.round_progress import begin_rounds
from pitboss_tournament.rounds.schedule import seed_games
from pitboss_tournament.running.worker import WorkerTables
from pitboss_tournament.running.worker_protocol import LineWriter, PlayBatch
from pitboss_tournament.store.record_packing import RecordPacker
from tests.tournament.small_tournaments import load_magpie, make_plan

QUICK_BOT: Final = """
import os
while lines := os.read(0, 65536):
    for line in lines.splitlines():
        if line.startswith(b'{"type":"hello"'):
            os.write(1, b'{"type":"ready"}\\n')
        elif line.startswith(b'{"type":"decide"'):
            number = line.partition(b'"id":')[2].partition(b",")[0]
            os.write(1, b'{"type":"act","id":' + number + b',"choose":0}\\n')
"""

MAX_BOUNDARY_CALLS: Final = 1_350  # of functions, of Python's own too, between two games
MAX_BOUNDARY_SYSTEM_CALLS: Final = 20
MAX_DECISION_CALLS: Final = 145
MAX_DECISION_SYSTEM_CALLS: Final = 4  # is it quiet; the question; the wait; the answer

SYSTEM_MODULES: Final = ("posix", "fcntl")
NO_SYSTEM_CALLS: Final = ("fspath", "waitstatus_to_exitcode", "getpid", "WIFSTOPPED")
OPEN_CALLS: Final = 6  # system calls of `open` with what it asks about the file


class CallCounts(NamedTuple):
    """Calls of functions, and of the system."""

    calls: int
    system_calls: int


class BoundaryCounter:
    """Counts the calls of a thread, of each decision and of each time between two games."""

    def __init__(self) -> None:
        self.decisions: list[CallCounts] = []
        self.boundaries: list[CallCounts] = []
        self._calls = self._system_calls = 0
        self._is_in_game = self._has_begun = False

    def note(self, frame: FrameType, event: str, function: Any) -> None:  # noqa: ANN401 - a function of Python's own
        """Count an event of `sys.setprofile`."""
        if event == "call":
            self._calls += 1
            if frame.f_code is Match._next_question.__code__:
                self._end_row(self.decisions if self._is_in_game else self.boundaries)
                self._is_in_game = True
            elif frame.f_code is Match._read_outcome.__code__:
                self._end_row([])  # what is between is part of no decision
                self._is_in_game = False
        elif event == "c_call":
            self._calls += 1
            self._system_calls += _count_system_calls(function)

    def _end_row(self, rows: list[CallCounts]) -> None:
        if self._has_begun:
            rows.append(CallCounts(self._calls, self._system_calls))
        self._calls = self._system_calls = 0
        self._has_begun = True


def _count_system_calls(function: Any) -> int:  # noqa: ANN401 - a function of Python's own
    name, owner = function.__name__, getattr(function, "__self__", None)
    if function.__module__ in SYSTEM_MODULES:
        return 0 if name in NO_SYSTEM_CALLS else 1
    if name == "open":
        return OPEN_CALLS
    waits = (name == "poll" and type(owner).__name__ in ("poll", "epoll")) or (function.__module__, name) == (
        "time",
        "sleep",
    )
    return int(waits or (name in ("read", "write", "close") and type(owner).__name__ in ("FileIO", "BufferedReader")))


def count_calls(folder: Path) -> BoundaryCounter:
    """Play games of two quick bots at one table of a worker, and count what they cost."""
    (folder / "bot.py").write_text(QUICK_BOT)
    command = (sys.executable, "-I", "-S", str(folder / "bot.py"))
    bots = tuple(Entrant(name=name, command=command, folder=folder) for name in ("a", "b"))
    plan = replace(make_plan(folder / "unused", *bots, deals=20), sandbox="none")
    games = tuple(game for batch in begin_rounds(plan).batches() for game in batch if game.rotation == 0)
    counter = BoundaryCounter()

    async def play() -> None:
        nothing = os.open(os.devnull, os.O_WRONLY)
        writer = LineWriter(nothing)
        async with open_supervisor() as supervisor:
            tables = WorkerTables(supervisor, plan.table_rules, load_magpie(), RecordPacker(b""), writer)
            tables.begin_batch(0)
            sys.setprofile(counter.note)
            try:
                await tables.play_batch(PlayBatch(0, dict(enumerate(bots)), seed_games(plan, games)))
            finally:
                sys.setprofile(None)
        writer.close()
        os.close(nothing)

    trio.run(play)
    return counter


@pytest.mark.once
def test_what_a_decision_and_the_time_between_games_cost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A decision and the time between two games have ceilings of calls, which the cheapest of many keep: what a busy
    machine adds (another look at a bot that waits for a processor) is not in all of them.

    Counting makes all slower; so nothing counts as slow.
    """
    for module, name in (
        (clocks, "TURN_SECONDS"),
        (clocks, "NEGLIGIBLE_SECONDS"),
        (bot_process, "QUICK_MS"),
        (bot_process, "YIELD_SECONDS"),
    ):
        monkeypatch.setattr(module, name, 1000)
    if find_group_parents().unified is None:
        pytest.skip("without control groups the processes of a bot are looked at one by one")
    counter = count_calls(tmp_path)
    decision, boundary = (
        CallCounts(*map(min, zip(*rows, strict=True))) for rows in (counter.decisions, counter.boundaries)
    )
    print("the cheapest decision:", *decision, "the cheapest boundary:", *boundary)
    assert 19 == len(counter.boundaries)
    assert decision.system_calls <= MAX_DECISION_SYSTEM_CALLS, decision
    assert decision.calls <= MAX_DECISION_CALLS, decision
    assert boundary.system_calls <= MAX_BOUNDARY_SYSTEM_CALLS, boundary
    assert boundary.calls <= MAX_BOUNDARY_CALLS, boundary


LIST_ENDINGS: Final = """
import os
import sys
import trio
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.processes.supervisor import open_supervisor
from pitboss_tournament.running.worker import bind_to_relatives

opened = []
sys.addaudithook(lambda event, details: opened.append(str(details[0])) if event == "open" else None)

async def end_bots():
    async with open_supervisor("none", is_subreaper=True) as supervisor:
        for _ in range(3):
            bot = supervisor.start(Entrant(name="a", command=("sleep", "60")))
            opened.clear()
            supervisor.end(bot)
            print(*[path for path in opened if path.endswith("/environ")])

bind_to_relatives(os.getppid())
trio.run(end_bots)
"""


@pytest.mark.once
def test_the_end_of_a_bot_without_a_sandbox_searches_no_other_processes() -> None:
    """A worker ends a bot without reading the environment of any process: orphans of the bot are its own children."""
    if not process_tree.lists_children():
        pytest.skip("where nothing lists the children of a process, marks are searched for")
    found = subprocess.run([sys.executable, "-c", LIST_ENDINGS], check=True, capture_output=True, text=True)
    assert "\n\n\n" == found.stdout
