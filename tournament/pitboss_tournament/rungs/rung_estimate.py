"""A bot's strength on the scale of rungs, by its duplicate deals against some of them, and the rungs that it may be.

A block of deals against a rung of strength s has won and lost comparisons (of places, ties left out), or a difference
of points. Its score at a strength x is what was won less what a bot of that strength is expected to win. The estimate
is where the scores add up to zero. The 95 % interval holds each strength at which their sum is not too far from zero
for its own variance: that of the blocks, as many squares, and of half a block more that nobody has seen, as for ratings
(`rating_covariance`). So the interval has an end also where all was won, or all lost, on the other side. Student's t
has one degree of freedom less than there are blocks.

The strengths of the rungs are estimates, too. The errors of those that were met are added to both ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import exp, hypot, sqrt
from typing import Final, NamedTuple, Self, TypeAlias

from pitboss import Sides
from pitboss.plugins.rungs import GameRungs, MeasuredRung
from pitboss_tournament.statistics.ratings import POINTS_PER_LOG_UNIT
from pitboss_tournament.statistics.student_t import student_t_quantile

BISECTIONS: Final = 30
BEYOND: Final = 2000.0  # how far above the highest rung, and below the lowest, strengths are looked for, in ratings
UNSEEN_BLOCKS: Final = 0.5


class RungBlock(NamedTuple):
    """A deal in all its rotations: how often the bot was placed before another bot, behind, and even; and its lead."""

    wins: int
    losses: int
    ties: int
    points: float  # the mean lead of a game

    def add_game(self, places: Sequence[int], points: Sequence[float], sides: Sides, side: Sequence[int]) -> Self:
        """Return the block with one more game, of the bot in the seats of `side`; `points` are summed."""
        own = places[side[0]]
        others = [places[other[0]] for other in sides if other[0] != side[0]]
        rest = [points[other[0]] for other in sides if other[0] != side[0]]
        return self._replace(
            wins=self.wins + sum(own < place for place in others),
            losses=self.losses + sum(own > place for place in others),
            ties=self.ties + others.count(own),
            points=self.points + points[side[0]] - sum(rest) / (len(rest) or 1),
        )


NO_GAMES: Final = RungBlock(0, 0, 0, 0.0)


RungCounts: TypeAlias = Counter[tuple[MeasuredRung, RungBlock]]  # equal blocks against a rung, counted


class BlockScore(NamedTuple):
    """The score of a block at a strength, its slope, and its variance if its comparisons did not hang together."""

    score: float
    slope: float
    variance: float


class RungEstimate(NamedTuple):
    """What is known of a bot: its strength and its rung, each with the ends of the 95 % interval; rungs from 1."""

    strength: float
    low: float | None  # None: there is no lower end
    high: float | None
    rung: int
    lowest: int
    highest: int
    blocks: int


def estimate_rung(table: GameRungs, played: Mapping[int, Sequence[RungBlock]]) -> RungEstimate:
    """Return what the blocks against rungs tell, by the number of the rung from 1.

    Raises:
        ValueError: there are fewer than two blocks.
    """
    blocks = Counter((table.rungs[number - 1], block) for number, own in played.items() for block in own)
    count = blocks.total()
    if count < 2:
        raise ValueError("two deals at least are needed")
    is_rating = table.unit == "rating"
    spread = _guess_spread(blocks) if not is_rating else 0.0
    strengths = [rung.strength for rung in table.rungs]
    beyond = BEYOND if is_rating else strengths[-1] - strengths[0] + 10 * spread
    bottom, top = strengths[0] - beyond, strengths[-1] + beyond

    def measure(strength: float) -> list[tuple[BlockScore, int]]:
        return [
            (score_rung_block(block, strength - rung.strength, is_rating, spread), times)
            for (rung, block), times in blocks.items()
        ]

    def compute_t(strength: float) -> float:
        scores = measure(strength)
        variance = sum(times * one.score**2 for one, times in scores)
        variance += UNSEEN_BLOCKS * sum(times * one.variance for one, times in scores) / count
        return sum(times * one.score for one, times in scores) / sqrt(variance or 1.0)

    t = student_t_quantile(count - 1)
    strength = _find_crossing(compute_t, 0.0, bottom, top)
    error = _measure_rung_error(blocks, measure(strength))
    low = _find_crossing(compute_t, t, bottom, strength) if compute_t(bottom) > t else None
    high = _find_crossing(compute_t, -t, strength, top) if compute_t(top) < -t else None
    low = None if low is None else strength - hypot(strength - low, error)
    high = None if high is None else strength + hypot(high - strength, error)
    return RungEstimate(
        strength=strength,
        low=low,
        high=high,
        rung=find_nearest(strengths, strength),
        lowest=1 if low is None else find_nearest(strengths, low),
        highest=len(strengths) if high is None else find_nearest(strengths, high),
        blocks=count,
    )


def find_nearest(strengths: Sequence[float], strength: float) -> int:
    """Return the number, from 1, of the rung that is nearest to a strength."""
    return min(range(len(strengths)), key=lambda at: abs(strengths[at] - strength)) + 1


def score_rung_block(block: RungBlock, lead: float, is_rating: bool, spread: float) -> BlockScore:
    """Return the score of a block if the bot is so much stronger than the rung.

    `spread`: the standard deviation of a block's points, which a rating does not need.
    """
    if not is_rating:
        return BlockScore(block.points - lead, 1.0, spread**2)
    count = block.wins + block.losses
    chance = 1 / (1 + exp(-min(max(lead / POINTS_PER_LOG_UNIT, -50.0), 50.0)))
    variance = count * chance * (1 - chance)
    return BlockScore(block.wins - count * chance, variance / POINTS_PER_LOG_UNIT, variance)


def _guess_spread(blocks: RungCounts) -> float:
    """Return the standard deviation of the points of a block, within each rung."""
    squares, freedom = 0.0, 0
    for rung in {rung.bot for rung, _ in blocks}:
        own = [block.points for of, block in blocks.elements() if of.bot == rung]
        mean = sum(own) / len(own)
        squares += sum((points - mean) ** 2 for points in own)
        freedom += len(own) - 1
    return sqrt(squares / freedom) if freedom else 1.0


def _measure_rung_error(blocks: RungCounts, scores: Sequence[tuple[BlockScore, int]]) -> float:
    """Return the half-width of the error that the strengths of the rungs bring in, as if each erred by itself."""
    whole = sum(times * one.slope for one, times in scores) or 1.0
    weights: dict[str, float] = {}
    widths: dict[str, float] = {}
    for (rung, _), (one, times) in zip(blocks, scores, strict=True):
        weights[rung.bot] = weights.get(rung.bot, 0.0) + times * one.slope / whole
        widths[rung.bot] = rung.half_width or 0.0
    return sqrt(sum((weight * widths[bot]) ** 2 for bot, weight in weights.items()))


def _find_crossing(function: Callable[[float], float], value: float, low: float, high: float) -> float:
    """Return where a function, which is above a value at `low` and below it at `high`, crosses it."""
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        if function(middle) > value:
            low = middle
        else:
            high = middle
    return (low + high) / 2
