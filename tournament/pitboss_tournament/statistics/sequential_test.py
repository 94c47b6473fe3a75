"""Sequential: a test that may be looked at at any time, so that a tournament can stop as soon as it is sure.

An interval at 95 % that is looked at again and again is wrong sooner or later. Here the question is put as a bet (Ville 1939; Waudby-Smith and Ramdas 2024, *Estimating means of bounded random variables
by betting*, JRSS B 86): against the claim "the mean difference is at most m" a gambler with one coin stakes the same share of his capital on every block, and his capital is multiplied by
1 + share · (difference - m). If the claim holds, he wins nothing on average, and the chance that he ever has 1/error coins is at most `error`, however often and whenever one looks. As the best share is not known,
the coin is spread over many of them, small and large. The capital is a function of the differences alone, in whatever order they came.

Nothing is supposed but that blocks are independent and that no difference is greater than a known `span`: so many equal differences, ties only or one great loss among small wins cannot give false certainty from the first block
on. Tests that estimate the spread, such as sequential t-tests, are quicker by a little on normal differences, but can err without limit on skewed ones
(and no test of a mean can do without a bound: Bahadur and Savage 1956). The measure is the place score, whose differences never exceed 1; or points, with a `span`: a greater difference counts as
the span, and what is tested is then the mean of differences so capped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from math import exp, log, log1p
from typing import Literal, TypeAlias

from msgspec import Struct

from pitboss_tournament.statistics.blocks import Block, complete_blocks, place_scores, points
from pitboss_tournament.statistics.pairwise import block_differences
from pitboss_tournament.statistics.rankings import SeatSides
from pitboss_tournament.statistics.scoring import GameResult

ERROR = 0.05
STAKES = tuple(
    0.95 * 0.8**number for number in range(24)
)  # of what may be staked at most without ever losing all; the least is 0.0056

SequentialVerdict: TypeAlias = Literal["better", "worse", "close", "undecided"]


class PairVerdict(Struct, frozen=True, kw_only=True):
    """What is proven of two bots."""

    entrant: int
    other: int
    blocks: int  # in which both were
    verdict: SequentialVerdict  # better, worse: the first is so; close: neither is so by more than delta
    evidence: float  # the capital of the bet against "the first is no better" or "…no worse", whichever is greater (at most 1e300)
    needed: float  # how much is a proof


class RankingVerdict(Struct, frozen=True):
    """Whether a ranking is settled."""

    contests: tuple[PairVerdict, ...]  # of neighbours, the better first
    is_settled: bool


class SequentialComparison:
    """The block differences of a tournament, counted: by place scores or, with a `span`, by points. Blocks can be added while it runs.

    `lowest_wins`: fewer points are better.
    """

    def __init__(self, *, span: float | None = None, lowest_wins: bool = False, sides: SeatSides | None = None) -> None:
        self._measure = partial(place_scores, sides=sides) if span is None else points
        self._unit = 1.0 if span is None else -span if lowest_wins else span
        self._counts: dict[tuple[int, int], Counter[float]] = {}

    def add(self, block: Block) -> None:
        """Take a complete block."""
        for pair, [value] in block_differences([block], self._measure).items():
            self._counts.setdefault(pair, Counter())[round(max(-1.0, min(1.0, value / self._unit)), 12)] += 1

    def add_all(self, results: Iterable[GameResult], block_games: int | None = None) -> None:
        """Take the complete blocks of some games; `games`: how many a block has, if not as many as a table has seats."""
        for block in complete_blocks(results, block_games):
            self.add(block)

    def test_pair(self, entrant: int, other: int, *, delta: float | None = None, error: float = ERROR) -> PairVerdict:
        """Test two bots by the blocks in which both were. The chance that a wrong verdict is ever given is at most `error`."""
        differences = self._differences(entrant, other)
        span = abs(self._unit)
        return PairVerdict(
            entrant=entrant,
            other=other,
            blocks=sum(differences.values()),
            verdict=judge_differences(differences, delta=None if delta is None else delta / span, error=error),
            evidence=exp(min(690.0, max(log_capital(differences, 0.0), log_capital(_negate(differences), 0.0)))),
            needed=2 / error,
        )

    def mean_difference(self, entrant: int, other: int) -> float | None:
        """Return the mean block difference of two bots, capped as above; None if they have not met."""
        differences = self._differences(entrant, other)
        blocks = sum(differences.values())
        return abs(self._unit) * sum(value * count for value, count in differences.items()) / blocks if blocks else None

    def test_ranking(self, order: Sequence[int], *, delta: float | None = None, error: float = ERROR) -> RankingVerdict:
        """Tell whether a ranking is settled: each bot is proven better than the next one in `order` or, with a `delta`, close to it.

        Which bots are neighbours is itself read off the games; so each pair is tested at `error` divided by the number of all pairs (Bonferroni): the chance that the ranking is ever
        called settled with a wrong verdict between neighbours is at most `error`.
        """
        pairs = len(order) * (len(order) - 1) / 2
        contests = tuple(self.test_pair(one, other, delta=delta, error=error / pairs) for one, other in pairwise(order))
        return RankingVerdict(contests, all(contest.verdict in ("better", "close") for contest in contests))

    def _differences(self, entrant: int, other: int) -> Mapping[float, int]:
        if entrant < other:
            return self._counts.get((entrant, other), {})
        return _negate(self._counts.get((other, entrant), {}))


def judge_differences(
    differences: Mapping[float, int], *, delta: float | None = None, error: float = ERROR
) -> SequentialVerdict:
    """Decide by block differences between -1 and 1, given with how often they occurred. The chance that a wrong verdict is ever given is at most `error`.

    Of the verdicts that would be wrong there are never more than two, whatever the truth; each has half of the error.

    Raises:
        ValueError: delta is not between 0 and 1.
    """
    if delta is not None and not 0 < delta < 1:
        raise ValueError(f"delta is {delta:g} of the greatest difference; it must be above 0 and below 1")
    proof = log(2 / error)
    if log_capital(differences, 0.0) >= proof:
        return "better"
    turned = _negate(differences)
    if log_capital(turned, 0.0) >= proof:
        return "worse"
    if delta is not None and min(log_capital(differences, -delta), log_capital(turned, -delta)) >= proof:
        return "close"
    return "undecided"


def log_capital(differences: Mapping[float, int], mean: float) -> float:
    """Return the logarithm of the capital of the bet against "the mean is at most `mean`", for differences between -1 and 1."""
    logs = []
    for share in STAKES:
        stake = share / (1 + mean)
        logs.append(sum(count * log1p(stake * (value - mean)) for value, count in differences.items()))
    greatest = max(logs)
    return greatest + log(sum(exp(value - greatest) for value in logs) / len(logs))


def _negate(differences: Mapping[float, int]) -> dict[float, int]:
    return {-value: count for value, count in differences.items()}
