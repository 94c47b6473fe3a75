"""What it brings to play on other machines, and what it costs: nodes of Dask on this machine, C bots, Rack-O.

    python -m bench.cluster [--runs N] [--nodes N]

Nodes are real `dask worker` processes of one thread, beside a real `dask scheduler`. First 2 nodes, each on one
processor, play beside 1 node, with bots that compute 20 ms for each decision. The second part plays short games whose
bots do not think: how much processor time a game costs in the client, in the scheduler and in the nodes, beyond what it
costs the parent of the engine `processes`. Then a node is called again and again, and a cluster rests. At last 8 nodes
play beside 1, with bots that wait 20 ms. Figures are of the time between the first games of a run and its last ones,
when all nodes play, so that their start does not count. Sides take turns; figures are medians, with the least and the
greatest. It takes four minutes.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Final, NamedTuple

import trio

from pitboss.game import resolve_options
from pitboss.plugins.registry import Registry
from pitboss.protocol.messages import Clock
from pitboss_tournament.authoring import bot_build
from pitboss_tournament.cluster.dask_engine import DaskCluster, start_loop
from pitboss_tournament.cluster.engines import DASK
from pitboss_tournament.plan.plan import Entrant, FaultRules, Plan
from pitboss_tournament.processes.sandbox_probe import resolve_sandbox
from pitboss_tournament.running.progress_listener import ProgressListener
from pitboss_tournament.running.tournament import Tournament
from pitboss_tournament.running.worker_pool import PROCESSES
from pitboss_tournament.running.worker_protocol import FinishedGame
from pitboss_tournament.store.header import make_header
from pitboss_tournament.store.store import Store

sys.path.insert(0, str(Path(__file__).resolve().parent))  # for `python -m bench.cluster`
from dask_processes import MeasuredDask, read_cpu_seconds, start_dask

FOLDER: Final = Path(__file__).resolve().parent / "first"
BOT: Final = FOLDER / "build" / "bot"
THINK_MS: Final = 20
SHORT: Final = {"max_rounds": 1, "max_turns": 3}  # a game of twelve decisions
ROUND: Final = {"max_rounds": 1}
THINKING_DEALS, QUICK_DEALS = 20, 400  # for each place, in whole batches: all places have the same to do
CALLS: Final = 300
REST_SECONDS: Final = 5
RATIO_GOALS: Final = {2: 1.9, 8: 7.5}  # by nodes, beside one
PARTS: Final = ("client", "scheduler", "nodes")
COST_GOAL_MS: Final = 0.3  # processor time of a game beyond what it costs with the engine `processes`


class CpuSeconds(NamedTuple):
    """Processor time of the parts of a cluster."""

    client: float  # or the parent of the engine `processes`
    scheduler: float
    nodes: float  # the Dask workers, without the processes that play

    def __sub__(self, other: CpuSeconds) -> CpuSeconds:
        """Return the difference, part by part."""
        return CpuSeconds(*(mine - its for mine, its in zip(self, other, strict=True)))

    def __truediv__(self, number: float) -> CpuSeconds:
        """Return the share of one of so many."""
        return CpuSeconds(*(part / number for part in self))


class PlayedGames(NamedTuple):
    """The games of a run while all nodes played."""

    games: int
    decisions: int
    seconds: float
    used: CpuSeconds

    @property
    def pace(self) -> float:
        """Games a second."""
        return self.games / self.seconds


class WindowClock(ProgressListener):
    """Measures a run from its game `first` to its game `last`."""

    def __init__(self, first: int, last: int, dask: MeasuredDask | None) -> None:
        self._first, self._last = first, last
        self._dask = dask
        self._games = self._decisions = 0
        self._began, self._used = 0.0, CpuSeconds(0, 0, 0)
        self.played: PlayedGames | None = None

    def show_game(self, game: FinishedGame) -> None:
        """Count a game."""
        self._games += 1
        if self._first < self._games <= self._last:
            self._decisions += game.decisions
        if self._games == self._first:
            self._began, self._used = perf_counter(), read_used(self._dask)
        elif self._games == self._last:
            seconds, used = perf_counter() - self._began, read_used(self._dask) - self._used
            self.played = PlayedGames(self._last - self._first, self._decisions, seconds, used)


def read_used(dask: MeasuredDask | None) -> CpuSeconds:
    """Return the processor time that this process and those of a cluster have used so far."""
    if dask is None:
        return CpuSeconds(process_time(), 0.0, 0.0)
    return CpuSeconds(
        process_time(), read_cpu_seconds(dask.scheduler), sum(read_cpu_seconds(worker) for worker in dask.workers)
    )


def main() -> None:
    """Print a table for each part."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5, help="(default: %(default)s)")
    parser.add_argument("--nodes", type=int, default=8, help="that wait at a time (default: %(default)s)")
    given = parser.parse_args()
    bot_build.build(FOLDER, print)
    cpus = sorted(os.sched_getaffinity(0))
    print(f"Rack-O, bots in C, on {len(cpus)} processors; medians of {given.runs} runs (least to greatest)", flush=True)
    with start_dask(cpus[:1]) as one, start_dask(cpus[:2]) as two:
        _print_ratio("compute", (one, two), given.runs)
        _print_costs(two, given.runs)
        _print_calls(two, given.runs)
    with start_dask([None]) as one, start_dask([None] * given.nodes) as many:
        _print_ratio("wait", (one, many), given.runs)


# ---- many nodes beside one


