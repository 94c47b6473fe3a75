"""Legality: the legal list is complete, in a fixed order, and has no other action; the neutral action is legal."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import cache
from typing import Any, Final

import msgspec
from msgspec import inspect

from pitboss.action_range import find_entry, sample_actions
from pitboss.errors import IllegalAction
from pitboss.game import AnyState
from pitboss.options import is_marked, strip_metadata
from pitboss.testing.framework.check import CheckFailed, NotApplicable, check
from pitboss.testing.framework.check_runner import fail_on_crash
from pitboss.testing.framework.decision_point import DecisionPoint
from pitboss.testing.framework.expectations import expect_json_round_trip, expect_unchanged
from pitboss.testing.framework.snapshot import describe_difference, take_snapshot

MAX_TRIED: Final = 80  # actions that are tried of a longer list
ONE_READING: Final = (
    "give each group of cards a list of its own, or mark the field `IN_ORDER` if the order is part of the choice"
)


@check("decision")
def somebody_is_on_turn(point: DecisionPoint) -> None:
    """While the game is on, a seat of the table is on turn, in a phase that has a name."""
    turn = point.turn
    if turn is None or not 0 <= turn.seat < point.setup.seats or not isinstance(turn.phase, str) or not turn.phase:
        raise CheckFailed(f"turn is {turn!r}; expected a seat of 0..{point.setup.seats - 1} and a phase")


@check("decision")
def something_is_legal(point: DecisionPoint) -> None:
    """The seat on turn has a legal action."""
    if not point.legal:
        raise CheckFailed(f"nothing is legal at {point.turn}")


@check("decision")
def legal_is_distinct(point: DecisionPoint) -> None:
    """No action stands twice in the legal list."""
    encoded = [msgspec.json.encode(action) for action in point.legal]
    if len(set(encoded)) < len(encoded):
        twice = next(action for action in encoded if encoded.count(action) > 1)
        raise CheckFailed(f"{twice.decode()} stands {encoded.count(twice)} times in the legal list")


@check("decision")
def choices_share_no_key(point: DecisionPoint) -> None:
    """No two legal actions are the same cards in another order, unless the field is marked `IN_ORDER`."""
    lists = find_card_lists(point.setup.game.Action)
    if not lists:
        raise NotApplicable("no action has a list of cards")
    known: dict[Hashable, object] = {}
    for action in point.legal:
        if names := lists.get(type(action)):
            other = known.setdefault(_key_of_choice(action, names), action)
            if other is not action:
                raise CheckFailed(f"{other!r} and {action!r} are the same cards in another order; {ONE_READING}")


@check("decision")
def neutral_is_legal(point: DecisionPoint) -> None:
    """The neutral action is in the legal list, at every decision."""
    neutral = point.state.neutral()
    if find_entry(neutral, point.legal) is None:
        raise CheckFailed(f"neutral is {neutral!r}; legal: {list(point.legal)!r}")


@check("point")
def actions_survive_json(point: DecisionPoint) -> None:
    """Every legal action, written as JSON and read as the game's `Action`, is the same action."""
    for action in sample_actions(point.legal):
        expect_json_round_trip(action, point.setup.game.Action, "action")


@check("point")
def legal_actions_can_be_played(point: DecisionPoint) -> None:
    """Every legal action can be played, just as it comes from a bot: read from JSON; of a range both ends too."""
    for action in _thin_out([*sample_actions(point.legal)]):
        twin = point.state.copy()
        with fail_on_crash(f"action {action!r} is legal, but played it gives "):
            twin.play(msgspec.json.decode(msgspec.json.encode(action), type=point.setup.game.Action))
            twin.legal()


@check("point")
def other_actions_are_refused(point: DecisionPoint) -> None:
    """An action that is not in the legal list is refused with `IllegalAction`: the list is complete.

    Of a range the numbers next to its ends are tried.
    """
    for action in _choose_illegal(point):
        _expect_refusal(point.copy_with_log(), action)


