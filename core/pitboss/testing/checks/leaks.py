"""Leaks: what a seat is shown is equal, byte for byte, in every world that it can imagine."""

# ruff: noqa: D401 - the docstring of a check is what a game promises

from __future__ import annotations

from typing import Final

import msgspec

from pitboss.testing.framework.check_runner import CheckFailed
from pitboss.testing.framework.decision_point import DecisionPoint
from pitboss.testing.framework.snapshot import describe_first_difference

_encode = msgspec.json.encode


def view_leaks_nothing(point: DecisionPoint) -> None:
    """The view of a seat, and of the spectator, is the same in every world that it can imagine."""
    for seat, world in point.worlds:
        real, imagined = _encode(point.state.view(seat)), _encode(world.view(seat))
        if real != imagined:
            raise CheckFailed(
                f"view({seat}) tells something hidden: {describe_first_difference(real, imagined)} in a world it can imagine"
            )


def legal_leaks_nothing(point: DecisionPoint) -> None:
    """The legal list of the seat on turn is the same, in the same order, in every world that it can imagine."""
    for seat, world in point.worlds:
        if point.turn is None or seat != point.turn.seat:
            continue
        real, imagined = _encode(list(point.legal)), _encode(list(world.legal()))
        if real != imagined:
            raise CheckFailed(
                f"legal of seat {seat} tells something hidden: {describe_first_difference(real, imagined)} in a world it can imagine"
            )


def turn_leaks_nothing(point: DecisionPoint) -> None:
    """A seat that is on turn is so, in the same phase, in every world that it can imagine; one that is not is not."""
    for seat, world in point.worlds:
        real = point.turn if point.turn is None or point.turn.seat == seat else "another seat's"
        imagined = world.turn if world.turn is None or world.turn.seat == seat else "another seat's"
        if real != imagined:
            raise CheckFailed(f"for seat {seat} the turn is {real!r}; in a world it can imagine it is {imagined!r}")


def neutral_leaks_nothing(point: DecisionPoint) -> None:
    """The neutral action of the seat on turn is the same in every world that it can imagine."""
    for seat, world in point.worlds:
        if point.turn is not None and seat == point.turn.seat and world.neutral() != point.state.neutral():
            raise CheckFailed(
                f"neutral of seat {seat} is {point.state.neutral()!r}; in a world it can imagine {world.neutral()!r}"
            )


POINT_CHECKS: Final = (view_leaks_nothing, legal_leaks_nothing, turn_leaks_nothing, neutral_leaks_nothing)
