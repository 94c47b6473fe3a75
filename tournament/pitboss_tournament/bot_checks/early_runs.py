"""Checks run side by side, before their turn: a slow start or end of the bot is then waited for several times at once.

A check passes, or is found not to be applicable, in its early run. Any other result is only a reason to run the check
again by itself at its turn: a check fails by itself alone.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import nullcontext
from copy import copy
from time import perf_counter
from typing import Final, TypeAlias

import trio
from msgspec import Struct

from pitboss.errors import PitbossError
from pitboss.testing.framework.check import Check, CheckFailed, CheckNote, NotApplicable
from pitboss_tournament.bot_checks.check_context import CheckContext, OneProcessContext
from pitboss_tournament.processes.cpu import available_cpus

BotCheck: TypeAlias = Check[CheckContext, Awaitable[str | None]]
RunCheck: TypeAlias = Callable[[BotCheck, CheckContext], Awaitable[str | None]]

ONE_PROCESS: Final = "understanding"  # the group whose checks take turns in one process of the bot
WHOLE_GAMES: Final = "playing"  # the group whose checks share the free tables of their context
SIDE_BY_SIDE: Final = (  # all groups whose checks may run beside others
    "greeting", "answering", WHOLE_GAMES, ONE_PROCESS, "starting", "leaving", "manners", "tables",
)  # fmt: skip
AT_ONCE_PER_CPU: Final = 2  # checks, and tables with whole games: some bots compute, and some wait


class EarlyRun(Struct, frozen=True):
    """The result of a check that was run before its turn."""

    result: str | NotApplicable | None  # details of a pass, or why the promise says nothing
    ms: int

    def repeat(self) -> str:
        """Return the details of a pass, or raise `NotApplicable`, as the check did."""
        if isinstance(self.result, NotApplicable):
            raise self.result
        return self.result or ""


class EarlyRuns:
    """The checks of a bot that were run before their turn."""

    def __init__(self, checks: Sequence[BotCheck], context: CheckContext, run_check: RunCheck) -> None:
        """Have run nothing. `checks`: in their order; `run_check` raises `CheckFailed` for whatever a bot may do."""
        self._waiting = [check for check in checks if check.group in SIDE_BY_SIDE]
        self._context = context
        self._run_check = run_check
        self._settled: dict[str, EarlyRun] = {}
        self._free = trio.CapacityLimiter(AT_ONCE_PER_CPU * available_cpus())

    async def settle(self, check: BotCheck, held: Collection[str]) -> EarlyRun | None:
        """Return the early run of a check whose turn has come; None if the check is to be run by itself.

        If the check has not been run early, all that may be run now are: those whose earlier checks are settled or
        among the names `held`.
        """
        if check in self._waiting:
            known = {*held, *self._settled}
            ready = [one for one in self._waiting if known.issuperset(one.after)]
            self._waiting = [one for one in self._waiting if one not in ready]
            if len(ready) > 1:
                await self._run_side_by_side(ready)
        return self._settled.get(check.name)

    async def _run_side_by_side(self, checks: Sequence[BotCheck]) -> None:
        """Run checks; what they observe is forgotten unless it settles all of them."""
        context = copy(self._context)
        context.observations, context.observing = dict(context.observations), {}
        context.free_tables = trio.CapacityLimiter(AT_ONCE_PER_CPU * available_cpus())
        async with trio.open_nursery() as nursery:
            together = [check for check in checks if check.group == ONE_PROCESS]
            nursery.start_soon(self._run_in_one_process, together, context)
            for check in checks:
                if check.group != ONE_PROCESS:
                    nursery.start_soon(self._run, check, context)
        if all(check.name in self._settled for check in checks):
            self._context.observations.update(context.observations)

    async def _run_in_one_process(self, checks: Sequence[BotCheck], context: CheckContext) -> None:
        shared = OneProcessContext(context)
        try:
            for check in checks:
                await self._run(check, shared)
        finally:
            await shared.close()

    async def _run(self, check: BotCheck, context: CheckContext) -> None:
        """Run a check, and keep its result if that settles the check."""
        async with nullcontext() if check.group == WHOLE_GAMES else self._free:
            began = perf_counter()
            result: str | NotApplicable | None
            try:
                result = await self._run_check(check, context)
            except NotApplicable as reason:
                result = reason
            except (CheckFailed, CheckNote, PitbossError):
                return  # by itself it may be well
            self._settled[check.name] = EarlyRun(result, int((perf_counter() - began) * 1000))
