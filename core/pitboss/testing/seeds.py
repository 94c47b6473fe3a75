"""Same seed, same game: all chance comes from the stream that the deal was given."""

# ruff: noqa: D401 - the docstring of a check is what a game promises

from __future__ import annotations

import random
from typing import Final

import msgspec

from pitboss.game import AnyState
from pitboss.testing.course import Course
from pitboss.testing.examiner import Broken
from pitboss.testing.settings import Setting
from pitboss.testing.standing import difference_shown, shown

DEALS: Final = 8
TOGETHER: Final = 120  # decisions for which two games are played side by side


def same_seed_same_game(course: Course) -> None:
    """The same seed and the same actions give the same game: what everybody is shown, byte for byte, and the whole log."""
    global_stream = random.getstate()
    try:
        _expect_the_same(course)
    finally:
        random.setstate(global_stream)


def looking_on_changes_no_game(course: Course) -> str | None:
    """A game that was looked at from all sides at every decision is the game that nobody looked at."""
    if not course.is_over:
        return "the game did not come to an end"
    state = course.setting.deal(course.seed)
    rng = course.setting.deal(course.seed).table.rng.spawn("look")
    for number, action in enumerate(course.actions):
        if number < TOGETHER or number % 64 == 0:
            shown(state)
            state.position()
            state.copy().play(action)
            state.imagine(number % (course.setting.seats + 1), rng)
        state.play(action)
    if state.outcome() != course.outcome or list(state.table.log or ()) != course.log:
        raise Broken(f"looked at, the game ended with {state.outcome()!r} (else {course.outcome!r}), or its log is another one")
    return None


def other_seed_other_game(setting: Setting) -> None:
    """Other seeds give other deals."""
    deals = [setting.deal(f"conformance/other/{number}").table for number in range(DEALS)]
    if all((table.zones, table.chance) == (deals[0].zones, deals[0].chance) for table in deals):
        raise Broken(f"{DEALS} different seeds gave the same deal")


def games_do_not_touch(course: Course) -> None:
    """Two games played side by side are as each is when played alone: the game object has no state."""
    ahead = course.actions[:TOGETHER]
    alone = _trail(course.setting.deal(course.seed), ahead)
    one, other = course.setting.deal(course.seed), course.setting.deal(f"{course.seed}/other")
    for number, action in enumerate(ahead):
        if other.turn is not None:
            other.play(other.legal()[-1])
        one.play(action)
        if msgspec.json.encode([shown(one)]) != alone[number]:
            raise Broken(f"beside another game, after decision {number}, it is {shown(one)!r}; alone it was {alone[number]!r}")


def _expect_the_same(course: Course) -> None:
    random.seed(len(course))
    state = course.setting.deal(course.seed)
    for number, action in enumerate(course.actions):
        if number in course.trace and (now := shown(state)) != course.trace[number]:
            raise Broken(f"played again, decision {number} has another {difference_shown(course.trace[number], now)}")
        state.play(action)
    if course.error is None and (list(state.table.log or ()), list(state.table.chance or ())) != (course.log, course.chance):
        raise Broken("played again, the game has another log or other shuffles")


def _trail(state: AnyState, actions: list[object]) -> list[bytes]:
    trail = []
    for action in actions:
        state.play(action)
        trail.append(msgspec.json.encode([shown(state)]))
    return trail


OF_A_SETTING: Final = (other_seed_other_game,)
OF_A_COURSE: Final = (same_seed_same_game, looking_on_changes_no_game, games_do_not_touch)
