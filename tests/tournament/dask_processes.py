"""A scheduler and workers of Dask as processes, each with a home folder of its own, and runs that play there."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Final, NamedTuple, Self

from pitboss.records.record import Record
from pitboss_tournament.exchange.export import strip_times
from pitboss_tournament.store.store import Store
from tests.soak.process_watch import WORKER, SeenProcess, find_descendants, list_processes
from tests.tournament.command_line import COMMAND

DASK_TIMEOUT_S: Final = 100.0  # only what hangs is ever waited for so long
GLANCE_S: Final = 0.1  # between looks, each of which reads much of /proc
SPAWNED: Final = "multiprocessing.spawn"  # in the command of the worker that a nanny starts
QUIET: Final = {  # nothing of Dask listens at a port that another test may want
    "DASK_DISTRIBUTED__WORKER__HTTP__ROUTES": "[]",
    "DASK_DISTRIBUTED__SCHEDULER__HTTP__ROUTES": "[]",
}


class DaskNodeHome(NamedTuple):
    """A nanny with one Dask worker, and the folder that is its home."""

    process: subprocess.Popen[bytes]
    folder: Path

    def find_worker(self) -> int | None:
        """Return the process of the Dask worker, if there is one now."""
        seen = list_processes()
        found = [one for one in seen.values() if one.parent == self.process.pid and SPAWNED in one.command_line]
        return found[0].pid if found else None

    def list_own(self) -> list[SeenProcess]:
        """Return what lives of all that was started on this node, by whatever parent it has now."""
        return [one for one in list_processes().values() if one.is_alive() and _has_home(one.pid, self.folder)]

    def list_played(self) -> list[SeenProcess]:
        """Return what lives of all that Pitboss has started on this node: workers, what guards them, bots."""
        return [one for one in self.list_own() if is_of_pitboss(one)]


class DaskProcesses:
    """A scheduler and its nodes. All are gone when the block of this context manager is left."""

    def __init__(self, home: Path, env: Mapping[str, str] | None = None) -> None:
        self.home = home
        self.nodes = list[DaskNodeHome]()
        self.url = ""  # of the scheduler, as Dask writes it
        self._scheduler: subprocess.Popen[bytes] | None = None
        self._env = {**QUIET, **(env or {})}
        self._started = list[subprocess.Popen[bytes]]()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        """Kill all, with what they have started."""
        seen = list_processes()
        doomed = {one.pid for process in self._started for one in find_descendants(process.pid, seen)}
        doomed |= {process.pid for process in self._started if process.poll() is None}
        doomed |= {pid for pid in seen if pid != os.getpid() and _has_home(pid, self.home / "machines")}
        for pid in doomed:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        for process in self._started:
            process.wait()

    @property
    def engine(self) -> str:
        """What `--on` takes."""
        return f"dask://{self.url.partition('://')[2]}"

    def start_scheduler(self, host: str = "127.0.0.1", launcher: Sequence[str] = ()) -> None:
        """Start a scheduler, at the port of the last one if there was one; return when it answers."""
        file = self.home / "scheduler.json"
        file.unlink(missing_ok=True)
        port = self.url.rpartition(":")[2] or "0"
        words = ("--host", host, "--port", port, "--dashboard-address", f"{host}:0", "--scheduler-file", str(file))
        self._scheduler = self._start("scheduler", [*launcher, *dask_command("dask_scheduler"), *words])
        wait_until(lambda: file.exists() and file.read_text().endswith("}"), f"{self._scheduler.args!r} is there")
        self.url = json.loads(file.read_text())["address"]

    def start_node(
        self, name: str, *words: str, launcher: Sequence[str] = (), env: Mapping[str, str] | None = None
    ) -> DaskNodeHome:
        """Start a nanny with a Dask worker of one thread."""
        command = [*launcher, *dask_command("dask_worker"), self.url, "--nthreads", "1", "--nworkers", "1"]
        command += ["--no-dashboard", "--name", name, "--local-directory", str(self.home / "machines" / name / "dask")]
        node = DaskNodeHome(self._start(name, [*command, *words], env), self.home / "machines" / name)
        self.nodes.append(node)
        return node

    def kill_scheduler(self) -> None:
        """Kill the scheduler with signal 9."""
        assert self._scheduler is not None
        self._scheduler.kill()
        self._scheduler.wait()

    def _start(
        self, name: str, command: Sequence[str], env: Mapping[str, str] | None = None
    ) -> subprocess.Popen[bytes]:
        folder = self.home / "machines" / name
        folder.mkdir(parents=True, exist_ok=True)
        own = {"HOME": str(folder), "XDG_CACHE_HOME": str(folder / "cache")}
        with (folder / "log").open("ab") as log:
            started = subprocess.Popen(
                command,
                cwd=folder,
                env={**os.environ, **self._env, **own, **(env or {})},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._started.append(started)
        return started


def dask_command(module: str) -> tuple[str, ...]:
    """Return how a command of Dask is started with this Python."""
    return (sys.executable, "-P", "-m", f"distributed.cli.{module}")


def is_of_pitboss(process: SeenProcess) -> bool:
    """Tell whether a process is neither Dask's nor multiprocessing's."""
    return not any(word in process.command_line for word in ("distributed.cli", "multiprocessing"))


def wait_until(condition: Callable[[], object], what: str, seconds: float = DASK_TIMEOUT_S) -> None:
    """Wait until something is so."""
    until = monotonic() + seconds
    while not condition():
        assert monotonic() < until, f"not so after {seconds:.0f} s: {what}"
        sleep(GLANCE_S)


class ClusterRun:
    """A `pitboss run` on a cluster, with its output in files."""

    def __init__(self, process: subprocess.Popen[bytes], lines: Path, errors: Path) -> None:
        self.process = process
        self._lines = lines
        self._errors = errors

    @property
    def said(self) -> str:
        """What it has printed for programs so far."""
        return self._lines.read_text()

    @property
    def complaints(self) -> str:
        """What it has written to standard error so far."""
        return self._errors.read_text()

    def wait_for_games(self, number: int) -> None:
        """Wait until so many games of this run are finished."""
        wait_until(lambda: self.is_over or self.said.count('"event":"game"') >= number, f"{number} games: {self}")
        assert not self.is_over, str(self)

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self.process.poll() is not None

    def wait(self) -> int:
        """Return its exit status when it has ended."""
        return self.process.wait(DASK_TIMEOUT_S)

    def __str__(self) -> str:
        """Describe what it has come to, for a failing test."""
        return f"status {self.process.poll()}, {self.complaints[-2000:]}"


@contextmanager
def run_on_cluster(
    file: Path, engine: str, *words: str, env: Mapping[str, str] | None = None, launcher: Sequence[str] = ()
) -> Iterator[ClusterRun]:
    """Run a tournament file on a cluster; the run is killed with the block."""
    lines, errors = file.with_suffix(".lines"), file.with_suffix(".errors")
    command = [*launcher, *COMMAND, "run", str(file), "--on", engine, "--json", *words]
    with lines.open("wb") as out, errors.open("wb") as err:
        process = subprocess.Popen(
            command, stdout=out, stderr=err, env={**os.environ, **(env or {})}, start_new_session=True
        )
    try:
        yield ClusterRun(process, lines, errors)
    finally:
        process.kill()
        process.wait()


def read_records(store: Path) -> dict[int, Record]:
    """Return the records of a store by number, without times."""
    with closing(Store(store)) as opened:
        return {number: strip_times(record) for number, record in opened.records()}


def list_run_workers(node: DaskNodeHome) -> list[SeenProcess]:
    """Return the worker processes of Pitboss on a node."""
    return [one for one in node.list_own() if WORKER in one.command_line]


def _has_home(pid: int, folder: Path) -> bool:
    """Tell whether a process was started with this home folder, or with a command or in a place within it."""
    home, word = Path(f"/proc/{pid}"), str(folder).encode()
    with suppress(OSError):
        if any(word + end in (home / "environ").read_bytes() for end in (b"\0", b"/")):
            return True
    with suppress(OSError):
        if word + b"/" in (home / "cmdline").read_bytes():
            return True
    with suppress(OSError):
        return (home / "cwd").readlink().is_relative_to(folder)
    return False
