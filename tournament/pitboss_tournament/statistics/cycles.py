"""Cycles: three bots each of which is proven better than the next one, so that no order of them is right.

A difference of two bots is proven by the sequential test of `sequential_test`, which may be looked at at any time. A
claimed cycle is false if one of its three differences is. For the three together one needs no correction (intersection
union test: Berger 1982, *Multiparameter hypothesis testing and acceptance sampling*), but there are n (n - 1) (n - 2) /
3 cycles of n bots, and n (n - 1) differences in either direction. The error of each direction is TEST_ERROR divided by
the smaller of these numbers: so the probability that any false cycle is ever claimed is at most TEST_ERROR.

Where there are cycles, alpha-rank is shown beside the rating (Omidshafiei et al. 2019, *α-Rank: multi-agent evaluation
by evolution*, in the limit of strong selection as in Rowland et al. 2019, *Multiagent evaluation under incomplete
information*): a population plays one bot, and now and then tries another, chosen at random. It changes to it if the
other is proven better, never if it is proven worse, and every second time if neither is proven. The alpha-rank of a bot
is the share of time that the population plays it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import Final, TypeAlias

from pitboss_tournament.statistics.head_to_head import HeadToHead
from pitboss_tournament.statistics.sequential_test import TEST_ERROR, count_fewest_blocks

Cycle: TypeAlias = tuple[int, int, int]  # each is better than the next, and the last than the first

MAX_CYCLES: Final = 5  # that are told
MUTATION_CHANCE: Final = (
    1e-6  # the chance to change to a bot that is proven worse: so that there is one stationary distribution
)


def find_cycles(meetings: HeadToHead, bots: Sequence[int]) -> list[Cycle]:
    """Return the proven cycles of three bots, each from its bot with the lowest number on."""
    better = find_proven(meetings, bots)
    worse: dict[int, set[int]] = {bot: set() for bot in bots}
    ahead: dict[int, set[int]] = {bot: set() for bot in bots}
    for one, two in better:
        worse[one].add(two)
        ahead[two].add(one)
    return [
        (one, two, three)
        for one in sorted(bots)
        for two in sorted(worse[one])
        if one < two
        for three in sorted(worse[two] & ahead[one])
        if one < three
    ]


def find_proven(meetings: HeadToHead, bots: Sequence[int]) -> set[tuple[int, int]]:
    """Return each pair of bots whose first is proven better, at the error with which cycles are claimed."""
    count = len(bots)
    claims = min(count * (count - 1), count * (count - 1) * (count - 2) / 3)
    proven = set()
    if count > 2:
        known, error = set(bots), 2 * TEST_ERROR / claims  # half for either direction
        for one, other in meetings.list_pairs(count_fewest_blocks(log(2 / error))):
            verdict = meetings.judge_pair(one, other, error=error) if {one, other} <= known else "undecided"
            if verdict in ("better", "worse"):
                proven.add((one, other) if verdict == "better" else (other, one))
    return proven


def compute_alpha_ranks(meetings: HeadToHead, bots: Sequence[int]) -> dict[int, float]:
    """Return the alpha-rank of each bot; together they are 1."""
    better = find_proven(meetings, bots)
    chances = [
        [_change_chance(own, other, better) / (len(bots) - 1) if own != other else 0.0 for other in bots]
        for own in bots
    ]
    return dict(zip(bots, _stationary_distribution(chances), strict=True))


def _change_chance(own: int, other: int, better: set[tuple[int, int]]) -> float:
    if (other, own) in better:
        return 1 - MUTATION_CHANCE
    return MUTATION_CHANCE if (own, other) in better else 0.5


def _stationary_distribution(chances: list[list[float]]) -> list[float]:
    """Return the stationary distribution of a Markov chain by the chances of its changes (Grassmann et al. 1985)."""
    rows = [list(row) for row in chances]
    for last in reversed(range(1, len(rows))):
        leaving = sum(rows[last][:last])
        for row in rows[:last]:
            row[last] /= leaving
            for column in range(last):
                row[column] += row[last] * rows[last][column]
    shares = [1.0]
    for state in range(1, len(rows)):
        shares.append(sum(share * rows[other][state] for other, share in enumerate(shares)))
    return [share / sum(shares) for share in shares]


def cycle_text(cycle: Cycle, names: Sequence[str]) -> str:
    """Return a sentence about a cycle: three bots, each of which beats the next one, and the last one the first."""
    one, two, three = (names[bot] for bot in cycle)
    return f"A cycle: {one} beats {two}, {two} beats {three}, and {three} beats {one}."
