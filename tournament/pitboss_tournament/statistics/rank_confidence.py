"""Rank confidence: which bots differ, which ranks each may have, and how many more games would prove more.

Which test tells two bots apart depends on the tournament. If the number of its games was fixed beforehand, and all of
them have been played, it is Student's t of the difference of their ratings, all pairs together stepped down by Holm
(1979, *A simple sequentially rejective multiple test procedure*): the pair that differs most must do so at the error
divided by the number of pairs, the next one at the error divided by one pair less, and so on. Else it is one of two
tests that hold however often one looks at the tournament, and take more games:

* the sequential test on the blocks in which both sat (see `sequential_test`), as the stop rule and `settle` use it;
* where other blocks tell something about the two as well: the Bayes factor of the difference of their ratings (see
  `anytime_t_quantile`), which is nearly normal.

There each pair is tested at the error divided by the number of pairs (Bonferroni). So with 95 % no false difference
is ever proven, except by the approximation of the tests by ratings; `tests.soak.calibration` measures it.
Ranks may go by points instead. Then the same tests are of the differences of points (see `point_differences`), of all
pairs that a chain of tables connects: Holm's, or the Bayes factor.

What follows from such pairs (a is better than b, b than c) is told too, but where c was ahead of a in their own games:
bots may beat each other in a cycle (see `cycles`). Proofs of pairs that contradict each other prove nothing, and while
a cycle is proven no number of games is planned, as none settles the ranks. A bot's rank is at least one more than the
bots that are better, and at most as many as are not worse (Mogstad, Romano, Shaikh and Wilhelm 2024, *Inference for
ranks*). Groups are drawn as Demšar draws them (2006, *Statistical comparisons of classifiers*): as many neighbours in
the ranking as there are without a pair that is proven to differ. So each bot is in one tier or more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from math import inf, log, sqrt
from statistics import NormalDist
from typing import Final

from msgspec import Struct

from pitboss_tournament.statistics.cycles import find_cycles
from pitboss_tournament.statistics.head_to_head import HeadToHead
from pitboss_tournament.statistics.pair_tests import find_bayes_proofs, list_pair_tests, prove_pairs
from pitboss_tournament.statistics.point_differences import PointDifferences
from pitboss_tournament.statistics.proven_ranks import ProvenOrder, ProvenRanks, close_proofs
from pitboss_tournament.statistics.ratings import Ratings
from pitboss_tournament.statistics.sequential_test import (
    POWER,
    TEST_ERROR,
    can_prove,
    count_blocks_to_proof,
    count_fewest_blocks,
    log_capital,
)
from pitboss_tournament.statistics.student_t import log_bayes_factor

MIN_PLANNED_BLOCKS: Final = 5  # of each bot, before more games are planned
MAX_TIMES: Final = 1_000  # the games so far, that more are planned


class Outlook(Struct, frozen=True):
    """How many more games tell more, in multiples of those played; None: no number to plan for does."""

    best: float | None  # show the best bot
    all: float | None  # settle all ranks
    has_cycle: bool = False  # some bots are proven to beat each other in a cycle: no order of them is right


class RankProofs(Struct, frozen=True):
    """What a `RankConfidence` has found, as plain data."""

    order: list[int]
    worse: list[bytes]  # by bot of the order: the positions of those that are proven worse, a bit for each
    least_proof: float | None
    outlook: Outlook | None

    def fits(self, bots: int) -> bool:
        """Whether these can be proofs about `bots` bots."""
        size = (len(self.order) + 7) // 8
        return len(self.order) == len(self.worse) == len({*self.order} & {*range(bots)}) and all(
            len(own) == size and not own[-1] >> (len(self.order) - 1) % 8 + 1 for own in self.worse
        )


class RankConfidence(ProvenRanks):
    """Pairs of bots with a proven difference, and what follows from them; bots are numbers."""

    def __init__(self, meetings: HeadToHead, ratings: Ratings, order: Sequence[int], *, anytime: bool) -> None:
        """Test all pairs of the bots in `order`, which is the ranking.

        `anytime`: by tests that hold however often one looks, as the number of games was not fixed beforehand.
        """
        self._begin(meetings, ratings, order, anytime)
        proofs = self._prove_anytime() if anytime else self._step_down()
        self._proven = close_proofs(len(order), proofs, meetings.list_losses(order))

    @classmethod
    def by_points(
        cls,
        meetings: HeadToHead,
        ratings: Ratings,
        order: Sequence[int],
        points: PointDifferences,
        *,
        anytime: bool,
        lowest_wins: bool,
    ) -> RankConfidence:
        """Return what the differences of points prove of the bots in `order`, which is the ranking by points."""
        ranks = cls.__new__(cls)
        ranks._begin(meetings, ratings, order, anytime)
        ranks.basis = "points"
        ranks._points = points
        proofs, ranks._least_proof = prove_pairs(points.pair_tests(order, anytime=anytime), ranks._pairs, anytime)
        if lowest_wins:
            proofs = [(worse, better) for better, worse in proofs]
        ranks._proven = close_proofs(len(order), proofs)
        return ranks

    @classmethod
    def restore(
        cls,
        meetings: HeadToHead,
        ratings: Ratings,
        proofs: RankProofs,
        *,
        anytime: bool,
        points: PointDifferences | None = None,
    ) -> RankConfidence:
        """Return ranks with proofs that were found before: no pair is tested again. `points`: if ranks go by points."""
        ranks = cls.__new__(cls)
        ranks._begin(meetings, ratings, proofs.order, anytime)
        ranks.basis = "ratings" if points is None else "points"
        ranks._points = points
        ranks._proven = ProvenOrder([int.from_bytes(own, "little") for own in proofs.worse])
        ranks._least_proof = proofs.least_proof
        if proofs.outlook is not None:
            ranks.outlook = proofs.outlook
        return ranks

    def totals(self) -> RankProofs:
        """Return what has been found; the outlook too, if there are enough blocks for one."""
        size = (len(self.order) + 7) // 8
        worse = [own.to_bytes(size, "little") for own in self._proven.worse]
        outlook = self.outlook if self.least_blocks >= MIN_PLANNED_BLOCKS else None
        return RankProofs([*self.order], worse, self._least_proof, outlook)

    def _begin(self, meetings: HeadToHead, ratings: Ratings, order: Sequence[int], anytime: bool) -> None:
        super().__init__(order, anytime=anytime)
        self._meetings = meetings
        self._ratings = ratings
        self._points: PointDifferences | None = None  # if ranks go by them
        self._pairs = max(1, len(order) * (len(order) - 1) // 2)

    @property
    def least_blocks(self) -> int:
        """The blocks of the bot that has the fewest."""
        return min(map(self._meetings.count_blocks_of, self.order), default=0)

    @cached_property
    def outlook(self) -> Outlook:
        """How many more games would show the best bot, and how many would settle all ranks: none in a cycle."""
        if self._proven.in_cycles or (self._points is None and find_cycles(self._meetings, self.order)):
            return Outlook(None, None, has_cycle=True)
        best = self.best_bots()
        of_best = _find_greatest(self.more_games(best[0], other) for other in best[1:])
        of_groups = _find_greatest(self.more_games(*pair) for group in self.groups() for pair in pairwise(group))
        of_all = None if of_best is None or of_groups is None else max(of_best, of_groups)
        return Outlook(of_best, of_all)

    def more_games(self, one: int, other: int) -> float | None:
        """Return how many more games, in multiples of those played, tell two bots apart with a probability of 80 %.

        If the difference is what it seems. 0: they differ already; None: it would be a thousand times the games so far,
        or they are equal so far, or have not met, or are better than each other by way of others.
        """
        if self._are_apart(one, other):
            return 0.0
        if all(self._proven.in_cycles >> self._positions[bot] & 1 for bot in (one, other)):
            return None
        blocks = 0 if self._points is not None else self._meetings.count_blocks(one, other)
        differences = self._meetings.count_differences(one, other)
        more = count_blocks_to_proof(differences, error=TEST_ERROR / self._pairs) if blocks else None
        times = [more / blocks] if more is not None else []
        if (by_ratings := self._times_by_ratings(one, other)) is not None:
            times.append(by_ratings)
        least = min(times, default=MAX_TIMES)
        return least if least < MAX_TIMES else None

    def _are_apart(self, one: int, other: int) -> bool:
        return self.is_better(one, other) or self.is_better(other, one)

    def _step_down(self) -> Iterator[tuple[int, int]]:
        """Yield the pairs that Holm's test tells apart, as positions, the better one first."""
        proofs, self._least_proof = prove_pairs(list_pair_tests(self._ratings, self.order), self._pairs, anytime=False)
        yield from proofs

    def _prove_anytime(self) -> Iterator[tuple[int, int]]:
        """Yield the pairs that differ, proven however often one looks, as positions, the better one first."""
        met, least = {*self._list_direct()}, inf
        for one, other in met.union(self._list_rated()):
            bots = self.order[one], self.order[other]
            t, freedom = self._compare_ratings(*bots)
            by_ratings = log_bayes_factor(t, freedom)
            is_rated = by_ratings - log(self._pairs) >= log(1 / TEST_ERROR)
            for pair, sign in (((one, other), 1), ((other, one), -1)):
                # ratings say which bot is better against this field, even if the pair says the contrary
                has_direct = (one, other) in met and not (is_rated and sign * t < 0)
                direct = self._direct_proof(self.order[pair[0]], self.order[pair[1]]) if has_direct else 0.0
                proof = max(direct, by_ratings if sign * t > 0 else 0.0) - log(self._pairs)
                if proof >= log(1 / TEST_ERROR):
                    least = min(least, proof)
                    yield pair
        self._least_proof = None if least == inf else least

    def _list_direct(self) -> Iterator[tuple[int, int]]:
        """Yield the pairs, as positions, that met often enough for a proof, the earlier one first."""
        fewest = count_fewest_blocks(log(2 * self._pairs / TEST_ERROR))
        for pair in self._meetings.list_pairs(fewest):
            if self._positions.keys() >= set(pair):
                one, other = sorted(self._positions[bot] for bot in pair)
                yield one, other

    def _list_rated(self) -> Iterator[tuple[int, int]]:
        """Yield the pairs, as positions, whose ratings may prove it, the earlier one first."""
        tests = list_pair_tests(self._ratings, self.order)
        may_prove = find_bayes_proofs(tests, log(self._pairs / TEST_ERROR) - 1e-6)
        yield from zip(tests.ones[may_prove].tolist(), tests.others[may_prove].tolist(), strict=True)

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
        """Return Student's t of the difference of two bots' ratings, or points, and its degrees of freedom.

        It is 0 if they cannot be compared, or, of ratings, if they met in all blocks of both.
        """
        if self._points is not None:
            difference = self._points.compare(one, other, anytime=self.anytime)
            return (0.0, 1) if difference is None else (difference.t, difference.freedom)
        own = max(self._meetings.count_blocks_of(bot) for bot in (one, other))
        compared = None if own == self._meetings.count_blocks(one, other) else self._ratings.compare(one, other)
        return compared or (0.0, 1)


def _find_greatest(numbers: Iterable[float | None]) -> float | None:
    """Return the greatest number, 0 of none; None if one of them is unknown."""
    greatest = 0.0
    for number in numbers:
        if number is None:
            return None
        greatest = max(greatest, number)
    return greatest
