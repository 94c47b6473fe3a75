"""Student's t distribution: its quantile, its distribution function, and a quantile that holds at any time."""

from __future__ import annotations

from functools import lru_cache
from math import atan2, copysign, cos, exp, expm1, inf, log, log1p, pi, sin, sqrt
from statistics import NormalDist
from typing import Final

CONFIDENCE: Final = 0.95
MAX_EXACT_FREEDOM: Final = 200
MAX_T: Final = 1e9  # of an estimate, in standard errors
EFFECT_SIZE: Final = 0.5  # standard deviation of the mean in units of that of a block, of `anytime_t_quantile`


def student_t_cdf(t: float, freedom: int) -> float:
    """Return the distribution function of Student's t.

    It is the probability that the true value is above zero, for an estimate of `t` standard errors. Exact up to 200
    degrees of freedom (Abramowitz and Stegun 1964, 26.7.3 and 26.7.4), above that to six digits (Wallace 1959).

    Raises:
        ValueError: `freedom` is less than 1.
    """
    if freedom < 1:
        raise ValueError(f"chance_above({t!r}, {freedom}): at least one degree of freedom is needed")
    if freedom > MAX_EXACT_FREEDOM:
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


@lru_cache(10_000)
def student_t_quantile(freedom: int, outside: float = 1 - CONFIDENCE) -> float:
    """Return the quantile of Student's t for a two-sided interval that misses the mean with a probability of `outside`.

    By Hill's approximation (CACM algorithm 396), exact for 1 and 2 degrees of freedom.

    Raises:
        ValueError: `freedom` is less than 1.
    """
    if freedom < 1:
        raise ValueError(f"student_t({freedom}): at least one degree of freedom is needed")
    if freedom == 1:
        return cos(outside * pi / 2) / sqrt(1 - cos(outside * pi / 2) ** 2)
    if freedom == 2:
        return sqrt(2 / (outside * (2 - outside)) - 2)
    a = 1 / (freedom - 0.5)
    b = 48 / a**2
    c = ((20700 * a / b - 98) * a - 16) * a + 96.36
    d = ((94.5 / (b + c) - 3) / b + 1) * sqrt(a * pi / 2) * freedom
    y = (d * outside) ** (2 / freedom)
    if y > 0.05 + a:
        x = NormalDist().inv_cdf(outside / 2)
        y = x**2
        if freedom < 5:
            c += 0.3 * (freedom - 4.5) * (x + 0.6)
        c = (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b + c
        y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x
        y = a * y**2
        y = expm1(y)
    else:
        y = (
            (1 / (((freedom + 6) / (freedom * y) - 0.089 * d - 0.822) * (freedom + 2) * 3) + 0.5 / (freedom + 4)) * y
            - 1
        ) * (freedom + 1) / (freedom + 2) + 1 / y
    return sqrt(freedom * y)


def anytime_t_quantile(freedom: int, pooled_freedom: int = 0) -> float:
    """Return the quantile to use in place of Student's t for a 95 % interval that is looked at after every value.

    The probability that mean ± quantile · s / √n ever misses the true mean is at most 5 %, however often one looks, for
    independent normal values; nearly so for others (`tests.soak.stop_rule` measures it). Infinite below 6 degrees of
    freedom; 4.8 for 10 values, 3.2 for 100, 3.4 for 1,000. It inverts the Bayes factor of Student's t against means
    that are normally distributed with EFFECT_SIZE (Gönen, Johnson, Lu and Westfall 2005, *The Bayesian two-sample
    t test*), which is a test martingale (Pérez-Ortiz, Lardy, de Heide and Grünwald 2024, *E-statistics, group
    invariance and anytime-valid testing*, Annals of Statistics 52).

    `pooled_freedom`: further degrees of freedom of the variance, from other values.
    """
    spread = 1 + (freedom + 1) * EFFECT_SIZE**2
    freedom += pooled_freedom
    log_bound = (log(1 / (1 - CONFIDENCE)) + log(spread) / 2) * 2 / (freedom + 1)
    if log_bound >= log(spread):
        return inf
    return sqrt(freedom * expm1(log_bound) / (1 - exp(log_bound) / spread))


def log_bayes_factor(t: float, freedom: float) -> float:
    """Return the log Bayes factor of an estimate `t` standard errors from zero, for a true value other than zero.

    It is that of `anytime_t_quantile`: below the logarithm of 1 / p at all times with a probability of 1 - p, if the
    true value is zero.
    """
    spread = 1 + (freedom + 1) * EFFECT_SIZE**2
    return (freedom + 1) / 2 * (log1p(t * t / freedom) - log1p(t * t / freedom / spread)) - log(spread) / 2


def find_bayes_t(proof: float, freedom: float) -> float:
    """Return how many standard errors from zero have a log Bayes factor of `proof`; infinite if none has so much."""
    if log_bayes_factor(MAX_T, freedom) < proof:
        return inf
    low, high = 0.0, MAX_T
    while high - low > 1e-9 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if log_bayes_factor(middle, freedom) >= proof else (middle, high)
    return low
