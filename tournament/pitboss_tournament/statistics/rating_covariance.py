"""Covariance of ratings: the sandwich over blocks, corrected where bots have few blocks or were paired by results.

The unit is the block, a deal in all its rotations: games of a block are not independent. The covariance is the sandwich
over blocks (Liang and Zeger 1986): B (Σ s sᵀ) B, with s the score of a block and B the inverse curvature. It has four
corrections, whose numbers were found by simulation (`tests.soak.calibration`):

* **Leverage.** The fit follows each block a little, so that scores at the fit are too small. Each is divided by 1 - h,
  with h the leverage of its block, as in the jackknife (HC3 of MacKinnon and White 1985, CR3 of Bell and McCaffrey
  2002). The leverages of a bot's n blocks add up to about 1. So h is the sum of 1/n over the bots of the table, divided
  by the number of comparisons that a game makes, which is one less than its sides.
* **Half an unseen block** of each bot: half the variance that an average block *of its own* has in which all chances
  are even and games do not depend on each other, though the pairs of a game do. Its part vanishes as 1/n. Without it a
  bot that always won, or blocks that always had the same result, would have an error of zero.
* **Pairing by results.** Where the format pairs bots by their results, the winners of a round meet winners. Nothing
  then takes back what luck gave to all of them together, as games against the others would. Bots of equal strength are
  spread too widely, the more rounds of selection there are, and more deals do not help. For n equal bots the variance
  is multiplied by 1 + 0.3 log₂ n. Bots that differ are sorted by what they are rather than by luck: if the ratings are
  spread out so far that the variance of luck is less than a third of theirs, as much less is added. A bot counts by its
  blocks in either variance, so that newcomers, who are known badly, widen no interval of the others.

* **A newcomer among many.** The variance of few scores is known badly. Where at least 20 bots have 20 blocks or more,
  it is known from them how large the variance of scores is in multiples of the model's, and how far that differs from
  bot to bot. Each bot's own variance is drawn towards it (Smyth 2004, *Linear models and empirical Bayes methods for
  assessing differential expression*): the others count as so many more degrees of freedom as explain how far they
  differ, 6 at most.

A link to a predecessor counts as LINK_FREEDOM blocks more, in all of this and in the degrees of freedom, and the
variance of its score is added to those of the blocks: what is expected of it, and the square of what was observed, so
that a version that its games pull away from the one before has a wider interval. It is at most as wide as with no games
at all.

Ratings that are held have errors too, as if they were estimated with the others: they were, when they were free. To
take them for certain would make the intervals of those that met them too short (`tests.tournament.statistics`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import log2, sqrt
from typing import Final, NamedTuple

from pitboss_tournament.statistics.block_chunks import BlockChunk
from pitboss_tournament.statistics.bradley_terry import PairModel
from pitboss_tournament.statistics.linear_algebra import Numbers, SquareMatrix
from pitboss_tournament.statistics.pair_likelihood import LINK_FREEDOM, ModelFit
from pitboss_tournament.statistics.student_t import student_t_quantile

UNSEEN_BLOCK: Final = 0.5  # of a block
MAX_LEVERAGE: Final = 0.75  # of a block: bots with one or two blocks
SELECTION_VARIANCE: Final = 0.3  # share of the variance added for each halving of the bots, if results pair them
SELECTION_BY_LUCK: Final = 1 / 3  # of the variance of ratings: with so much luck, all count as equal
KNOWN_BLOCKS: Final = 20  # of a bot from whose scores others are known
KNOWN_BOTS: Final = 20  # and so many such bots
MAX_POOLED_FREEDOM: Final = 6  # with more, a newcomer that varies as no other bot does has too short an interval
SMALLEST_INFORMATION: Final = 1e-9  # of a bot whose games are all as good as certain


class RatingCovariance(NamedTuple):
    """The covariance of the unknowns, and the degrees of freedom that each bot's variance owes to the other bots."""

    matrix: SquareMatrix
    pooled_freedom: int


def estimate_covariance(
    model: PairModel, fit: ModelFit, blocks: Sequence[int], *, is_paired_by_results: bool
) -> RatingCovariance:
    """Return the covariance of the model's unknowns; `blocks`: how many each of its entrants has, links included."""
    algebra, likelihood = model.algebra, model.likelihood
    block_count = model.rankings.block_count
    if not block_count:
        return RatingCovariance(algebra.zeros(model.unknowns), 0)
    share = UNSEEN_BLOCK * model.redundancy
    own_blocks = algebra.vector([*blocks, *[block_count] * (model.unknowns - len(blocks))])
    roots = algebra.root(algebra.apply(lambda count: share / count, own_blocks))
    filling = algebra.scale(fit.curvature_if_equal, roots)
    linked = Counter(model.numbers[end] for link in model.links for end in (link.version, link.predecessor))
    played = [count - LINK_FREEDOM * linked[bot] for bot, count in enumerate(blocks)]
    is_pooled = sum(count >= KNOWN_BLOCKS for count in played) >= KNOWN_BOTS
    if not is_pooled:
        likelihood.add_link_scores(filling, fit.x)  # first: a very firm link is lost among the others by rounding
    leverages, strengths = _find_leverages(model, blocks), likelihood.log_strengths(fit.x)
    for chunk in model.iter_chunks():
        weights = _weigh_blocks(model, chunk, leverages)
        scores = model.score_blocks(chunk, strengths)
        values = algebra.apply(lambda value, by: value * by, scores.values, algebra.take(weights, scores.blocks))
        algebra.add_products(filling, scores.blocks, scores.unknowns, values)
    freedom = 0
    if is_pooled:
        factors, freedom = _pool_variances(model, fit, filling, played)
        filling = algebra.scale(filling, algebra.vector(factors))
        likelihood.add_link_scores(filling, fit.x)
    covariance = algebra.sandwich(algebra.invert(fit.curvature), filling)
    covariance = _limit_to_links(model, covariance, [count - 1 + freedom for count in blocks])
    if not is_paired_by_results:
        return RatingCovariance(covariance, freedom)
    by_luck = min(1.0, _share_of_luck(model, fit.x, covariance, blocks) / SELECTION_BY_LUCK)
    inflation = 1 + SELECTION_VARIANCE * log2(len(blocks)) * by_luck
    covariance = algebra.scale(covariance, algebra.vector([inflation**0.5] * model.unknowns))
    return RatingCovariance(covariance, freedom)


