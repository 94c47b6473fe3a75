"""A node of a cluster and its workers, as the machine of the tournament sees them.

A call of a node may fail, and is never waited for without end; either way the node is lost.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Mapping
from contextlib import asynccontextmanager, suppress
from itertools import count
from math import inf
from typing import Any, Final, Protocol, TypeVar

import trio
from msgspec.structs import replace

from pitboss_tournament.cluster.node import SILENCE_SECONDS, Said
from pitboss_tournament.plan.plan import Entrant, Plan
from pitboss_tournament.running.engine import PlaceLost
from pitboss_tournament.running.worker_pool import STOP_SECONDS
from pitboss_tournament.running.worker_protocol import (
    ParentMessage,
    PlayBatch,
    VoidReport,
    WorkerFailure,
    WorkerMessage,
    WorkerReady,
    decode_worker_line,
    encode_line,
)

CALL_SECONDS: Final = 10.0  # for a node to answer a call that does nothing long
DESCRIBE_SECONDS: Final = 60.0  # to start a node, and for it to describe its machine

T = TypeVar("T")


class NodeCalls(Protocol):
    """A `ClusterNode` on another machine."""

    async def call(self, method: str, *args: object) -> Any:  # noqa: ANN401 - as the method returns
        """Call a method of the node. Raises whatever the way to it raises."""

    async def release(self) -> None:
        """Let go of the node, which may be gone."""


class Cluster(Protocol):
    """Machines with nodes."""

    async def list_nodes(self) -> dict[str, int]:
        """Return the addresses of the nodes that are there now, and how many processors each offers."""

    async def open_node(self, address: str, plan: Plan) -> NodeCalls:
        """Start a `ClusterNode` at an address."""


class RemoteNode:
    """A node and its workers, as seen from here."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.label = address  # in texts
        self._calls: NodeCalls | None = None
        self._lost: PlaceLost | None = None
        self._pending = set[trio.CancelScope]()  # calls that are not answered yet
        self._workers: dict[int, RemoteWorker] = {}
        self._numbers = count()

    async def open(self, cluster: Cluster, plan: Plan) -> None:
        """Start the node.

        Raises:
            PlaceLost: that fails.
        """
        self._calls = await self._guard(cluster.open_node(self.address, plan), DESCRIBE_SECONDS)

    async def call(self, method: str, *args: object, seconds: float = CALL_SECONDS) -> Any:  # noqa: ANN401 - its result
        """Call a method of the node.

        Raises:
            PlaceLost: it is lost, or does not answer in time, and is lost by that.
        """
        if self._lost is not None:
            raise self._lost
        assert self._calls is not None
        return await self._guard(self._calls.call(method, *args), seconds)

    def lose(self, reason: str) -> None:
        """Treat the node and all its workers as lost."""
        if self._lost is None:
            self._lost = PlaceLost(f"{self.label} is lost: {reason}")
            for worker in self._workers.values():
                worker.lose_place(str(self._lost))
            for scope in self._pending:
                scope.cancel()

    async def read(self) -> None:
        """Hand on what workers say, until the node is lost."""
        with suppress(PlaceLost):
            while True:
                said: list[Said] = await self.call("read", seconds=SILENCE_SECONDS)
                for number, lines in said:
                    if number in self._workers:
                        self._workers[number].hear(lines)

    @asynccontextmanager
    async def open_worker(
        self, bots: Mapping[str, Entrant], is_pinned: bool, places: int
    ) -> AsyncIterator[RemoteWorker]:
        """Context manager: a worker, which has ended when the block is left, unless its node is lost.

        Raises:
            PlaceLost: no worker can be started.
        """
        number = next(self._numbers)
        worker = self._workers[number] = RemoteWorker(self, number, bots)
        try:
            await self.call("start", number, is_pinned, places)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(worker.forward_messages)
                try:
                    yield worker
                finally:
                    worker.request_stop()
        finally:
            del self._workers[number]

    async def close(self) -> None:
        """End the node, if it is still there."""
        with trio.CancelScope(shield=True):
            if self._calls is not None:
                with suppress(PlaceLost):
                    await self.call("close")
                with suppress(PlaceLost):
                    await self._guard(self._calls.release(), CALL_SECONDS)
        self.lose("the run is over")

    async def _guard(self, answer: Awaitable[T], seconds: float) -> T:
        """Return what comes through the cluster; whatever goes wrong there, the node is lost by it.

        Raises:
            PlaceLost: it has gone wrong.
        """
        try:
            with trio.fail_after(seconds) as scope:
                self._pending.add(scope)
                try:
                    return await answer
                finally:
                    self._pending.discard(scope)
        except trio.TooSlowError:
            self.lose("it does not answer")
        except Exception as error:  # noqa: BLE001 - the border to the cluster
            self.lose(" ".join(str(error).split()) or type(error).__name__)
        assert self._lost is not None
        raise self._lost


