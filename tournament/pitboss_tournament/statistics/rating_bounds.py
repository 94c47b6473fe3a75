"""One-sided bounds of the ratings of bots that won, or lost, all of their games.

Any greater strength would explain such games better, so there is no upper bound, and an interval of as many standard
errors on both sides is far too long (Hauck and Donner 1977). The lower bound is the strength with which all of its
blocks would be won with a chance of 2.5 %, the others being as strong as they are rated. Games of a block may be as
good as copies of each other: so each block counts as one game, against its strongest opponent alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import exp, inf, log, log1p
from typing import Final, Literal, NamedTuple, TypeAlias

from pitboss_tournament.statistics.rankings import RankingCounts
from pitboss_tournament.statistics.student_t import CONFIDENCE

BoundKind: TypeAlias = Literal["at least", "at most"]

LOG_CHANCE: Final = log((1 - CONFIDENCE) / 2)
WIDEST: Final = 50.0  # of a log strength
HALVINGS: Final = 60


class StrengthBound(NamedTuple):
    """The only bound of a bot's log strength."""

    kind: BoundKind
    value: float


def find_bounds(rankings: RankingCounts, strengths: Mapping[int, float]) -> dict[int, StrengthBound]:
    """Return the bounds of the bots that were ahead of all others, or behind all others, in each of their games.

    There are none where seats win and lose together.
    """
    if rankings.has_sides:
        return {}
    kinds = _find_kinds(rankings)
    opponents: dict[int, Counter[float]] = {entrant: Counter() for entrant in kinds}
    for block in rankings.blocks() if kinds else ():
        table = [rankings.contenders[contender][0][0] for contender in block[0][1:]]
        for entrant in kinds.keys() & set(table):
            toughest = max if kinds[entrant] == "at least" else min
            opponents[entrant][toughest(strengths[other] for other in table if other != entrant)] += 1
    return {entrant: StrengthBound(kind, _solve_bound(kind, opponents[entrant])) for entrant, kind in kinds.items()}


def head_to_head_bound(blocks: int) -> float:
    """Return the least difference of the log strengths of two bots of whom one won all of their blocks."""
    if not blocks:
        return -inf
    chance = exp(LOG_CHANCE / blocks)
    return log(chance / (1 - chance))


def _find_kinds(rankings: RankingCounts) -> dict[int, BoundKind]:
    winners, losers, others = set[int](), set[int](), set[int]()
    for block in rankings.blocks():
        for ranking in block:
            ties, size = ranking[0], len(ranking) - 1
            (others if size < 2 or ties & 1 else winners).add(ranking[1])
            (others if size < 2 or ties >> (size - 2) else losers).add(ranking[-1])
            others.update(ranking[2:-1])
    won, lost, between = (
        {entrant for number in numbers for entrant in rankings.contenders[number][0]}
        for numbers in (winners, losers, others)
    )
    kinds: dict[int, BoundKind] = dict.fromkeys(won - lost - between, "at least")
    return kinds | dict.fromkeys(lost - won - between, "at most")


def _solve_bound(kind: BoundKind, opponents: Counter[float]) -> float:
    """Return the log strength at which the chance of all blocks is that of LOG_CHANCE, by bisection."""
    sign = 1 if kind == "at least" else -1
    low, high = -WIDEST, WIDEST  # of the bot's advantage in its own direction
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        chance = -sum(count * log1p(exp(sign * strength - middle)) for strength, count in opponents.items())
        low, high = (middle, high) if chance < LOG_CHANCE else (low, middle)
    return sign * low
