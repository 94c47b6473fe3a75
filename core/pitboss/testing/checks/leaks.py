"""Leaks: what a seat is shown is equal, byte for byte, in every world sampled from its information set."""

from __future__ import annotations

from pitboss.testing.framework.check import CheckFailed, check
from pitboss.testing.framework.decision_point import DecisionPoint
from pitboss.testing.framework.expectations import expect_same_in_worlds


@check("point")
def view_leaks_nothing(point: DecisionPoint) -> None:
    """The view of a seat, and of the spectator, is the same in every world of its information set."""
    expect_same_in_worlds(point, "view({})", lambda state, seat: state.view(seat))


@check("point")
def legal_leaks_nothing(point: DecisionPoint) -> None:
    """The legal list of the seat on turn is the same, in the same order, in every world of its information set."""
    expect_same_in_worlds(point, "legal of seat {}", lambda state, _: list(state.legal()), only_on_turn=True)


@check("point")
def turn_leaks_nothing(point: DecisionPoint) -> None:
    """Whether a seat is on turn, and in which phase, is the same in every world of its information set."""
    for seat, world in point.worlds:
        real = point.turn if point.turn is None or point.turn.seat == seat else "another seat's"
        imagined = world.turn if world.turn is None or world.turn.seat == seat else "another seat's"
        if real != imagined:
            raise CheckFailed(f"for seat {seat} the turn is {real!r}; in a possible world it is {imagined!r}")


@check("point")
def neutral_leaks_nothing(point: DecisionPoint) -> None:
    """The neutral action of the seat on turn is the same in every world of its information set."""
    expect_same_in_worlds(point, "neutral of seat {}", lambda state, _: state.neutral(), only_on_turn=True)
