"""Gifts: bots that do better with another one at their table than the ratings explain, and ratings without those games.

Two friends, one folding to the other, make a champion that would not have won without the gift. By the games alone
a gift looks like a style that suits one bot: the test finds it, and people judge it.

The test of pair residuals (see `pair_residuals`) is made step by step: the clearest pair is reported if its error,
times the number of pairs compared, is at most FALSE_ALARMS. Then the blocks in which the two met are left out, the
ratings are refitted, and the next pair is looked for, until no pair is clear (step-down, as Holm 1979, *A simple
sequentially rejective multiple test procedure*). So a false gift is reported in at most FALSE_ALARMS of the tournaments
whose games follow the ratings to within MIN_GAIN, all pairs together. `tests.soak.gift_verdicts` measures it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from msgspec import Struct

from pitboss_tournament.statistics.arrays import np
from pitboss_tournament.statistics.bradley_terry import PairModel
from pitboss_tournament.statistics.pair_residuals import PairResidual, find_strongest_residual
from pitboss_tournament.statistics.rankings import RankingCounts
from pitboss_tournament.statistics.ratings import POINTS_PER_LOG_UNIT, Ratings
from pitboss_tournament.statistics.running_moments import Estimate
from pitboss_tournament.statistics.student_t import anytime_t_quantile, student_t_quantile

FALSE_ALARMS: Final = 0.05  # of tournaments without gifts, the share in which one is told
MAX_GIFTS: Final = 12  # that are told


class Gift(Struct, frozen=True, kw_only=True):
    """A bot that does better with another one at its table; bots are numbers."""

    giver: int
    gainer: int
    blocks: int  # in which both sat at the table
    gain: Estimate  # of the share of beaten opponents, more than the ratings explain
    sureness: float  # that the gain is more than MIN_GAIN, all pairs together


class Gifts(Struct, frozen=True):
    """The gifts of a tournament, the surest first, and the ratings of those who gained by them."""

    found: tuple[Gift, ...] = ()
    ratings: dict[int, Estimate] = {}  # by gainer: without the games of these pairs; unknown if there are no others


class RatedPairs(NamedTuple):
    """Ratings, and the pair that stands out most beside them; None if there is none to compare."""

    ratings: Ratings
    residual: PairResidual | None


def measure_pairs(rankings: RankingCounts, ratings: Ratings) -> RatedPairs:
    """Return the ratings of these games with the pair that stands out most."""
    model = PairModel(rankings)
    strengths = [ratings.strengths[entrant] for entrant in model.entrants]
    seats = [(seat.mean or 0.0) / POINTS_PER_LOG_UNIT for seat in ratings.seats]
    return RatedPairs(ratings, find_strongest_residual(model, np.array([*strengths, *seats], dtype=np.float64)))


def find_gifts(
    rankings: RankingCounts, rated: RatedPairs, rate_again: Callable[[RankingCounts], RatedPairs], *, anytime: bool
) -> Gifts:
    """Return the gifts in games that are rated like this; `rate_again` rates some of the games.

    `anytime`: the number of games was not fixed beforehand, so that the test has to hold however often one looks.
    """
    found = list[Gift]()
    while len(found) < MAX_GIFTS and (gift := _judge_residual(rated.residual, anytime=anytime)):
        found.append(gift)
        rated = rate_again(rankings.leave_out({frozenset((one.giver, one.gainer)) for one in found}))
    return Gifts(tuple(found), {gift.gainer: rated.ratings.rating_of(gift.gainer).points for gift in found})


def _judge_residual(one: PairResidual | None, *, anytime: bool) -> Gift | None:
    """Return the gift that a residual shows; None if it may be chance."""
    if one is None or (error := one.compute_error(anytime=anytime)) > FALSE_ALARMS:
        return None
    quantile = anytime_t_quantile(one.freedom) if anytime else student_t_quantile(one.freedom)
    gain = Estimate(one.gain, quantile * one.error)
    return Gift(giver=one.giver, gainer=one.gainer, blocks=one.blocks, gain=gain, sureness=1 - error)
