"""Small tournaments for the tests of the statistics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from pitboss.outcome import Sides
from pitboss_tournament.statistics.rankings import RankingCounts
from pitboss_tournament.statistics.ratings import Ratings, rate_rankings
from pitboss_tournament.statistics.scoring import GameResult
from tests.synthetic_tournaments import SyntheticTournament, game_result


def duel_results(*blocks: tuple[float, float]) -> list[GameResult]:
    """Return blocks of two games of bots 0 and 1, given by how many points bot 0 is ahead in each."""
    games = []
    for deal, (first, second) in enumerate(blocks):
        games.append(game_result(0, deal, 0, (0, 1), [first, 0.0]))
        games.append(game_result(0, deal, 1, (1, 0), [0.0, second]))
    return games


def ranked_results(rankings: Sequence[Sequence[int]], entrants: tuple[int, ...]) -> list[GameResult]:
    """Return games, each a block of its own, in which the entrants got these places."""
    return [
        game_result(0, deal, 0, entrants, [-float(place) for place in places]) for deal, places in enumerate(rankings)
    ]


def count_rankings(results: Iterable[GameResult], sides: Sides | None = None) -> RankingCounts:
    """Return the rankings of games; `sides` are the seats that win and lose together."""
    rankings = RankingCounts(sides)
    for result in results:
        rankings.add(result)
    return rankings


def rate_results(results: Iterable[GameResult], names: Sequence[str], sides: Sides | None = None) -> Ratings:
    """Return ratings from games."""
    return rate_rankings(count_rankings(results, sides), names)


def league_results(blocks: int, seed: int = 1, step: float = 0.0, seats: int = 3) -> list[GameResult]:
    """Return a tournament of four bots."""
    return list(
        SyntheticTournament(strengths=(0.6, 0.1, -0.2, -0.5), seats=seats, card_share=0.5, step=step).games(
            blocks, Random(seed)
        )
    )
