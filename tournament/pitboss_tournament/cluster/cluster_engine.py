"""Playing on the nodes of a cluster, whatever carries the calls to them.

A cluster lists its nodes and calls their methods (`NodeCalls`). Here each node is asked what it is, is given the bots
that it lacks, and becomes places; nodes that come later join, and those that do not answer are lost, without blame for
any game. A node that was lost is tried again, as it may have been asleep.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial
from importlib.metadata import entry_points
from itertools import count
from math import inf
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

import trio
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss.plugins.hookspec import PROJECT
from pitboss.plugins.registry import Registry
from pitboss_tournament.bot_checks.admission import find_unable
from pitboss_tournament.cluster.bot_archive import BotArchive, pack_bot
from pitboss_tournament.cluster.machine import MachineReport, describe_code, describe_differences
from pitboss_tournament.cluster.node import SILENCE_SECONDS, Said
from pitboss_tournament.plan.plan import Entrant, Plan
from pitboss_tournament.playing.engine import AddPlace, PlaceLost, ShowNote, WorkerPlace
from pitboss_tournament.playing.worker_pool import STOP_SECONDS
from pitboss_tournament.playing.worker_protocol import (
    ParentMessage,
    PlayBatch,
    WorkerFailure,
    WorkerMessage,
    WorkerReady,
    decode_worker_line,
    encode_line,
)

CALL_SECONDS: Final = 10.0  # for a node to answer a call that does nothing long
INSTALL_SECONDS: Final = 1_800.0  # to receive and build a bot
DESCRIBE_SECONDS: Final = 60.0
LOOK_SECONDS: Final = 1.0  # between looks for new nodes
FIRST_LOOKS: Final = 30  # for nodes when there is none yet
RETRY_SECONDS: Final = 10.0  # after a node was lost or refused, until it is tried again

MODULE_WORD: Final = "-m"  # in the command of a named bot, before its module


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


class NodePlaces:
    """The nodes that play a tournament."""

    def __init__(self, plan: Plan, cluster: Cluster, add_place: AddPlace, show_note: ShowNote) -> None:
        """Prepare to play on a cluster.

        Raises:
            ConfigError: a bot cannot travel.
        """
        self._plan = plan
        self._cluster = cluster
        self._add_place = add_place
        self._show_note = show_note
        self._bots: dict[str, Entrant] = {}  # as they travel, by name
        self._archives: dict[str, BotArchive] = {}  # by digest
        for entrant in plan.entrants:
            self._bots[entrant.name], archive = pack_bot(entrant)
            if archive is not None:
                self._archives[archive.digest] = archive
        self._rules = replace(plan, entrants=(), seed="", store=Path(), stop=None, anchor=None)  # what a node is told
        self._unable_here: dict[str, bool] = {}  # of bots that cannot play on a node, by name
        self._code = {package: describe_code(package) for package in sorted(set(_list_packages(plan)))}
        self._nodes: dict[str, RemoteNode] = {}  # that play, by address
        self._not_before: dict[str, float] = {}  # when a node is tried again, by address
        self._last_notes: dict[str, str] = {}  # on nodes that do not play, by address

    async def open_first(self, nursery: trio.Nursery) -> None:
        """Let the nodes play that are there, at least one.

        Raises:
            ConfigError: there is none, or they cannot be asked for, or the code on one is another, or all are refused.
        """
        for _ in range(FIRST_LOOKS):
            try:
                found = await self._cluster.list_nodes()
            except OSError as error:
                raise ConfigError(f"{self._plan.engine}: {error}") from None
            if found:
                break
            await trio.sleep(LOOK_SECONDS)
        else:
            raise ConfigError(f"{self._plan.engine}: no machine is there; start a worker on one")
        async with trio.open_nursery() as opening:
            for address, processors in found.items():
                opening.start_soon(partial(self._open_node, address, processors, nursery, is_first=True))
        if not self._nodes:
            raise ConfigError(
                f"{self._plan.engine}: none of the machines can play: {'; '.join(self._last_notes.values())}"
            )

    async def find_more(self, nursery: trio.Nursery) -> None:
        """Look for nodes that come and go, for ever."""
        while True:
            await trio.sleep(LOOK_SECONDS)
            try:
                found = await self._cluster.list_nodes()
            except OSError:
                continue  # the nodes will tell whether they are gone
            for address in [address for address in self._nodes if address not in found]:
                self._nodes[address].lose("it has left")
            for address, processors in found.items():
                if address not in self._nodes and trio.current_time() >= self._not_before.get(address, -inf):
                    self._not_before[address] = inf
                    nursery.start_soon(self._open_node, address, processors, nursery)

    async def close(self) -> None:
        """End all nodes."""
        async with trio.open_nursery() as closing:
            for node in self._nodes.values():
                closing.start_soon(node.close)

    async def _open_node(self, address: str, processors: int, nursery: trio.Nursery, *, is_first: bool = False) -> None:
        """Make places of a node, unless it is refused, which is noted.

        Raises:
            ConfigError: at the beginning: the code there is another.
        """
        self._not_before[address] = inf
        node = RemoteNode(address)
        try:
            await node.open(self._cluster, self._plan)
            report: MachineReport = await node.call("describe", list(self._code), seconds=DESCRIBE_SECONDS)
            there = address.partition("://")[2] or address
            node.label, machine = f"{report.name} ({there})", f"{report.name} ({there.rpartition(':')[0] or there})"
            differences = "; ".join(describe_differences(self._code, report.code))
            if differences and is_first:
                raise ConfigError(f"{node.label} would play other games: {differences}")
            if why := differences or "; ".join(report.problems) or await self._install_bots(node):
                raise PlaceLost(f"{node.label} does not play: {why}")
        except PlaceLost as lost:
            self._not_before[address] = trio.current_time() + RETRY_SECONDS
            if self._last_notes.get(address) != str(lost):
                self._last_notes[address] = str(lost)
                self._show_note(str(lost))
            await node.close()
            return
        self._last_notes.pop(address, None)
        self._nodes[address] = node
        nursery.start_soon(self._serve_node, node)
        open_worker = partial(node.open_worker, self._bots, self._plan.pinned, processors)
        tables = max(1, self._plan.games_at_once // self._plan.workers)
        for _ in range(processors):
            place = WorkerPlace(open_worker=open_worker, tables=tables, machine=machine, kind=report.kind)
            self._add_place(place)

    async def _install_bots(self, node: RemoteNode) -> str:
        """Give a node the bots that it lacks, and try them there; return why it cannot play with them, "" if it can.

        A bot that does not play here either is no reason: it forfeits its games wherever they are played.
        """
        for digest in await node.call("list_missing", list(self._archives)):
            trouble: str | None = await node.call("install", self._archives[digest], seconds=INSTALL_SECONDS)
            if trouble:
                names = [
                    name for name, bot in self._bots.items() if bot.folder is not None and bot.folder.name == digest
                ]
                return f"{', '.join(names)}: {trouble}"
        travelling = [bot for bot in self._bots.values() if bot.folder is not None]
        unable: dict[str, str] = await node.call("try_bots", self._rules, travelling, seconds=INSTALL_SECONDS)
        for name in unable:
            if name not in self._unable_here:
                self._unable_here[name] = await trio.to_thread.run_sync(self._is_unable_here, name)
        return "; ".join(f"{name}: {why}" for name, why in unable.items() if not self._unable_here[name])

    def _is_unable_here(self, name: str) -> bool:
        """Tell whether a bot does not play on this machine either: then it is the bot that is broken."""
        bots = [entrant for entrant in self._plan.entrants if entrant.name == name]
        return bool(find_unable(self._rules, Registry().find_game(self._plan.game), bots))

    async def _serve_node(self, node: RemoteNode) -> None:
        """Hand on what the workers of a node say, until it is lost."""
        await node.read()
        del self._nodes[node.address]
        self._not_before[node.address] = trio.current_time() + RETRY_SECONDS
        await node.close()


class RemoteNode:
    """A node and its workers, as seen from here."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.label = address  # for people
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

    async def call(self, method: str, *args: object, seconds: float = CALL_SECONDS) -> Any:  # noqa: ANN401 - as the method returns
        """Call a method of the node.

        Raises:
            PlaceLost: it is lost, or does not answer in time, and is lost by that.
        """
        assert self._calls is not None
        if self._lost is not None:
            raise self._lost
        return await self._guard(self._calls.call(method, *args), seconds)

    def lose(self, reason: str) -> None:
        """Take it that the node is gone, with all its workers."""
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
        """Describe how the worker ended, for people. Only after its block."""
        return self._exit

    def hear(self, lines: bytes) -> None:
        """Take lines that the worker said; none: it has ended."""
        with suppress(trio.ClosedResourceError):  # its place is lost
            for line in lines.splitlines():
                self._lines.send_nowait(line)
            if not lines:
                self._lines.close()

    def lose_place(self, why: str) -> None:
        """Take it that the worker is gone, with its place."""
        self.lost_place = self.lost_place or why
        self._lines.close()

    async def forward_messages(self) -> None:
        """Tell the worker what is queued for it, until it is asked to stop; then wait for its end."""
        with trio.CancelScope(shield=True), suppress(PlaceLost):
            async for message in self._outgoing:
                await self._node.call("write", self._number, [self._encode(message)])
            self._exit = await self._node.call(
                "stop", self._number, self._stop_seconds, seconds=STOP_SECONDS + CALL_SECONDS
            )

    def _encode(self, message: ParentMessage) -> bytes:
        if isinstance(message, PlayBatch):
            message = replace(message, entrants=tuple(self._bots[entrant.name] for entrant in message.entrants))
        return encode_line(message)


