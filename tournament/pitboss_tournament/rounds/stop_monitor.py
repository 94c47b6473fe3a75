"""Sequential stopping: whether the tournament is decided, tested after each block in the order of the schedule.

The tests are anytime-valid (`statistics.sequential_test`): the probability of ever stopping with a wrong verdict is at
most 5 %, however long the tournament runs. That holds for blocks in an order that does not depend on their results. In
the order in which they end short games come first: a bot that wins quickly and loses slowly would look good. So the
verdict is that of an unbroken beginning of the schedule, and the same for any number of workers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from pitboss.outcome import Sides
from pitboss.plugins.formats import PlayedBlock
from pitboss_tournament.plan.plan import Plan, StopBounds, StopRules
from pitboss_tournament.rounds.round_progress import Rounds
from pitboss_tournament.statistics.bounded_mean import BoundedMean
from pitboss_tournament.statistics.bounded_test import BoundedTestResult, Bounds, DifferenceInterval, PairedGames
from pitboss_tournament.statistics.head_to_head import HeadToHead
from pitboss_tournament.statistics.ratings import POINTS_PER_LOG_UNIT
from pitboss_tournament.statistics.teams import TeamBlocks, team_points


class BoundedComparison:
    """Two bots whose difference in points is tested against bounds, deal by deal: see `StopBounds`.

    With a `span` they play a cooperative game, and are compared by the scores of blocks, as shares of the span.
    """

    def __init__(self, bounds: StopBounds, sides: Sides | None, seats: int, span: float | None = None) -> None:
        self._bounds = bounds
        self._paired: PairedGames | BoundedMean = PairedGames() if span is None else BoundedMean()
        members = 1 if sides is None else seats / len(sides)
        # points of a bot to a unit of log strength of its side
        self._unit = unit = POINTS_PER_LOG_UNIT * members if span is None else span
        self._scaled = Bounds(low=bounds.low / unit, high=bounds.high / unit, alpha=bounds.alpha, beta=bounds.beta)

    def add(self, block: PlayedBlock, bot: int, other: int) -> None:
        """Add a complete block with both bots."""
        self._paired.add(block, bot, other)

    def run_test(self) -> BoundedTestResult:
        """Return what the test has found so far."""
        return self._paired.run_test(self._scaled)

    def points(self) -> DifferenceInterval:
        """Return the difference of the two bots in rating points, with the interval that goes with the test."""
        found = self._paired.compute_interval(self._scaled)
        estimate = None if found.estimate is None else found.estimate * self._unit
        return DifferenceInterval(estimate, found.low * self._unit, found.high * self._unit)

    def verdict_text(self, bot: str, other: str) -> str | None:
        """Return the verdict on two bots of these names as a sentence; None while there is none."""
        found = self.run_test()
        if found.verdict == "undecided":
            return None
        is_better = found.verdict == "better"
        words = better_words(self._bounds.low) if is_better else not_better_words(self._bounds.high)
        sure = f"{100 * (1 - (self._bounds.alpha if is_better else self._bounds.beta)):g} %"
        return f"{bot} {words} {other}, proven at {sure} by {found.blocks:,} deals"


class StopMonitor:
    """Tests the stop rules. The pair undecided last is tested first; while it is undecided nothing else is computed."""

    def __init__(self, plan: Plan, rules: StopRules) -> None:
        self._rules = rules
        self._names = plan.bots
        self._labels = plan.labels
        self._absent = plan.absent
        self._partners = find_lasting_partners(plan)
        sides = None if rules.has_own_partners else plan.sides  # the strength of such a side is that of its bot
        self.bounded = None if rules.bounds is None else BoundedComparison(rules.bounds, sides, plan.seats, rules.span)
        self._teams: TeamBlocks | None = None  # of a cooperative game, once its tables are known
        self._deals = Counter[frozenset[int]]()  # that each team has played
        self._meetings = HeadToHead(len(self._names))
        self._undecided_pair: tuple[int, int] | None = None
        self.verdict: str | None = None  # why the tournament ends

    def add_blocks(self, progress: Rounds, disqualified: frozenset[int]) -> None:
        """Add the blocks that come next in the schedule, until there is a verdict. Disqualified bots are not ranked."""
        while self.verdict is None and (played := progress.take_next_block(disqualified)) is not None:
            for block in (played,) if self._rules.span is None else self._compare_teams(progress, played):
                self._meetings.add(block)
                self.verdict = self.verdict or self._pair_verdict(block)
            if self.verdict is None and self._rules.ranking:
                self.verdict = self._ranking_verdict(disqualified)

    def _compare_teams(self, progress: Rounds, block: PlayedBlock) -> Iterator[PlayedBlock]:
        """Yield what the block of a team tells of each two bots; nothing before other teams have played the deal."""
        if self._teams is None:
            self._teams = TeamBlocks(progress.list_tables(), self._rules.span or 1.0)
        team = frozenset(block.points)
        deal = self._deals[team]
        self._deals[team] += 1
        yield from self._teams.add(team, deal, team_points(block))

    def _pair_verdict(self, block: PlayedBlock) -> str | None:
        rules = self._rules
        if rules.bot is None or rules.better_than is None:
            return None
        bot, other = self._names.index(rules.bot), self._names.index(rules.better_than)
        if bot not in block.place_scores or other not in block.place_scores:
            return None
        if self.bounded is not None:
            self.bounded.add(block, bot, other)
            return self.bounded.verdict_text(rules.bot, rules.better_than)
        found = self._meetings.judge_pair(bot, other, delta=rules.delta)
        if found == "undecided":
            return None
        words = {"better": "is better than", "worse": "is worse than", "close": f"is within {rules.delta} of"}[found]
        blocks = self._meetings.count_blocks(bot, other)
        return f"{rules.bot} {words} {rules.better_than}, proven at 95 % by {blocks:,} blocks"

    def _ranking_verdict(self, out: frozenset[int]) -> str | None:
        playing = set(range(len(self._names))) - out - self._absent
        behind_first = {bot for side in self._partners for bot in sorted(playing & side)[1:]}  # always tied with it
        order = self._meetings.rank_bots(playing - behind_first)
        neighbours = list(pairwise(order))
        if self._undecided_pair in neighbours and self._meetings.undecided_pairs(
            order, self._rules.delta, only=self._undecided_pair
        ):
            return None
        undecided = self._meetings.undecided_pairs(order, self._rules.delta)
        if undecided or len(order) < 2:
            self._undecided_pair = undecided[0] if undecided else None
            return None
        return self._cycle_verdict(order) if self._rules.delta is None else self._settled_verdict(order)

    def _cycle_verdict(self, order: Sequence[int]) -> str | None:
        """Return the verdict where each bot is proven better than the next: a bot may still beat one before it."""
        for first, last in self._meetings.list_losses(order):
            if first < last:
                cycle = order[first : last + 1]
                if self._meetings.undecided_pairs(order, only=(cycle[-1], cycle[0])):
                    return None
                names = ", ".join(map(self._name, cycle))
                return f"no ranking is right at 95 %: {names}: each beats the next, and the last one the first"
        return self._settled_verdict(order)

    def _settled_verdict(self, order: Sequence[int]) -> str:
        return f"the ranking is settled at 95 %: {', '.join(map(self._name, order))}"

    def _name(self, bot: int) -> str:
        """Return the name of a bot, or the names of its side if the side is ranked as one: "ann + bea"."""
        side = next((side for side in self._partners if bot in side), (bot,))
        return " + ".join(self._labels[one] for one in sorted(side))


def find_lasting_partners(plan: Plan) -> list[frozenset[int]]:
    """Return the bots of each side that no game will separate: at the only table there is, without other partners."""
    is_only_table = len(plan.bots) == plan.seats and not plan.is_cooperative and plan.seating != "partners"
    return [frozenset(side) for side in plan.sides or () if is_only_table]


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
