"""What ratings do not know where results have paired the bots, and what others tell of a bot with few blocks."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Final, NamedTuple

import pytest

from pitboss_tournament.statistics.rankings import RankingCounts
from pitboss_tournament.statistics.ratings import rate_rankings, widen_intervals
from tests.synthetic_tournaments import SyntheticTournament
from tests.tournament.statistics.sample_results import count_rankings

MANY: Final = 20  # bots whose blocks are many
FEW_BLOCKS: Final = 5  # of the newcomer among them


class Luck(NamedTuple):
    """The shares of luck that lie in the cards of a seat, and in how a deal suits a bot."""

    card_share: float
    affinity: float


ALIKE: Final = Luck(0.5, 0.0)


@pytest.mark.parametrize(("apart", "least", "most"), [(0.0, 1.6, 1.6), (0.3, 1.01, 1.4), (1.0, 1.001, 1.05)])
def test_bots_paired_by_results(apart: float, least: float, most: float) -> None:
    """The intervals of bots paired by results are wider, as winners met winners: for four equal bots the variance is
    1.6 times as large, and less so the more the bots differ.
    """
    world = SyntheticTournament(strengths=tuple(apart * number for number in range(4)), seats=2)
    rankings = count_rankings(world.games(300, Random(1)))
    free, paired = (rate_rankings(rankings, world.names, is_paired_by_results=is_paired) for is_paired in (False, True))

    ratio = (paired.difference(0, 1).half_width or 0) / (free.difference(0, 1).half_width or 1)
    assert least - 1e-6 <= ratio**2 <= most + 1e-6


def play_with_newcomer(bots: int, lower: Luck = ALIKE, upper: Luck = ALIKE) -> RankingCounts:
    """Return the rankings of two deals of each two bots; the last bot has five blocks, the others 2 (n - 2) or more.

    Bots of the upper half have their own shares of luck when they meet each other.
    """
    worlds = [
        SyntheticTournament(strengths=(0.0,) * bots, seats=2, card_share=luck.card_share, affinity=luck.affinity)
        for luck in (lower, upper)
    ]
    rankings = RankingCounts(None, 2)
    blocks_of_newcomer = set[tuple[int, int]]()
    for half, world in enumerate(worlds):
        for game in world.play_format("round-robin", {}, 2, Random(f"newcomer/{half}")):
            entrants = {seat.entrant for seat in game.seats}
            if (min(entrants) >= bots // 2) != (half == 1):
                continue
            if bots - 1 in entrants:
                blocks_of_newcomer.add((game.pairing, game.deal))
                if len(blocks_of_newcomer) > FEW_BLOCKS:
                    continue
            rankings.add(game)
    return rankings


def test_a_newcomer_among_many() -> None:
    """How much scores vary is known from the others: its interval is that of ten degrees of freedom, and not of 4."""
    names = [f"bot{number}" for number in range(MANY + 1)]
    rated = rate_rankings(play_with_newcomer(MANY + 1), names)
    alone = rate_rankings(play_with_newcomer(MANY), names[:-1])

    assert (rated.pooled_freedom, alone.pooled_freedom) == (6, 0)
    assert rated.rating_of(MANY).blocks == alone.rating_of(MANY - 1).blocks == FEW_BLOCKS
    own, before = rated.difference(MANY, 0).half_width, alone.difference(MANY - 1, 0).half_width
    assert own is not None
    assert before is not None
    assert own < 0.75 * before
    assert widen_intervals(rated).rating_of(MANY).points.half_width is not None  # from the first blocks on
    assert widen_intervals(alone).rating_of(MANY - 1).points.half_width is None


def test_bots_that_differ_in_how_they_vary() -> None:
    """Bots that differ in how they vary tell little of a newcomer: they are worth fewer degrees of freedom the more
    they differ.
    """
    names = [f"bot{number}" for number in range(2 * MANY + 1)]
    rated = rate_rankings(play_with_newcomer(2 * MANY + 1, Luck(0.95, 0.0), Luck(0.0, 0.95)), names)

    assert 0 < rated.pooled_freedom < 6


def test_a_newcomer_where_results_pair_bots() -> None:
    """A newcomer with an uncertain rating makes the intervals of the others no longer: no luck has paired
    it with them.
    """
    world = SyntheticTournament(strengths=tuple(0.6 * number for number in range(5)), seats=2)
    games = list(world.games(500, Random(1)))
    ratios = []
    for newcomer_games in (0, 2):
        rankings, seen = RankingCounts(None, 2), Counter[frozenset[int]]()
        for game in games:
            entrants = frozenset(seat.entrant for seat in game.seats)
            seen[entrants] += 1
            if 4 not in entrants or seen[entrants] <= newcomer_games:
                rankings.add(game)
        free, paired = (rate_rankings(rankings, world.names, is_paired_by_results=paired) for paired in (False, True))
        ratios.append((paired.difference(0, 1).half_width or 0) / (free.difference(0, 1).half_width or 1))

    without, beside = ratios
    assert 1 < beside < without + 0.02
