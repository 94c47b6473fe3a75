"""One-sided bounds of the ratings of bots that nobody was placed ahead of, or that were placed ahead of nobody.

Any greater strength would explain such games better, so there is no upper bound, and an interval of as many standard
errors on both sides is far too long (Hauck and Donner 1977). The lower bound is the strength with which all of its
blocks would be won with a chance of 2.5 %, the others being as strong as they are rated. Games of a block may be as
good as copies of each other: so each block counts as one game, against its strongest opponent alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Set
from math import exp, inf, log, log1p
from typing import Final, Literal, NamedTuple, TypeAlias

from pitboss_tournament.statistics.rankings import Ranking, RankingCounts, list_untied
from pitboss_tournament.statistics.student_t import CONFIDENCE

BoundKind: TypeAlias = Literal["at least", "at most"]

LOG_CHANCE: Final = log((1 - CONFIDENCE) / 2)
WIDEST: Final = 50.0  # of a log strength
BOUND_HALVINGS: Final = 60


class StrengthBound(NamedTuple):
    """The only bound of a bot's log strength."""

    kind: BoundKind
    value: float


def find_bounds(rankings: RankingCounts, strengths: Mapping[int, float]) -> dict[int, StrengthBound]:
    """Return the bounds of the bots that were never placed behind another, or never ahead of one, but tied with all.

    Blocks in which a bot only ties do not count. There are no bounds where seats win and lose together.
    """
    if rankings.has_sides:
        return {}
    kinds = _find_kinds(rankings)
    opponents: dict[int, Counter[float]] = {entrant: Counter() for entrant in kinds}
    for block in rankings.blocks() if kinds else ():
        for entrant, others in _list_opponents(rankings, block, kinds.keys()).items():
            toughest = max if kinds[entrant] == "at least" else min
            opponents[entrant][toughest(strengths[other] for other in others)] += 1
    return {entrant: StrengthBound(kind, _solve_bound(kind, opponents[entrant])) for entrant, kind in kinds.items()}


def head_to_head_bound(blocks: int) -> float:
    """Return the least difference of the log strengths of two bots of whom one won all of their blocks."""
    if not blocks:
        return -inf
    chance = exp(LOG_CHANCE / blocks)
    return log(chance / (1 - chance))


def _find_kinds(rankings: RankingCounts) -> dict[int, BoundKind]:
    ahead, behind = set[int](), set[int]()
    for block in rankings.blocks():
        for ranking in block:
            places = list_untied(ranking[0], len(ranking) - 1).places
            last = places[-1]
            ahead.update([contender for contender, place in zip(ranking[1:], places, strict=True) if place < last])
            behind.update([contender for contender, place in zip(ranking[1:], places, strict=True) if place > 1])
    won, lost = (
        {entrant for number in numbers for entrant in rankings.contenders[number][0]} for numbers in (ahead, behind)
    )
    kinds: dict[int, BoundKind] = dict.fromkeys(won - lost, "at least")
    return kinds | dict.fromkeys(lost - won, "at most")


def _list_opponents(rankings: RankingCounts, block: Iterable[Ranking], entrants: Set[int]) -> dict[int, set[int]]:
    """Return for each of these entrants, which are ahead of all or behind all, whom it did not tie with in a block."""
    opponents: dict[int, set[int]] = {}
    for ranking in block:
        table = [rankings.contenders[contender][0][0] for contender in ranking[1:]]
        if not entrants.isdisjoint(table):
            for pair in list_untied(ranking[0], len(table)).pairs:
                one, two = (table[position - 1] for position in pair)
                for entrant, other in ((one, two), (two, one)):
                    if entrant in entrants:
                        opponents.setdefault(entrant, set()).add(other)
    return opponents


def _solve_bound(kind: BoundKind, opponents: Counter[float]) -> float:
    """Return the log strength at which the chance of all blocks is that of LOG_CHANCE, by bisection."""
    sign = 1 if kind == "at least" else -1
    low, high = -WIDEST, WIDEST  # of the bot's advantage in its own direction
    for _ in range(BOUND_HALVINGS):
        middle = (low + high) / 2
        chance = -sum(count * log1p(exp(sign * strength - middle)) for strength, count in opponents.items())
        low, high = (middle, high) if chance < LOG_CHANCE else (low, middle)
    return sign * low
