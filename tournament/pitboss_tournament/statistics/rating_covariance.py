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
  assessing differential expression*): the others count as further degrees of freedom, 6 at most: as many as explain
  how far they differ.

A link to a predecessor counts as LINK_FREEDOM blocks more, in all of this and in the degrees of freedom, and the
variance of its score is added to those of the blocks: the expected variance, and the square of what was observed, so
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

from pitboss_tournament.statistics.arrays import Floats, Whole, add_products, add_up, invert, np, scale_matrix
from pitboss_tournament.statistics.block_chunks import BlockChunk
from pitboss_tournament.statistics.bradley_terry import PairModel
from pitboss_tournament.statistics.pair_likelihood import LINK_FREEDOM, ModelFit
from pitboss_tournament.statistics.student_t import student_t_quantile

UNSEEN_BLOCK: Final = 0.5  # of a block
MAX_LEVERAGE: Final = 0.75  # of a block: bots with one or two blocks
SELECTION_VARIANCE: Final = 0.3  # share of the variance added for each halving of the bots, if results pair them
SELECTION_BY_LUCK: Final = 1 / 3  # of the variance of ratings: with so much luck, all count as equal
KNOWN_BLOCKS: Final = 20  # of a bot from whose scores others are known
KNOWN_BOTS: Final = 20  # how many such bots it takes
MAX_POOLED_FREEDOM: Final = 6  # with more, a newcomer that varies as no other bot does has too short an interval
SMALLEST_INFORMATION: Final = 1e-9  # of a bot whose games are all as good as certain


class RatingCovariance(NamedTuple):
    """The covariance of the unknowns, and the degrees of freedom that each bot's variance owes to the other bots."""

    matrix: Floats
    pooled_freedom: int


def estimate_covariance(
    model: PairModel, fit: ModelFit, blocks: Sequence[int], *, is_paired_by_results: bool
) -> RatingCovariance:
    """Return the covariance of the model's unknowns; `blocks`: how many each of its entrants has, links included."""
    likelihood, block_count = model.likelihood, model.rankings.block_count
    if not block_count:
        return RatingCovariance(np.zeros((model.unknowns, model.unknowns)), 0)
    share = UNSEEN_BLOCK * model.redundancy
    own_blocks = np.array([*blocks, *[block_count] * (model.unknowns - len(blocks))])
    filling = scale_matrix(fit.curvature_if_equal, np.sqrt(share / own_blocks))
    linked = Counter(model.numbers[end] for link in model.links for end in (link.version, link.predecessor))
    played = [count - LINK_FREEDOM * linked[bot] for bot, count in enumerate(blocks)]
    is_pooled = sum(count >= KNOWN_BLOCKS for count in played) >= KNOWN_BOTS
    if not is_pooled:
        likelihood.add_link_scores(filling, fit.x)  # first: a very firm link is lost among the others by rounding
    leverages, strengths = _find_leverages(model, blocks), likelihood.log_strengths(fit.x)
    for chunk in model.iter_chunks():
        weights = _weigh_blocks(chunk, leverages)
        scores = model.score_blocks(chunk, strengths)
        add_products(filling, scores.blocks, scores.unknowns, scores.values * weights[scores.blocks])
    freedom = 0
    if is_pooled:
        factors, freedom = _pool_variances(model, fit, filling, played)
        filling = scale_matrix(filling, np.array(factors))
        likelihood.add_link_scores(filling, fit.x)
    bread = invert(fit.curvature)
    covariance = bread @ filling @ bread
    covariance = _limit_to_links(model, covariance, [count - 1 + freedom for count in blocks])
    if not is_paired_by_results:
        return RatingCovariance(covariance, freedom)
    count = len(model.entrants)  # there may be more rows than strengths; the first ones are theirs
    factor = widen_for_selection(fit.x[:count], covariance[:count, :count], np.array(blocks))
    return RatingCovariance(scale_matrix(covariance, np.full(model.unknowns, factor**0.5)), freedom)


def widen_for_selection(strengths: Floats, covariance: Floats, blocks: Floats | Whole) -> float:
    """Return by what the variances of strengths are multiplied where results have paired bots, as is said above."""
    by_luck = min(1.0, _share_of_luck(strengths, covariance, blocks) / SELECTION_BY_LUCK)
    return float(1 + SELECTION_VARIANCE * log2(len(blocks)) * by_luck)


def _pool_variances(model: PairModel, fit: ModelFit, filling: Floats, blocks: Sequence[int]) -> tuple[list[float], int]:
    """Return by which factors scores are multiplied to draw their variances towards that of bots with many blocks.

    With the factors, by unknown, comes how many degrees of freedom these bots are worth. `filling`: the covariance of
    the scores, without links.
    """
    own = filling.diagonal().tolist()
    information = model.likelihood.sum_information(fit.x).tolist()
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


def _limit_to_links(model: PairModel, covariance: Floats, freedoms: Sequence[int]) -> Floats:
    """Return the covariance, in which a version and the one before have no wider interval than by their link alone.

    `freedoms`: the degrees of freedom of each bot's interval.
    """
    variances, factors = covariance.diagonal().tolist(), [1.0] * model.unknowns
    for link in model.links:
        ends = model.numbers[link.version], model.numbers[link.predecessor]
        scale = link.sd * sqrt((LINK_FREEDOM + 1) / LINK_FREEDOM)  # of Student's t
        for own, other in (ends, ends[::-1]):
            widest = scale * student_t_quantile(LINK_FREEDOM) / student_t_quantile(freedoms[own])
            most = widest**2 + variances[other]
            if variances[own] > most:
                factors[own] = min(factors[own], sqrt(most / variances[own]))
    return covariance if min(factors) == 1 else scale_matrix(covariance, np.array(factors))


def _share_of_luck(strengths: Floats, covariance: Floats, blocks: Floats | Whole) -> float:
    """Return the mean variance of strengths about their mean, divided by the variance among them; 1 if they are equal.

    Each bot counts by its blocks: what is not known yet of a newcomer is no luck that has paired the others.
    """
    shares = blocks / blocks.sum()
    spread = float((shares * (strengths - (shares * strengths).sum()) ** 2).sum())
    luck = float((shares * covariance.diagonal()).sum() - scale_matrix(covariance, shares).sum())
    return luck / spread if spread > 0 else 1.0


def _find_leverages(model: PairModel, blocks: Sequence[int]) -> Floats:
    """Return by contender of the rankings the sum of 1/n of its entrants, less what the mean of all bots takes."""
    by_entrant = dict(zip(model.entrants, [(1 - 1 / len(blocks)) / count for count in blocks], strict=True))
    return np.array([sum([by_entrant[own] for own in side]) for side, _ in model.rankings.contenders])


def _weigh_blocks(chunk: BlockChunk, leverages: Floats) -> Floats:
    """Return for each block 1 / (1 - its leverage)."""
    found = np.zeros(chunk.size)
    for first in chunk.firsts:
        own = sum(leverages[contenders] for contenders in first.contenders) / max(1, len(first.contenders) - 1)
        found += add_up(first.blocks, np.clip(own, 0.0, MAX_LEVERAGE), chunk.size)
    return 1 / (1 - found)
