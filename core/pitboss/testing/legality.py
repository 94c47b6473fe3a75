"""What is legal: complete, in order, and nothing else."""

# ruff: noqa: D401 - the docstring of a check is what a game promises

from __future__ import annotations

from typing import Any, Final

import msgspec

from pitboss.errors import IllegalAction
from pitboss.game import AnyState
from pitboss.testing.examiner import Broken, crash
from pitboss.testing.moment import Moment
from pitboss.testing.standing import difference, standing

MANY: Final = 80  # of a longer list of actions so many are tried


def somebody_is_on_turn(moment: Moment) -> None:
    """While the game is on, a seat of the table is on turn, in a phase that has a name."""
    turn = moment.turn
    if turn is None or not 0 <= turn.seat < moment.setting.seats or not isinstance(turn.phase, str) or not turn.phase:
        raise Broken(f"turn is {turn!r}; expected a seat of 0..{moment.setting.seats - 1} and a phase")


def something_is_legal(moment: Moment) -> None:
    """Whoever is on turn has a legal action."""
    if not moment.legal:
        raise Broken(f"nothing is legal at {moment.turn}")


def legal_is_distinct(moment: Moment) -> None:
    """No action stands twice in the legal list."""
    encoded = [msgspec.json.encode(action) for action in moment.legal]
    if len(set(encoded)) < len(encoded):
        twice = next(action for action in encoded if encoded.count(action) > 1)
        raise Broken(f"{twice.decode()} stands {encoded.count(twice)} times in the legal list")


def neutral_is_legal(moment: Moment) -> None:
    """The neutral action is in the legal list, at every decision."""
    neutral = moment.state.neutral()
    if neutral not in moment.legal:
        raise Broken(f"neutral is {neutral!r}; legal: {list(moment.legal)!r}")


def actions_survive_json(moment: Moment) -> None:
    """Every legal action, written as JSON and read as the game's `Action`, is the same action."""
    for action in moment.legal:
        again = msgspec.json.decode(msgspec.json.encode(action), type=moment.game.Action)
        if again != action:
            raise Broken(f"action {action!r} comes back from JSON as {again!r}")


def legal_actions_can_be_played(moment: Moment) -> None:
    """Every legal action can be played, just as it comes from a bot: read from JSON."""
    for action in _some(list(moment.legal)):
        twin = moment.state.copy()
        try:
            twin.play(msgspec.json.decode(msgspec.json.encode(action), type=moment.game.Action))
            twin.legal()
        except Exception as wrong:  # noqa: BLE001 - the border to a plugin's code
            raise Broken(f"action {action!r} is legal, but played it gives {crash(wrong)}") from None


def other_actions_are_refused(moment: Moment) -> str | None:
    """An action that is not in the legal list is refused with `IllegalAction`: the list is complete."""
    tried = _some(list(moment.illegal()))
    for action in tried:
        twin = moment.logged_copy()
        _expect_refusal(twin, action)
    return None if tried else "no action is known that is not legal"


def refused_actions_change_nothing(moment: Moment) -> str | None:
    """When an action is refused, everything is as it was before."""
    tried = _some(list(moment.illegal()))
    twin = moment.logged_copy()
    before = standing(twin)
    for action in tried:
        try:
            twin.play(action)
        except Exception:  # noqa: BLE001 - how it is refused is the business of another check
            changed = difference(before, standing(twin))
            if changed:
                raise Broken(f"action {action!r} was refused, but it changed {changed}") from None
        else:
            twin = moment.logged_copy()
    return None if tried else "no action is known that is not legal"


def legal_is_the_same_again(moment: Moment) -> None:
    """Asked twice, asked of a copy, or asked of the game replayed, the legal list is the same, in the same order."""
    legal = list(moment.legal)
    for what, other in (("asked again", moment.state), ("asked of a copy", moment.state.copy())):
        if list(other.legal()) != legal:
            raise Broken(f"legal was {legal!r}; {what} it is {list(other.legal())!r}")
    if moment.number <= 200 and list(moment.course.at(moment.number).legal()) != legal:
        raise Broken(f"legal was {legal!r}; replayed it is {list(moment.course.at(moment.number).legal())!r}")


def legal_list_belongs_to_the_caller(moment: Moment) -> str | None:
    """Who changes the list that `legal` returned does not change the game."""
    legal = moment.state.copy()
    handed = legal.legal()
    if not isinstance(handed, list):
        return "the legal list cannot be changed"
    before = handed[:]
    handed.clear()
    if list(legal.legal()) != before:
        raise Broken(f"legal was {before!r}; after the caller cleared that list it is {list(legal.legal())!r}")
    return None


def over_is_over(moment: Moment) -> str | None:
    """When the game is over nobody is on turn, nothing is legal, and every action is refused."""
    state = moment.state
    if state.turn is not None or list(state.legal()):
        raise Broken(f"the game is over; turn is {state.turn!r}, legal: {list(state.legal())!r}")
    actions = list(moment.setting.pool.values())[:MANY]
    before = standing(state)
    for action in actions:
        _expect_refusal(state, action)
    changed = difference(before, standing(state))
    if changed:
        raise Broken(f"the game is over, but refused actions changed {changed}")
    return None


def _expect_refusal(state: AnyState, action: object) -> None:
    legal = list(state.legal())
    try:
        state.play(action)
    except IllegalAction:
        return
    except Exception as wrong:  # noqa: BLE001 - the border to a plugin's code
        raise Broken(f"action {action!r} is not legal; expected IllegalAction, got {crash(wrong)}") from None
    raise Broken(f"action {action!r} was accepted; legal: {legal!r}")


def _some(actions: list[Any]) -> list[Any]:
    return actions[:: len(actions) // MANY + 1]


OF_A_DECISION: Final = (somebody_is_on_turn, something_is_legal, legal_is_distinct, neutral_is_legal)
OF_A_MOMENT: Final = (
    actions_survive_json,
    legal_actions_can_be_played,
    other_actions_are_refused,
    refused_actions_change_nothing,
    legal_is_the_same_again,
    legal_list_belongs_to_the_caller,
)
OF_AN_END: Final = (over_is_over,)
