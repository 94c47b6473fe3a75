"""What each step of a decision costs in a real worker, in microseconds, by time stamps, with zero-thinking C bots.

    python bench/decision.py [--games racko ...] [--deals N] [--runs N] [--instructions]

Each game is played in two kinds of tournaments in turn, with one pinned worker and without a sandbox. In the first kind
the worker stamps the time where each function of STEPS begins and ends. A step's time is without the steps within it,
and without the stamps' own cost. In the second kind it stamps only the beginning of each decision: the whole, without
the stamps of the steps. The SLOWEST decisions are left out of both, because other programs have had the processor
meanwhile. Printed are mean and median of the others, of each the median of the runs; on a busy machine only medians say
something, and they leave out what seldom happens. What happens once a game is shown apart.

With `--instructions` (Linux, where `perf_event_open` is allowed) the worker counts its instructions outside the kernel
in place of the time, in thousands, and treats each answer as a quick one: on a busy machine the counts are the same.

The stamps are set by functions around those of the runner, and only in the workers that this program starts.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import platform
import struct
import sys
from array import array
from collections.abc import Callable
from functools import wraps
from inspect import iscoroutinefunction
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter_ns
from typing import Any, Final, TypeAlias

import msgspec
import trio

from pitboss.game import AnyGame
from pitboss.plugins.registry import Registry
from pitboss.protocol.connection import RunnerConnection
from pitboss.table.table import Table
from pitboss_tournament.authoring import bot_build
from pitboss_tournament.match import bot_link, bot_seat
from pitboss_tournament.match.bot_link import BotLink
from pitboss_tournament.match.bot_seat import BotSeat
from pitboss_tournament.match.match import Match
from pitboss_tournament.processes import bot_process, clocks
from pitboss_tournament.processes.bot_process import BotProcess
from pitboss_tournament.processes.clocks import QuestionTimer
from pitboss_tournament.processes.cpu import CpuSlots
from pitboss_tournament.processes.logs import WireLog
from pitboss_tournament.running import worker, worker_process
from pitboss_tournament.running.worker import WorkerTables
from pitboss_tournament.running.worker_protocol import LineReader, LineWriter, ParentMessage
from pitboss_tournament.store.record_packing import RecordPacker
from roundtrip import FOLDER, RunnerSetup, time_tournament

SLOWEST: Final = 0.03  # share of the decisions, and of the games
REST: Final = "all else"  # what no function of STEPS does
PARK: Final = "park"
WHOLE: Final = "with stamps"

PERF_EVENT_OPEN: Final = {"x86_64": 298, "aarch64": 241}  # the number of the system call
PERF_ATTR_BYTES: Final = 112
INSTRUCTIONS: Final = 1  # of PERF_TYPE_HARDWARE, which is 0
WITHOUT_KERNEL: Final = 0b110_0000  # exclude_kernel, exclude_hv

StepAverages: TypeAlias = dict[str, tuple[float, float]]  # mean and median microseconds by step

# each function by its owner and name, and the step that it is; some are steps of a decision, others of a game
STEPS: Final[list[tuple[Any, str, str]]] = [
    (Match, "_next_question", "whose turn, and checks of legal"),
    (Match, "_ask_seat", "the seat is asked"),
    (Match, "_apply_answer", "record"),
    (Table, "events", "events"),
    (BotSeat, "decide", "question built"),
    (BotLink, "ask", "link"),
    (RunnerConnection, "send", "encoded"),
    (CpuSlots, "try_acquire", "slot"),
    (CpuSlots, "release", "slot"),
    (QuestionTimer, "start", "stopwatch on"),
    (BotLink, "find_interjection", "poll: has it spoken?"),
    (BotProcess, "send_now", "write"),
    (BotProcess, "receive_soon", "wait for a quick bot"),
    (BotProcess, "receive_now", "read"),
    (BotProcess, "receive", PARK),
    (RunnerConnection, "receive", "decode and check"),
    (bot_seat, "find_action", "decode and check"),
    (QuestionTimer, "settle", "stopwatch off"),
    (WireLog, "log_sent", "wire log"),
    (WireLog, "log_received", "wire log"),
    (Match, "_deal", "deal"),
    (BotSeat, "start", "bots told of the game"),
    (BotSeat, "end", "bots told of the result"),
    (RecordPacker, "pack", "record packed"),
    (WorkerTables, "_report_game", "result and logs"),
    (LineWriter, "send", "sent to the parent"),
]
STATE_STEPS: Final = ("legal", "view", "play")  # methods of the game's states
NAMES: Final = list(dict.fromkeys([REST, *STATE_STEPS, *(step for _, _, step in STEPS)]))


class StampReport(msgspec.Struct):
    """What a worker has stamped: microseconds by step, of a decision and of what is done once a game."""

    decision: StepAverages
    game: StepAverages
    decisions: int
    parked: float  # the share of the decisions in which the loop waited for the answer


class StepTimes:
    """Rows of nanoseconds by step, one of each decision and one of the time between two games.

    The time between two stamps belongs to the step that began last and has not ended.
    """

    def __init__(self, read: Callable[[], int] = perf_counter_ns) -> None:
        """`read` returns the nanoseconds, or what is counted in place of them."""
        self._read = read
        self.inner_cost = self.outer_cost = 0  # nanoseconds that stamps add to their step, and to that around it
        self._rows = array("q")
        self._row = [0] * len(NAMES)
        self._open_steps = [0]
        self._games: list[int] = []  # rows of the time between two games
        self._last = self._read()

    def begin(self, step: int) -> None:
        """Stamp the beginning of a step."""
        now = self._read()
        self._row[self._open_steps[-1]] += now - self._last - self.outer_cost
        self._open_steps.append(step)
        self._last = self._read()

    def end(self) -> None:
        """Stamp the end of the step that began last."""
        now = self._read()
        self._row[self._open_steps.pop()] += now - self._last - self.inner_cost
        self._last = self._read()

    def begin_row(self) -> None:
        """End a row, and begin the next."""
        now = self._read()
        self._row[self._open_steps[-1]] += now - self._last
        self._rows.extend(self._row)
        self._row = [0] * len(NAMES)
        self._last = self._read()

    def mark_game(self) -> None:
        """Mark this row as the time between two games."""
        self._games.append(len(self._rows) // len(NAMES))

    def measure_costs(self) -> None:
        """Measure what stamps cost, with a step that does nothing."""

        def do_nothing() -> None:
            pass

        inner, outer = array("q"), array("q")
        step = self.wrap(do_nothing, 1)
        for _ in range(10_000):
            self._row = [0] * len(NAMES)
            self.begin(2)
            step()
            self.end()
            inner.append(self._row[1])
            outer.append(self._row[2])
        nothing = array("q")
        for _ in range(10_000):
            self._row = [0] * len(NAMES)
            self.begin(2)
            do_nothing()
            self.end()
            nothing.append(self._row[2])
        self.inner_cost = int(median(inner))
        self.outer_cost = int(median(outer) - median(nothing))

    def wrap(self, function: Callable[..., Any], step: int) -> Callable[..., Any]:
        """Return a function that stamps where another begins and ends."""

        @wraps(function)
        def stamped(*args: object, **named: object) -> object:
            self.begin(step)
            try:
                return function(*args, **named)
            finally:
                self.end()

        @wraps(function)
        async def stamped_async(*args: object, **named: object) -> object:
            self.begin(step)
            try:
                return await function(*args, **named)
            finally:
                self.end()

        return stamped_async if iscoroutinefunction(function) else stamped

    def report(self) -> StampReport:
        """Return means and medians, without the first row and the slowest."""
        width = len(NAMES)
        rows = [self._rows[at : at + width] for at in range(width, len(self._rows), width)]
        between = {number - 1 for number in self._games}
        decisions = [row for number, row in enumerate(rows) if number not in between]
        games = [row for number, row in enumerate(rows) if number in between]
        parked = sum(row[NAMES.index(PARK)] > 0 for row in decisions)
        return StampReport(_average_rows(decisions), _average_rows(games), len(decisions), parked / len(decisions))


def _average_rows(rows: list[array[int]]) -> StepAverages:
    """Return mean and median microseconds of each step, and of the whole."""
    kept = sorted(rows, key=sum)[: round(len(rows) * (1 - SLOWEST))]
    columns = [*zip(*kept, strict=True), [sum(row) for row in kept]]
    averages = [(sum(column) / len(kept) / 1e3, median(column) / 1e3) for column in columns]
    return dict(zip([*NAMES, WHOLE], averages, strict=True))


def main() -> None:
    """Print a table for each game; be a worker if the parent says so."""
    if sys.argv[1:2] == ["worker"]:
        _, _, has_steps, unit, report, *words = sys.argv
        sys.argv[1:] = words
        be_stamping_worker(has_steps == "steps", unit == "instructions", Path(report))
        return
    registry = Registry()
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", nargs="+", default=[*registry.games])
    parser.add_argument("--deals", type=int, default=20)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--instructions", action="store_true", help="count instructions in place of the time")
    given = parser.parse_args()
    bot_build.build(FOLDER, print)
    for name in given.games:
        print_game(registry.find_game(name), given.deals, given.runs, "instructions" if given.instructions else "time")


def print_game(game: AnyGame, deals: int, runs: int, unit: str) -> None:
    """Play a game with stamps of the steps and without them, and print both."""
    pairs = [(run_stamped(game, deals, "steps", unit), run_stamped(game, deals, "whole", unit)) for _ in range(runs)]
    by_step, whole = ([report for report, _ in reports] for reports in zip(*pairs, strict=True))
    parked = median(report.parked for report in by_step)
    print(
        f"{game.name}, {game.seats[0]} seats; {parked:.0%} of {by_step[0].decisions:,} decisions parked; "
        f"{'thousands of instructions' if unit == 'instructions' else 'microseconds'}"
    )
    print_times("a decision", [report.decision for report in by_step], [report.decision for report in whole])
    print_times("once a game", [report.game for report in by_step], [report.game for report in whole])
    print(f"  the parent, with the store: {median(parent for _, (_, parent) in pairs):.0f} once a game")


def print_times(title: str, by_step: list[StepAverages], without_steps: list[StepAverages]) -> None:
    """Print the medians of what was stamped in several runs."""
    print(f"  {title:32} {'mean':>8} {'median':>8}")
    for name, reports in [("without stamps", without_steps), *((name, by_step) for name in [WHOLE, *NAMES])]:
        mean, middle = (median(times.get(name, times[WHOLE])[which] for times in reports) for which in (0, 1))
        if mean >= 0.05:
            print(f"    {name:30} {mean:8.1f} {middle:8.1f}")


def run_stamped(game: AnyGame, deals: int, stamps: str, unit: str) -> tuple[StampReport, float]:
    """Play a tournament; return what its worker has stamped, and the parent's microseconds of processor time a game."""
    with TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        vars(worker_process)["_COMMAND"] = (sys.executable, __file__, "worker", stamps, unit, str(report))
        cost = time_tournament(game, deals, RunnerSetup(1, True, "none"), 1)
        return msgspec.json.decode(report.read_bytes(), type=StampReport), cost.parent


