"""The suite: which checks there are, `check_bot`, which runs them, and the report that it returns."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from time import perf_counter
from types import ModuleType
from typing import Annotated, Final, TypeAlias

import trio
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss.plugins.registry import Registry
from pitboss.testing.framework.check import CheckFailed, CheckOutcome, CheckResult, collect_checks
from pitboss.testing.framework.check_runner import CheckRunner
from pitboss.text import suggest_nearest, truncate_text
from pitboss_tournament.bot_checks.bot_under_test import BotUnderTest
from pitboss_tournament.bot_checks.check_context import CheckContext
from pitboss_tournament.bot_checks.early_runs import BotCheck, EarlyRuns
from pitboss_tournament.bot_checks.families import (
    first_answers,
    greeting,
    launch_environment,
    manners,
    many_tables,
    program,
    robustness,
    shutdown,
    speed,
    whole_games,
)
from pitboss_tournament.match.model_link import choose_first
from pitboss_tournament.processes.cpu import available_cpus
from pitboss_tournament.processes.supervisor import open_supervisor

FAMILIES: Final[Mapping[str, ModuleType]] = {  # by the name of the group in reports and docs
    "program": program,
    "greeting": greeting,
    "answering": first_answers,
    "playing": whole_games,
    "understanding": robustness,
    "starting": launch_environment,
    "leaving": shutdown,
    "speed": speed,
    "manners": manners,
    "tables": many_tables,
}
SITUATIONS: Final = ("understanding", "starting")  # groups whose checks name the cure: usual games went well before
EVERY_CHECK: Final[Sequence[BotCheck]] = tuple(
    replace(check, group=group) for group, family in FAMILIES.items() for check in collect_checks([family])
)
MIN_TIMEOUT_S: Final = 60.0  # of one check; slow bots get ten starts and thirty decisions
MAX_DETAIL_CHARS: Final = 601
OnResult: TypeAlias = Callable[[CheckResult], None]


class BotReport(Struct, frozen=True, kw_only=True):
    """What `pitboss check` found out about a bot."""

    bot: Annotated[str, Meta(description="The bot's name.")]
    command: Annotated[list[str], Meta(description="How it was started; empty if that could not be found out.")]
    games: Annotated[list[str], Meta(description="The games that it was asked to play.")]
    sandbox: Annotated[str, Meta(description='Its level: "bubblewrap", "landlock" or "none".')]
    seed: Annotated[str, Meta(description="All deals and all choices of its opponents follow from it.")]
    whole_games: Annotated[int, Meta(description="How many games it played to their end.")]
    decisions: Annotated[int, Meta(description="How many decisions it made in these and in games cut short.")]
    checks: list[CheckResult]
    error: Annotated[
        str | UnsetType, Meta(description="Why the bot, one of several, could not be checked: then `checks` is empty.")
    ] = UNSET
    left_out: Annotated[
        int | UnsetType, Meta(description="With --failed: how many checks did not fail, and are not in `checks`.")
    ] = UNSET

    def keep_failed(self) -> BotReport:
        """Return the report with the failed checks alone."""
        failed = self.results_with("failed")
        return replace(self, checks=failed, left_out=len(self.checks) - len(failed))

    @property
    def is_good(self) -> bool:
        """Whether the bot was checked, and no check failed."""
        return self.error is UNSET and not self.results_with("failed")

    def results_with(self, outcome: CheckOutcome) -> list[CheckResult]:
        """Return the results with this outcome."""
        return [result for result in self.checks if result.outcome == outcome]


CheckOutput: TypeAlias = BotReport | list[BotReport]


def check_bot(
    bot: BotUnderTest, registry: Registry, only: Collection[str] = (), on_result: OnResult = lambda result: None
) -> BotReport:
    """Run the named checks and all that they build upon on a bot (by default all checks); return the report.

    Raises:
        ConfigError: there is no check of a name.
        MachineError: the machine has no means to start a bot (in an exception group).
    """
    return trio.run(_check_bot, bot, registry, select_checks(only), on_result)


def select_checks(only: Collection[str]) -> list[BotCheck]:
    """Return the named checks and all that they build upon in suite order; all checks if none is named.

    Raises:
        ConfigError: there is no check of a name.
    """
    known = {check.name: check for check in EVERY_CHECK}
    wanted: set[str] = set()
    waiting = list(only or known)
    while waiting:
        name = waiting.pop()
        if name not in known:
            raise ConfigError(
                f"there is no check {name!r}{suggest_nearest(name, known)}; "
                "`pitboss check BOT --verbose` names them all"
            )
        if name not in wanted:
            wanted.add(name)
            waiting += known[name].after
    return [check for check in EVERY_CHECK if check.name in wanted]


async def _check_bot(
    bot: BotUnderTest, registry: Registry, checks: Sequence[BotCheck], on_result: OnResult
) -> BotReport:
    runner = CheckRunner(checks)
    results: list[CheckResult] = []
    with tempfile.TemporaryDirectory(prefix="pitboss-check-") as scratch:
        async with open_supervisor(bot.sandbox, available_cpus(), ask_model=choose_first) as supervisor:
            context = CheckContext(bot, registry, supervisor, Path(scratch))
            early_runs, held = EarlyRuns(checks, context, _run_check), set[str]()
            for check in checks:
                is_blocked = runner.skip_if_blocked(check)
                early = None if is_blocked else await early_runs.settle(check, held)
                began = perf_counter()
                if not is_blocked:
                    with runner.judge(check) as details:
                        details.append(early.repeat() if early else await _run_check(check, context) or "")
                ms = early.ms if early else int((perf_counter() - began) * 1000)
                result = runner.result_of(check)
                if result.outcome in ("passed", "not applicable"):
                    held.add(check.name)
                detail = truncate_text(result.detail, MAX_DETAIL_CHARS)
                results.append(replace(result, detail=detail, ms=0 if result.outcome == "skipped" else ms))
                on_result(results[-1])
    return BotReport(
        bot=bot.name,
        command=list(bot.command),
        games=[game.name for game in bot.games],
        sandbox=bot.sandbox,
        seed=bot.seed,
        whole_games=sum(watched.games_played for watched in context.watched_games),
        decisions=sum(len(watched.answers) for watched in context.watched_games),
        checks=results,
    )


async def _run_check(check: BotCheck, context: CheckContext) -> str | None:
    """Run a check and return the details of a pass.

    Raises:
        CheckFailed: the check failed, the bot cannot be entered, or the check took longer than its timeout.
        NotApplicable, CheckNote: as the check raised it.
    """
    clock = context.bot.clock
    timeout_s = max(
        MIN_TIMEOUT_S,
        (10 * clock.start_ms + 30 * clock.decision_ms) / 1000,
        (2 * context.bot.longest_game_s + context.start_s) * len(context.bot.tables()),
    )
    try:
        with trio.fail_after(timeout_s):
            return await check.function(context)
    except ConfigError as error:
        raise CheckFailed(str(error)) from None
    except CheckFailed as failure:
        if check.group in SITUATIONS:
            failure.advice = check.advice
        raise
    except trio.TooSlowError:
        raise CheckFailed(f"it was not settled in {timeout_s:g} s") from None
