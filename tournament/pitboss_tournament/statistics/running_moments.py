"""Estimates: the mean of a stream of values with its 95 % interval.

The interval is mean ± (t + 4 g² / n) · s / √n over n values: t is Student's with n - 1 degrees of freedom, g the
skewness of the values, without which the interval would be too short where most games are drawn or few points are
large. The term has the form that Hall found for the symmetric interval (1988, *On symmetric bootstrap confidence
intervals*, JRSS B 50), but 4 and not 2.1: a small sample shows less skewness than there is. It vanishes faster than the
rest as values are added; `tests.soak.calibration` measures how often intervals contain the true value.

That is so for a number of values that was fixed before the first. Who looks after each value, and stops when he likes
what he sees, needs an interval that holds *at any time*: it has another quantile in place of Student's t and is wider.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf, log, sqrt
from typing import Final

from msgspec import Struct

from pitboss_tournament.statistics.student_t import CONFIDENCE, anytime_t_quantile, find_bayes_t, student_t_quantile

SKEWNESS_TERM: Final = 4.0  # multiple of skewness² / n added to Student's t; found by simulation

MIN_DOMINANT: Final = 0.3  # share of the skewness that one value could have at most


class Estimate(Struct, frozen=True):
    """A mean with the half-width of its 95 % interval; None: not known (too few blocks)."""

    mean: float | None
    half_width: float | None

    def scale(self, factor: float) -> Estimate:
        """Return the same in another unit, of which `factor` make one of this."""
        return Estimate(*(None if value is None else value * factor for value in (self.mean, self.half_width)))

    def clip(self, low: float, high: float) -> tuple[float, float] | None:
        """Return the ends of the interval, which do not leave `low` to `high`; None if it is not known."""
        if self.mean is None or self.half_width is None:
            return None
        return max(low, self.mean - self.half_width), min(high, self.mean + self.half_width)


class Interval(Struct, frozen=True):
    """An interval for a mean."""

    low: float
    high: float


class RunningMoments(Struct, array_like=True):
    """Mean, variance and skewness of a stream of values, in constant memory (Welford 1962, Pébay 2008)."""

    count: int = 0
    mean: float = 0.0
    sum_squares: float = 0.0
    sum_cubes: float = 0.0
    least: float = inf
    greatest: float = -inf

    def add(self, value: float) -> None:
        """Add a value."""
        count, mean, squares = self.count + 1, self.mean, self.sum_squares
        if value < self.least:
            self.least = value
        if value > self.greatest:
            self.greatest = value
        step = value - mean
        part = step / count
        mean += part
        more = step * (value - mean)
        self.count, self.mean, self.sum_squares = count, mean, squares + more
        self.sum_cubes += part * (more * (count - 2) - 3 * squares)

    def add_all(self, values: Sequence[float]) -> None:
        """Add values one by one, as `add` does, which takes three times as long for many."""
        count, mean, squares, cubes = self.count, self.mean, self.sum_squares, self.sum_cubes
        for value in values:
            count += 1
            step = value - mean
            part = step / count
            mean += part
            more = step * (value - mean)
            cubes += part * (more * (count - 2) - 3 * squares)
            squares += more
        if values:
            self.least, self.greatest = min(self.least, *values), max(self.greatest, *values)
        self.count, self.mean, self.sum_squares, self.sum_cubes = count, mean, squares, cubes

    def add_equal(self, value: float, count: int) -> None:
        """Add `count` values that are all equal."""
        before = self.count
        self.count += count
        self.least, self.greatest = min(self.least, value), max(self.greatest, value)
        step = value - self.mean
        part = step * count / self.count
        self.mean += part
        more = step * before * part
        self.sum_cubes += more * step * (before - count) / self.count - 3 * part * self.sum_squares
        self.sum_squares += more

    @property
    def is_constant(self) -> bool:
        """Whether all values are equal, up to rounding errors."""
        return self.sum_squares <= 1e-12 * max(1.0, self.mean**2)

    @property
    def dominant_share(self) -> float | None:
        """The share of the variance that is in one value; None if that does no harm.

        It does harm where the values are skewed as one value far from all others makes them: then the interval depends
        on how often such values happen to have come, and holds the true mean too seldom. Symmetric tails do none (ties
        with few games decided), nor do two values only, of which one is rare (nobody wins much): in simulations
        intervals held the true mean as often as promised, or more often.
        """
        if self.is_constant or self._has_two_values():
            return None
        farthest = max(self.greatest - self.mean, self.mean - self.least)
        skewed = (self.sum_cubes / self.sum_squares) ** 2 / self.sum_squares  # 1 if all others are equal, and many
        is_usual = skewed <= max(MIN_DOMINANT, 5 * log(self.count) / self.count)
        return None if is_usual else farthest**2 / self.sum_squares

    def _has_two_values(self) -> bool:
        """Tell whether all values are the least or the greatest: for this mean the variance is then the greatest."""
        most = self.count * (self.greatest - self.mean) * (self.mean - self.least)
        return self.sum_squares >= most * (1 - 1e-9)

    def estimate(self, scale: float | None = None, *, anytime: bool = False) -> Estimate:
        """Return the mean with its 95 % interval: for a fixed number of values, or one that holds at any time.

        If all values are equal the variance cannot be estimated: the half-width is then `scale` · (1 - 0.05^(1/n)) for
        values whose range is at most `scale`, and None without `scale`. That holds at any time, too. An interval that
        holds at any time needs 7 values: with fewer the half-width is None.
        """
        if not self.count:
            return Estimate(None, None)
        if self.is_constant:
            return Estimate(self.mean, None if scale is None else scale * (1 - (1 - CONFIDENCE) ** (1 / self.count)))
        half_width = self.half_width(self.count, anytime=anytime)
        return Estimate(self.mean, None if half_width == inf else half_width)

    def half_width(self, count: int, *, anytime: bool = False, shared_by: int = 1) -> float:
        """Return the half-width for `count` values (two or more) with the variance and skewness observed so far.

        With 95 % all of the intervals hold that share the error, as many as `shared_by` says (Bonferroni).
        """
        outside = (1 - CONFIDENCE) / shared_by
        if anytime:
            quantile = anytime_t_quantile(count - 1) if shared_by == 1 else find_bayes_t(-log(outside), count - 1)
        else:
            quantile = student_t_quantile(count - 1, outside)
        skewness = (self.sum_cubes / self.sum_squares) ** 2 / self.sum_squares * self.count
        return (quantile + SKEWNESS_TERM * skewness / count) * sqrt(self.sum_squares / (self.count - 1) / count)


def gather_moments(values: Iterable[float]) -> RunningMoments:
    """Return the moments of some values."""
    moments = RunningMoments()
    for value in values:
        moments.add(value)
    return moments


def average_means(estimates: Iterable[Estimate]) -> Estimate:
    """Return the mean of those means that are known, each as one value, with an interval over them."""
    return gather_moments(one.mean for one in estimates if one.mean is not None).estimate()
