"""Sequential stopping: whether the tournament is decided, tested after each complete block.

The tests are anytime-valid (`statistics.sequential_test`): the probability of ever stopping with a wrong verdict is at
most 5 %, however long the tournament runs.
"""

from __future__ import annotations

from itertools import pairwise

from pitboss.formats import PlayedBlock
from pitboss_tournament.plan.plan import Plan, StopRules
from pitboss_tournament.statistics.head_to_head import HeadToHead


class StopMonitor:
    """Tests the stop rules. The pair undecided last is tested first; while it is undecided nothing else is computed."""

    def __init__(self, plan: Plan, rules: StopRules) -> None:
        self._rules = rules
        self._names = plan.bots
        self._meetings = HeadToHead(len(self._names))
        self._undecided_pair: tuple[int, int] | None = None
        self.verdict: str | None = None  # why the tournament ends

    def add_block(self, block: PlayedBlock, disqualified: frozenset[int]) -> None:
        """Add a block, unless there is a verdict. Disqualified bots are not ranked."""
        if self.verdict is None:
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
        found = self._meetings.judge_pair(bot, other, delta=rules.delta)
        if found == "undecided":
            return None
        words = {"better": "is better than", "worse": "is worse than", "close": f"is within {rules.delta} of"}[found]
        blocks = self._meetings.count_blocks(bot, other)
        return f"{rules.bot} {words} {rules.better_than}, proven at 95 % by {blocks:,} blocks"

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
