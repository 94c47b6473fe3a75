"""Sample size: how many blocks show a difference between two bots, planned from the blocks of a pilot.

The pilot tells how much the differences of blocks spread; its own mean, which a few blocks tell badly, is left out. The
sample is made symmetric (bots that are nearly equal win as they lose), then tilted to the mean that is planned for:
each difference x gets the weight e^(λx), which changes the sample as little as that mean allows (exponential tilting;
Efron 1981, *Nonparametric standard errors and confidence intervals*). So bots far apart, of whom one won every block,
are planned for as bots that win and lose whole blocks, which is on the safe side.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, exp
from statistics import NormalDist
from typing import Final

from msgspec import Struct

from pitboss_tournament.statistics.running_moments import RunningMoments
from pitboss_tournament.statistics.sequential_test import count_blocks_to_proof
from pitboss_tournament.statistics.student_t import CONFIDENCE

MAX_TILT: Final = 60.0  # e^60 leaves only the greatest difference of a sample
WEIGHT_STEPS: Final = 1_000_000  # weights as whole numbers


class SampleSize(Struct, frozen=True, kw_only=True):
    """Blocks of two bots that show a difference between them with a given power."""

    fixed: int  # if their number is fixed beforehand, by a 95 % interval
    fixed_low: int  # the ends of its 95 % interval, as the spread is known from the pilot only
    fixed_high: int | None  # None: unknown
    sequential: int | None  # by which a sequential test has ended with this probability; None: more than are planned


def plan_sample_size(sample: Sequence[float], difference: float, power: float) -> SampleSize | None:
    """Return the blocks that a mean difference takes, from the block differences of a pilot, between -1 and 1.

    None if no block of the pilot has a difference as great as that: then nothing can be planned.
    """
    if max(map(abs, sample), default=0.0) <= difference:
        return None
    tilted = _tilt(sorted([*sample, *(-value for value in sample)]), difference)
    variance = sum(weight * (value - difference) ** 2 for value, weight in tilted.items())
    normal = NormalDist()
    level = normal.inv_cdf((1 + CONFIDENCE) / 2)
    fixed = ((level + normal.inv_cdf(power)) / difference) ** 2 * variance + level**2 / 2  # for Student's t: Guenther
    squares = RunningMoments()
    for value in sample:
        squares.add(value * value)
    error = squares.estimate(scale=1.0).half_width
    relative = None if error is None or len(sample) < 2 else error / squares.mean
    future = {value: round(WEIGHT_STEPS * weight) for value, weight in tilted.items()}
    return SampleSize(
        fixed=ceil(fixed),
        fixed_low=1 if relative is None else ceil(fixed * exp(-relative)),
        fixed_high=None if relative is None else ceil(fixed * exp(relative)),
        sequential=count_blocks_to_proof({}, future, power=power),
    )


def _tilt(sample: Sequence[float], mean: float) -> dict[float, float]:
    """Return the weights of the values, 1 together, of the sample tilted to this mean."""
    low, high = 0.0, MAX_TILT / max(sample)
    for _ in range(60):
        middle = (low + high) / 2
        weights = [exp(middle * value) for value in sample]
        is_above = sum(map(float.__mul__, weights, sample)) > mean * sum(weights)
        low, high = (low, middle) if is_above else (middle, high)
    tilted: dict[float, float] = {}
    whole = sum(exp(low * value) for value in sample)
    for value in sample:
        tilted[value] = tilted.get(value, 0.0) + exp(low * value) / whole
    return tilted
