"""Leaks: what a seat is shown is equal, byte for byte, in every world that it can imagine."""

# ruff: noqa: D401 - the docstring of a check is what a game promises

from __future__ import annotations

from typing import Final

import msgspec

from pitboss.testing.examiner import Broken
from pitboss.testing.moment import Moment
from pitboss.testing.standing import first_difference

_encode = msgspec.json.encode


def view_leaks_nothing(moment: Moment) -> None:
    """The view of a seat, and of the spectator, is the same in every world that it can imagine."""
    for seat, world in moment.worlds:
        real, imagined = _encode(moment.state.view(seat)), _encode(world.view(seat))
        if real != imagined:
            raise Broken(f"view({seat}) tells something hidden: {first_difference(real, imagined)} in a world it can imagine")


def legal_leaks_nothing(moment: Moment) -> None:
    """The legal list of the seat on turn is the same, in the same order, in every world that it can imagine."""
    for seat, world in moment.worlds:
        if moment.turn is None or seat != moment.turn.seat:
            continue
        real, imagined = _encode(list(moment.legal)), _encode(list(world.legal()))
        if real != imagined:
            raise Broken(
                f"legal of seat {seat} tells something hidden: {first_difference(real, imagined)} in a world it can imagine"
            )


def turn_leaks_nothing(moment: Moment) -> None:
    """A seat that is on turn is so, in the same phase, in every world that it can imagine; one that is not is not."""
    for seat, world in moment.worlds:
        real = moment.turn if moment.turn is None or moment.turn.seat == seat else "another seat's"
        imagined = world.turn if world.turn is None or world.turn.seat == seat else "another seat's"
        if real != imagined:
            raise Broken(f"for seat {seat} the turn is {real!r}; in a world it can imagine it is {imagined!r}")


def neutral_leaks_nothing(moment: Moment) -> None:
    """The neutral action of the seat on turn is the same in every world that it can imagine."""
    for seat, world in moment.worlds:
        if moment.turn is not None and seat == moment.turn.seat and world.neutral() != moment.state.neutral():
            raise Broken(f"neutral of seat {seat} is {moment.state.neutral()!r}; in a world it can imagine {world.neutral()!r}")


OF_A_MOMENT: Final = (view_leaks_nothing, legal_leaks_nothing, turn_leaks_nothing, neutral_leaks_nothing)
