"""Chance: Student's t the other way round, from a value to how probable it is."""

from __future__ import annotations

from math import atan2, copysign, cos, log1p, pi, sin, sqrt
from statistics import NormalDist

MOST_EXACT_FREEDOM = 200


def student_t_cdf(t: float, freedom: int) -> float:
    """Return the chance that what is estimated lies above zero, for an estimate of t standard errors: the distribution function of Student's t.

    Exact up to 200 degrees of freedom (Abramowitz and Stegun 1964, 26.7.3 and 26.7.4), above that to six digits (Wallace 1959).

    Raises:
        ValueError: there is not even one degree of freedom.
    """
    if freedom < 1:
        raise ValueError(f"chance_above({t!r}, {freedom}): at least one degree of freedom is needed")
    if freedom > MOST_EXACT_FREEDOM:
        bound = (8 * freedom + 1) / (8 * freedom + 3)
        return NormalDist().cdf(copysign(bound * sqrt(freedom * log1p(t * t / freedom)), t))
    angle = atan2(t, sqrt(freedom))
    square, odd = cos(angle) ** 2, freedom % 2
    term = cos(angle) if odd else 1.0
    total = term if freedom > 1 else 0.0
    for number in range(2 + odd, freedom - 1, 2):
        term *= (number - 1) / number * square
        total += term
    within = 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total
    return min(1.0, max(0.0, (1 + within) / 2))
