"""Times: how long many things took, counted by size, so that any number of them takes little room and two counts can be added."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from math import log2
from typing import Final, TypeAlias

STEPS_PER_DOUBLING: Final = 8  # to a doubling: a quantile is right to within 5 %

TimeHistogram: TypeAlias = dict[
    int, int
]  # by step: how many. Step n holds what lies around 2^(n / STEPS) microseconds; step 0 all that is shorter


def count_times(microseconds: Iterable[int]) -> TimeHistogram:
    """Count some times."""
    return dict(Counter(round(STEPS_PER_DOUBLING * log2(us)) if us > 1 else 0 for us in microseconds))


def quantile(times: Mapping[int, int], share: float) -> float | None:
    """Return the time, in microseconds, that `share` (0 to 1) of the times do not exceed; None if there are none."""
    left = share * sum(times.values())
    for step in sorted(times):
        left -= times[step]
        if left <= 0:
            return float(2 ** (step / STEPS_PER_DOUBLING))
    return None
