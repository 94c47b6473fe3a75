"""Counts: what a game tells everybody beside the cards (`pitboss.game.Countable`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final, get_args

import msgspec

from pitboss.game import AnyState, CountRole, PublicCount, PublicCounts, find_own_counts, find_public_counts
from pitboss.testing.framework.check import CheckFailed, NotApplicable, check
from pitboss.testing.framework.decision_point import DecisionPoint
from pitboss.testing.framework.expectations import expect_same_in_worlds, expect_unchanged

COUNT_ROLES: Final = get_args(CountRole)


@check("decision", "end")
def counts_are_always_told(point: DecisionPoint) -> None:
    """The counts of a state are named numbers and texts, of the table and of every seat, at any time."""
    counts = _read_counts(point.state.copy())  # whether counting changes something is the next check's question
    if not isinstance(counts, PublicCounts) or len(counts.seats) != point.setup.seats:
        raise CheckFailed(f"public_counts is {counts!r}; expected PublicCounts with {point.setup.seats} seats")
    if (odd := next(_list_odd(chain(counts.table, *counts.seats)), None)) is not None:
        raise CheckFailed(
            f"public_counts has {odd!r}; expected PublicCount with a name, a number or one line, and a role"
        )


@check("point", "end")
def counting_changes_nothing(point: DecisionPoint) -> None:
    """Asking for the counts of a state changes nothing, and the answer is always the same."""
    with expect_unchanged(point.state, "public_counts changed"):
        once = msgspec.json.encode(_read_counts(point.state))
    if once != (again := msgspec.json.encode(_read_counts(point.state))):
        raise CheckFailed(f"public_counts is {once.decode()}, and asked again {again.decode()}")


@check("point")
def counts_leak_nothing(point: DecisionPoint) -> None:
    """The counts are the same in every world of the information set of each seat, and of the spectator.

    So are those that a seat is shown alone (`own_counts`), in the worlds of that seat.
    """
    expect_same_in_worlds(point, "public_counts, shown to seat {},", lambda state, _: _read_counts(state))
    expect_same_in_worlds(point, "own_counts of seat {}", find_own_counts)


def _read_counts(state: AnyState) -> PublicCounts:
    counts = find_public_counts(state)
    if counts is None:
        raise NotApplicable("the game has no counts: pages show its cards alone")
    return counts


def _list_odd(counts: Iterable[PublicCount]) -> Iterator[object]:
    """Yield what is no count that a page can show."""
    for count in counts:
        is_count = isinstance(count, PublicCount) and isinstance(count.value, int | float | str)
        is_count = is_count and count.role in COUNT_ROLES
        if not is_count or not count.name or "\n" in f"{count.name}{count.value}":
            yield count
