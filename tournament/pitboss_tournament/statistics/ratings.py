"""Ratings: how strong each bot is, from all games at once, in Elo-like points.

The model is Plackett's and Luce's with ties (see `plackett_luce`), the estimate its most likely strengths under a weak prior. It depends on neither the order of the games nor
the listing of the bots, as those of Elo, Glicko, TrueSkill and OpenSkill do.

**What the points mean.** A rating is 400 / ln 10 times a log strength, less the mean of the bots that can be compared, so that 0 is their middle. Between two bots that are 100
points apart the odds of being placed ahead are 10^(100/400) = 1.78 to 1, ties aside: 64 % (200 points: 76 %, 400: 91 %), at any table and whoever else sits there.
At a table of n without ties a bot that is d points above n - 1 equal others wins 10^(d/400) / (10^(d/400) + n - 1) of the games: with 100 points 64 % of
two, 47 % of three, 37 % of four, 26 % of six.

**How sure they are.** The unit is the block, a deal in all its rotations: games of a block are not independent. The covariance is the sandwich over blocks (Liang and Zeger 1986):
B (Σ s sᵀ) B, with s the score of a block and B the inverse curvature. To the sum is added *half a block not yet seen*: half the variance that the model has for an average block in which all
chances are even. Its part vanishes as 1/n; without it a bot that always won, or blocks that always came out the same, would have an error of nothing, and intervals from ten blocks would be too short.
Student's t has k - 1 degrees of freedom for a bot that was in k blocks, and for two bots those of Welch (1947), but less than the blocks that either was in (fewer clusters count than there are:
Carter, Schnepel and Steigerwald 2017, *Asymptotic behavior of a t-test robust to cluster heterogeneity*). `bench/certainty.py` shows how often the intervals hold the truth.

A forfeited game counts as it is scored: placed last. A void game is played again and is not here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import log, sqrt

from msgspec import Struct
from msgspec.structs import replace

from pitboss_tournament.results.scoring import GameResult
from pitboss_tournament.results.standings import Estimate, student_t
from pitboss_tournament.statistics.chance import chance_above
from pitboss_tournament.statistics.linear import Matrix, Vector, inverse, sandwich
from pitboss_tournament.statistics.plackett_luce import Fit, Model
from pitboss_tournament.statistics.rankings import Rankings, Side, Sides, comparable

POINTS = 400 / log(10)  # to a unit of log strength
UNSEEN = 0.5  # of a block, found by simulation: see above
DIGITS = 9  # of a rating after the point: equal bots are equal, however floats were rounded on the way


class Rating(Struct, frozen=True, kw_only=True):
    """How strong one bot is."""

    name: str
    entrant: int
    games: int
    blocks: int
    points: Estimate  # above the mean of the bots of its group
    group: int | None  # only bots of one group can be compared; None: it has not met anybody


class Ratings(Struct, frozen=True):
    """How strong the bots are, the strongest first."""

    lines: tuple[Rating, ...]
    entrants: tuple[int, ...]  # those that played, as in the covariance
    covariance: tuple[tuple[float, ...], ...]  # of their ratings before the middle is taken off, in points²
    together: tuple[tuple[int, ...], ...]  # in how many blocks two of them met; with itself: all of its blocks
    groups: int  # more than 1: some bots that played cannot be compared, not even by way of others

    def of(self, entrant: int) -> Rating:
        """Return one bot's rating."""
        return next(line for line in self.lines if line.entrant == entrant)

    def difference(self, entrant: int, other: int) -> Estimate:
        """Return by how much one bot is rated above another; not known if they cannot be compared."""
        one, two = self.of(entrant), self.of(other)
        if one.group is None or one.group != two.group or one.points.mean is None or two.points.mean is None:
            return Estimate(None, None)
        freedom, error = self._error(entrant, other)
        return Estimate(one.points.mean - two.points.mean, student_t(freedom) * error if freedom else None)

    def chance(self, entrant: int, other: int) -> float | None:
        """Return the chance, by Student's t, that one bot is stronger than another; None if they cannot be compared."""
        difference = self.difference(entrant, other)
        if difference.mean is None or difference.half_width is None:
            return None
        freedom, error = self._error(entrant, other)
        return chance_above(difference.mean / error, freedom)

    def _error(self, entrant: int, other: int) -> tuple[int, float]:
        """Return the degrees of freedom of a difference, 0 if there are too few blocks, and its standard error."""
        a, b = self.entrants.index(entrant), self.entrants.index(other)
        one, two, both = self.together[a][a], self.together[b][b], self.together[a][b]
        if a == b or min(one, two) < 2:
            return 0, 0.0
        welch = (1 / one + 1 / two) ** 2 / (1 / one**2 / (one - 1) + 1 / two**2 / (two - 1))
        variance = self.covariance[a][a] + self.covariance[b][b] - 2 * self.covariance[a][b]
        return int(min(one + two - both - 1, welch + 1e-9)), sqrt(max(0.0, variance))


