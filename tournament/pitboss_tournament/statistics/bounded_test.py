"""Sequential test of two bots against two bounds in rating points, from the games in which they sat at one table.

It is used as a sequential probability ratio test is in computer chess (Wald 1945; fastchess `-sprt elo0 elo1 alpha
beta`), but has no model of ties, of the others at the table, or of how games of a deal depend on each other. "better"
is proven when the difference is above the lower bound, "not better" when it is below the upper one. The two proofs are
bets (`sequential_test`), valid however often one looks: if the difference is at most the lower bound, "better" is ever
said with probability `alpha` at most; if it is at least the upper one, "not better" with probability `beta` at most. In
between either may be said, and both are true. As the bounds differ, one of the two is proven in the end.

**The bets.** A difference of d in log strength says that of the games in which the two do not tie a share of p = 1 / (1
+ e^-d) ends with the first ahead. So a stake that wins 1 - p where it is ahead, loses p where it is behind, and neither
where they tie, is worth nothing on average if the difference is d, and less if it is smaller, however often they tie
and whoever else sits there. Half of each proof is staked for the difference to be the other bound
(`log_aimed_capital`).

**Unequal seats.** There p is that of the two seats of the game: d and the lead of one seat over the other, as ratings
estimate it, here from the games of the two bots alone. Where that estimate is wrong, bets win or lose on average
although the difference is d. So each pair of seats has a weight: what is left of d's score there after its regression
on the scores of the seats, as a share of d's score. The weighted sum, the *efficient score*, does not change with small
errors of the seats' strengths (Neyman 1959, *Optimal asymptotic tests of composite statistical hypotheses*), and its
variance is that of a difference whose seats are estimated. The weights are 1 where the two exchange their seats within
a block, and the bound is 0. They matter most where one bot always sits just before the other: there the lead of the
last seat over the first is known from the leads of the other seats alone.

**The estimate at the stop** is corrected for the stop. A test stops where the estimate has gone far from the middle of
its two bounds, and luck takes it there early: the estimate at the stop is too far away on average. The correction is
that of Whitehead (1986, *On the bias of maximum likelihood estimation following a sequential test*, Biometrika 73): the
difference for which the estimate at the stop would be the one that was found, on average. The score of the games, less
what it is at the middle, is a Brownian motion that stops at a or -a; a is the estimate's distance from the middle,
divided by its variance. With a drift of v / a the mean of that distance, times a, is sinh(v) · ∫ u / cosh(u) du from v
to infinity, by the Laplace transform of the time of the stop.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from math import exp, inf, log, sqrt
from typing import Final, Literal, NamedTuple, Self, TypeAlias

from msgspec import Struct

from pitboss.plugins.formats import PlayedBlock
from pitboss_tournament.statistics.arrays import np, solve
from pitboss_tournament.statistics.bradley_terry import PRIOR_SD, SEATS_SD
from pitboss_tournament.statistics.pair_likelihood import PairCounts, PairLikelihood, compute_chance
from pitboss_tournament.statistics.sequential_test import log_aimed_capital

BoundedVerdict: TypeAlias = Literal["better", "not better", "undecided"]
PairGame: TypeAlias = tuple[int, int, int]  # the seats of both, and 1 if the first was ahead, -1 behind, 0 tied
PairBlock: TypeAlias = tuple[PairGame, ...]  # the games of a block, in ascending order
SeatPair: TypeAlias = tuple[int, int]  # the seats of both

MOST: Final = 20.0  # of a difference in log strength that is looked at: 3,474 points
HALVINGS: Final = 20  # of an interval that is searched: its ends are exact to a hundredth of a point
SMALL: Final = 1e-3  # a difference in log strength, for a slope
_DIGITS: Final = 12

TERMS: Final = 200  # of the series of the integral: its error is below 1e-5
NEGLIGIBLE: Final = 1e-9
ROOT_STEPS: Final = 40  # bisections


class Bounds(Struct, frozen=True, kw_only=True):
    """The two hypotheses: a difference in log strength of at most `low` from one of at least `high`."""

    low: float
    high: float
    alpha: float
    beta: float


class BoundedTestResult(Struct, frozen=True, kw_only=True):
    """What a test has found so far."""

    verdict: BoundedVerdict
    blocks: int
    proof_better: float  # share of the proof that there is, from 0 to 1, on the scale of its logarithm
    proof_not_better: float


class DifferenceInterval(NamedTuple):
    """A difference in log strength: an estimate, and the ends of its confidence sequence; infinite where unbounded.

    The estimate is the likeliest difference, after a verdict corrected for the stop (`correct_interval`). There is none
    without a game in which the two did not tie.
    """

    estimate: float | None
    low: float
    high: float


class ScoreBets(NamedTuple):
    """Bets that a difference is exceeded, or not reached."""

    wins: Counter[float]  # what a stake of 1 wins in a block, at worst -1, with the number of blocks
    expected: float  # what it wins on average with the difference that it is placed for


class SeatModel:
    """What each seat is worth to two bots, in log strength, by their games alone."""

    def __init__(self, counts: Mapping[PairGame, int]) -> None:
        pairs = sorted({(one, two) for one, two, _ in counts})
        seats = sorted({seat for pair in pairs for seat in pair})
        self._number = number = {seat: place for place, seat in enumerate(seats)}
        self.untied = {pair: counts.get((*pair, 1), 0) + counts.get((*pair, -1), 0) for pair in pairs}
        likelihood = PairLikelihood(
            terms=[[(0, sign / 2), (1 + number[seat], 1.0)] for sign in (1, -1) for seat in seats],
            pairs=PairCounts(
                one=np.array([number[one] for one, _ in pairs], dtype=np.int64),
                two=np.array([len(seats) + number[two] for _, two in pairs], dtype=np.int64),
                won=np.array([counts.get((*pair, 1), 0) for pair in pairs], dtype=np.float64),
                lost=np.array([counts.get((*pair, -1), 0) for pair in pairs], dtype=np.float64),
            ),
            precision=[PRIOR_SD**-2, *[SEATS_SD**-2] * len(seats)],
        )
        self.seats = dict(zip(seats, likelihood.fit().x[1:].tolist(), strict=True))

    def compute_chance(self, difference: float, pair: SeatPair) -> float:
        """Return the chance of the first bot to be ahead in these seats, ties aside."""
        return compute_chance(difference + self.seats[pair[0]] - self.seats[pair[1]])

    def weigh_games(self, difference: float) -> dict[SeatPair, float]:
        """Return the weights with which the score of the difference does not depend on errors of the seats."""
        number, count = self._number, len(self.seats)
        of_seats, shared = np.eye(count) / SEATS_SD**2, np.zeros(count)  # information; shared with the difference
        for pair, games in self.untied.items():
            chance, (one, two) = self.compute_chance(difference, pair), (number[seat] for seat in pair)
            own = games * chance * (1 - chance)
            for seat, other, sign in ((one, two, 1), (two, one, -1)):
                of_seats[seat, seat] += own
                of_seats[seat, other] -= own
                shared[seat] += sign * own
        slopes = solve(of_seats, shared).tolist()
        return {(one, two): 1 - slopes[number[one]] + slopes[number[two]] for one, two in self.untied}


class PairedGames:
    """The games of two bots at one table, counted by block."""

    def __init__(self) -> None:
        self.blocks = Counter[PairBlock]()

    @classmethod
    def of_blocks(cls, blocks: Mapping[PairBlock, int]) -> Self:
        """Return blocks that are counted already."""
        games = cls()
        games.blocks.update(blocks)
        return games

    def add(self, block: PlayedBlock, one: int, other: int) -> None:
        """Add a block in which both sat."""
        games = []
        for seats in block.places:
            seat = {entrant: (number, place) for number, (entrant, place) in enumerate(seats)}
            (own, place), (beside, behind) = seat[one], seat[other]
            games.append((own, beside, (place < behind) - (place > behind)))
        self.blocks[tuple(sorted(games))] += 1

    def run_test(self, bounds: Bounds) -> BoundedTestResult:
        """Return what the test has found."""
        model = self.fit_seats()
        better = self._measure_proof(model, bounds.low, bounds.high, bounds.alpha)
        not_better = self._measure_proof(model, bounds.high, bounds.low, bounds.beta)
        return BoundedTestResult(
            verdict="better" if better >= 1 else "not better" if not_better >= 1 else "undecided",
            blocks=self.blocks.total(),
            proof_better=min(1.0, max(0.0, better)),
            proof_not_better=min(1.0, max(0.0, not_better)),
        )

    def compute_interval(self, bounds: Bounds) -> DifferenceInterval:
        """Return the difference, and the confidence sequence that says the same as the test.

        The true difference is ever below it with probability `alpha` at most, and ever above it with `beta` at most.
        """
        model, width = self.fit_seats(), bounds.high - bounds.low
        low = _find_end(lambda value: self._measure_proof(model, value, value + width, bounds.alpha) >= 1)
        high = _find_end(lambda value: self._measure_proof(model, value, value - width, bounds.beta) < 1)
        if not any(model.untied.values()):
            return DifferenceInterval(None, low, high)
        likeliest = _find_end(lambda value: _add_wins(self._place_bets(model, value, value + width)) > 0)
        found = DifferenceInterval(likeliest, low, high)
        return correct_interval(found, self._measure_error(model, likeliest), bounds) if abs(likeliest) < inf else found

    def fit_seats(self) -> SeatModel:
        """Return what each seat is worth by the games of the two."""
        counts = Counter[PairGame]()
        for block, count in self.blocks.items():
            for game in block:
                counts[game] += count
        return SeatModel(counts)

    def _measure_proof(self, model: SeatModel, difference: float, other: float, error: float) -> float:
        """Return the share of the proof that the difference lies on the side of `other`."""
        if not self.blocks:
            return 0.0
        return log_aimed_capital(*self._place_bets(model, difference, other)) / -log(error)

    def _place_bets(self, model: SeatModel, difference: float, other: float) -> ScoreBets:
        """Return bets that the difference lies on the side of `other`, and is that."""
        side = 1 if other > difference else -1
        gains: dict[PairGame, float] = {}
        losses: dict[SeatPair, float] = {}
        expected = 0.0
        for pair, weight in model.weigh_games(difference).items():
            chance = model.compute_chance(difference, pair)
            ahead, behind = side * weight * (1 - chance), -side * weight * chance
            gains |= {(*pair, 1): ahead, (*pair, 0): 0.0, (*pair, -1): behind}
            losses[pair] = -min(ahead, behind)
            expected += model.untied[pair] * side * weight * (model.compute_chance(other, pair) - chance)
        worst = max(sum(losses[one, two] for one, two, _ in block) for block in self.blocks)
        wins = Counter[float]()
        for block, count in self.blocks.items():
            wins[round(sum(map(gains.__getitem__, block)) / worst, _DIGITS)] += count
        return ScoreBets(wins, expected / worst / self.blocks.total())

    def _measure_error(self, model: SeatModel, difference: float) -> float:
        """Return the standard error of the likeliest difference, by the sandwich over blocks."""
        bets = self._place_bets(model, difference, difference + SMALL)
        slope = bets.expected * self.blocks.total() / SMALL
        return sqrt(sum(value * value * count for value, count in bets.wins.items())) / slope


def correct_interval(found: DifferenceInterval, error: float, bounds: Bounds) -> DifferenceInterval:
    """Return the interval with its estimate, whose standard error is given, corrected for the stop after a verdict."""
    middle = (bounds.low + bounds.high) / 2
    is_better = found.low > bounds.low
    is_decided = is_better or found.high < bounds.high
    if found.estimate is None or not error or not is_decided or is_better is not (found.estimate > middle):
        return found
    corrected = correct_for_stop(found.estimate, error, middle)
    return found._replace(estimate=min(found.high, max(found.low, corrected)))


def _add_wins(bets: ScoreBets) -> float:
    return sum(won * count for won, count in bets.wins.items())


def _find_end(is_above: Callable[[float], bool]) -> float:
    """Return the greatest difference for which something holds, as for all smaller ones; infinite beyond MOST."""
    low, high = -MOST, MOST
    if not is_above(low):
        return -inf
    if is_above(high):
        return inf
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if is_above(middle) else (low, middle)
    return (low + high) / 2


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
