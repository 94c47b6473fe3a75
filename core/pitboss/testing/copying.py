"""Copies: the same game, going its own way."""

# ruff: noqa: D401 - the docstring of a check is what a game promises

from __future__ import annotations

from typing import Any, Final

from pitboss.game import AnyState
from pitboss.randomness import Random
from pitboss.testing.examiner import Broken
from pitboss.testing.moment import Moment
from pitboss.testing.standing import Shown, difference, difference_shown, shown, standing

AHEAD: Final = 60  # decisions that a copy is followed
LATEST: Final = 1000  # decisions that are played again to follow the original from there


def copy_is_the_same(moment: Moment) -> None:
    """A copy stands as the original does."""
    original, twin = standing(moment.state), standing(moment.state.copy())
    changed = difference(original._replace(log=None, chance=None), twin._replace(log=None, chance=None))
    if changed:
        raise Broken(f"the copy has another {changed}")


def copy_is_quiet(moment: Moment) -> None:
    """A copy's table writes no log: it is for looking ahead."""
    twin = moment.state.copy()
    if twin.table.log is not None or twin.table.chance is not None:
        raise Broken("the copy's table writes a log; expected table.log and table.chance to be None")


def copy_goes_its_own_way(moment: Moment) -> None:
    """Playing on with a copy leaves the original as it is, its random stream and its log too."""
    before = standing(moment.state)
    played = _play(moment.state.copy(), moment.random("copy"))
    changed = difference(before, standing(moment.state))
    if changed:
        raise Broken(f"after {played!r} on a copy the original has another {changed}")


def original_goes_its_own_way(moment: Moment) -> None:
    """Playing on with the original leaves a copy as it is."""
    original = moment.state.copy()
    twin = original.copy()
    before = standing(twin)
    played = _play(original, moment.random("original"))
    changed = difference(before, standing(twin))
    if changed:
        raise Broken(f"after {played!r} on the original the copy has another {changed}")


def copy_has_the_same_future(moment: Moment) -> str | None:
    """The same actions lead a copy and the original to the same: shuffles included."""
    if moment.number > LATEST:
        return f"looked at in the first {LATEST} decisions"
    ahead = moment.course.actions[moment.number : moment.number + AHEAD]
    twin = moment.state.copy()
    followed = _followed(twin, ahead)
    for offset, (one, other) in enumerate(zip(_followed(moment.course.at(moment.number), ahead), followed, strict=True)):
        if one != other:
            played = ahead[: offset + 1]
            raise Broken(f"after {played!r} the copy has another {difference_shown(one, other)}")
    return None


def _play(state: AnyState, rng: Random) -> list[Any]:
    played: list[Any] = []
    while state.turn is not None and len(played) < AHEAD:
        action = rng.choice(state.legal())
        state.play(action)
        played.append(action)
    return played


def _followed(state: AnyState, actions: list[Any]) -> list[Shown]:
    seen = []
    for action in actions:
        state.play(action)
        seen.append(shown(state))
    return seen


OF_A_MOMENT: Final = (
    copy_is_the_same,
    copy_is_quiet,
    copy_goes_its_own_way,
    original_goes_its_own_way,
    copy_has_the_same_future,
)
