"""Sequential stopping: whether the tournament is decided, tested after each block in the order of the schedule.

The tests are anytime-valid (`statistics.sequential_test`): the probability of ever stopping with a wrong verdict is at
most 5 %, however long the tournament runs. That holds for blocks in an order that does not depend on their results. In
the order in which they end short games come first: a bot that wins quickly and loses slowly would look good. So the
verdict is that of an unbroken beginning of the schedule, and the same for any number of workers.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from math import nan

from pitboss.formats import PlayedBlock
from pitboss_tournament.plan.plan import Plan, StopBounds, StopRules
from pitboss_tournament.playing.round_progress import RoundProgress
from pitboss_tournament.statistics.bounded_test import (
    BoundedTestResult,
    Bounds,
    compute_bounded_interval,
    run_bounded_test,
)
from pitboss_tournament.statistics.head_to_head import HeadToHead
from pitboss_tournament.statistics.point_scale import PointScale


class StopMonitor:
    """Tests the stop rules. The pair undecided last is tested first; while it is undecided nothing else is computed."""

    def __init__(self, plan: Plan, rules: StopRules) -> None:
        self._rules = rules
        self._names = plan.bots
        self._scale = PointScale.of_table(plan.seats, plan.sides)
        self._meetings = HeadToHead(len(self._names))
        self._undecided_pair: tuple[int, int] | None = None
        self.verdict: str | None = None  # why the tournament ends

    def add_blocks(self, progress: RoundProgress, disqualified: frozenset[int]) -> None:
        """Add the blocks that come next in the schedule, until there is a verdict. Disqualified bots are not ranked."""
        while self.verdict is None and (block := progress.take_next_block(disqualified)) is not None:
            self._meetings.add(block)
            self.verdict = self._pair_verdict(block) or (
                self._ranking_verdict(disqualified) if self._rules.ranking else None
            )

    def _pair_verdict(self, block: PlayedBlock) -> str | None:
        rules = self._rules
        if rules.bot is None or rules.better_than is None:
            return None
        bot, other = self._names.index(rules.bot), self._names.index(rules.better_than)
        if bot not in block.place_scores or other not in block.place_scores:
            return None
        if rules.bounds is not None:
            return self._bounds_verdict(rules.bounds)
        found = self._meetings.judge_pair(bot, other, delta=rules.delta)
        if found == "undecided":
            return None
        words = {"better": "is better than", "worse": "is worse than", "close": f"is within {rules.delta} of"}[found]
        blocks = self._meetings.count_blocks(bot, other)
        return f"{rules.bot} {words} {rules.better_than}, proven at 95 % by {blocks:,} blocks"

    def bounded_test(self) -> BoundedTestResult | None:
        """Return what the test of two bots between bounds has found so far; None if the rules have no bounds."""
        return run_bounded_test(self._count_differences(), self._bounds()) if self._rules.bounds else None

    def bounded_points(self) -> tuple[float, float, float]:
        """Return the estimated difference of the two bots in rating points, and the ends of its interval.

        Without a block it is not a number.
        """
        differences = self._count_differences()
        blocks = differences.total()
        mean = sum(value * count for value, count in differences.items()) / blocks if blocks else nan
        low, high = compute_bounded_interval(differences, self._bounds())
        return self._scale.to_points(mean), self._scale.to_points(low), self._scale.to_points(high)

    def _count_differences(self) -> Counter[float]:
        """Return the differences in place score of the two bots that are compared, with the blocks of each."""
        rules = self._rules
        if rules.bot is None or rules.better_than is None:
            return Counter()
        return self._meetings.count_differences(self._names.index(rules.bot), self._names.index(rules.better_than))

    def _bounds(self) -> Bounds:
        bounds = self._rules.bounds
        assert bounds is not None
        low, high = map(self._scale.to_score, (bounds.low, bounds.high))
        return Bounds(low=low, high=high, alpha=bounds.alpha, beta=bounds.beta)

    def _bounds_verdict(self, bounds: StopBounds) -> str | None:
        found = self.bounded_test()
        if found is None or found.verdict == "undecided":
            return None
        is_better = found.verdict == "better"
        words = better_words(bounds.low) if is_better else not_better_words(bounds.high)
        sure = f"{100 * (1 - (bounds.alpha if is_better else bounds.beta)):g} %"
        return f"{self._rules.bot} {words} {self._rules.better_than}, proven at {sure} by {found.blocks:,} deals"

    def _ranking_verdict(self, out: frozenset[int]) -> str | None:
        order = self._meetings.rank_bots(set(range(len(self._names))) - out)
        neighbours = list(pairwise(order))
        if self._undecided_pair in neighbours and self._meetings.undecided_pairs(
            order, self._rules.delta, only=self._undecided_pair
        ):
            return None
        undecided = self._meetings.undecided_pairs(order, self._rules.delta)
        if undecided or len(order) < 2:
            self._undecided_pair = undecided[0] if undecided else None
            return None
        return f"the ranking is settled at 95 %: {', '.join(self._names[bot] for bot in order)}"


def better_words(low: float) -> str:
    """Return what is proven if the difference in points is above `low`."""
    if low == 0:
        return "is better than"
    return f"is more than {low:g} points better than" if low > 0 else f"is less than {-low:g} points worse than"


def not_better_words(high: float) -> str:
    """Return what is proven if the difference in points is below `high`."""
    if high == 0:
        return "is not better than"
    return f"is less than {high:g} points better than" if high > 0 else f"is more than {-high:g} points worse than"
