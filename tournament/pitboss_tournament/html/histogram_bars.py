"""Bars of histograms: values gathered in bins, and lengths of games on an axis of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import floor, log10
from typing import Final

from pitboss_tournament.html.axes import Axis, linear_axis, logarithmic_axis, round_step
from pitboss_tournament.html.charts import HistogramBar

MAX_BARS: Final = 40
LOGARITHMIC_RATIO: Final = 20  # so many times the shortest game: then lengths are shown by magnitude
BARS_PER_MAGNITUDE: Final = 10  # bars from one power of ten to the next


def draw_length_bars(games: Sequence[Mapping[int, int]]) -> tuple[Axis, list[list[HistogramBar]]]:
    """Return an axis for lengths of games, and the bars of each row: games by their number of decisions."""
    shortest, longest = min(map(min, games)), max(map(max, games))
    if longest > LOGARITHMIC_RATIO * shortest:
        axis = logarithmic_axis([shortest, longest], lambda length: f"{length:,.0f}")
        return axis, [_bars_by_magnitude(row) for row in games]
    width = max(1, int(round_step(max(1.0, (longest - shortest + 1) / MAX_BARS))))
    return linear_axis([shortest - 0.5, longest + 0.5], least_step=1), [_bars_by_length(row, width) for row in games]


def gather_bars(
    counts: Mapping[int, int], bin_of: Callable[[int], int], low_end: Callable[[int], float]
) -> list[HistogramBar]:
    """Return a bar for each bin that has counts, from its own low end to that of the next bin."""
    bins: Counter[int] = Counter()
    for value, count in counts.items():
        bins[bin_of(value)] += count
    return [HistogramBar(low_end(number), low_end(number + 1), count) for number, count in sorted(bins.items())]


def _bars_by_magnitude(lengths: Mapping[int, int]) -> list[HistogramBar]:
    return gather_bars(
        lengths,
        bin_of=lambda length: floor(BARS_PER_MAGNITUDE * log10(max(length, 1))),
        low_end=lambda number: number / BARS_PER_MAGNITUDE,
    )


def _bars_by_length(lengths: Mapping[int, int], width: int) -> list[HistogramBar]:
    return gather_bars(lengths, bin_of=lambda length: length // width, low_end=lambda number: number * width - 0.5)
