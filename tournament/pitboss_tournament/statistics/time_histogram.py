"""Histogram of durations with logarithmic bins, eight per doubling.

Quantiles are accurate to 5 %, and histograms can be added.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from math import log2
from typing import Final, TypeAlias

STEPS_PER_DOUBLING: Final = 8
OVERLOADED_MS: Final = 5  # a lag that a hundredth of the answers reaches only where other programs take the processors

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


def overload_text(lag: Mapping[int, int]) -> str | None:
    """Return a warning if the machine was overloaded, by the runner's lag; None if it was not."""
    late = quantile_ms(lag, 0.99)
    if late is None or late < OVERLOADED_MS:
        return None
    return (
        f"Warning: the machine was overloaded. The runner was {late:.0f} ms late, or later, to read one answer of a "
        "hundred. No bot lost by that, but thinking times are less exact than on a calm machine."
    )


def add_histogram(total: TimeHistogram, times: TimeHistogram) -> None:
    """Add the counts of `times` to `total`."""
    for step, count in times.items():
        try:
            total[step] += count
        except KeyError:
            total[step] = count
