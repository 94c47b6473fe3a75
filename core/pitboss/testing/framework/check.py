"""Checks of games and of bots: a promise, the function that tests it, and the result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import Annotated, Any, Generic, Literal, TypeAlias, TypeVar, get_args

from msgspec import Meta, Struct, field

S = TypeVar("S")  # the subject: a game, a setup, a played game, a decision point, a bot
R = TypeVar("R")  # what the function returns: nothing, or an awaitable with details of a pass

CheckOutcome: TypeAlias = Literal["passed", "failed", "skipped", "not applicable"]
CheckScope: TypeAlias = Literal[
    "game", "option", "table", "setup", "play-out", "end of play-out", "all play-outs",
    "played game", "all games", "decision", "step", "point", "end",
]  # fmt: skip


class CheckFailed(Exception):
    """The promise does not hold. Has the observation, the end of standard error, and advice to replace the check's.

    `subject`: what to look at, where that is not the subject of the check: a game that the check has played.
    Checks that fail for one `cause`, if it is known, are one failure: the first of them.
    """

    def __init__(
        self, detail: str, stderr: str = "", advice: str = "", cause: str = "", subject: object = None
    ) -> None:
        super().__init__(detail)
        self.subject = subject
        self.detail = detail
        self.stderr = stderr
        self.advice = advice
        self.cause = cause


class NotApplicable(Exception):
    """The promise says nothing about this subject; the text gives the reason."""


class CheckNote(Exception):
    """The promise holds; the text is a note for the author of the bot or game, `advice` replaces the check's."""

    def __init__(self, detail: str, advice: str = "") -> None:
        super().__init__(detail)
        self.advice = advice


class Check(Struct, Generic[S, R], frozen=True):
    """A promise and the function that tests it. The function raises `CheckFailed`, `NotApplicable` or `CheckNote`."""

    name: str
    promise: str
    function: Callable[[S], R]
    scopes: tuple[CheckScope, ...] = ()  # when the conformance suite for games runs it
    advice: str = ""
    after: tuple[str, ...] = ()  # names of checks: this one is skipped if one of them failed or was skipped
    group: str = ""


class CheckResult(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The result of one check."""

    name: Annotated[str, Meta(description="The check's name: `flushes-its-answers`.")]
    group: Annotated[str, Meta(description="The group that it belongs to.")] = ""
    promise: Annotated[str, Meta(description="What every good bot or game does, in one sentence.")]
    outcome: Annotated[
        CheckOutcome,
        Meta(description="Skipped: a check that this one builds upon has failed, or one failed for the same cause."),
    ]
    is_note: Annotated[bool, Meta(description="Passed, but there is something to know.")] = False
    detail: Annotated[str, Meta(description="What was seen; if the check did not run: why.")] = field(
        default="", name="seen"
    )
    stderr: Annotated[str, Meta(description="The end of what the bot wrote to standard error.")] = ""
    advice: Annotated[str, Meta(description="What its author can do about it.")] = field(default="", name="cure")
    ms: Annotated[int, Meta(description="How long the check took.")] = 0

    def __str__(self) -> str:
        return f"{self.outcome}: {self.name}: {self.detail or self.promise}"


def check(
    *scopes: CheckScope, advice: str = "", after: Sequence[Check[Any, Any]] = ()
) -> Callable[[Callable[[S], R]], Check[S, R]]:
    """Make a check of a function: the function's name is the check's name, its docstring the promise."""

    def make(function: Callable[[S], R]) -> Check[S, R]:
        return Check(
            name=function.__name__.replace("_", "-"),
            promise=" ".join((function.__doc__ or "").split()),
            function=function,
            scopes=scopes,
            advice=advice,
            after=tuple(earlier.name for earlier in after),
        )

    return make


def collect_checks(modules: Sequence[ModuleType], scope: CheckScope | None = None) -> Iterator[Check[Any, Any]]:
    """Yield the checks that are defined in the modules (of one scope, if given), in order of definition."""
    for module in modules:
        for value in vars(module).values():
            if (
                isinstance(value, Check)
                and value.function.__module__ == module.__name__
                and (scope is None or scope in value.scopes)
            ):
                yield value


def count_outcomes(results: Sequence[CheckResult]) -> str:
    """Return the number of results by outcome: "72 passed (1 with a note), 0 failed, 8 not applicable"."""
    counts = {outcome: sum(result.outcome == outcome for result in results) for outcome in get_args(CheckOutcome)}
    notes = sum(result.is_note for result in results)
    words = [f"{count} {outcome}" for outcome, count in counts.items() if count or outcome in ("passed", "failed")]
    return ", ".join([f"{words[0]} ({notes} with a note)" if notes else words[0], *words[1:]])
