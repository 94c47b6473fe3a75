"""Evaluation: what a state says before the end of how the game goes, for search players."""

from __future__ import annotations

from math import isfinite

from pitboss.game import AnyState, DrawEvaluable, Evaluable
from pitboss.outcome import Outcome
from pitboss.testing.framework.check import CheckFailed, NotApplicable, check
from pitboss.testing.framework.decision_point import DecisionPoint
from pitboss.testing.framework.expectations import expect_unchanged


@check("decision", "end")
def prospects_are_points(point: DecisionPoint) -> None:
    """At every decision and at the end the evaluation is a finite number for each seat, the same for partners."""
    points, seats = _evaluate(point.state.copy()), point.setup.seats
    if len(points) != seats or not all(isinstance(one, int | float) and isfinite(one) for one in points):
        raise CheckFailed(f"evaluate() is {points!r}; expected a finite number for each of {seats} seats")
    for side in point.setup.sides:
        if len({points[seat] for seat in side}) > 1:
            raise CheckFailed(f"evaluate() is {points!r}; expected the same for the partners in seats {list(side)}")


@check("point", "end")
def prospects_change_nothing(point: DecisionPoint) -> None:
    """Evaluating a state changes nothing."""
    with expect_unchanged(point.state, "evaluate() changed"):
        _evaluate(point.state)


@check("point")
def prospects_can_be_asked_in_worlds(point: DecisionPoint) -> None:
    """The evaluation of a sampled world has a number for each seat."""
    seats = point.setup.seats
    for seat, world in point.worlds:
        points = _evaluate(world)
        if len(points) != seats:
            raise CheckFailed(f"evaluate() in a world of seat {seat} is {points!r}; expected {seats} numbers")


@check("decision")
def draws_are_points(point: DecisionPoint) -> None:
    """What each card is worth that may be drawn is a finite number for each seat; asking for it changes nothing."""
    state, seats = point.state.copy(), point.setup.seats
    if not isinstance(state, DrawEvaluable):
        raise NotApplicable("the game does not say what each card would be worth")
    cards = [card for card, known_by in enumerate(state.table.known_by) if not known_by]
    with expect_unchanged(state, "evaluate_draws() changed"):
        values = state.evaluate_draws(cards)
    if values is None:
        return
    if len(values) != len(cards) or not all(len(row) == seats and all(map(isfinite, row)) for row in values):
        raise CheckFailed(f"evaluate_draws() is {values!r}; expected {seats} finite numbers for each of {cards}")


@check("decision", "end")
def outcome_so_far_is_one(point: DecisionPoint) -> None:
    """A state that has an outcome so far has one at every decision: points and a place for each seat."""
    if not getattr(point.state, "has_outcome_so_far", False):
        raise NotApplicable("the game has an outcome only at its end")
    outcome, seats = point.state.copy().outcome(), point.setup.seats
    if not isinstance(outcome, Outcome) or not len(outcome.points) == len(outcome.places) == seats:
        raise CheckFailed(f"outcome() is {outcome!r}; expected points and places of {seats} seats")


def _evaluate(state: AnyState) -> list[float]:
    if not isinstance(state, Evaluable):
        raise NotApplicable("the game does not evaluate its states")
    return list(state.evaluate())
