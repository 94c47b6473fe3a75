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
from pitboss.options import nearest
from pitboss.plugins import Registry
from pitboss_tournament.checks import answering, greeting, leaving, manners, playing, program, speed, starting, understanding
from pitboss_tournament.checks.bench import Bench
from pitboss_tournament.checks.check import BotReport, Broken, Check, Noted, Outcome, Skipped, Verdict, shortened
from pitboss_tournament.checks.subject import Subject
from pitboss_tournament.checks.visit import opened

GROUPS: Final[Sequence[ModuleType]] = (
    program, greeting, answering, understanding, starting, leaving, playing, speed, manners,
)  # fmt: skip
EVERY_CHECK: Final[Sequence[Check]] = tuple(
    one
    for group in GROUPS
    for one in vars(group).values()
    if isinstance(one, Check) and one.group == group.__name__.rpartition(".")[2]
)
LEAST_SECONDS: Final = 60.0  # a check that is not settled after this, or ten starts and thirty decisions, is broken

OnVerdict: TypeAlias = Callable[[Verdict], None]


def examined(
    bot: Subject, registry: Registry, only: Collection[str] = (), on_verdict: OnVerdict = lambda verdict: None
) -> BotReport:
    """Put a bot through every check, or through some and those that they build upon, and return what was found.

    Raises:
        ConfigError: there is no check of a name.
        RoomTrouble: the machine has no means to start a bot (in an exception group).
    """
    return trio.run(_examined, bot, registry, chosen(only), on_verdict)


def chosen(only: Collection[str]) -> list[Check]:
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
            raise ConfigError(f"there is no check {name!r}{nearest(name, known)}; `pitboss check BOT --verbose` names them all")
        if name not in wanted:
            wanted.add(name)
            waiting += known[name].after
    return [one for one in EVERY_CHECK if one.name in wanted]


async def _examined(bot: Subject, registry: Registry, checks: Sequence[Check], on_verdict: OnVerdict) -> BotReport:
    verdicts: dict[str, Verdict] = {}
    causes: dict[str, str] = {}  # by check that cannot tell anything any more: the broken one that is the cause
    with tempfile.TemporaryDirectory(prefix="pitboss-check-") as scratch:
        async with opened(bot) as room:
            bench = Bench(bot, registry, room, Path(scratch))
            for one in checks:
                cause = next((causes[before] for before in one.after if before in causes), None)
                verdict = _blocked(one, cause) if cause else await _verdict(one, bench)
                if cause or verdict.outcome == "broken":
                    causes[one.name] = cause or one.name
                verdicts[one.name] = verdict
                on_verdict(verdict)
    return BotReport(
        bot=bot.name,
        command=list(bot.words),
        games=[game.name for game in bot.games],
        sandbox=bot.sandbox,
        seed=bot.seed,
        decisions=sum(len(course.answers) for course in bench.courses),
        checks=list(verdicts.values()),
    )


async def _verdict(one: Check, bench: Bench) -> Verdict:
    began = perf_counter()
    seen = stderr = cure = ""
    outcome: Outcome = "kept"
    clock = bench.bot.clock
    most = max(
        LEAST_SECONDS,
        (10 * clock.start_ms + 30 * clock.decision_ms) / 1000,
        2 * bench.bot.game_seconds * len(bench.bot.settings()),
    )
    try:
        with trio.fail_after(most):
            seen = await one.ask(bench)
    except Broken as broken:
        outcome, seen, stderr, cure = "broken", broken.seen, broken.stderr, broken.cure or one.cure
    except Skipped as skipped:
        outcome, seen = "skipped", str(skipped)
    except Noted as noted:
        outcome, seen, cure = "note", str(noted), one.cure
    except ConfigError as wrong:
        outcome, seen, cure = "broken", str(wrong), one.cure
    except trio.TooSlowError:
        outcome, seen, cure = "broken", f"it was not settled in {most:g} s", one.cure
    ms = int((perf_counter() - began) * 1000)
    return Verdict(
        name=one.name,
        group=one.group,
        promise=one.promise,
        outcome=outcome,
        seen=shortened(seen),
        stderr=stderr,
        cure=cure,
        ms=ms,
    )


def _blocked(one: Check, cause: str) -> Verdict:
    return Verdict(name=one.name, group=one.group, promise=one.promise, outcome="skipped", seen=f"`{cause}` is broken")
