"""Anchors that a bot is proven to beat, and how sure that is: by tests that hold however often one looks.

They are the tests of `rank_confidence`, one-sided: the capital of a gambler on the blocks in which both sat, and the
Bayes factor of the difference of their ratings, which other blocks tell something of as well. Together they have the
error, each the half. All anchors of a bot are tested together (Bonferroni): with 95 % no false statement is ever made
of that bot, whatever is said of others.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from typing import Final

from pitboss_tournament.statistics.head_to_head import HeadToHead
from pitboss_tournament.statistics.ratings import Ratings
from pitboss_tournament.statistics.sequential_test import TEST_ERROR, can_prove, log_capital
from pitboss_tournament.statistics.student_t import log_bayes_factor

MIN_SURENESS: Final = 0.5  # that is told


def find_beaten(meetings: HeadToHead, ratings: Ratings, bot: int, anchors: Sequence[int]) -> dict[int, float]:
    """Return how sure it is that a bot beats each of these anchors, where that is `MIN_SURENESS` or more."""
    found = {}
    for anchor in anchors:
        sureness = 1 - exp(min(0.0, log(len(anchors)) - _weigh_proof(meetings, ratings, bot, anchor, len(anchors))))
        if anchor != bot and sureness >= MIN_SURENESS:
            found[anchor] = sureness
    return found


def _weigh_proof(meetings: HeadToHead, ratings: Ratings, bot: int, anchor: int, tests: int) -> float:
    """Return minus the log error of the proof that a bot is better than an anchor, by this pair alone; 0: none."""
    t, freedom = _compare_ratings(meetings, ratings, bot, anchor)
    by_ratings = log_bayes_factor(t, freedom)
    if t < 0 and by_ratings >= log(tests / TEST_ERROR):
        return 0.0  # ratings say which bot is better against this field, even if the pair says the contrary
    differences = meetings.count_differences(bot, anchor)
    direct = log_capital(differences, 0.0) - log(2) if can_prove(differences, log(2.0)) else 0.0
    return max(direct, by_ratings if t > 0 else 0.0)


def _compare_ratings(meetings: HeadToHead, ratings: Ratings, bot: int, anchor: int) -> tuple[float, int]:
    """Return Student's t of the difference of their ratings, and its degrees of freedom; 0: no other block tells it."""
    own = max(meetings.count_blocks_of(one) for one in (bot, anchor))
    if own == meetings.count_blocks(bot, anchor):
        return 0.0, 1
    return ratings.compare(bot, anchor) or (0.0, 1)
