"""Standings: who is better, and how sure one can be. The unit is the block, one deal in all orders of its seat design, never the single game.

Within a block every entrant has had every seat with the same cards, so the mean over the block has most of the deal's luck taken out; blocks are independent of each other.
A 95 % interval is mean ± (t + 4 g² / n) · s / √n over an entrant's n blocks: t is Student's with n - 1 degrees of freedom, g the skewness of the blocks, without which the interval would be too
short where most games are drawn or few points are large. The addition is of the form that Hall found for the symmetric interval (1988, *On symmetric bootstrap confidence intervals*, JRSS B 50), but 4 and not 2.1: a small sample shows
less skewness than there is. It vanishes faster than the rest as blocks are added; `bench/calibration.py` shows how often intervals hold the truth.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from math import cos, expm1, pi, sqrt
from statistics import NormalDist

from msgspec import Struct

from pitboss_tournament.statistics.scoring import GameResult, SeatResult
from pitboss_tournament.statistics.time_histogram import TimeHistogram, quantile

CONFIDENCE = 0.95
SKEWNESS_TERM = 4.0  # squared skewnesses, by the number of values, that are added to Student's t: found by simulation


class Estimate(Struct, frozen=True):
    """A mean with the half-width of its 95 % interval; None: not known (too few blocks)."""

    mean: float | None
    half_width: float | None


class Standing(Struct, frozen=True, kw_only=True):
    """A line of the standings."""

    name: str
    games: int
    blocks: int  # complete ones: only they count for the estimates
    points: Estimate
    wins: Estimate  # share of the wins, 0 to 1
    faults: dict[str, int]  # forfeited games by kind
    substituted: dict[str, int]  # decisions that the neutral action was played for, the game going on, by kind of fault
    think_ms: float | None  # mean thinking time a decision
    think_p50_ms: float | None  # half of the decisions took no longer
    think_p99_ms: float | None  # 99 of 100 decisions took no longer
    is_out: bool  # too many faults


class RunningMoments:
    """The mean, variance and skewness of values that come one at a time (Welford 1962, Pébay 2008): it keeps none of them."""

    __slots__ = ("count", "mean", "sum_cubes", "sum_squares")

    def __init__(self) -> None:
        self.count = 0
        self.mean = 0.0
        self.sum_squares = 0.0
        self.sum_cubes = 0.0

    def add(self, value: float) -> None:
        """Take one more value."""
        self.count += 1
        step = value - self.mean
        part = step / self.count
        self.mean += part
        more = step * (value - self.mean)
        self.sum_cubes += part * (more * (self.count - 2) - 3 * self.sum_squares)
        self.sum_squares += more

    @property
    def is_constant(self) -> bool:
        """Whether all values are equal, as far as floats can tell."""
        return self.sum_squares <= 1e-12 * max(1.0, self.mean**2)

    def estimate(self, scale: float | None = None) -> Estimate:
        """Return the mean with its 95 % interval.

        Where all values are equal the sample tells nothing about the variance: then, for values known to span at most `scale`, the
        interval is what n blocks without an exception allow at 95 % (1 - 0.05^(1/n) of the scale); without a scale it is not known.
        """
        if not self.count:
            return Estimate(None, None)
        if self.is_constant:
            return Estimate(self.mean, None if scale is None else scale * (1 - (1 - CONFIDENCE) ** (1 / self.count)))
        return Estimate(self.mean, self.half_width(self.count))

    def half_width(self, count: int) -> float:
        """Return the half-width that the interval has with so many values (two or more) if they are spread as those seen, which are not constant."""
        skewness = (self.sum_cubes / self.sum_squares) ** 2 / self.sum_squares * self.count
        return (student_t_quantile(count - 1) + SKEWNESS_TERM * skewness / count) * sqrt(
            self.sum_squares / (self.count - 1) / count
        )


class RunningStandings:
    """The running count of a tournament. Its size depends on the number of entrants and of open blocks, not on that of games."""

    def __init__(self, names: list[str], block_games: int, disqualify_after: int) -> None:
        self.names = names
        self.games = 0
        self.faults: list[Counter[str]] = [Counter() for _ in names]  # forfeited games
        self.substituted: list[Counter[str]] = [Counter() for _ in names]  # decisions
        self.first_faults: dict[int, tuple[int, int]] = {}  # by entrant: game and seat
        self.lag: TimeHistogram = {}  # the runner's
        self._block_games = block_games  # one deal in all orders of the seat design
        self._disqualify_after = disqualify_after
        self._open_blocks: dict[tuple[int, int], list[GameResult]] = {}
        self._games = [0] * len(names)
        self._points = [RunningMoments() for _ in names]
        self._wins = [RunningMoments() for _ in names]
        self._decisions = [0] * len(names)
        self._think_us = [0] * len(names)
        self._think: list[TimeHistogram] = [{} for _ in names]

    def add(self, result: GameResult) -> None:
        """Count a game."""
        self.games += 1
        if result.lag:
            _add_histogram(self.lag, result.lag)
        for number, seat in enumerate(result.seats):
            entrant = seat.entrant
            self._games[entrant] += 1
            self._decisions[entrant] += seat.decisions
            self._think_us[entrant] += seat.think_us
            if seat.think:
                _add_histogram(self._think[entrant], seat.think)
            if seat.fault or seat.substituted:
                self._count_faults(seat, (result.game_id, number))
        block = self._open_blocks.get((result.pairing, result.deal))
        if block is None:
            block = self._open_blocks[result.pairing, result.deal] = []
        block.append(result)
        if len(block) == self._block_games:
            self._close_block(self._open_blocks.pop((result.pairing, result.deal)))

    def _count_faults(self, seat: SeatResult, here: tuple[int, int]) -> None:
        if seat.fault:
            self.faults[seat.entrant][seat.fault] += 1
        self.substituted[seat.entrant].update(seat.substituted)
        self.first_faults[seat.entrant] = min(here, self.first_faults.get(seat.entrant, here))

    def add_all(self, results: Iterable[GameResult]) -> None:
        """Count many games."""
        for result in results:
            self.add(result)

    def is_disqualified(self, entrant: int) -> bool:
        """Tell whether an entrant has forfeited as often as is allowed."""
        return self.faults[entrant].total() >= self._disqualify_after

    def disqualified(self) -> frozenset[int]:
        """Return all entrants that are out."""
        return frozenset(entrant for entrant in range(len(self.names)) if self.is_disqualified(entrant))

    def standings(self) -> list[Standing]:
        """Return the lines, the greatest share of wins first (then points, then name)."""
        lines = [self._standing(entrant) for entrant in range(len(self.names))]
        return sorted(lines, key=lambda line: (-(line.wins.mean or 0), -(line.points.mean or 0), line.name))

    def _close_block(self, block: list[GameResult]) -> None:
        own: dict[int, list[SeatResult]] = {}
        for result in block:
            for seat in result.seats:
                own.setdefault(seat.entrant, []).append(seat)
        for entrant, seats in own.items():
            self._points[entrant].add(sum([seat.points for seat in seats]) / len(seats))
            self._wins[entrant].add(sum([seat.win for seat in seats]) / len(seats))

    def _standing(self, entrant: int) -> Standing:
        decisions = self._decisions[entrant]
        return Standing(
            name=self.names[entrant],
            games=self._games[entrant],
            blocks=self._points[entrant].count,
            points=self._points[entrant].estimate(),
            wins=self._wins[entrant].estimate(scale=1.0),
            faults=dict(self.faults[entrant]),
            substituted=dict(self.substituted[entrant]),
            think_ms=self._think_us[entrant] / decisions / 1000 if decisions else None,
            think_p50_ms=quantile_ms(self._think[entrant], 0.5),
            think_p99_ms=quantile_ms(self._think[entrant], 0.99),
            is_out=self.is_disqualified(entrant),
        )


def quantile_ms(times: Mapping[int, int], share: float) -> float | None:
    """Return the milliseconds that `share` of the times do not exceed, right to within 5 %; None if there are none."""
    us = quantile(times, share)
    return None if us is None else round(us / 1000, 4)


def _add_histogram(all_times: TimeHistogram, times: TimeHistogram) -> None:
    for step, count in times.items():
        try:
            all_times[step] += count
        except KeyError:
            all_times[step] = count


def student_t_quantile(freedom: int, confidence: float = CONFIDENCE) -> float:
    """Return Student's t for a two-sided interval, by Hill's approximation (CACM algorithm 396), exact for 1 and 2 degrees of freedom.

    Raises:
        ValueError: there is not even one degree of freedom.
    """
    outside = 1 - confidence
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
