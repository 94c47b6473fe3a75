"""Axes of charts: positions in percent of the width, so that a chart fits any screen with its text unscaled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import ceil, floor, log10

from msgspec import Struct

from pitboss_tournament.html.number_format import typeset_number

MAX_TICKS = 5
MARGIN_PERCENT = 5.0  # percent left free on either side, where half of a label fits


class Axis(Struct, frozen=True):
    """An axis from `low` to `high`, with its ticks."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    left: float = MARGIN_PERCENT  # percent left free before it
    right: float = MARGIN_PERCENT  # and after it

    def locate(self, value: float) -> float:
        """Return the position of a value in percent of the width, clamped to the axis."""
        inside = min(max(value, self.low), self.high)
        return self.left + (100 - self.right - self.left) * (inside - self.low) / (self.high - self.low)


def linear_axis(values: Iterable[float], least_step: float = 0.0) -> Axis:
    """Return a linear axis that contains all values, with round numbers as ticks."""
    known = list(values) or [0.0]
    low, high = min(known), max(known)
    if high - low < 1e-9 * max(1.0, abs(low), abs(high)):
        low, high = low - 1, high + 1
    step = round_step(max(least_step, (high - low) / (MAX_TICKS - 1)))
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    digits = max(0, -floor(log10(step)))
    ticks = tuple((number * step, typeset_number(number * step + 0.0, digits)) for number in range(first, last + 1))
    return Axis(first * step, last * step, ticks)


def equal_axes(rows: Sequence[Sequence[float]]) -> list[Axis]:
    """Return an axis for each row of values, one or more, that contains them; all are equally long.

    They have ticks at their ends and in between, at round numbers.
    """
    longest = max((max(row) - min(row) for row in rows), default=0.0)
    step = round_step(max(longest, 1.0) / MAX_TICKS)
    digits = max(0, -floor(log10(step)))
    steps = ceil(longest / step - 1e-9) + 1
    axes = []
    for row in rows:
        first = floor((min(row) + max(row)) / 2 / step - steps / 2 + 0.5)
        numbers = range(first, first + steps + 1)
        ticks = tuple((number * step, typeset_number(number * step + 0.0, digits)) for number in numbers)
        axes.append(Axis(first * step, (first + steps) * step, ticks))
    return axes


def logarithmic_axis(values: Iterable[float], label: Callable[[float], str]) -> Axis:
    """Return a logarithmic axis that contains all values, with a tick at each power of ten."""
    logs = [log10(max(value, 1.0)) for value in values] or [0.0]
    first, last = floor(min(logs)), max(ceil(max(logs)), floor(min(logs)) + 1)
    return Axis(first, last, tuple((float(power), label(10**power)) for power in range(first, last + 1)))


def round_step(least: float) -> float:
    """Return the smallest of 1, 2, 5, 10, 20 … (and their fractions) that is at least `least`."""
    power = 10.0 ** floor(log10(least))
    return next(float(power * factor) for factor in (1, 2, 5, 10) if power * factor >= least * (1 - 1e-9))