def _print_ratio(how: str, sides: Sequence[MeasuredDask], runs: int) -> None:
    bot = (how, str(THINK_MS))
    seen = [[play_window(side, THINKING_DEALS, SHORT, bot) for side in sides] for _ in range(runs)]
    print(f"\nbots that {how} {THINK_MS} ms a decision: games a second")
    for column, side in enumerate(sides):
        nodes = len(side.workers)
        line = f"{nodes} node{'s' if nodes > 1 else ' '}  {_format_median([row[column].pace for row in seen], '7.2f')}"
        if column:
            ratios = [row[column].pace / row[0].pace for row in seen]
            line += f"   {_format_median(ratios, '.2f')} times 1 node; goal {RATIO_GOALS.get(nodes, '-')}"
        print(line, flush=True)


# ---- processor time


def _print_costs(dask: MeasuredDask, runs: int) -> None:
    here, there = [], []
    for _ in range(runs):
        here.append(play_window(None, QUICK_DEALS, ROUND, ()))
        there.append(play_window(dask, QUICK_DEALS, ROUND, ()))
    parents = [1_000 * row.used.client / row.games for row in here]
    parts = [[1_000 * seconds / row.games for seconds in row.used] for row in there]
    decisions = median(row.decisions / row.games for row in here)
    print(f"\nbots that do not think, {decisions:.0f} decisions a game: ms of processor time a game")
    print(f"processes: {_format_median([row.pace for row in here], '.0f')} games a second")
    print(f"  parent     {_format_median(parents, '7.3f')}   at most {1_000 / median(parents):7,.0f} games a second")
    print(f"{len(dask.workers)} nodes: {_format_median([row.pace for row in there], '.0f')} games a second")
    for name, costs in zip(PARTS, zip(*parts, strict=True), strict=True):
        print(f"  {name:10} {_format_median(costs, '7.3f')}   at most {1_000 / median(costs):7,.0f} games a second")
    beyond = [sum(part) - parent for part, parent in zip(parts, parents, strict=True)]
    print(f"  beyond the parent's {_format_median(beyond, '.3f')}; goal {COST_GOAL_MS}", flush=True)


def _print_calls(dask: MeasuredDask, runs: int) -> None:
    calls = [trio.run(_measure_call, dask) for _ in range(runs)]
    print("\none call of a node that does nothing: ms of processor time")
    for name, costs in zip(PARTS, zip(*calls, strict=True), strict=True):
        print(f"  {name:10} {_format_median([1_000 * cost for cost in costs], '7.3f')}", flush=True)
    before = read_used(dask)
    time.sleep(REST_SECONDS)
    rest = (read_used(dask) - before) / REST_SECONDS
    each = 1_000 * rest.nodes / len(dask.workers)
    print(f"at rest: the scheduler {1_000 * rest.scheduler:.1f} ms a second, a node {each:.1f}", flush=True)


async def _measure_call(dask: MeasuredDask) -> CpuSeconds:
    """Return the processor time of a call, in seconds."""
    with start_loop() as run:
        cluster = DaskCluster(run, f"tcp://{dask.address}")
        await cluster.connect()
        address = next(iter(await cluster.list_nodes()))
        node = await cluster.open_node(address, _make_plan(Path("none"), None, 1, ROUND, ()))
        await node.call("list_missing", ())
        before = read_used(dask)
        for _ in range(CALLS):
            await node.call("list_missing", ())
        used = read_used(dask) - before
        await node.release()
        await cluster.close()
    return used / CALLS


# ---- a tournament


def play_window(dask: MeasuredDask | None, deals: int, overrides: dict[str, int], words: Sequence[str]) -> PlayedGames:
    """Return a run on a cluster, or on as many processes of this machine: so many deals for each place."""
    game = Registry().find_game("racko")
    places = len(dask.workers) if dask else 2
    with tempfile.TemporaryDirectory() as folder:
        plan = _make_plan(Path(folder) / "bench.pitboss", dask, deals * places, overrides, words)
        store = Store.for_run(plan.store, make_header(plan, game.version, ""))
        tournament = Tournament(plan, game, store, DASK if dask else PROCESSES)
        edge = max(places, tournament.total_games // 8)  # some nodes begin later, and some end sooner
        clock = WindowClock(edge, tournament.total_games - edge, dask)
        trio.run(tournament.run, clock)
        store.close()
    assert clock.played is not None, "a bot has forfeited"
    return clock.played


def _make_plan(
    store: Path, dask: MeasuredDask | None, deals: int, overrides: dict[str, int], words: Sequence[str]
) -> Plan:
    places = len(dask.workers) if dask else 2
    bots = tuple(Entrant(name=name, command=(str(BOT), *words), folder=BOT.parent) for name in ("a", "b"))
    return Plan(
        game="racko",
        options=resolve_options(Registry().find_game("racko"), 2, overrides=overrides),
        seats=2,
        seed="bench",
        deals=deals,
        entrants=bots,
        clock=Clock(start_ms=5_000, decision_ms=5_000),
        faults=FaultRules(disqualify_after=1),
        sandbox=resolve_sandbox("auto")[0],
        engine=f"dask://{dask.address}" if dask else "processes",
        workers=places,
        pinned=words[:1] != ("wait",),
        games_at_once=places,
        store=store,
    )


def _format_median(values: Sequence[float], form: str) -> str:
    middle, least, most = (format(value, form) for value in (median(values), min(values), max(values)))
    return f"{middle} ({least.strip()} to {most.strip()})"


if __name__ == "__main__":
    main()
