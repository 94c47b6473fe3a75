"""The estimate of a difference when a sequential test stops, corrected for the stop.

A test stops where the estimate has gone far from the middle of its two bounds, and luck takes it there early: the
estimate at the stop is too far away on average. The correction is that of Whitehead (1986, *On the bias of maximum
likelihood estimation following a sequential test*, Biometrika 73): the difference for which the estimate at the stop
would be the one that was found, on average.

The score of the games, less what it is at the middle, is a Brownian motion that stops at a or -a; a is the estimate's
distance from the middle, divided by its variance. With a drift of v / a the mean of that distance, times a, is sinh(v)
· ∫ u / cosh(u) du from v to infinity, by the Laplace transform of the time of the stop.
"""

from __future__ import annotations

from math import exp
from typing import Final

TERMS: Final = 200  # of the series of the integral: its error is below 1e-5
NEGLIGIBLE: Final = 1e-9
ROOT_STEPS: Final = 40  # bisections


def correct_for_stop(estimate: float, error: float, middle: float) -> float:
    """Return the estimate of a difference at the stop of a test, drawn towards the middle of the test's bounds.

    `error`: its standard error, above 0, as if the number of blocks had been fixed.
    """
    distance = (estimate - middle) / error
    low, high = 0.0, distance * distance
    for _ in range(ROOT_STEPS):
        drift = (low + high) / 2
        low, high = (drift, high) if _compute_mean_distance(drift) < distance * distance else (low, drift)
    return middle + (error * low / distance if distance else 0.0)


def _compute_mean_distance(drift: float) -> float:
    """Return the mean distance of the estimate at the stop from the middle, times a, where the drift is `drift` / a."""
    shrink, total, factor = exp(-2 * drift), 0.0, 1.0
    for odd in range(1, 2 * TERMS, 2):
        total += factor * (drift + 1 / odd) / odd
        factor *= -shrink
        if abs(factor) < NEGLIGIBLE:
            break
    return (1 - shrink) * total