def be_stamping_worker(has_steps: bool, counts_instructions: bool, report: Path) -> None:
    """Be a worker that stamps its time, or counts instructions, and write a report at the end."""
    times = StepTimes(open_counter() if counts_instructions else perf_counter_ns)
    if counts_instructions:
        treat_as_quick()
    if has_steps:
        times.measure_costs()
        for owner, name, step in STEPS:
            setattr(owner, name, times.wrap(getattr(owner, name), NAMES.index(step)))
        stamp_states(times)
    stamp_rows(times)
    run_worker = worker.run_worker

    async def run_and_report(
        reader: LineReader[ParentMessage], writer: LineWriter, cpu_slots: int, known: AnyGame | None
    ) -> None:
        await run_worker(reader, writer, cpu_slots, known)
        await trio.Path(report).write_bytes(msgspec.json.encode(times.report()))

    vars(worker)["run_worker"] = run_and_report
    worker.main()


def open_counter() -> Callable[[], int]:
    """Return a function that returns how many instructions this thread has executed outside the kernel."""
    attributes = struct.pack("=IIQQQQQ", 0, PERF_ATTR_BYTES, INSTRUCTIONS, 0, 0, 0, WITHOUT_KERNEL)
    libc = ctypes.CDLL(None, use_errno=True)
    number = PERF_EVENT_OPEN[platform.machine()]
    counter = libc.syscall(number, attributes.ljust(PERF_ATTR_BYTES, b"\0"), 0, -1, -1, 8)  # closed in programs
    if counter < 0:
        sys.exit(f"instructions cannot be counted on this machine: {os.strerror(ctypes.get_errno())}")
    return lambda: int.from_bytes(os.read(counter, 8), sys.byteorder)