def ratings(results: Iterable[GameResult], names: Sequence[str], sides: Sides | None = None) -> Ratings:
    """Rate the bots by some games. `sides` are the seats that win and lose together; without them, each seat plays for itself."""
    rankings = Rankings(sides)
    rankings.add_all(results)
    return rated(rankings, names)


def rated(rankings: Rankings, names: Sequence[str]) -> Ratings:
    """Rate the bots by rankings that have been counted already."""
    model = Model(rankings)
    fit = model.fitted()
    covariance = _covariance(rankings, model, fit)
    games, together = _played(rankings, {entrant: number for number, entrant in enumerate(model.entrants)})
    groups = comparable(model.met(), model.entrants)
    lines = {
        entrant: Rating(name=name, entrant=entrant, games=games[entrant], blocks=0, points=Estimate(None, None), group=None)
        for entrant, name in enumerate(names)
    }
    for number, group in enumerate(groups):
        members = [model.entrants.index(entrant) for entrant in group]
        for entrant, own in zip(group, members, strict=True):
            blocks = together[own][own]
            line = replace(lines[entrant], blocks=blocks)
            if len(group) > 1:
                line = replace(line, group=number, points=_points(own, members, fit.x, covariance, blocks))
            lines[entrant] = line
    return Ratings(
        lines=tuple(sorted(lines.values(), key=_strength)),
        entrants=tuple(model.entrants),
        covariance=tuple(tuple(row) for row in covariance),
        together=tuple(tuple(row) for row in together),
        groups=len(groups),
    )


def _points(own: int, group: Sequence[int], x: Vector, covariance: Matrix, blocks: int) -> Estimate:
    """Return how far a bot is above the middle of its group."""
    mean = round(POINTS * (x[own] - sum(x[other] for other in group) / len(group)), DIGITS) + 0.0  # never -0
    with_middle = sum(covariance[own][other] for other in group) / len(group)
    of_middle = sum(covariance[one][other] for one in group for other in group) / len(group) ** 2
    error = sqrt(max(0.0, covariance[own][own] - 2 * with_middle + of_middle))
    return Estimate(mean, student_t(blocks - 1) * error if blocks > 1 else None)


def _strength(line: Rating) -> tuple[bool, float, str]:
    """Sort by strength, equal to a millionth of a point: by name; those without a rating last."""
    return line.points.mean is None, -round(line.points.mean or 0.0, 6), line.name


def _played(rankings: Rankings, places: dict[int, int]) -> tuple[Counter[int], list[list[int]]]:
    """Return how many games each entrant was in, and how many blocks each two."""
    games: Counter[int] = Counter()
    blocks: Counter[frozenset[Side]] = Counter()
    in_blocks: Counter[frozenset[Side]] = Counter()
    for block in rankings.blocks.values():
        table = frozenset([side for _, side in rankings.rankings[block[0]]])
        blocks[table] += 1
        in_blocks[table] += len(block)
    together = [[0] * len(places) for _ in places]
    for table, count in blocks.items():
        seated = [entrant for side in table for entrant in side]
        for one in seated:
            games[one] += in_blocks[table]
            row = together[places[one]]
            for other in seated:
                row[places[other]] += count
    return games, together


def _covariance(rankings: Rankings, model: Model, fit: Fit) -> Matrix:
    """Return the covariance of the entrants' ratings, in points²: the sandwich over blocks, one block more included."""
    if not rankings.blocks:
        return []
    filling = [[UNSEEN * value / len(rankings.blocks) for value in row] for row in fit.even]
    scores = model.scores(fit.x)
    for block in rankings.blocks.values():
        score = scores.of_block(block)
        parts = [(number, value) for number, value in enumerate(score) if value]
        for row, value in parts:
            into = filling[row]
            for column, other in parts:
                into[column] += value * other
    count = len(model.entrants)
    whole = sandwich(inverse(fit.curvature), filling)
    return [[POINTS**2 * value for value in row[:count]] for row in whole[:count]]
