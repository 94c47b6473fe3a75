"""Histogram of durations with logarithmic bins, eight per doubling.

Quantiles are accurate to 5 %, and histograms can be added.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from math import log2
from typing import Final, TypeAlias

STEPS_PER_DOUBLING: Final = 8

# counts by step: step n holds the times around 2^(n / STEPS_PER_DOUBLING) microseconds, step 0 all shorter ones
TimeHistogram: TypeAlias = dict[int, int]


def count_times(microseconds: Iterable[int]) -> TimeHistogram:
    """Return the histogram of times."""
    return dict(Counter(round(STEPS_PER_DOUBLING * log2(us)) if us > 1 else 0 for us in microseconds))


def quantile(times: Mapping[int, int], share: float) -> float | None:
    """Return the time, in microseconds, that `share` (0 to 1) of the times do not exceed; None if there are none."""
    left = share * sum(times.values())
    for step in sorted(times):
        left -= times[step]
        if left <= 0:
            return float(2 ** (step / STEPS_PER_DOUBLING))
    return None


def quantile_ms(times: Mapping[int, int], share: float) -> float | None:
    """Return the milliseconds that `share` of the times do not exceed, accurate to 5 %; None if there are none."""
    us = quantile(times, share)
    return None if us is None else round(us / 1000, 4)


def add_histogram(total: TimeHistogram, times: TimeHistogram) -> None:
    """Add the counts of `times` to `total`."""
    for step, count in times.items():
        try:
            total[step] += count
        except KeyError:
            total[step] = count
