"""Covariance of ratings: the sandwich over blocks, corrected where bots have few blocks or were paired by results.

The unit is the block, a deal in all its rotations: games of a block are not independent. The covariance is the sandwich
over blocks (Liang and Zeger 1986): B (Σ s sᵀ) B, with s the score of a block and B the inverse curvature. It has three
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
  spread out so far that the variance of luck is less than a third of theirs, as much less is added.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log2, sqrt
from typing import Final

from pitboss_tournament.statistics.bradley_terry import PairModel
from pitboss_tournament.statistics.linear_algebra import Matrix, Vector, inverse, sandwich
from pitboss_tournament.statistics.pair_likelihood import ModelFit
from pitboss_tournament.statistics.rankings import RankingCounts

UNSEEN_BLOCK: Final = 0.5  # of a block
MAX_LEVERAGE: Final = 0.75  # of a block: bots with one or two blocks
SELECTION_VARIANCE: Final = 0.3  # share of the variance added for each halving of the bots, if results pair them
SELECTION_BY_LUCK: Final = 1 / 3  # of the variance of ratings: with so much luck, all count as equal


def estimate_covariance(
    rankings: RankingCounts, model: PairModel, fit: ModelFit, blocks: Sequence[int], *, is_paired_by_results: bool
) -> Matrix:
    """Return the covariance of the model's unknowns; `blocks`: how many each of its entrants has."""
    if not rankings.block_count:
        return []
    filling = _unseen_blocks(
        fit.curvature_if_equal,
        UNSEEN_BLOCK * model.redundancy,
        [*blocks, *[rankings.block_count] * (model.unknowns - len(blocks))],
    )
    by_entrant = dict(zip(model.entrants, [(1 - 1 / len(blocks)) / count for count in blocks], strict=True))
    leverages = [sum([by_entrant[entrant] for entrant in side]) for side, _ in rankings.contenders]
    scores = model.block_scores(fit.x)
    for block in rankings.blocks():
        weight = (1 - _block_leverage([leverages[contender] for contender in block[0][1:]])) ** -2
        parts = scores.score_block(block)
        for row, value in parts:
            into, weighted = filling[row], weight * value
            for column, other in parts:
                into[column] += weighted * other
    covariance = sandwich(inverse(fit.curvature), filling)
    if not is_paired_by_results:
        return covariance
    by_luck = min(1.0, _share_of_luck(fit.x[: len(blocks)], covariance) / SELECTION_BY_LUCK)
    inflation = 1 + SELECTION_VARIANCE * log2(len(blocks)) * by_luck
    return [[inflation * value for value in row] for row in covariance]


def _share_of_luck(strengths: Vector, covariance: Matrix) -> float:
    """Return the mean variance of strengths about their mean, divided by the variance among them; 1 if they are equal.

    There may be more rows in the covariance than strengths; the first ones are theirs.
    """
    count, mean = len(strengths), sum(strengths) / len(strengths)
    spread = sum((strength - mean) ** 2 for strength in strengths)
    of_mean = sum(sum(row[:count]) for row in covariance[:count]) / count
    luck = sum(covariance[number][number] for number in range(count)) - of_mean
    return luck / spread if spread > 0 else 1.0


def _unseen_blocks(curvature: Matrix, share: float, blocks: Sequence[int]) -> Matrix:
    """Return a share of the curvature with even chances, for one block of each unknown's own."""
    roots = [sqrt(count) for count in blocks]
    return [
        [share * value / (root * other) for value, other in zip(row, roots, strict=True)]
        for row, root in zip(curvature, roots, strict=True)
    ]


def _block_leverage(of_sides: Sequence[float]) -> float:
    """Return the leverage of a block, from its share of the leverage of each side's entrants."""
    return min(MAX_LEVERAGE, sum(of_sides) / max(1, len(of_sides) - 1))
