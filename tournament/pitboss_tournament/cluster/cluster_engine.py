"""Playing on the nodes of a cluster, whatever carries the calls to them.

Each node is asked what it is, is given the bots that it lacks, and becomes places; nodes that come later join, and
those that do not answer are lost, without blame for any game. A node that was lost is tried again, as it may have been
asleep.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from math import inf
from pathlib import Path
from typing import Final

import trio
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss.plugins.hookspec import PROJECT
from pitboss.plugins.installed_entries import find_entries
from pitboss.plugins.registry import load_played_game
from pitboss_tournament.cluster.bot_trial import try_bots
from pitboss_tournament.cluster.machine import MachineReport, describe_code, describe_differences
from pitboss_tournament.cluster.remote_node import DESCRIBE_SECONDS, Cluster, RemoteNode
from pitboss_tournament.cluster.travelling_bots import BotArchive, pack_bot
from pitboss_tournament.plan.plan import Entrant, Plan
from pitboss_tournament.running.engine import AddPlace, PlaceLost, ShowNote, WorkerPlace
from pitboss_tournament.store.game_code import find_package

INSTALL_SECONDS: Final = 1_800.0  # to receive and build a bot
LOOK_SECONDS: Final = 1.0  # between looks for new nodes
FIRST_NODE_SECONDS: Final = 30.0  # to find a node that can play
RETRY_SECONDS: Final = 10.0  # after a node was lost or refused, until it is tried again

MODULE_WORD: Final = "-m"  # in the command of a named bot, before its module


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
        self._refused = set[str]()  # addresses of nodes that are there, and cannot play
        self._last_notes: dict[str, str] = {}  # on nodes that do not play, by address

    async def open_first(self, nursery: trio.Nursery) -> None:
        """Make places of the nodes that are there, at least of one. A node that is lost meanwhile is tried again.

        Raises:
            ConfigError: there is none, or they cannot be asked for, or the code on one is another, or all are refused.
        """
        deadline = trio.current_time() + FIRST_NODE_SECONDS
        while trio.current_time() < deadline:
            try:
                found = await self._cluster.list_nodes()
            except OSError as error:
                raise ConfigError(f"{self._plan.engine}: {error}") from None
            async with trio.open_nursery() as opening:
                for address in found.keys() - self._refused:
                    opening.start_soon(partial(self._open_node, address, found[address], nursery, is_first=True))
            if self._nodes:
                return
            if found and self._refused.issuperset(found):
                break
            await trio.sleep(LOOK_SECONDS)
        why = "; ".join(self._last_notes.values())
        said = f"none of the machines can play: {why}" if why else "no machine is there; start a worker on one"
        raise ConfigError(f"{self._plan.engine}: {said}")

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
            nursery.start_soon(self._serve_node, node)
            there = address.partition("://")[2] or address
            node.label, machine = f"{report.name} ({there})", f"{report.name} ({there.rpartition(':')[0] or there})"
            differences = "; ".join(describe_differences(self._code, report.code))
            if differences and is_first:
                raise ConfigError(f"{node.label} would play other games: {differences}")
            if why := differences or "; ".join(report.problems) or await self._install_bots(node):
                self._refused.add(address)
                raise PlaceLost(f"{node.label} does not play: {why}")
        except PlaceLost as lost:
            self._not_before[address] = trio.current_time() + RETRY_SECONDS
            if self._last_notes.get(address) != str(lost):
                self._last_notes[address] = str(lost)
                self._show_note(str(lost))
            await node.close()
            return
        self._last_notes.pop(address, None)
        self._refused.discard(address)
        self._nodes[address] = node
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
        return bool(try_bots(self._rules, bots))

    async def _serve_node(self, node: RemoteNode) -> None:
        """Hand on what the workers of a node say, until it is lost; so it is also while it is given bots."""
        await node.read()
        if self._nodes.pop(node.address, None) is not None:
            self._not_before[node.address] = trio.current_time() + RETRY_SECONDS
            await node.close()


def _list_packages(plan: Plan) -> Iterator[str]:
    """Yield the Python packages whose code decides how the games of a tournament go."""
    yield from ("pitboss", "pitboss_tournament")
    yield find_package(load_played_game(plan.game))
    yield from (entry.module.partition(".")[0] for entry in find_entries(PROJECT) if entry.name == plan.game)
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
