"""The check framework that the suites for games and for bots share: outcomes, order, and what builds upon what."""

from __future__ import annotations

import sys

import pytest

from pitboss import Deck, PositionError
from pitboss.testing.framework.check import CheckFailed, CheckNote, NotApplicable, check, collect_checks, count_outcomes
from pitboss.testing.framework.check_runner import CheckRunner, describe_crash


@check("point", advice="count again")
def is_small(number: int) -> None:
    """Count to less than ten,
    as a promise on two lines.
    """
    if number < 0:
        raise NotApplicable("negative numbers have no size")
    if number >= 10:
        raise CheckFailed(f"it is {number}")


@check("end", after=(is_small,))
def is_even(number: int) -> None:
    """Halve the number."""
    if number % 2:
        raise CheckNote(f"{number} is odd")


@check(after=(is_even,))
def can_divide(number: int) -> None:
    """Divide a hundred by the number."""
    assert 100 / number


CHECKS = (is_small, is_even, can_divide)


def run_checks(*numbers: int) -> CheckRunner:
    """Run all checks on the numbers, as far as they are not blocked."""
    runner = CheckRunner(CHECKS)
    for number in numbers:
        for each in CHECKS:
            if not runner.skip_if_blocked(each):
                runner.run(each, number)
    return runner


def test_a_check_is_named_by_its_function() -> None:
    """Name and promise are the function's name and docstring; modules list them in order, by scope."""
    assert (is_small.name, is_small.promise) == ("is-small", "Count to less than ten, as a promise on two lines.")
    assert list(collect_checks([sys.modules[__name__]])) == list(CHECKS)
    assert list(collect_checks([sys.modules[__name__]], "end")) == [is_even]


@pytest.mark.parametrize(
    ("numbers", "outcomes"),
    [
        ((4,), ["passed", "passed", "passed"]),
        ((), ["not applicable"] * 3),
        ((-2,), ["not applicable", "passed", "passed"]),
        ((-2, 4, -2), ["passed"] * 3),
        ((40, 4), ["failed", "skipped", "skipped"]),
        ((4, 0), ["passed", "passed", "failed"]),
    ],
)
def test_outcomes(numbers: tuple[int, ...], outcomes: list[str]) -> None:
    """The first failure counts, else a pass; what builds upon a failure, directly or not, is skipped."""
    assert [result.outcome for result in run_checks(*numbers).results] == outcomes


def test_details() -> None:
    """A failure has its text and the advice, a crash its type and line, a skipped check the name of the failed one."""
    failed, skipped, skipped_too = run_checks(40).results
    crashed = run_checks(0).results[2]

    assert (failed.detail, failed.advice) == ("it is 40", "count again")
    assert skipped.detail == skipped_too.detail == "`is-small` failed"
    assert crashed.detail.startswith("ZeroDivisionError: division by zero (test_check_runner.py:")


def test_a_note_is_a_pass() -> None:
    """A note for the author is no failure, and is counted apart."""
    runner = run_checks(5)

    assert runner.result_of(is_even).is_note
    assert not runner.has_failures
    assert count_outcomes(runner.results) == "3 passed (1 with a note), 0 failed"
    assert count_outcomes(run_checks(40).results) == "0 passed, 1 failed, 2 skipped"


def test_where_a_crash_happened() -> None:
    """A crash is reported at the line of the game that called Pitboss, not at the line of Pitboss that raised."""
    try:
        Deck("AB").find_cards(["C"])
    except PositionError as error:
        told = describe_crash(error)

    assert told.startswith("PositionError: the deck has no card 'C'")
    assert told.endswith(", in test_where_a_crash_happened)")
    assert "(test_check_runner.py:" in told
