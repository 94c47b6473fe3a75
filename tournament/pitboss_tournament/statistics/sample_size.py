"""Sample size: how many blocks show a difference between two bots, planned from the blocks of a pilot.

The pilot tells how much the differences of blocks spread; its own mean, which a few blocks tell badly, is left out: the
sample is tilted to the mean that is planned for. Each difference x gets the weight e^(λx), which changes the sample as
little as that mean allows (exponential tilting; Efron 1981, *Nonparametric standard errors and confidence intervals*).
A small share of the sample is turned to the other side first, as the better bot may lose what it never lost in the
pilot: bots far apart, one of which won every block, are planned for as bots that win and lose whole blocks, which is on
the safe side.

The variance of n blocks is multiplied by (n + 2) / (n - 1): n / (n - 1) as of any sample, and about 1 + 2 / n, as its
relative error has the variance 2 / n, and a plan loses more power by a variance that is too small than it gains by one
that is too large.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import ceil, exp
from statistics import NormalDist
from typing import Final

from msgspec import Struct

from pitboss_tournament.statistics.running_moments import RunningMoments
from pitboss_tournament.statistics.sequential_test import count_blocks_to_proof
from pitboss_tournament.statistics.student_t import CONFIDENCE

MAX_TILT: Final = 60.0  # e^60 leaves only the greatest difference of a sample
TURNED_SHARE: Final = 0.05  # weight of a difference that is turned to the other side, beside the weight 1 of its own
WEIGHT_STEPS: Final = 1_000_000  # weights as whole numbers


class SampleSize(Struct, frozen=True, kw_only=True):
    """Blocks of two bots that show a difference between them with a given power."""

    fixed: int  # if their number is fixed beforehand, by a 95 % interval
    fixed_low: int  # the ends of its 95 % interval, as the spread is known from the pilot only
    fixed_high: int | None  # None: unknown
    sequential: int | None  # by which a sequential test has ended with this probability; None: more than are planned


def plan_sample_size(sample: Sequence[float], difference: float, power: float) -> SampleSize | None:
    """Return the blocks that a mean difference takes, from the block differences of a pilot, between -1 and 1.

    None if no block of the pilot has a difference as great as that, or it is none: then nothing can be planned.
    """
    if not 0 < difference < max(map(abs, sample), default=0.0):
        return None
    ahead = 1 if sum(sample) >= 0 else -1
    weights: defaultdict[float, float] = defaultdict(float)
    for value in sorted(sample):
        weights[ahead * value] += 1.0
        weights[-ahead * value] += TURNED_SHARE
    tilted = _tilt(weights, difference)
    variance = sum(weight * (value - difference) ** 2 for value, weight in tilted.items())
    variance *= (len(sample) + 2) / max(1, len(sample) - 1)
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


def _tilt(sample: Mapping[float, float], mean: float) -> dict[float, float]:
    """Return the weights of the values, 1 together, of a weighted sample tilted to this mean."""
    greatest = max(sample)
    low, high = -MAX_TILT / greatest, MAX_TILT / greatest
    for _ in range(60):
        middle = (low + high) / 2
        weights = {value: weight * exp(middle * value) for value, weight in sample.items()}
        is_above = sum(value * weight for value, weight in weights.items()) > mean * sum(weights.values())
        low, high = (low, middle) if is_above else (middle, high)
    tilted = {value: weight * exp(low * value) for value, weight in sample.items()}
    whole = sum(tilted.values())
    return {value: weight / whole for value, weight in tilted.items()}
