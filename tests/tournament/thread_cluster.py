"""A cluster without a network: its nodes are in a thread of this process. They start real workers."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import chain
from typing import Any

import trio
from msgspec.structs import replace

from pitboss_tournament.cluster.cluster_engine import open_node_places
from pitboss_tournament.cluster.dask_engine import RunInLoop, start_loop
from pitboss_tournament.cluster.node import ClusterNode
from pitboss_tournament.cluster.remote_node import NodeCalls
from pitboss_tournament.plan.plan import Plan
from pitboss_tournament.running.engine import AddPlace, Engine, ShowNote
from pitboss_tournament.running.progress_listener import ProgressListener
from pitboss_tournament.running.worker_protocol import FinishedGame, decode_worker_line, encode_line


class ThreadNode:
    """A node in the thread; it can be made to hang, or to be gone."""

    def __init__(self, run: RunInLoop, node: ClusterNode, report: Mapping[str, object]) -> None:
        self.node = node
        self.calls: list[str] = []
        self.ended: list[ClusterNode] = []  # that were in its place before
        self.is_gone = False
        self.hangs = False
        self.lies = False  # it swaps the points of all seats
        self.delay = 0.0  # seconds before the next `read` is passed on
        self._run = run
        self._report = report

    async def call(self, method: str, *args: Any) -> object:  # noqa: ANN401 - as the method takes them
        """Call a method of the node."""
        self.calls.append(method)
        if self.is_gone:
            raise ConnectionError("the wire is cut")
        if self.hangs:
            await trio.sleep_forever()
        if method == "read":
            delay, self.delay = self.delay, 0.0
            await trio.sleep(delay)
        if method == "describe":
            return replace(self.node.describe(*args), **self._report)

        async def answer() -> object:
            found = getattr(self.node, method)(*args)
            return await found if inspect.isawaitable(found) else found

        found = await self._run(answer)
        if method == "read" and self.lies:
            assert isinstance(found, list)
            return [(number, b"".join(map(_swap_points, lines.splitlines()))) for number, lines in found]
        return found

    async def release(self) -> None:
        """Let go of the node."""

    def start_anew(self) -> None:
        """Put a new node in its place, as after the death of the process that it is in."""
        self.ended.append(self.node)
        self.node = ClusterNode("none", False)


def _swap_points(line: bytes) -> bytes:
    message = decode_worker_line(line)
    if not isinstance(message, FinishedGame):
        return line + b"\n"
    one, *others = message.result.seats
    seats = (replace(one, points=others[-1].points + 1), *(replace(seat, points=one.points) for seat in others))
    return encode_line(replace(message, result=replace(message.result, seats=seats)))


class ThreadCluster:
    """Nodes by address; `reports` say of some what they report beside the truth."""

    def __init__(self, run: RunInLoop, addresses: Sequence[str], reports: Mapping[str, Mapping[str, object]]) -> None:
        self.addresses = list(addresses)
        self.nodes: dict[str, list[ThreadNode]] = {}  # all that were opened, by address
        self._run = run
        self._reports = reports

    async def list_nodes(self) -> dict[str, int]:
        """Return the addresses, one processor each."""
        return dict.fromkeys(self.addresses, 1)

    async def open_node(self, address: str, plan: Plan) -> NodeCalls:
        """Start a node; one whose address ends with `liar` lies."""
        node = ThreadNode(self._run, ClusterNode(plan.sandbox, plan.build_network), self._reports.get(address, {}))
        node.lies = address.endswith("liar")
        self.nodes.setdefault(address, []).append(node)
        return node


class ThreadEngine:
    """The engine; its cluster is there while the tournament is played."""

    def __init__(self, *addresses: str, reports: Mapping[str, Mapping[str, object]] | None = None) -> None:
        self.cluster: ThreadCluster
        self.engine = Engine(name="thread", summary="In a thread.", open_places=self._open_places)
        self._addresses = addresses
        self._reports = reports or {}

    @asynccontextmanager
    async def _open_places(self, plan: Plan, add_place: AddPlace, show_note: ShowNote) -> AsyncIterator[None]:
        with start_loop() as run:
            self.cluster = ThreadCluster(run, self._addresses, self._reports)
            try:
                async with open_node_places(plan, self.cluster, add_place, show_note):
                    yield
            finally:
                with trio.CancelScope(shield=True):
                    for node in chain.from_iterable(self.cluster.nodes.values()):
                        for each in (*node.ended, node.node):
                            await run(each.close)


class NoteListener(ProgressListener):
    """Keeps the notes on machines."""

    def __init__(self) -> None:
        self.notes = list[str]()

    def show_note(self, text: str) -> None:
        """Keep a note."""
        self.notes.append(text)
