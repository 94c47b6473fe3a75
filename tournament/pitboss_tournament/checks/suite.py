"""The suite: which checks there are, and one call that puts a bot through them all."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from time import perf_counter
from types import ModuleType
from typing import Final, TypeAlias

import trio

from pitboss.errors import ConfigError
from pitboss.plugins import Registry
from pitboss.text import suggest_nearest
from pitboss_tournament.checks.bot_check import (
    BotCheck,
    BotCheckFailed,
    BotCheckNote,
    BotCheckOutcome,
    BotCheckResult,
    BotCheckSkipped,
    BotReport,
    shorten,
)
from pitboss_tournament.checks.bot_under_test import BotUnderTest
from pitboss_tournament.checks.check_context import CheckContext
from pitboss_tournament.checks.families import (
    first_answers,
    greeting,
    launch_environment,
    manners,
    program,
    robustness,
    shutdown,
    speed,
    whole_games,
)
from pitboss_tournament.checks.raw_connection import open_bot_supervisor

GROUPS: Final[Sequence[ModuleType]] = (
    program, greeting, first_answers, robustness, launch_environment, shutdown, whole_games, speed, manners,
)  # fmt: skip
EVERY_CHECK: Final[Sequence[BotCheck]] = tuple(
    one
    for group in GROUPS
    for one in vars(group).values()
    if isinstance(one, BotCheck) and one.run.__module__ == group.__name__
)
LEAST_SECONDS: Final = 60.0  # a check that is not settled after this, or ten starts and thirty decisions, is broken

OnResult: TypeAlias = Callable[[BotCheckResult], None]


def check_bot(
    bot: BotUnderTest, registry: Registry, only: Collection[str] = (), on_result: OnResult = lambda verdict: None
) -> BotReport:
    """Put a bot through every check, or through some and those that they build upon, and return what was found.

    Raises:
        ConfigError: there is no check of a name.
        RoomTrouble: the machine has no means to start a bot (in an exception group).
    """
    return trio.run(_check_bot, bot, registry, select_checks(only), on_result)


def select_checks(only: Collection[str]) -> list[BotCheck]:
    """Return the checks of these names with all that they build upon; all checks if none is named.

    Raises:
        ConfigError: there is no check of a name.
    """
    known = {one.name: one for one in EVERY_CHECK}
    wanted: set[str] = set()
    waiting = list(only or known)
    while waiting:
        name = waiting.pop()
        if name not in known:
            raise ConfigError(
                f"there is no check {name!r}{suggest_nearest(name, known)}; `pitboss check BOT --verbose` names them all"
            )
        if name not in wanted:
            wanted.add(name)
            waiting += known[name].after
    return [one for one in EVERY_CHECK if one.name in wanted]


async def _check_bot(
    bot: BotUnderTest, registry: Registry, checks: Sequence[BotCheck], on_result: OnResult
) -> BotReport:
    verdicts: dict[str, BotCheckResult] = {}
    causes: dict[str, str] = {}  # by check that cannot tell anything any more: the broken one that is the cause
    with tempfile.TemporaryDirectory(prefix="pitboss-check-") as scratch:
        async with open_bot_supervisor(bot) as room:
            bench = CheckContext(bot, registry, room, Path(scratch))
            for one in checks:
                cause = next((causes[before] for before in one.after if before in causes), None)
                verdict = _skip_check(one, cause) if cause else await _run_check(one, bench)
                if cause or verdict.outcome == "broken":
                    causes[one.name] = cause or one.name
                verdicts[one.name] = verdict
                on_result(verdict)
    return BotReport(
        bot=bot.name,
        command=list(bot.command),
        games=[game.name for game in bot.games],
        sandbox=bot.sandbox,
        seed=bot.seed,
        decisions=sum(len(course.answers) for course in bench.watched_games),
        checks=list(verdicts.values()),
    )


async def _run_check(one: BotCheck, context: CheckContext) -> BotCheckResult:
    began = perf_counter()
    seen = stderr = cure = ""
    outcome: BotCheckOutcome = "kept"
    clock = context.bot.clock
    most = max(
        LEAST_SECONDS,
        (10 * clock.start_ms + 30 * clock.decision_ms) / 1000,
        2 * context.bot.game_seconds * len(context.bot.tables()),
    )
    try:
        with trio.fail_after(most):
            seen = await one.run(context)
    except BotCheckFailed as broken:
        outcome, seen, stderr, cure = "broken", broken.seen, broken.stderr, broken.advice or one.advice
    except BotCheckSkipped as skipped:
        outcome, seen = "skipped", str(skipped)
    except BotCheckNote as noted:
        outcome, seen, cure = "note", str(noted), one.advice
    except ConfigError as wrong:
        outcome, seen, cure = "broken", str(wrong), one.advice
    except trio.TooSlowError:
        outcome, seen, cure = "broken", f"it was not settled in {most:g} s", one.advice
    ms = int((perf_counter() - began) * 1000)
    return BotCheckResult(
        name=one.name,
        group=one.group,
        promise=one.promise,
        outcome=outcome,
        seen=shorten(seen),
        stderr=stderr,
        cure=cure,
        ms=ms,
    )


def _skip_check(one: BotCheck, cause: str) -> BotCheckResult:
    return BotCheckResult(
        name=one.name, group=one.group, promise=one.promise, outcome="skipped", seen=f"`{cause}` is broken"
    )
