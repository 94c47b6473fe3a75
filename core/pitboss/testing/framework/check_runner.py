"""Run checks and keep one result for each."""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from pitboss.errors import NoWorldFound
from pitboss.testing.framework.check import Check, CheckFailed, CheckNote, CheckResult, NotApplicable, S
from pitboss.text import describe_exception

NOT_REACHED: Final = "no game reached a situation where it applies"

_ERROR_TYPE: Final = re.compile(r"\b([A-Z]\w*): ")  # as `describe_crash` writes it
_ERROR_LINE: Final = re.compile(r".*\(([^()]+:\d+, in [^()]+)\)", re.DOTALL)  # the last one


class CheckRunner:
    """The results of a suite's checks.

    Over several subjects the first failure counts, else a pass, else "not applicable".
    """

    def __init__(
        self,
        checks: Sequence[Check[Any, Any]],
        note_failure: Callable[[str, str, str, object], None] = lambda name, detail, hint, subject: None,
    ) -> None:
        """`note_failure` is called at each failure: the check's name, what was seen, how to see it again, and where."""
        self._note_failure = note_failure
        self._results = {
            one.name: CheckResult(
                name=one.name, group=one.group, promise=one.promise, outcome="not applicable", detail=NOT_REACHED
            )
            for one in checks
        }
        self._blockers: dict[str, str] = {}  # by skipped check: the failed check that is the cause
        self._causes: dict[str, str] = {}  # of failures: the check that failed first
        self._left_out = set[str]()  # the checks that have failed since `run_failed_again`

    def run(self, check: Check[S, None], subject: S) -> None:
        """Run a check on one subject, unless it has failed already. An exception of the subject's code is a failure."""
        if check.name not in self._left_out:
            with self.judge(check, subject), fail_on_crash():
                check.function(subject)

    def run_failed_again(self) -> None:
        """Run the checks that have failed on further subjects too, until they fail again."""
        self._left_out.clear()

    def skip_if_blocked(self, check: Check[Any, Any]) -> bool:
        """Skip a check that builds upon a failed or skipped one; return whether it was skipped."""
        for name in check.after:
            if blocker := name if self._has_failed(name) else self._blockers.get(name):
                self._skip(check, blocker)
                return True
        return False

    @contextmanager
    def judge(self, check: Check[Any, Any], subject: object = None) -> Iterator[list[str]]:
        """Keep the result of a check that runs in the block; the block may append details of a pass to the list."""
        make_result = partial(CheckResult, name=check.name, group=check.group, promise=check.promise)
        details: list[str] = []
        try:
            yield details
            result = make_result(outcome="passed", detail="; ".join(filter(None, details)))
        except CheckFailed as failure:
            first = self._causes.setdefault(failure.cause, check.name) if failure.cause else check.name
            if first != check.name:
                self._skip(check, first)
                return
            hint = _replay_hint(subject)
            advice = failure.advice or check.advice
            result = make_result(outcome="failed", detail=failure.detail + hint, advice=advice, stderr=failure.stderr)
            self._left_out.add(check.name)
            self._note_failure(check.name, failure.detail, hint, failure.subject or subject)
        except (NotApplicable, NoWorldFound) as reason:
            result = make_result(outcome="not applicable", detail=str(reason))
        except CheckNote as note:
            result = make_result(outcome="passed", detail=str(note), advice=note.advice or check.advice, is_note=True)
        if not self._has_failed(check.name) and (
            result.outcome != "not applicable" or self.result_of(check).outcome != "passed"
        ):
            self._results[check.name] = result

    def result_of(self, check: Check[Any, Any]) -> CheckResult:
        """Return the result so far."""
        return self._results[check.name]

    @property
    def results(self) -> list[CheckResult]:
        """The results, in the order of the checks."""
        return list(self._results.values())

    @property
    def has_failures(self) -> bool:
        """Whether any check has failed."""
        return any(map(self._has_failed, self._results))

    def _skip(self, check: Check[Any, Any], blocker: str) -> None:
        self._blockers[check.name] = blocker
        self._results[check.name] = replace(self.result_of(check), outcome="skipped", detail=f"`{blocker}` failed")

    def _has_failed(self, name: str) -> bool:
        return self._results[name].outcome == "failed"


@contextmanager
def fail_on_crash(what: str = "", *expected: type[Exception]) -> Iterator[None]:
    """Turn exceptions of the block, unless they are expected, into a `CheckFailed` whose text begins with `what`."""
    passed_on: tuple[type[Exception], ...] = (NotApplicable, CheckNote, NoWorldFound, *expected)
    try:
        yield
    except passed_on:
        raise
    except CheckFailed as failure:
        raise CheckFailed(f"{what}{failure.detail}", subject=failure.subject) from None
    except Exception as error:  # noqa: BLE001 - the border to a plugin's code
        raise CheckFailed(f"{what}{describe_crash(error)}") from None


def describe_crash(error: BaseException) -> str:
    """Return an exception as one line: type, text and the line that raised it, or that called Pitboss where it did."""
    frames = [*traceback.walk_tb(error.__traceback__)]
    of_the_game = [place for place in frames if not place[0].f_globals.get("__name__", "").startswith("pitboss.")]
    last = [(frame.f_code, line) for frame, line in (of_the_game or frames)[-1:]]
    where = "".join(f" ({Path(code.co_filename).name}:{line}, in {code.co_name})" for code, line in last)
    return f"{describe_exception(error)}{where}"


def find_crash(detail: str) -> str:
    """Return the type and line of the exception in a text that has it from `describe_crash`; "" if there is none."""
    line, kind = _ERROR_LINE.match(detail), _ERROR_TYPE.search(detail)
    return f"{kind[1] if kind else 'an error'} ({line[1]})" if line else ""


def _replay_hint(subject: object) -> str:
    """Return how to replay the subject; "" for games and lists of games, which have no text of their own."""
    return "" if type(subject).__str__ is object.__str__ else f"; {subject}"