@check("point")
def refused_actions_change_nothing(point: DecisionPoint) -> None:
    """An action that is refused changes nothing."""
    twin = point.copy_with_log()
    before = take_snapshot(twin)
    for action in _choose_illegal(point):
        try:
            twin.play(action)
        except Exception:  # noqa: BLE001 - how it is refused is the business of another check
            if changed := describe_difference(before, take_snapshot(twin)):
                raise CheckFailed(f"action {action!r} was refused, but it changed {changed}") from None
        else:
            twin = point.copy_with_log()


@check("point")
def legal_is_the_same_again(point: DecisionPoint) -> None:
    """The legal list is the same, in the same order, asked again, asked of a copy and asked of the replayed game."""
    legal = list(point.legal)
    others = {"asked again": point.state, "asked of a copy": point.state.copy()}
    if point.number <= 200:
        others["replayed"] = point.played_game.replay_to(point.number)
    for what, other in others.items():
        if (again := list(other.legal())) != legal:
            raise CheckFailed(f"legal was {legal!r}; {what} it is {again!r}")


@check("point")
def legal_list_belongs_to_the_caller(point: DecisionPoint) -> None:
    """A change of the list that `legal` returned does not change the game."""
    twin = point.state.copy()
    handed = twin.legal()
    if not isinstance(handed, list):
        raise NotApplicable("the legal list cannot be changed")
    before = handed[:]
    handed.clear()
    if (after := list(twin.legal())) != before:
        raise CheckFailed(f"legal was {before!r}; after the caller cleared that list it is {after!r}")


@check("end")
def over_is_over(point: DecisionPoint) -> None:
    """When the game is over nobody is on turn, nothing is legal, and every action is refused."""
    state = point.state
    if state.turn is not None or list(state.legal()):
        raise CheckFailed(f"the game is over; turn is {state.turn!r}, legal: {list(state.legal())!r}")
    actions = list(point.setup.action_pool.values())[:MAX_TRIED]
    with expect_unchanged(state, "the game is over, but refused actions changed"):
        for action in actions:
            _expect_refusal(state, action)


@cache
def find_card_lists(action: Any) -> Mapping[type[Any], frozenset[str]]:  # noqa: ANN401 - `Game.Action`
    """Return by action type the names of its fields that are lists of cards, and whose order tells nothing."""
    (kind,) = inspect.multi_type_info([action])
    kinds = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    found = {
        one.cls: frozenset(
            field.name for field in one.fields if _is_card_list(field.type) and not is_marked(field.type, "in_order")
        )
        for one in kinds
        if isinstance(one, inspect.StructType)
    }
    return {struct: names for struct, names in found.items() if names}


def _is_card_list(kind: inspect.Type) -> bool:
    match strip_metadata(kind):
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            return is_marked(item, "card") or _is_card_list(item)
        case inspect.TupleType(item_types=items):
            return all(is_marked(item, "card") for item in items)
    return False


def _key_of_choice(action: Any, card_lists: frozenset[str]) -> Hashable:  # noqa: ANN401
    """Return what an action says if the order of cards tells nothing."""
    values = [(name, getattr(action, name)) for name in action.__struct_fields__]
    return type(action), *[_forget_order(value) if name in card_lists else repr(value) for name, value in values]


def _forget_order(value: Any) -> Hashable:  # noqa: ANN401 - a card, or a list of cards or of such lists
    return tuple(sorted(map(_forget_order, value), key=repr)) if isinstance(value, list | tuple) else value


def _expect_refusal(state: AnyState, action: object) -> None:
    legal = list(state.legal())
    try:
        with fail_on_crash(f"action {action!r} is not legal; expected IllegalAction, got ", IllegalAction):
            state.play(action)
    except IllegalAction:
        return
    raise CheckFailed(f"action {action!r} was accepted; legal: {legal!r}")


def _choose_illegal(point: DecisionPoint) -> list[Any]:
    chosen = _thin_out(list(point.illegal_actions()))
    if not chosen:
        raise NotApplicable("no action is known that is not legal")
    return chosen


def _thin_out(actions: list[Any]) -> list[Any]:
    return actions[:: len(actions) // MAX_TRIED + 1]
