"""Rank confidence: which bots are told apart, which ranks each may have, and how many more games would tell more.

Which test tells two bots apart depends on the tournament. If the number of its games was fixed beforehand, and all of
them have been played, it is Student's t of the difference of their ratings, all pairs together stepped down by Holm
(1979, *A simple sequentially rejective multiple test procedure*): the pair that differs most must do so at the error
divided by the number of pairs, the next one at the error divided by one pair less, and so on. Else it is one of two
tests that hold however often one looks at the tournament, and take more games:

* the sequential test on the blocks in which both sat (see `sequential_test`), as the stop rule and `settle` use it;
* where other blocks tell something about the two as well: the Bayes factor of the difference of their ratings (see
  `anytime_t_quantile`), which is nearly normal.

There each pair is tested at the error divided by the number of pairs (Bonferroni). So with 95 % no pair is ever told
apart wrongly, but for the approximation of the tests by ratings; `tests.soak.calibration` measures it.
What follows from such pairs (a is better than b, b than c) is told too. A bot's rank is at least one more than the
bots that are better, and at most as many as are not worse (Mogstad, Romano, Shaikh and Wilhelm 2024, *Inference for
ranks*). Groups are drawn as Demšar draws them (2006, *Statistical comparisons of classifiers*): as many neighbours in
the ranking as there are without a pair that is told apart. So each bot is in one tier or more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import exp, log, sqrt
from statistics import NormalDist
from typing import Final

from msgspec import Struct

from pitboss_tournament.statistics.head_to_head import HeadToHead
from pitboss_tournament.statistics.ratings import Ratings
from pitboss_tournament.statistics.sequential_test import (
    POWER,
    TEST_ERROR,
    can_prove,
    count_blocks_to_proof,
    log_capital,
)
from pitboss_tournament.statistics.student_t import log_bayes_factor, student_t_cdf

MIN_ERROR: Final = 1e-12  # of a test, beyond which its probability is not computed exactly
MAX_TIMES: Final = 1_000  # the games so far, that more are planned


class RankRange(Struct, frozen=True):
    """The ranks that a bot may have, or its tiers."""

    best: int
    worst: int

    @property
    def is_open(self) -> bool:
        """Whether it is more than one rank."""
        return self.best < self.worst


class RankConfidence:
    """Pairs of bots that are told apart, with what follows from them; bots are numbers."""

    def __init__(self, meetings: HeadToHead, ratings: Ratings, order: Sequence[int], *, anytime: bool) -> None:
        """Test all pairs of the bots in `order`, which is the ranking.

        `anytime`: by tests that hold however often one looks, as the number of games was not fixed beforehand.
        """
        self.order = order
        self._meetings = meetings
        self._ratings = ratings
        self._pairs = max(1, len(order) * (len(order) - 1) // 2)
        self.anytime = anytime
        self._proofs = self._prove_anytime() if anytime else self._step_down()
        self._behind = _close_transitively(order, self._proofs)

    def is_better(self, one: int, other: int) -> bool:
        """Whether one bot is proven better than another, and not the other way round too."""
        return other in self._behind[one] and one not in self._behind[other]

    def rank_range(self, bot: int) -> RankRange:
        """Return the ranks that a bot may have; 1 is the best."""
        better = sum(self.is_better(other, bot) for other in self.order)
        worse = sum(self.is_better(bot, other) for other in self.order)
        return RankRange(1 + better, len(self.order) - worse)

    def tiers(self) -> list[Sequence[int]]:
        """Return the longest runs of neighbours in the ranking of whom no two are told apart; they may overlap."""
        found: list[Sequence[int]] = []
        last = 0
        for first in range(len(self.order)):
            end = first + 1
            while end < len(self.order) and not any(
                self._are_apart(self.order[end], bot) for bot in self.order[first:end]
            ):
                end += 1
            if end > last:
                found.append(self.order[first:end])
            last = max(last, end)
        return found

    def tier_ranges(self) -> dict[int, RankRange]:
        """Return the tiers that each bot is in, from the best to the worst; 1 is the best tier."""
        ranges: dict[int, RankRange] = {}
        for number, tier in enumerate(self.tiers(), 1):
            for bot in tier:
                ranges[bot] = RankRange(ranges[bot].best if bot in ranges else number, number)
        return ranges

    def groups(self) -> list[Sequence[int]]:
        """Return the tiers of two bots or more."""
        return [tier for tier in self.tiers() if len(tier) > 1]

    def ranked_groups(self) -> list[tuple[RankRange, Sequence[int]]]:
        """Return the groups, each with the places of its bots in the ranking."""
        found = []
        for group in self.groups():
            first = self.order.index(group[0]) + 1
            found.append((RankRange(first, first + len(group) - 1), group))
        return found

    def best_bots(self) -> list[int]:
        """Return the bots than which none is proven better."""
        return [bot for bot in self.order if self.rank_range(bot).best == 1]

    def next_worse(self, bot: int) -> list[int]:
        """Return the bots directly below a bot in the order of proofs: worse than it, and no third bot in between."""
        worse = [other for other in self.order if self.is_better(bot, other)]
        return [other for other in worse if not any(self.is_better(between, other) for between in worse)]

    @property
    def sureness(self) -> float | None:
        """The probability, 0.95 or more, that all that is told apart is told rightly; None if nothing is."""
        return 1 - exp(-min(self._proofs.values())) if self._proofs else None

    @property
    def least_blocks(self) -> int:
        """The blocks of the bot that has the fewest."""
        return min(map(self._meetings.count_blocks_of, self.order), default=0)

    def more_games(self, one: int, other: int) -> float | None:
        """Return how many more games, in multiples of those played, tell two bots apart with a probability of 80 %.

        If the difference is what it seems. 0: they are told apart; None: it would be a thousand times the games so far,
        or they are equal so far, or have not met.
        """
        if self._are_apart(one, other):
            return 0.0
        blocks = self._meetings.count_blocks(one, other)
        differences = self._meetings.count_differences(one, other)
        more = count_blocks_to_proof(differences, error=TEST_ERROR / self._pairs) if blocks else None
        times = [more / blocks] if more is not None else []
        if (by_ratings := self._times_by_ratings(one, other)) is not None:
            times.append(by_ratings)
        least = min(times, default=MAX_TIMES)
        return least if least < MAX_TIMES else None

    def _are_apart(self, one: int, other: int) -> bool:
        return self.is_better(one, other) or self.is_better(other, one)

    def _step_down(self) -> dict[tuple[int, int], float]:
        """Return the pairs that Holm's test tells apart, as `_prove_anytime`."""
        tested = []
        for one, other in combinations(self.order, 2):
            if (compared := self._ratings.compare(one, other)) is not None:
                t, freedom = compared
                error = 2 * student_t_cdf(-abs(t), freedom)
                tested.append((error, (one, other) if t > 0 else (other, one)))
        proofs, adjusted = {}, MIN_ERROR
        for number, (error, pair) in enumerate(sorted(tested)):
            adjusted = max(adjusted, error * (self._pairs - number))
            if adjusted > TEST_ERROR:
                break
            proofs[pair] = -log(adjusted)
        return proofs

    def _prove_anytime(self) -> dict[tuple[int, int], float]:
        """Return the pairs that are told apart however often one looks, with minus the log error of the proof.

        The better one is the first of a pair.
        """
        proofs = {}
        for one, other in combinations(self.order, 2):
            t, freedom = self._compare_ratings(one, other)
            by_ratings = log_bayes_factor(t, freedom)
            for pair, sign in (((one, other), 1), ((other, one), -1)):
                proof = max(self._direct_proof(*pair), by_ratings if sign * t > 0 else 0.0) - log(self._pairs)
                if proof >= log(1 / TEST_ERROR):
                    proofs[pair] = proof
        return proofs

    def _direct_proof(self, one: int, other: int) -> float:
        """Return minus the log error of a proof by the blocks of both; 0 if there are too few for any proof."""
        differences = self._meetings.count_differences(one, other)
        if not can_prove(differences, log(2 * self._pairs / TEST_ERROR)):
            return 0.0
        return log_capital(differences, 0.0) - log(2)

    def _times_by_ratings(self, one: int, other: int) -> float | None:
        """Return how many more games, in multiples of those played, prove it by the ratings; None if too many do."""
        t, freedom = self._compare_ratings(one, other)
        proof, margin = log(self._pairs / TEST_ERROR), NormalDist().inv_cdf(POWER)

        def is_enough(times: float) -> bool:
            after = abs(t) * sqrt(times) - margin * sqrt((times - 1) / times)
            return after > 0 and log_bayes_factor(after, freedom * times) >= proof

        if not is_enough(MAX_TIMES):
            return None
        low, high = 1.0, float(MAX_TIMES)
        while high - low > 0.001 * high:
            middle = sqrt(low * high)
            low, high = (low, middle) if is_enough(middle) else (middle, high)
        return high - 1

    def _compare_ratings(self, one: int, other: int) -> tuple[float, int]:
        """Return Student's t of the difference of two ratings, and its degrees of freedom.

        It is 0 if they cannot be compared, or if they met in all blocks of both.
        """
        own = max(self._meetings.count_blocks_of(bot) for bot in (one, other))
        compared = None if own == self._meetings.count_blocks(one, other) else self._ratings.compare(one, other)
        return compared or (0.0, 1)


def _close_transitively(order: Sequence[int], proofs: Mapping[tuple[int, int], float]) -> dict[int, set[int]]:
    """Return for each bot those that are worse, directly or by way of others (Warshall 1962)."""
    behind: dict[int, set[int]] = {bot: set() for bot in order}
    for better, worse in proofs:
        behind[better].add(worse)
    for between in order:
        for bot in order:
            if between in behind[bot]:
                behind[bot] |= behind[between]
    return behind
