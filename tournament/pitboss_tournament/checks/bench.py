"""What checks work with: the bot, the room, a place for files; and what has been seen of the bot once is not asked for again."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar, cast

from msgspec.structs import replace

from pitboss.plugins import Registry
from pitboss_tournament.checks.check import Broken
from pitboss_tournament.checks.sitting import Sitting
from pitboss_tournament.checks.subject import Setting, Subject, entrant_of
from pitboss_tournament.checks.visit import Course, Room, Visit
from pitboss_tournament.planning.plan import Entrant
from pitboss_tournament.processes.trouble import CannotStart

T = TypeVar("T")


class Bench:
    """What the checks of one bot share."""

    def __init__(self, bot: Subject, registry: Registry, room: Room, scratch: Path) -> None:
        self.bot = bot
        self.registry = registry
        self.room = room
        self.scratch = scratch  # a folder of our own
        self.courses: list[Course] = []  # all whole games
        self._known: dict[str, object] = {}

    @property
    def start_s(self) -> float:
        """How long the bot may take to start."""
        return self.bot.clock.start_ms / 1000

    @property
    def decision_s(self) -> float:
        """How long the bot may take to decide."""
        return self.bot.clock.decision_ms / 1000

    async def once(self, what: str, observe: Callable[[], Awaitable[T]]) -> T:
        """Return what is observed; the second time what was observed the first time."""
        if what not in self._known:
            self._known[what] = await observe()
        return cast(T, self._known[what])

    def entrant(self) -> Entrant:
        """Return the bot as the runner starts it."""
        return entrant_of(self.bot, self.registry)

    @asynccontextmanager
    async def visit(self, entrant: Entrant | None = None) -> AsyncIterator[Visit]:
        """Start the bot; it is gone at the end of the block."""
        try:
            visit = Visit(self.room, entrant or self.entrant())
        except CannotStart as wrong:
            raise Broken(str(wrong)) from None
        try:
            yield visit
        finally:
            visit.leave()

    @asynccontextmanager
    async def sitting(
        self, entrant: Entrant | None = None, *, seat: int = 0, setting: Setting | None = None
    ) -> AsyncIterator[Sitting]:
        """Start the bot for a game that is led by hand."""
        async with self.visit(entrant) as visit:
            yield Sitting(visit, setting or self.bot.first_setting(), self.bot.clock, self.bot.seed, seat)

    def copied(self, name: str) -> Entrant:
        """Return the bot as it is started in a copy of its folder."""
        folder = self.scratch / name
        shutil.copytree(self.bot.base, folder, symlinks=True, ignore=shutil.ignore_patterns(".git", "__pycache__"))
        return entrant_of(replace(self.bot, base=folder), self.registry)
