"""Ranks of bots by blocks whose order is given."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pitboss.plugins.formats import PlayedBlock
from pitboss_tournament.statistics.head_to_head import HeadToHead
from pitboss_tournament.statistics.rank_confidence import RankConfidence
from pitboss_tournament.statistics.ratings import rate_rankings
from tests.tournament.statistics.sample_results import count_rankings


def rank_direct_results(bots: int, blocks: Iterable[tuple[Sequence[int], int]]) -> RankConfidence:
    """Return the ranks by blocks alone: so many blocks each in which some bots ended in this order."""
    rated = rate_rankings(count_rankings([]), ["x"] * bots)
    return RankConfidence(meet(bots, blocks), rated, range(bots), anytime=True)


def meet(bots: int, blocks: Iterable[tuple[Sequence[int], int]]) -> HeadToHead:
    """Return the meetings of these blocks."""
    meetings = HeadToHead(bots)
    for order, count in blocks:
        scores = {bot: 1 - place / (len(order) - 1) for place, bot in enumerate(order)}
        meetings.add_all([PlayedBlock(place_scores=scores, points=scores)] * count)
    return meetings
