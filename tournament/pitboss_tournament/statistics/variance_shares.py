"""How much of the spread of results is the bots, how much the seats, and how much neither: luck, and who meets whom.

The place scores of all seats of all games spread by some variance. The part between bots is the variance of their true
means: the variance of the observed means minus the variance that the means have by chance (the analysis of variance
with random effects, by moments). The part between seats is computed in the same way. Both are shares of the whole. They
say as much about the bots as about the game: bots that are farther apart have a larger share.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import sqrt
from statistics import fmean
from typing import Final

from msgspec import Struct

from pitboss.outcome import Sides
from pitboss_tournament.statistics.blocks import Block, block_means, place_scores
from pitboss_tournament.statistics.running_moments import Estimate, RunningMoments
from pitboss_tournament.statistics.student_t import student_t_quantile

MAX_JACKKNIFE_GROUPS: Final = 20  # of deals, at most, that the jackknife leaves out one by one


class VarianceShares(Struct, frozen=True):
    """Shares of the variance of place scores, 0 to 1."""

    bots: Estimate
    seats: Estimate


class _BlockScores(Struct, frozen=True, gc=False):
    """The place scores of one block."""

    deal: int
    by_bot: dict[int, float]  # means
    by_seat: list[float]  # means
    square: float  # the mean square of a seat's score in a game, from an even one


def estimate_variance_shares(blocks: Iterable[Block], sides: Sides | None = None) -> VarianceShares:
    """Return the shares, with 95 % intervals by a jackknife over deals; unknown with fewer than two deals."""
    scored = [_score(block, sides) for block in blocks]
    groups = sorted({one.deal % MAX_JACKKNIFE_GROUPS for one in scored})
    if len(groups) < 2:
        return VarianceShares(Estimate(None, None), Estimate(None, None))
    whole = _shares(scored)
    without = [_shares([one for one in scored if one.deal % MAX_JACKKNIFE_GROUPS != group]) for group in groups]
    bots, seats = (
        _jackknife(whole[number], [shares[number] for shares in without], len(groups)) for number in range(2)
    )
    return VarianceShares(bots, seats)


def _score(block: Block, sides: Sides | None) -> _BlockScores:
    games = [place_scores(result, sides) for result in block]
    return _BlockScores(
        deal=block[0].deal,
        by_bot=block_means(block, lambda result: place_scores(result, sides)),
        by_seat=[fmean(column) for column in zip(*games, strict=True)],
        square=fmean((score - 0.5) ** 2 for game in games for score in game),
    )


def _shares(scored: Sequence[_BlockScores]) -> tuple[float, float]:
    """Return the shares of bots and of seats; 0 where chance alone would spread the means so far."""
    bots, seats = defaultdict[int, RunningMoments](RunningMoments), defaultdict[int, RunningMoments](RunningMoments)
    for one in scored:
        for bot, score in one.by_bot.items():
            bots[bot].add(score)
        for seat, score in enumerate(one.by_seat):
            seats[seat].add(score)
    whole = fmean(one.square for one in scored)
    return _variance_between(bots.values(), whole), _variance_between(seats.values(), whole)


def _variance_between(moments: Iterable[RunningMoments], whole: float) -> float:
    known = [one for one in moments if one.count > 1]
    if not known or not whole:
        return 0.0
    by_chance = fmean(one.sum_squares / (one.count - 1) / one.count for one in known)
    between = fmean((one.mean - 0.5) ** 2 for one in known) - by_chance
    return max(0.0, between / whole)


def _jackknife(estimate: float, without: Sequence[float], groups: int) -> Estimate:
    """Return an estimate with the interval of the delete-a-group jackknife (Kott 2001)."""
    mean = fmean(without)
    error = sqrt((groups - 1) / groups * sum((one - mean) ** 2 for one in without))
    return Estimate(estimate, student_t_quantile(groups - 1) * error)
