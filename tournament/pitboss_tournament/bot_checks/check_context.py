"""What the checks of one bot share: the bot, the supervisor, a scratch folder, and observations made once."""

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
from pitboss_tournament.bot_checks.bot_under_test import BotUnderTest, make_entrant
from pitboss_tournament.bot_checks.raw_connection import RawConnection
from pitboss_tournament.bot_checks.scripted_table import ScriptedTable
from pitboss_tournament.bot_checks.watched_games import WatchedGames
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.processes.start_errors import BotStartError
from pitboss_tournament.processes.supervisor import BotSupervisor

T = TypeVar("T")


class CheckContext:
    """What the checks of one bot share."""

    def __init__(self, bot: BotUnderTest, registry: Registry, supervisor: BotSupervisor, scratch: Path) -> None:
        self.bot = bot
        self.registry = registry
        self.supervisor = supervisor
        self.scratch = scratch  # a folder
        self.watched_games: list[WatchedGames] = []  # of all whole games
        self._observations: dict[str, object] = {}

    @property
    def start_s(self) -> float:
        """Time limit of the start."""
        return self.bot.clock.start_ms / 1000

    @property
    def decision_s(self) -> float:
        """Time limit of a decision."""
        return self.bot.clock.decision_ms / 1000

    async def observe_once(self, name: str, observe: Callable[[], Awaitable[T]]) -> T:
        """Return the observation called `name`, making it on the first call."""
        if name not in self._observations:
            self._observations[name] = await observe()
        return cast(T, self._observations[name])

    def entrant(self) -> Entrant:
        """Return the bot as an entrant."""
        return make_entrant(self.bot, self.registry)

    @asynccontextmanager
    async def open_connection(self, entrant: Entrant | None = None) -> AsyncIterator[RawConnection]:
        """Start the bot and connect to it; terminate it at the end of the block."""
        try:
            connection = RawConnection(self.supervisor, entrant or self.entrant())
        except BotStartError as wrong:
            raise CheckFailed(str(wrong)) from None
        try:
            yield connection
        finally:
            connection.terminate()

    @asynccontextmanager
    async def open_table(
        self, entrant: Entrant | None = None, *, seat: int = 0, table: GameSetup | None = None
    ) -> AsyncIterator[ScriptedTable]:
        """Start the bot at a scripted table."""
        async with self.open_connection(entrant) as connection:
            yield ScriptedTable(connection, table or self.bot.first_table(), self.bot.clock, self.bot.seed, seat)

    def copy_bot(self, name: str) -> Entrant:
        """Copy the bot's folder and return the entrant that runs in the copy."""
        folder = self.scratch / name
        shutil.copytree(self.bot.base, folder, symlinks=True, ignore=shutil.ignore_patterns(".git", "__pycache__"))
        return make_entrant(replace(self.bot, base=folder), self.registry)
