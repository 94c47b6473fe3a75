"""The examiner: puts checks to a game and keeps the first failure of each.

A check is a function of one subject: a game, a setting, a course, a moment. Its name is the check's name, its docstring the promise. It
raises `Broken` if the promise is not kept, returns a reason if it does not apply to this subject, and None if all is well.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from pitboss.testing.framework.report import CheckResult

S = TypeVar("S")
GameCheck: TypeAlias = Callable[[S], str | None]


class CheckFailed(Exception):
    """A game did not keep a promise; the text says what was seen and what was expected."""


class CheckRunner:
    """The checks of a suite, and what has been found so far."""

    def __init__(self, checks: Iterable[GameCheck[Any]]) -> None:
        self._checks = list(checks)
        self._failures: dict[str, str] = {}
        self._passed_names: set[str] = set()
        self._inapplicable_reasons: dict[str, str] = {}

    def run(self, check: GameCheck[S], subject: S) -> None:
        """Put one check to one subject, unless the game has failed it already."""
        name = check_name(check)
        if name in self._failures:
            return
        try:
            reason = check(subject)
        except CheckFailed as broken:
            self._failures[name] = f"{broken}{_replay_hint(subject)}"
        except Exception as wrong:  # noqa: BLE001 - the border to a plugin's code
            self._failures[name] = f"{describe_crash(wrong)}{_replay_hint(subject)}"
        else:
            if reason is None:
                self._passed_names.add(name)
            else:
                self._inapplicable_reasons[name] = reason

    @property
    def has_failures(self) -> bool:
        """Tell whether the game has failed a check."""
        return bool(self._failures)

    def results(self) -> list[CheckResult]:
        """Return what was found, in the order of the checks."""
        return [self._result_of(check) for check in self._checks]

    def _result_of(self, check: GameCheck[Any]) -> CheckResult:
        name, promise = check_name(check), check_promise(check)
        if name in self._failures:
            return CheckResult(name, promise, "failed", self._failures[name])
        if name in self._passed_names:
            return CheckResult(name, promise, "passed")
        return CheckResult(
            name, promise, "not applicable", self._inapplicable_reasons.get(name, "no game came to where it applies")
        )


def _replay_hint(subject: object) -> str:
    """Return where it was, to be replayed; a game, and a list of games, do not say."""
    return "" if type(subject).__str__ is object.__str__ else f"; {subject}"


def check_name(check: GameCheck[Any]) -> str:
    """Return the name of a check: `legal-is-distinct`."""
    return check.__name__.replace("_", "-")


def check_promise(check: GameCheck[Any]) -> str:
    """Return the promise of a check: its docstring, on one line."""
    return " ".join((check.__doc__ or "").split())


def describe_crash(error: BaseException) -> str:
    """Return an exception as one line: what, and in which line of whose code."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno}, in {frames[-1].name})" if frames else ""
    return f"{type(error).__name__}: {' '.join(str(error).split())}{where}"
