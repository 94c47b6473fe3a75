"""What a check is, what it may find, and the report of them all."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

if TYPE_CHECKING:
    from pitboss_tournament.checks.check_context import CheckContext

BotCheckOutcome: TypeAlias = Literal["kept", "broken", "skipped", "note"]
CheckFunction: TypeAlias = Callable[["CheckContext"], Awaitable[str]]

LONGEST_OBSERVATION: Final = 600
GROUP_BY_MODULE: Final = {
    "first_answers": "answering",
    "robustness": "understanding",
    "launch_environment": "starting",
    "shutdown": "leaving",
    "whole_games": "playing",
}  # the others are named like their modules


class BotCheckFailed(Exception):
    """A bot did not keep a promise: what was seen, the end of its standard error, and a cure if a better one than the check's is known."""

    def __init__(self, seen: str, stderr: str = "", advice: str = "") -> None:
        super().__init__(seen)
        self.seen = seen
        self.stderr = stderr
        self.advice = advice


class BotCheckSkipped(Exception):
    """A check does not apply to this bot, this game or this machine; the text says why."""


class BotCheckNote(Exception):
    """Something that its author may want to know, and that is no fault."""


class BotCheck(Struct, frozen=True):
    """One promise, and how it is checked. `ask` returns what was seen of a promise that was kept, if that is of interest."""

    name: str
    group: str
    promise: str
    advice: str
    run: CheckFunction
    after: tuple[str, ...]  # checks that must not be broken or skipped, or this one cannot tell anything


class BotCheckResult(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one check found."""

    name: Annotated[str, Meta(description="The check's name: `flushes-its-answers`.")]
    group: Annotated[str, Meta(description="The group that it belongs to.")]
    promise: Annotated[str, Meta(description="What every good bot does, in one sentence.")]
    outcome: Annotated[BotCheckOutcome, Meta(description="A note is something to know, and no fault.")]
    seen: Annotated[str, Meta(description="What was seen; of a check that was skipped: why.")] = ""
    stderr: Annotated[str, Meta(description="The end of what the bot wrote to standard error.")] = ""
    cure: Annotated[str, Meta(description="What its author can do about it.")] = ""
    ms: Annotated[int, Meta(description="How long the check took.")] = 0


class BotReport(Struct, frozen=True, kw_only=True):
    """What `pitboss check` found out about a bot."""

    bot: Annotated[str, Meta(description="The bot's name.")]
    command: Annotated[list[str], Meta(description="How it was started; empty if that could not be found out.")]
    games: Annotated[list[str], Meta(description="The games that it was asked to play.")]
    sandbox: Annotated[str, Meta(description='"bubblewrap" or "none".')]
    seed: Annotated[str, Meta(description="All deals and all choices of its opponents follow from it.")]
    decisions: Annotated[int, Meta(description="How many decisions it made in whole games.")]
    checks: list[BotCheckResult]

    def results_with(self, outcome: BotCheckOutcome) -> list[BotCheckResult]:
        """Return the verdicts with this outcome."""
        return [verdict for verdict in self.checks if verdict.outcome == outcome]


def bot_check(advice: str, *, after: tuple[BotCheck, ...] = ()) -> Callable[[CheckFunction], BotCheck]:
    """Make a check of a function: its name is the check's name, its docstring the promise, its module the group."""

    def make(run: CheckFunction) -> BotCheck:
        return BotCheck(
            name=run.__name__.replace("_", "-"),
            group=GROUP_BY_MODULE.get(module := run.__module__.rpartition(".")[2], module),
            promise=" ".join((run.__doc__ or "").split()),
            advice=advice,
            run=run,
            after=tuple(one.name for one in after),
        )

    return make


def shorten(text: str, most: int = LONGEST_OBSERVATION) -> str:
    """Return a text, or its beginning."""
    return text if len(text) <= most else f"{text[:most]}…"
