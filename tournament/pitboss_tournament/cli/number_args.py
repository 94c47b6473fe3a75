"""Parsers of the command line's numbers and seeds, whose errors say in words what is allowed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TypeVar

import typer

Number = TypeVar("Number", int, float)


def whole_number(lowest: int, highest: int | None = None) -> Callable[[str | int], int]:
    """Return a parser of whole numbers between two bounds, which belong to what is allowed."""
    return _make_parser(int, "a whole number", lowest, highest)


def any_number(lowest: float, highest: float | None = None) -> Callable[[str | float], float]:
    """Return a parser of numbers between two bounds, which belong to what is allowed."""
    return _make_parser(float, "a number", lowest, highest)


def parse_seed(given: str) -> str:
    """Return a seed of as many characters as one in a tournament file."""
    from pitboss_tournament.plan.settings import LONGEST_SEED

    if not 1 <= len(given) <= LONGEST_SEED:
        raise typer.BadParameter(f"{given!r} is not allowed: it has to be a text of 1 to {LONGEST_SEED} characters.")
    return given


def _make_parser(
    kind: type[Number], noun: str, lowest: Number, highest: Number | None
) -> Callable[[str | Number], Number]:
    allowed = f"{noun}, at least {lowest}" if highest is None else f"{noun} from {lowest} to {highest}"

    def number(given: str | Number) -> Number:  # its name is that of the value in the help
        try:
            value = kind(given)
        except (ValueError, OverflowError):
            value = None
        if value is None or not lowest <= value <= (sys.float_info.max if highest is None else highest):
            raise typer.BadParameter(f"{given} is not allowed: it has to be {allowed}.")
        return value

    return number