class RemoteWorker:
    """A worker on a node; an `EngineWorker`."""

    def __init__(self, node: RemoteNode, number: int, bots: Mapping[str, Entrant]) -> None:
        self.lost_place: str | None = None
        self._node = node
        self._number = number
        self._bots = bots  # as they travel, by name
        self._is_ready = False
        self._stop_seconds = STOP_SECONDS
        self._exit = "was not heard of again"
        self._outbox, self._outgoing = trio.open_memory_channel[ParentMessage](inf)
        self._lines, self._heard = trio.open_memory_channel[bytes](inf)

    def send(self, message: ParentMessage) -> None:
        """Queue a message; a worker that has been asked to stop hears no more."""
        with suppress(trio.ClosedResourceError):
            self._outbox.send_nowait(message)

    async def receive(self) -> WorkerMessage | None:
        """Return the worker's next message; None when it has ended.

        A machine that fails is no reason to end the tournament: it loses the place.

        Raises:
            WorkerProtocolError: the line is no message.
        """
        try:
            message = decode_worker_line(await self._heard.receive())
        except trio.EndOfChannel:
            return None
        if isinstance(message, WorkerFailure) and message.kind not in ("config", "game"):
            self.lose_place(f"{self._node.label} cannot play: {message.message}")
            return None
        if isinstance(message, VoidReport) and message.cause == "other_files":
            self._node.lose(message.message)  # the node is opened again and receives the bot again
        self._is_ready = self._is_ready or isinstance(message, WorkerReady)
        return message

    def request_stop(self) -> None:
        """Ask the worker to stop once it has heard its messages."""
        self._outbox.close()

    def break_off(self) -> None:
        """Ask the worker to stop, in the middle of a game too; kill one that has not begun: it has no bots to warn."""
        if not self._is_ready:
            self._stop_seconds = 0.0
        self.request_stop()

    def exit_text(self) -> str:
        """Describe how the worker ended, as text. Only after its block."""
        return self._exit

    def hear(self, lines: bytes) -> None:
        """Take lines that the worker said; none: it has ended."""
        with suppress(trio.ClosedResourceError):  # its place is lost
            for line in lines.splitlines():
                self._lines.send_nowait(line)
            if not lines:
                self._lines.close()

    def lose_place(self, why: str) -> None:
        """Treat the worker and its place as lost."""
        self.lost_place = self.lost_place or why
        self._lines.close()

    async def forward_messages(self) -> None:
        """Tell the worker what is queued for it, until it is asked to stop; then wait for its end."""
        with trio.CancelScope(shield=True), suppress(PlaceLost):
            async for message in self._outgoing:
                await self._tell(message)
            self._exit = await self._node.call(
                "stop", self._number, self._stop_seconds, seconds=STOP_SECONDS + CALL_SECONDS
            )

    async def _tell(self, message: ParentMessage) -> None:
        method = "write"
        if isinstance(message, PlayBatch):
            method = "write_batch"
            message = replace(message, entrants={bot: self._bots[one.name] for bot, one in message.entrants.items()})
        await self._node.call(method, self._number, encode_line(message))
