"""Sequential stopping: whether the tournament is decided, tested after each block in the order of the schedule.

The tests are anytime-valid (`statistics.sequential_test`): the probability of ever stopping with a wrong verdict is at
most 5 %, however long the tournament runs. That holds for blocks in an order that does not depend on their results. In
the order in which they end short games come first: a bot that wins quickly and loses slowly would look good. So the
verdict is that of an unbroken beginning of the schedule, and the same for any number of workers.
"""

from __future__ import annotations

from itertools import pairwise

from pitboss.formats import PlayedBlock
from pitboss_tournament.plan.plan import Plan, StopRules
from pitboss_tournament.playing.round_progress import RoundProgress
from pitboss_tournament.statistics.head_to_head import HeadToHead


class StopMonitor:
    """Tests the stop rules. The pair undecided last is tested first; while it is undecided nothing else is computed."""

    def __init__(self, plan: Plan, rules: StopRules) -> None:
        self._rules = rules
        self._names = plan.bots
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