def _list_packages(plan: Plan) -> Iterator[str]:
    """Yield the Python packages whose code decides how the games of a tournament go."""
    yield from ("pitboss", "pitboss_tournament")
    yield type(plan.options).__module__.partition(".")[0]  # as a rule the game's
    yield from (entry.module.partition(".")[0] for entry in entry_points(group=PROJECT) if entry.name == plan.game)
    for entrant in plan.entrants:
        if entrant.folder is None and MODULE_WORD in entrant.command[:-1]:
            yield entrant.command[entrant.command.index(MODULE_WORD) + 1].partition(".")[0]


@asynccontextmanager
async def open_node_places(
    plan: Plan, cluster: Cluster, add_place: AddPlace, show_note: ShowNote
) -> AsyncIterator[None]:
    """Context manager: the nodes of a cluster are places.

    Raises:
        ConfigError: a bot cannot travel; there is no node, or the code on one is another, or all are refused.
    """
    nodes = NodePlaces(plan, cluster, add_place, show_note)
    async with trio.open_nursery() as nursery:
        try:
            await nodes.open_first(nursery)
            nursery.start_soon(nodes.find_more, nursery)
            yield
        finally:
            nursery.cancel_scope.cancel()
            with trio.CancelScope(shield=True):
                await nodes.close()