def treat_as_quick() -> None:
    """Wait for each answer as for that of a quick bot, however busy the machine is."""
    for module, name in (
        (clocks, "TURN_SECONDS"),
        (clocks, "NEGLIGIBLE_SECONDS"),
        (bot_link, "QUICK_MS"),
        (bot_process, "QUICK_MS"),
    ):
        vars(module)[name] = 1000


def stamp_rows(times: StepTimes) -> None:
    """Begin a row with each question, and with the end of a game, which comes in place of one."""
    next_question: Callable[..., Any] = vars(Match)["_next_question"]

    def begin_row(*args: object) -> object:
        times.begin_row()
        question = next_question(*args)
        if question is None:
            times.mark_game()
        return question

    setattr(Match, "_next_question", begin_row)  # noqa: B010 - for mypy a method is no attribute


def stamp_states(times: StepTimes) -> None:
    """Stamp the methods of the states of a game, once one is dealt."""
    deal: Callable[..., Any] = vars(Match)["_deal"]
    seen = set[type]()

    def deal_stamped(match: Match) -> object:
        state = deal(match)
        if type(state) not in seen:
            seen.add(type(state))
            for name in STATE_STEPS:
                setattr(type(state), name, times.wrap(getattr(state, name).__func__, NAMES.index(name)))
        return state

    setattr(Match, "_deal", deal_stamped)  # noqa: B010


if __name__ == "__main__":
    main()
