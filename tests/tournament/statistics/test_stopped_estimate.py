"""The correction of an estimate at the stop of a sequential test."""

from __future__ import annotations

from math import sqrt
from random import Random
from statistics import fmean

import pytest

from pitboss_tournament.statistics.bounded_test import correct_for_stop


def stop_walk(drift: float, rng: Random) -> tuple[float, float]:
    """Return the estimate of a drift, and its standard error, when a random walk is first more than 1 from 0."""
    place, time, step = 0.0, 0.0, 0.01
    while abs(place) < 1:
        place += rng.gauss(drift * step, sqrt(step))
        time += step
    return place / time, 1 / sqrt(time)


@pytest.mark.parametrize("drift", [0.5, 1.5])
def test_the_mean_of_estimates_at_the_stop(drift: float) -> None:
    """Estimates at the stop are too far from 0 by more than a third on average; corrected ones are right."""
    rng = Random(str(drift))
    stops = [stop_walk(drift, rng) for _ in range(400)]
    corrected = fmean(correct_for_stop(*stop, 0.0) for stop in stops)

    assert fmean(estimate for estimate, _ in stops) > 1.35 * drift
    assert corrected == pytest.approx(drift, abs=0.15)


def test_what_is_many_errors_away_is_hardly_corrected() -> None:
    """An estimate is corrected by its error, not by its distance, and never beyond the middle."""
    assert correct_for_stop(105.0, 1.0, 5.0) == pytest.approx(104.99)
    assert correct_for_stop(-95.0, 1.0, 5.0) == pytest.approx(-94.99)
    assert correct_for_stop(5.0, 1.0, 5.0) == 5
    assert 5 < correct_for_stop(5.1, 1.0, 5.0) < correct_for_stop(6.0, 1.0, 5.0) < 5.6
