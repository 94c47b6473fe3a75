"""Parsers of the command line's numbers, durations and seeds, whose errors say in words what is allowed."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Final, TypeVar

import typer

SHOWN_TEXT: Final = 60  # characters of one that is too long

Number = TypeVar("Number", int, float)

_DURATION: Final = re.compile(r"(?:([0-9]{1,6})h)?(?:([0-9]{1,6})m)?(?:([0-9]{1,6})s)?")


def whole_number(lowest: int, highest: int | None = None) -> Callable[[str | int], int]:
    """Return a parser of whole numbers between two bounds, which belong to what is allowed."""
    return _make_parser(int, "a whole number", lowest, highest)


def any_number(lowest: float, highest: float | None = None) -> Callable[[str | float], float]:
    """Return a parser of numbers between two bounds, which belong to what is allowed."""
    return _make_parser(float, "a number", lowest, highest)


def parse_seed(given: str) -> str:
    """Return a seed of as many characters as one in a tournament file."""
    from pitboss_tournament.plan.settings import LONGEST_SEED  # noqa: PLC0415 - signatures import this module

    if not 1 <= len(given) <= LONGEST_SEED:
        what = repr(given) if len(given) <= SHOWN_TEXT else f"{given[:SHOWN_TEXT]!r}… ({len(given):,} characters)"
        raise typer.BadParameter(f"{what} is not allowed: it has to be a text of 1 to {LONGEST_SEED} characters.")
    return given


def parse_duration(given: str | float) -> float:
    """Return the seconds of a duration such as 8h, 90m, 30s or 1h30m."""
    found = _DURATION.fullmatch(str(given))
    hours, minutes, seconds = (int(number or 0) for number in found.groups()) if found else (0, 0, 0)
    if not (total := (hours * 60 + minutes) * 60 + seconds):
        raise typer.BadParameter(
            f"{given} is not allowed: it has to be a time above 0 in hours, minutes and seconds, as 8h, 90m, 30s or "
            "1h30m."
        )
    return float(total)


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
