"""What checks work with: the bot, the room, a place for files; and what has been seen of the bot once is not asked for again."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar, cast

from msgspec.structs import replace

from pitboss.game_setup import GameSetup
from pitboss.plugins import Registry
from pitboss.testing.framework.check import CheckFailed
from pitboss_tournament.checks.bot_under_test import BotUnderTest, make_entrant
from pitboss_tournament.checks.raw_connection import BotSupervisor, RawConnection, WatchedGames
from pitboss_tournament.checks.scripted_table import ScriptedTable
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.processes.start_errors import BotStartError

T = TypeVar("T")


class CheckContext:
    """What the checks of one bot share."""

    def __init__(self, bot: BotUnderTest, registry: Registry, supervisor: BotSupervisor, scratch: Path) -> None:
        self.bot = bot
        self.registry = registry
        self.supervisor = supervisor
        self.scratch = scratch  # a folder of our own
        self.watched_games: list[WatchedGames] = []  # all whole games
        self._observations: dict[str, object] = {}

    @property
    def start_s(self) -> float:
        """How long the bot may take to start."""
        return self.bot.clock.start_ms / 1000

    @property
    def decision_s(self) -> float:
        """How long the bot may take to decide."""
        return self.bot.clock.decision_ms / 1000

    async def observe_once(self, name: str, observe: Callable[[], Awaitable[T]]) -> T:
        """Return what is observed; the second time what was observed the first time."""
        if name not in self._observations:
            self._observations[name] = await observe()
        return cast(T, self._observations[name])

    def entrant(self) -> Entrant:
        """Return the bot as the runner starts it."""
        return make_entrant(self.bot, self.registry)

    @asynccontextmanager
    async def open_connection(self, entrant: Entrant | None = None) -> AsyncIterator[RawConnection]:
        """Start the bot; it is gone at the end of the block."""
        try:
            visit = RawConnection(self.supervisor, entrant or self.entrant())
        except BotStartError as wrong:
            raise CheckFailed(str(wrong)) from None
        try:
            yield visit
        finally:
            visit.terminate()

    @asynccontextmanager
    async def open_table(
        self, entrant: Entrant | None = None, *, seat: int = 0, table: GameSetup | None = None
    ) -> AsyncIterator[ScriptedTable]:
        """Start the bot for a game that is led by hand."""
        async with self.open_connection(entrant) as visit:
            yield ScriptedTable(visit, table or self.bot.first_table(), self.bot.clock, self.bot.seed, seat)

    def copy_bot(self, name: str) -> Entrant:
        """Return the bot as it is started in a copy of its folder."""
        folder = self.scratch / name
        shutil.copytree(self.bot.base, folder, symlinks=True, ignore=shutil.ignore_patterns(".git", "__pycache__"))
        return make_entrant(replace(self.bot, base=folder), self.registry)