def _pool_variances(
    model: PairModel, fit: ModelFit, filling: SquareMatrix, blocks: Sequence[int]
) -> tuple[list[float], int]:
    """Return by which factors scores are multiplied to draw their variances towards that of bots with many blocks.

    With the factors, by unknown, comes how many degrees of freedom these bots are worth. `filling`: the covariance of
    the scores, without links.
    """
    own = model.algebra.to_list(model.algebra.diagonal(filling))
    information = model.algebra.to_list(model.likelihood.sum_information(fit.x))
    ratios = [
        variance / max(expected, SMALLEST_INFORMATION) for variance, expected in zip(own, information, strict=True)
    ]
    known = [(ratio, count) for ratio, count in zip(ratios, blocks, strict=False) if count >= KNOWN_BLOCKS]
    usual = sum(ratio * count for ratio, count in known) / sum(count for _, count in known)
    spread = sum((ratio / usual - 1) ** 2 for ratio, _ in known) / len(known)  # what is chance in it counts too
    freedom = int(2 / max(spread, 2 / MAX_POOLED_FREEDOM))
    factors = [1.0] * model.unknowns
    for bot, count in enumerate(blocks):
        drawn = ((count - 1) * ratios[bot] + freedom * usual) / max(1, count - 1 + freedom)
        factors[bot] = sqrt(drawn / ratios[bot]) if count else 1.0
    return factors, freedom


def _limit_to_links(model: PairModel, covariance: SquareMatrix, freedoms: Sequence[int]) -> SquareMatrix:
    """Return the covariance, in which a version and the one before have no wider interval than by their link alone.

    `freedoms`: the degrees of freedom of each bot's interval.
    """
    variances, factors = model.algebra.to_list(model.algebra.diagonal(covariance)), [1.0] * model.unknowns
    for link in model.links:
        ends = model.numbers[link.version], model.numbers[link.predecessor]
        scale = link.sd * sqrt((LINK_FREEDOM + 1) / LINK_FREEDOM)  # of Student's t
        for own, other in (ends, ends[::-1]):
            widest = scale * student_t_quantile(LINK_FREEDOM) / student_t_quantile(freedoms[own])
            most = widest**2 + variances[other]
            if variances[own] > most:
                factors[own] = min(factors[own], sqrt(most / variances[own]))
    return covariance if min(factors) == 1 else model.algebra.scale(covariance, model.algebra.vector(factors))


def _share_of_luck(model: PairModel, x: Numbers, covariance: SquareMatrix, blocks: Sequence[int]) -> float:
    """Return the mean variance of strengths about their mean, divided by the variance among them; 1 if they are equal.

    Each bot counts by its blocks: what is not known yet of a newcomer is no luck that has paired the others. There may
    be more rows in the covariance than strengths; the first ones are theirs.
    """
    algebra, count = model.algebra, len(model.entrants)
    strengths, own = x[:count], algebra.pick(covariance, range(count))
    whole = sum(blocks)
    shares = algebra.vector([number / whole for number in blocks])
    mean = algebra.total(algebra.apply(lambda share, strength: share * strength, shares, strengths))
    spread = algebra.total(algebra.apply(lambda share, strength: share * (strength - mean) ** 2, shares, strengths))
    of_each = algebra.total(algebra.apply(lambda share, variance: share * variance, shares, algebra.diagonal(own)))
    of_mean = sum(algebra.total(row) for row in algebra.scale(own, shares))
    return (of_each - of_mean) / spread if spread > 0 else 1.0


def _find_leverages(model: PairModel, blocks: Sequence[int]) -> Numbers:
    """Return by contender of the rankings the sum of 1/n of its entrants, less what the mean of all bots takes."""
    by_entrant = dict(zip(model.entrants, [(1 - 1 / len(blocks)) / count for count in blocks], strict=True))
    return model.algebra.vector([sum([by_entrant[own] for own in side]) for side, _ in model.rankings.contenders])


def _weigh_blocks(model: PairModel, chunk: BlockChunk, leverages: Numbers) -> Numbers:
    """Return for each block 1 / (1 - its leverage)."""
    algebra = model.algebra
    found = algebra.fill(0.0, chunk.size)
    for first in chunk.firsts:
        of_sides = [algebra.take(leverages, contenders) for contenders in first.contenders]
        comparisons = max(1, len(of_sides) - 1)
        own = algebra.apply(lambda *values: sum(values) / comparisons, *of_sides)  # noqa: B023 - called at once
        own = algebra.clip(own, 0.0, MAX_LEVERAGE)
        found = algebra.apply(lambda one, other: one + other, found, algebra.add_up(first.blocks, own, chunk.size))
    return algebra.apply(lambda leverage: 1 / (1 - leverage), found)
