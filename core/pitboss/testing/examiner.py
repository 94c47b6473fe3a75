"""The examiner: puts checks to a game and keeps the first failure of each.

A check is a function of one subject: a game, a setting, a course, a moment. Its name is the check's name, its docstring the promise. It
raises `Broken` if the promise is not kept, returns a reason if it does not apply to this subject, and None if all is well.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from pitboss.testing.report import Verdict

S = TypeVar("S")
Check: TypeAlias = Callable[[S], str | None]


class Broken(Exception):
    """A game did not keep a promise; the text says what was seen and what was expected."""


class Examiner:
    """The checks of a suite, and what has been found so far."""

    def __init__(self, checks: Iterable[Check[Any]]) -> None:
        self._checks = list(checks)
        self._failures: dict[str, str] = {}
        self._passed: set[str] = set()
        self._reasons: dict[str, str] = {}

    def put(self, check: Check[S], subject: S) -> None:
        """Put one check to one subject, unless the game has failed it already."""
        name = name_of(check)
        if name in self._failures:
            return
        try:
            reason = check(subject)
        except Broken as broken:
            self._failures[name] = f"{broken}{_place(subject)}"
        except Exception as wrong:  # noqa: BLE001 - the border to a plugin's code
            self._failures[name] = f"{crash(wrong)}{_place(subject)}"
        else:
            if reason is None:
                self._passed.add(name)
            else:
                self._reasons[name] = reason

    @property
    def has_failures(self) -> bool:
        """Tell whether the game has failed a check."""
        return bool(self._failures)

    def verdicts(self) -> list[Verdict]:
        """Return what was found, in the order of the checks."""
        return [self._verdict(check) for check in self._checks]

    def _verdict(self, check: Check[Any]) -> Verdict:
        name, promise = name_of(check), promise_of(check)
        if name in self._failures:
            return Verdict(name, promise, "failed", self._failures[name])
        if name in self._passed:
            return Verdict(name, promise, "passed")
        return Verdict(name, promise, "not applicable", self._reasons.get(name, "no game came to where it applies"))


def _place(subject: object) -> str:
    """Return where it was, to be replayed; a game, and a list of games, do not say."""
    return "" if type(subject).__str__ is object.__str__ else f"; {subject}"


def name_of(check: Check[Any]) -> str:
    """Return the name of a check: `legal-is-distinct`."""
    return check.__name__.replace("_", "-")


def promise_of(check: Check[Any]) -> str:
    """Return the promise of a check: its docstring, on one line."""
    return " ".join((check.__doc__ or "").split())


def crash(wrong: BaseException) -> str:
    """Return an exception as one line: what, and in which line of whose code."""
    frames = traceback.extract_tb(wrong.__traceback__)
    where = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno}, in {frames[-1].name})" if frames else ""
    return f"{type(wrong).__name__}: {' '.join(str(wrong).split())}{where}"
