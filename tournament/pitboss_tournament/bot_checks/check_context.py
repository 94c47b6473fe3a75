"""What the checks of one bot share: the bot, the supervisor, a scratch folder, and observations made once."""

from __future__ import annotations

import dataclasses
import shutil
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TypeVar, cast

import trio
from msgspec.structs import replace

from pitboss.loadouts import place_loadouts
from pitboss.plugins.registry import Registry
from pitboss.protocol.messages import Clock
from pitboss.simulation.game_setup import GameSetup
from pitboss.testing.framework.check import CheckFailed
from pitboss_tournament.bot_checks.bot_under_test import BotUnderTest, make_entrant
from pitboss_tournament.bot_checks.diagnosis import advise_flush
from pitboss_tournament.bot_checks.raw_connection import RawConnection
from pitboss_tournament.bot_checks.scripted_table import ScriptedTable
from pitboss_tournament.bot_checks.watched_games import WatchedGames, make_hello
from pitboss_tournament.match.model_link import serve_stand_in
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.processes.cpu import available_cpus
from pitboss_tournament.processes.start_errors import BotStartError
from pitboss_tournament.processes.supervisor import BotSupervisor

T = TypeVar("T")


class CheckContext:
    """The bot under test and what its checks share: registry, supervisor, scratch folder, observations."""

    def __init__(self, bot: BotUnderTest, registry: Registry, supervisor: BotSupervisor, scratch: Path) -> None:
        self.bot = bot
        self.registry = registry
        self.supervisor = supervisor
        self.scratch = scratch  # a folder
        self.free_tables = trio.CapacityLimiter(available_cpus())  # for whole games, of all checks together
        self.watched_games: list[WatchedGames] = []  # of all whole games
        self.observations: dict[object, object] = {}  # by the function that made them
        self.observing: dict[object, trio.Lock] = {}  # held while an observation is made

    @property
    def start_s(self) -> float:
        """Time limit of the start in seconds."""
        return self.bot.clock.start_ms / 1000

    @property
    def decision_s(self) -> float:
        """Time limit of a decision in seconds."""
        return self.bot.clock.decision_ms / 1000

    @property
    def flush_advice(self) -> str:
        """How a bot of this language flushes its output."""
        return advise_flush(self.bot.language, self.bot.command)

    def entrant(self) -> Entrant:
        """Return the bot as an entrant."""
        return make_entrant(self.bot, self.registry)

    @asynccontextmanager
    async def open_table(
        self,
        entrant: Entrant | None = None,
        *,
        seat: int = 0,
        setup: GameSetup | None = None,
        clock: Clock | None = None,
        is_new: bool = False,
    ) -> AsyncIterator[ScriptedTable]:
        """Context manager: start the bot at a scripted table; end it at the end of the block.

        `is_new`: the bot has not been greeted, also where checks share a process (`OneProcessContext`).

        Raises:
            CheckFailed: the bot cannot be started.
        """
        setup = setup or self.bot.first_table()
        try:
            started = entrant or self.entrant()
            process = self.supervisor.start(started, serve=None if started.model is None else serve_stand_in)
        except BotStartError as wrong:
            raise CheckFailed(str(wrong)) from None
        hello = make_hello(setup, seat, self.bot.seed, clock or self.bot.clock)
        try:
            yield ScriptedTable(RawConnection(process), _bring_loadout(setup, seat, started), hello)
        finally:
            self.supervisor.end(process)

    @asynccontextmanager
    async def open_game(self, questions: int = 0) -> AsyncIterator[ScriptedTable]:
        """Context manager: start the bot at a scripted table, begin a game and ask some questions in it."""
        async with self.open_table() as table:
            await table.begin_game(questions)
            yield table

    def copy_bot(self, name: str) -> Entrant:
        """Copy the bot's folder and return the entrant that runs in the copy."""
        folder = Path(tempfile.mkdtemp(dir=self.scratch)) / name
        shutil.copytree(self.bot.base, folder, symlinks=True, ignore=shutil.ignore_patterns(".git", "__pycache__"))
        return make_entrant(replace(self.bot, base=folder), self.registry)


class OneProcessContext(CheckContext):
    """The context of checks that run one after another in one process of the bot, each in a game of its own.

    A check that wants another seat, table, clock, command or greeting gets a process of its own. After a check that
    has not passed, or output that no check has asked for, the next check gets a new process.
    """

    def __init__(self, context: CheckContext) -> None:
        super().__init__(context.bot, context.registry, context.supervisor, context.scratch)
        self.observations, self.observing = context.observations, context.observing
        self._kept: ScriptedTable | None = None  # a table whose bot waits for a game
        self._process = AsyncExitStack()  # ends the bot of the kept table

    @asynccontextmanager
    async def open_table(
        self,
        entrant: Entrant | None = None,
        *,
        seat: int = 0,
        setup: GameSetup | None = None,
        clock: Clock | None = None,
        is_new: bool = False,
    ) -> AsyncIterator[ScriptedTable]:
        """Context manager: a scripted table whose bot may have played games of other checks; raises as elsewhere."""
        if is_new or seat or entrant or setup or clock:
            async with super().open_table(entrant, seat=seat, setup=setup, clock=clock) as table:
                yield table
            return
        kept, self._kept = self._kept, None
        table = await self._process.enter_async_context(super().open_table()) if kept is None else kept
        try:
            yield table
            if await table.leave_game():
                self._kept = table
        finally:
            if self._kept is None:
                await self.close()

    async def close(self) -> None:
        """End the shared process, if there is one."""
        self._kept = None
        await self._process.aclose()


def _bring_loadout(setup: GameSetup, seat: int, bot: Entrant) -> GameSetup:
    """Return the setup of a game to which the bot in a seat brings its loadout, if the game takes any."""
    brought = [bot.loadout_content if number == seat else None for number in range(setup.seats)]
    return dataclasses.replace(setup, options=place_loadouts(setup.game, setup.options, brought))


def observe_once(observe: Callable[[CheckContext], Awaitable[T]]) -> Callable[[CheckContext], Awaitable[T]]:
    """Make `observe` return, for one context, what it returned on the first call."""

    async def recall_observation(context: CheckContext) -> T:
        async with context.observing.setdefault(observe, trio.Lock()):
            if observe not in context.observations:
                context.observations[observe] = await observe(context)
        return cast(T, context.observations[observe])

    return recall_observation
