"""Copies: the same game, going its own way."""

# ruff: noqa: D401 - the docstring of a check is what a game promises

from __future__ import annotations

from typing import Any, Final

from pitboss.game import AnyState
from pitboss.table.randomness import Random
from pitboss.testing.framework.check_runner import CheckFailed
from pitboss.testing.framework.decision_point import DecisionPoint
from pitboss.testing.framework.snapshot import (
    PublicSnapshot,
    describe_difference,
    describe_public_difference,
    take_public_snapshot,
    take_snapshot,
)

AHEAD: Final = 60  # decisions that a copy is followed
LAST_DECISION: Final = 1000  # decisions that are played again to follow the original from there


def copy_is_the_same(point: DecisionPoint) -> None:
    """A copy stands as the original does."""
    original, twin = take_snapshot(point.state), take_snapshot(point.state.copy())
    changed = describe_difference(original._replace(log=None, chance=None), twin._replace(log=None, chance=None))
    if changed:
        raise CheckFailed(f"the copy has another {changed}")


def copy_is_quiet(point: DecisionPoint) -> None:
    """A copy's table writes no log: it is for looking ahead."""
    twin = point.state.copy()
    if twin.table.log is not None or twin.table.chance_events is not None:
        raise CheckFailed("the copy's table writes a log; expected table.log and table.chance to be None")


def copy_goes_its_own_way(point: DecisionPoint) -> None:
    """Playing on with a copy leaves the original as it is, its random stream and its log too."""
    before = take_snapshot(point.state)
    played = _play_on(point.state.copy(), point.random_stream("copy"))
    changed = describe_difference(before, take_snapshot(point.state))
    if changed:
        raise CheckFailed(f"after {played!r} on a copy the original has another {changed}")


def original_goes_its_own_way(point: DecisionPoint) -> None:
    """Playing on with the original leaves a copy as it is."""
    original = point.state.copy()
    twin = original.copy()
    before = take_snapshot(twin)
    played = _play_on(original, point.random_stream("original"))
    changed = describe_difference(before, take_snapshot(twin))
    if changed:
        raise CheckFailed(f"after {played!r} on the original the copy has another {changed}")


def copy_has_the_same_future(point: DecisionPoint) -> str | None:
    """The same actions lead a copy and the original to the same: shuffles included."""
    if point.number > LAST_DECISION:
        return f"looked at in the first {LAST_DECISION} decisions"
    ahead = point.played_game.actions[point.number : point.number + AHEAD]
    twin = point.state.copy()
    followed = _snapshot_after_each(twin, ahead)
    for offset, (one, other) in enumerate(
        zip(_snapshot_after_each(point.played_game.replay_to(point.number), ahead), followed, strict=True)
    ):
        if one != other:
            played = ahead[: offset + 1]
            raise CheckFailed(f"after {played!r} the copy has another {describe_public_difference(one, other)}")
    return None


def _play_on(state: AnyState, rng: Random) -> list[Any]:
    played: list[Any] = []
    while state.turn is not None and len(played) < AHEAD:
        action = rng.choice(state.legal())
        state.play(action)
        played.append(action)
    return played


def _snapshot_after_each(state: AnyState, actions: list[Any]) -> list[PublicSnapshot]:
    seen = []
    for action in actions:
        state.play(action)
        seen.append(take_public_snapshot(state))
    return seen


POINT_CHECKS: Final = (
    copy_is_the_same,
    copy_is_quiet,
    copy_goes_its_own_way,
    original_goes_its_own_way,
    copy_has_the_same_future,
)
