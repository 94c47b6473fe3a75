"""A scheduler and workers of Dask as processes of this machine, and what each of them has computed."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec
from distributed import Client

from pitboss_tournament.cluster.dask_engine import QUIET_DASK

START_SECONDS = 120.0
LOOK_SECONDS = 0.05


class MeasuredDask(NamedTuple):
    """A scheduler and its workers; each worker is a node with one place."""

    address: str  # HOST:PORT of the scheduler
    scheduler: int  # process
    workers: Sequence[int]  # processes


@contextmanager
def start_dask(cpus: Sequence[int | None]) -> Iterator[MeasuredDask]:
    """Context manager: a scheduler with a worker for each of these processors (None: for any), all of them ready.

    They have the settings that docs/cluster.md recommends.

    Raises:
        SystemExit: they do not start.
    """
    with tempfile.TemporaryDirectory(prefix="pitboss-dask-") as place, ExitStack() as running:
        folder = Path(place)
        quiet = {f"DASK_{key.replace('.', '__').replace('-', '_').upper()}": str(QUIET_DASK[key]) for key in QUIET_DASK}
        env = {**os.environ, **quiet, "XDG_CACHE_HOME": str(folder)}  # bots are sent and built anew
        card = folder / "scheduler.json"
        words = ("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(card))
        scheduler = running.enter_context(_run_quietly(words, env, folder, None))
        address = _wait_for_address(card, scheduler).removeprefix("tcp://")
        words = ("worker", address, "--nworkers", "1", "--nthreads", "1", "--no-nanny", "--no-dashboard")
        workers = [
            running.enter_context(_run_quietly((*words, "--local-directory", str(folder)), env, folder, cpu))
            for cpu in cpus
        ]
        with Client(f"tcp://{address}", timeout=START_SECONDS) as client:
            client.wait_for_workers(len(workers), timeout=START_SECONDS)
        yield MeasuredDask(address, scheduler.pid, [worker.pid for worker in workers])


def read_cpu_seconds(process: int) -> float:
    """Return the processor time that a process has used so far."""
    return time.clock_gettime(~process << 3 | 2)  # Linux: the clock of another process


@contextmanager
def _run_quietly(
    words: Sequence[str], env: Mapping[str, str], folder: Path, cpu: int | None
) -> Iterator[subprocess.Popen[bytes]]:
    """Run `dask` in the block, on this processor."""
    pin = () if cpu is None else ("taskset", "-c", str(cpu))
    command = [*pin, sys.executable, "-m", "dask", *words]
    null = subprocess.DEVNULL
    with subprocess.Popen(command, env=env, cwd=folder, stdin=null, stdout=null, stderr=null) as process:
        try:
            yield process
        finally:
            process.terminate()


def _wait_for_address(card: Path, scheduler: subprocess.Popen[bytes]) -> str:
    """Return the address that a scheduler writes into a file."""
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and scheduler.poll() is None:
        if card.exists() and (written := card.read_bytes()):
            return str(msgspec.json.decode(written)["address"])
        time.sleep(LOOK_SECONDS)
    sys.exit("the scheduler of Dask has not started")
