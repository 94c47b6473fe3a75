"""A node: the part of a cluster's machine that starts workers there and carries their messages.

The node knows nothing of the cluster: an engine puts the node into a process of the machine, calls its methods from
afar, and passes on the tournament's messages for the workers. A node that nobody reads for some seconds assumes that
the tournament has ended: the node kills its workers, and with them their bots.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss_tournament.authoring.bot_build import BuildFailed, BuildRules
from pitboss_tournament.cluster.bot_trial import try_bots
from pitboss_tournament.cluster.machine import CpuClaims, MachineReport, describe_kind, describe_machine
from pitboss_tournament.cluster.travelling_bots import BotArchive, BotCache, CachedBot, find_cache, localize_bot
from pitboss_tournament.plan.plan import Entrant, Plan, SandboxLevel
from pitboss_tournament.processes.cpu import available_cpus
from pitboss_tournament.processes.sandbox import check_sandbox
from pitboss_tournament.running.worker_pool import (
    STOP_SECONDS,
    WORKER_EXIT_SECONDS,
    WORKER_TAIL_BYTES,
    describe_exit,
)
from pitboss_tournament.running.worker_process import WorkerSetup, worker_command
from pitboss_tournament.running.worker_protocol import (
    READ_BYTES,
    PlayBatch,
    encode_line,
    is_faultless_game,
    parent_decoder,
)

ANSWER_SECONDS: Final = 2.0  # a read answers after this, also if nothing was said
GATHER_SECONDS: Final = 0.5  # finished games wait so long for more, so that quick games share an answer
SILENCE_SECONDS: Final = 12.0  # without being read from: then the tournament is gone
MAX_UNREAD_BYTES: Final = 32 << 20  # then the workers wait

Said = tuple[int, bytes]  # a worker, and lines that it said; none: it has ended


class ClusterNode:
    """The workers of one machine for one tournament. Its methods that are not `async` may take long.

    The node is open from `describe` to its end. At other times calls raise ConnectionError: this node does not have the
    workers that the tournament started. A cluster may have put this node in the place of a lost one, or the tournament
    may not have heard of the node's end.
    """

    def __init__(self, sandbox: SandboxLevel, has_build_network: bool) -> None:
        self._sandbox = sandbox
        self._rules = BuildRules(sandbox, has_build_network)
        self._bots = BotCache(find_cache(), describe_kind())
        self._found: dict[str, CachedBot] = {}  # by digest
        self._workers: dict[int, NodeWorker] = {}
        self._claims = CpuClaims()
        self._said: list[Said] = []
        self._unread = 0  # bytes
        self._has_news, self._is_urgent, self._is_read = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._last_read = 0.0
        self._guard: asyncio.Task[None] | None = None
        self._is_open = False

    def describe(self, packages: Sequence[str]) -> MachineReport:
        """Return a report on this machine, and the code of these packages on it."""
        self._is_open = True
        return describe_machine(packages, self._sandbox)

    def list_missing(self, digests: Sequence[str]) -> list[str]:
        """Return which bots are not on this machine yet; the others stay."""
        found = {digest: self._bots.find(digest) for digest in digests}
        self._found.update({digest: bot for digest, bot in found.items() if bot is not None})
        return [digest for digest, bot in found.items() if bot is None]

    def install(self, archive: BotArchive) -> str | None:
        """Unpack and build a bot; return why that cannot be done, None if it is done."""
        try:
            self._found[archive.digest] = self._bots.add(archive, self._rules)
        except BuildFailed as error:
            return f"it cannot be built: {error.output.strip()[-WORKER_TAIL_BYTES:] or error}"
        except ConfigError as error:
            return f"it cannot be built: {error}"
        except OSError as error:
            return f"its files cannot be written: {error}"
        return None

    def try_bots(self, plan: Plan, entrants: Sequence[Entrant]) -> dict[str, str]:
        """Return why bots cannot play here, by name; `plan` has neither bots nor the seed of the tournament.

        Raises:
            OSError: the machine cannot start one.
        """
        found, here = dict[str, str](), list[Entrant]()
        for entrant in entrants:
            try:
                here.append(self._localize(entrant))
                check_sandbox(here[-1], self._sandbox)
            except ConfigError as error:
                found[entrant.name] = str(error)
        if not found:
            found |= try_bots(plan, here)
        return found

    async def start(self, number: int, is_pinned: bool, places: int) -> None:
        """Start one of `places` workers, which has this number from then on.

        Raises:
            OSError: the machine cannot start it.
        """
        self._require_open()
        if self._guard is None:
            self._last_read = asyncio.get_running_loop().time()
            self._guard = asyncio.create_task(self._end_in_silence())
        cpu = self._claims.claim() if is_pinned else None
        slots = max(1, available_cpus() // places) if cpu is None else 1
        try:
            # here, not in a thread: the end of the thread that starts it would send the worker its death signal
            process = await asyncio.create_subprocess_exec(
                *worker_command(WorkerSetup(slots, cpu)),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                limit=READ_BYTES,
            )
        except BaseException:
            self._claims.release(cpu)
            raise
        self._workers[number] = NodeWorker(process, cpu)
        self._workers[number].relay = asyncio.create_task(self._relay(number, self._workers[number]))

    async def write(self, number: int, line: bytes) -> None:
        """Tell a worker a message; one that has ended hears nothing."""
        self._require_open()
        worker = self._workers.get(number)
        if worker is None or worker.process.stdin is None:
            return
        with suppress(ConnectionError):
            worker.process.stdin.write(line)
            await worker.process.stdin.drain()

    async def write_batch(self, number: int, line: bytes) -> None:
        """Tell a worker a `PlayBatch`, in which bots get the paths of this machine."""
        self._require_open()
        batch = parent_decoder.decode(line)
        assert isinstance(batch, PlayBatch)
        entrants = {bot: self._localize(entrant) for bot, entrant in batch.entrants.items()}
        await self.write(number, encode_line(replace(batch, entrants=entrants)))

    async def read(self) -> list[Said]:
        """Return what workers have said, as soon as that is urgent; finished games may wait a moment for more."""
        self._require_open()
        self._last_read = asyncio.get_running_loop().time()
        if await _is_set(self._has_news, ANSWER_SECONDS):
            await _is_set(self._is_urgent, GATHER_SECONDS)
        said, self._said, self._unread = self._said, [], 0
        self._has_news.clear()
        self._is_urgent.clear()
        self._is_read.set()
        return said

    async def stop(self, number: int, seconds: float = STOP_SECONDS) -> str:
        """Let a worker end, kill the worker after `seconds`, and return a text that says how the worker ended."""
        worker = self._workers.get(number)
        if worker is None:
            return "was ended before"
        if worker.process.stdin is not None:
            worker.process.stdin.close()
        if not await _has_ended(worker.process, seconds):
            with suppress(ProcessLookupError):
                worker.process.kill()
            await worker.process.wait()
        if worker.relay is not None:  # it ends with the worker's output, which a process of the worker may hold
            await asyncio.wait({worker.relay}, timeout=WORKER_EXIT_SECONDS)
            worker.relay.cancel()
        self._workers.pop(number, None)
        self._claims.release(worker.cpu)
        worker.cpu = None
        return describe_exit(worker.process.returncode or 0, worker.stderr_tail)

    async def close(self) -> None:
        """End all workers, and let go of the bots."""
        self._is_open = False
        self._said, self._unread = [], 0
        self._is_read.set()
        await asyncio.gather(*(self.stop(number) for number in list(self._workers)))
        if self._guard is not None and self._guard is not asyncio.current_task():
            self._guard.cancel()
        self._bots.close()

    def _require_open(self) -> None:
        if not self._is_open:
            raise ConnectionError("the node was restarted, or was silent for too long")

    def _localize(self, entrant: Entrant) -> Entrant:
        return localize_bot(entrant, *(None, {}) if entrant.folder is None else self._found[entrant.folder.name])

    async def _relay(self, number: int, worker: NodeWorker) -> None:
        """Keep what a worker says for `read`, until it ends."""
        out, err = worker.process.stdout, worker.process.stderr
        assert out is not None and err is not None
        draining = asyncio.create_task(worker.drain(err))
        begun = b""
        while part := await out.read(READ_BYTES):
            whole, newline, begun = (begun + part).rpartition(b"\n")
            if newline:
                self._note(number, whole + newline)
            while self._unread > MAX_UNREAD_BYTES:
                self._is_read.clear()
                await self._is_read.wait()
        await draining
        self._note(number, b"")

    def _note(self, number: int, lines: bytes) -> None:
        self._said.append((number, lines))
        self._unread += len(lines)
        self._has_news.set()
        if not lines or not all(map(is_faultless_game, lines.splitlines())):
            self._is_urgent.set()

    async def _end_in_silence(self) -> None:
        """Kill all workers once nobody has read for some time: the tournament is gone, or does not hear this node."""
        loop = asyncio.get_running_loop()
        left = SILENCE_SECONDS
        while left > 0:
            await asyncio.sleep(left)
            left = self._last_read + SILENCE_SECONDS - loop.time()
        self._is_open = False  # that its workers have ended is nothing that they have done
        for worker in self._workers.values():
            with suppress(ProcessLookupError):
                worker.process.send_signal(signal.SIGKILL)
        self._guard = None
        await self.close()


class NodeWorker:
    """A worker process of a node."""

    def __init__(self, process: asyncio.subprocess.Process, cpu: int | None) -> None:
        self.process = process
        self.cpu = cpu  # that is claimed for it
        self.stderr_tail = b""
        self.relay: asyncio.Task[None] | None = None

    async def drain(self, stderr: asyncio.StreamReader) -> None:
        """Read standard error, so that the pipe never fills up, and keep its end."""
        while part := await stderr.read(READ_BYTES):
            self.stderr_tail = (self.stderr_tail + part)[-WORKER_TAIL_BYTES:]


async def _is_set(event: asyncio.Event, seconds: float) -> bool:
    """Wait for an event, no longer than that; tell whether it has happened."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
    return event.is_set()


async def _has_ended(process: asyncio.subprocess.Process, seconds: float) -> bool:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await process.wait()
    return process.returncode is not None
