"""Copies: equal to the original, and independent."""

from __future__ import annotations

from typing import Final

from pitboss.simulation.random_play import choose_from, play_on
from pitboss.testing.framework.check import CheckFailed, NotApplicable, check
from pitboss.testing.framework.decision_point import DecisionPoint
from pitboss.testing.framework.snapshot import (
    describe_difference,
    describe_public_difference,
    snapshot_after_each,
    take_snapshot,
)

COPY_DECISIONS: Final = 60  # decisions of a copy
LAST_COPIED_DECISION: Final = 1000  # the last decision whose original is replayed


@check("point")
def copy_is_the_same(point: DecisionPoint) -> None:
    """A copy has the turn, legal actions, views, position, cards, knowledge and random stream of the original."""
    original, twin = take_snapshot(point.state), take_snapshot(point.state.copy())
    if changed := describe_difference(original._replace(log=None, chance=None), twin._replace(log=None, chance=None)):
        raise CheckFailed(f"the copy has another {changed}")


@check("point")
def copy_is_quiet(point: DecisionPoint) -> None:
    """A copy's table writes no log: it is for looking ahead."""
    twin = point.state.copy()
    if twin.table.log is not None or twin.table.chance_events is not None:
        raise CheckFailed("the copy's table writes a log; expected table.log and table.chance to be None")


@check("point")
def copy_goes_its_own_way(point: DecisionPoint) -> None:
    """Playing on with a copy leaves the original as it is, its random stream and its log too."""
    before = take_snapshot(point.state)
    played = play_on(point.state.copy(), choose_from(point.random_stream("copy")), COPY_DECISIONS)
    if changed := describe_difference(before, take_snapshot(point.state)):
        raise CheckFailed(f"after {played!r} on a copy the original has another {changed}")


@check("point")
def original_goes_its_own_way(point: DecisionPoint) -> None:
    """Playing on with the original leaves a copy as it is."""
    original = point.state.copy()
    twin = original.copy()
    before = take_snapshot(twin)
    played = play_on(original, choose_from(point.random_stream("original")), COPY_DECISIONS)
    if changed := describe_difference(before, take_snapshot(twin)):
        raise CheckFailed(f"after {played!r} on the original the copy has another {changed}")


@check("point")
def copy_has_the_same_future(point: DecisionPoint) -> None:
    """The same actions lead a copy and the original to the same turns, legal lists and views, shuffles included."""
    if point.number > LAST_COPIED_DECISION:
        raise NotApplicable(f"tested in the first {LAST_COPIED_DECISION} decisions")
    ahead = point.played_game.actions[point.number : point.number + COPY_DECISIONS]
    twin = point.state.copy()
    followed = snapshot_after_each(twin, ahead)
    expected = snapshot_after_each(point.played_game.replay_to(point.number), ahead)
    for offset, (one, other) in enumerate(zip(expected, followed, strict=True)):
        if changed := describe_public_difference(one, other):
            raise CheckFailed(f"after {ahead[: offset + 1]!r} the copy has another {changed}")
