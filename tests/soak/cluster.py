"""Kills in a cluster: `python -m tests.soak.cluster` plays tournaments of all formats on a scheduler and two nodes of
Dask, kills or stops a Dask worker, a node, a worker process, the scheduler or the client at random moments, gives the
same command again where the run has ended, and compares every game with those of the same tournament on this machine.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from importlib.util import find_spec
from itertools import cycle
from pathlib import Path
from time import monotonic, sleep
from typing import Final

from msgspec.structs import replace

from pitboss_tournament.audit.store_audit import find_problems
from pitboss_tournament.cluster.node import SILENCE_SECONDS
from pitboss_tournament.store.store import Store
from tests.plugins import magpie_installed
from tests.soak.promises import PromiseTally
from tests.tournament.dask_processes import (
    ClusterRun,
    DaskNodeHome,
    DaskProcesses,
    list_run_workers,
    run_on_cluster,
    wait_until,
)
from tests.tournament.dask_tournaments import (
    FORMAT_SETTINGS,
    play_here,
    read_store,
    write_held_bot,
    write_settings,
    write_zoo_bot,
)

NODES: Final = ("one", "two")
OUTLIVE_S: Final = 5.0  # that a bot may outlive the Dask worker of its node
MOMENT_S: Final = 3.0  # a kill comes at a random moment within so many seconds of the start or of the first game
STANDSTILL_S: Final = 25.0  # that a Dask worker is stopped at most: more than it may be silent
MAX_RUNS: Final = 5  # of one tournament without a kill
PAUSE: Final = "0.3"  # of a bot before each answer, as long as kills are to come


def main(words: Sequence[str] | None = None) -> int:
    """Kill and carry on, print what came of it, and return 1 if something was not as promised."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.cluster", description=__doc__)
    parser.add_argument("--count", type=int, default=20, help="kills (default: %(default)s)")
    parser.add_argument("--deals", type=int, default=8, help="deals of each table in a round (default: %(default)s)")
    parser.add_argument("--seed", default="cluster", help="the moments follow from it (default: %(default)s)")
    given = parser.parse_args(words)
    if find_spec("distributed") is None:
        print("nothing is killed: Dask is not installed (pip install 'pitboss[dask]')")
        return 0
    promises = PromiseTally()
    with tempfile.TemporaryDirectory(prefix="pitboss-cluster-") as home, magpie_installed():
        soak = ClusterSoak(Path(home), random.Random(given.seed), given.deals, promises)
        with soak.dask:
            soak.start_all()
            soak.kill_all(given.count)
    return promises.exit_status()


class ClusterSoak:
    """A cluster, and the tournaments that are played on it while parts of it are killed."""

    def __init__(self, home: Path, chance: random.Random, deals: int, promises: PromiseTally) -> None:
        self.dask = DaskProcesses(home)
        self._home = home
        self._chance = chance
        self._deals = deals
        self._promises = promises
        self._hold = home / "hold"
        good = [write_zoo_bot(home / name, "good") for name in ("good", "better")]
        self._bots: list[str | Path] = [write_held_bot(home / "held", self._hold), "house:random", *good]
        self._kinds: dict[str, Callable[[ClusterRun], None]] = {
            "Dask worker": self._kill_dask_worker,
            "node": self._kill_node,
            "client": self._kill_client,
            "standstill": self._stop_dask_worker,
            "scheduler": self._kill_scheduler,
            "worker process": self._kill_worker_process,
        }
        self._has_ended = False  # the tournament in play
        self._slowest = Counter[str]()  # ms until the last bot of what was killed was gone, by kind

    def start_all(self) -> None:
        """Start the scheduler, and the nodes that are not there."""
        self.dask.start_scheduler()
        self._start_nodes()

    def kill_all(self, count: int) -> None:
        """Play tournaments until so many kills were made, one or two in each."""
        killed, made = Counter[str](), 0
        kinds, formats = cycle(self._kinds), cycle(FORMAT_SETTINGS)
        while made < count:
            kills = [next(kinds) for _ in range(min(self._chance.choice((1, 1, 2)), count - made))]
            form = next(formats)
            self._play(f"t{made}", form, kills)
            killed.update(kills)
            made += len(kills)
        self._promises.check(made == count, f"{made} kills: {', '.join(f'{one} {n}' for one, n in killed.items())}")
        for kind, ms in self._slowest.items():
            print(f"       after the kill of a {kind} its last bot was gone after {ms / 1000:.2f} s at the latest")

    def _play(self, name: str, form: str, kills: Sequence[str]) -> None:
        """Play a tournament, with these kills, to its end, and compare it with what this machine plays."""
        there, here = (
            write_settings(self._home, place, *self._bots, deals=self._deals, settings=FORMAT_SETTINGS[form])
            for place in (f"{name}-there", f"{name}-here")
        )
        begun, left, runs = monotonic(), list(kills), 0
        self._hold.write_text(PAUSE)
        while (runs == 0 or not self._has_ended) and runs < MAX_RUNS + len(kills):
            runs += 1
            with run_on_cluster(there, self.dask.engine) as run:
                self._has_ended = self._see_through(run, left)
        self._promises.check(self._has_ended and not left, f"{form}: it comes to its end after {runs} runs: {kills}")
        play_here(here)
        self._compare(there, here, f"{form}, {' and '.join(kills)}, {monotonic() - begun:.0f} s")

    def _see_through(self, run: ClusterRun, left: list[str]) -> bool:
        """Make the kills that are left in a run, and wait for its end; tell whether all games are played then."""
        while left and not run.is_over:
            if self._chance.random() < 0.7:
                wait_until(lambda: run.is_over or '"event":"game"' in run.said, f"a game: {run}")
            sleep(self._chance.uniform(0, MOMENT_S))
            self._kinds[left.pop(0)](run)
        if not left:
            self._hold.unlink(missing_ok=True)
        status = run.wait()
        if status not in (0, -signal.SIGKILL):
            self._promises.check(
                status in (1, 2) and run.complaints.startswith("pitboss: ") and "Traceback" not in run.complaints,
                f"a run that cannot go on says why: {' '.join(str(run).split())}",
            )
        if status in (1, 2):
            self._start_nodes()
        return status == 0

    def _compare(self, there: Path, here: Path, what: str) -> None:
        with closing(Store(there.with_suffix(".pitboss"))) as store:
            problems = [str(problem) for problem in find_problems(store)]
        played, expected = (read_store(file) for file in (there, here))
        same = sum(played.records.get(number) == record for number, record in expected.records.items())
        self._promises.check(
            not problems and played == replace(expected, voids=played.voids),
            f"{what}: {same:,} of {len(expected.records):,} games are those of this machine, "
            f"{len(played.records) - same} others, {len(problems)} problems {problems[:3]}",
        )

    def _start_nodes(self) -> None:
        """Start the nodes that are not there."""
        self.dask.nodes[:] = [node for node in self.dask.nodes if node.process.poll() is None]
        there = {node.folder.name for node in self.dask.nodes}
        for name in NODES:
            if name not in there:
                self.dask.start_node(name)

    def _kill_dask_worker(self, run: ClusterRun) -> None:
        """Kill a Dask worker; its nanny starts another one."""
        node = self._chance.choice(self.dask.nodes)
        if (worker := node.find_worker()) is not None:
            self._kill_with_bots("Dask worker", node, (worker,))

    def _kill_node(self, run: ClusterRun) -> None:
        """Kill a nanny and its Dask worker, and start them again."""
        node = self._chance.choice(self.dask.nodes)
        self._kill_with_bots("node", node, (node.process.pid, node.find_worker()))
        node.process.wait()
        sleep(self._chance.uniform(0, MOMENT_S))
        self._start_nodes()

    def _kill_worker_process(self, run: ClusterRun) -> None:
        """Kill a worker process of Pitboss, if there is one."""
        if workers := list_run_workers(self._chance.choice(self.dask.nodes)):
            with suppress(ProcessLookupError):
                os.kill(workers[0].pid, signal.SIGKILL)

    def _kill_client(self, run: ClusterRun) -> None:
        """Kill the run itself: the nodes notice by its silence."""
        run.process.kill()
        run.process.wait()
        self._time_bots("client", self.dask.nodes, SILENCE_SECONDS + OUTLIVE_S)

    def _stop_dask_worker(self, run: ClusterRun) -> None:
        """Stop a Dask worker for a while."""
        worker = self._chance.choice(self.dask.nodes).find_worker()
        if worker is not None:
            os.kill(worker, signal.SIGSTOP)
            sleep(self._chance.uniform(0, STANDSTILL_S))
            with suppress(ProcessLookupError):
                os.kill(worker, signal.SIGCONT)

    def _kill_scheduler(self, run: ClusterRun) -> None:
        """Kill the scheduler; its Dask workers leave; start another one while the run waits, or after its end."""
        self.dask.kill_scheduler()
        for node in self.dask.nodes:
            wait_until(lambda node=node: node.find_worker() is None, "the Dask worker leaves")  # type: ignore[misc]
        self._time_bots("scheduler", self.dask.nodes, OUTLIVE_S)
        for node in self.dask.nodes:
            node.process.wait()
        if self._chance.random() < 0.5:
            run.wait()
        self.start_all()

    def _kill_with_bots(self, kind: str, node: DaskNodeHome, processes: Sequence[int | None]) -> None:
        """Kill processes of a node, and time how long it takes until all is gone that played there."""
        played = {(one.pid, one.started) for one in node.list_played()}
        for process in processes:
            if process is not None:
                os.kill(process, signal.SIGKILL)
        self._time_bots(kind, [node], OUTLIVE_S, played)

    def _time_bots(
        self, kind: str, nodes: Sequence[DaskNodeHome], seconds: float, those: set[tuple[int, str]] | None = None
    ) -> None:
        """Wait until nothing that played on nodes is left, and check that it takes no longer than it may."""
        begun = monotonic()

        def list_left() -> list[str]:
            found = [one for node in nodes for one in node.list_played()]
            return [one.command_line for one in found if those is None or (one.pid, one.started) in those]

        while (left := list_left()) and monotonic() < begun + seconds:
            sleep(0.02)
        self._slowest[kind] = max(self._slowest[kind], round(1000 * (monotonic() - begun)))
        self._promises.check(not left, f"no bot outlives the kill of a {kind} by more than {seconds:.0f} s: {left[:3]}")


if __name__ == "__main__":
    sys.exit(main())
