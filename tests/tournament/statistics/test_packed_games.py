"""Ratings of games that are kept as rows of numbers, block after block, or one by one: the same numbers."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest

from pitboss.outcome import Sides
from pitboss_tournament.statistics.rankings import RankingCounts
from pitboss_tournament.statistics.ratings import Ratings, VersionLink, rate_rankings
from pitboss_tournament.statistics.running_moments import Estimate
from pitboss_tournament.statistics.scoring import GameResult
from tests.synthetic_tournaments import SyntheticTournament, game_result

SIX_STRENGTHS = (1.0, 0.5, 0.0, -0.2, -0.5, 4.0)
SIDES = ((0, 2), (1, 3))
WORLDS = {
    "two seats": SyntheticTournament(strengths=SIX_STRENGTHS, seats=2),
    "ties": SyntheticTournament(strengths=SIX_STRENGTHS, seats=3, step=6),
    "unequal seats": SyntheticTournament(strengths=SIX_STRENGTHS, seats=4, advantage=(1.5, 0, -0.5, -1), step=6),
    "one winner": SyntheticTournament(strengths=SIX_STRENGTHS, seats=4, told="winner"),
    "all tie": SyntheticTournament(strengths=SIX_STRENGTHS, seats=3, draw_share=1.0),
}


def pack_rankings(games: Iterable[GameResult], block_games: int | None, sides: Sides | None) -> RankingCounts:
    """Return rankings; complete blocks are packed if their number of games is given."""
    rankings = RankingCounts(sides, block_games)
    for game in games:
        rankings.add(game)
    return rankings


def assert_same_ratings(one: Ratings, other: Ratings) -> None:
    """Check all numbers to a millionth of a point, and all else for equality."""
    assert [line.name for line in one.lines] == [line.name for line in other.lines]
    for a, b in zip(one.lines, other.lines, strict=True):
        assert (a.games, a.blocks, a.bound, a.group) == (b.games, b.blocks, b.bound, b.group)
        assert list_numbers(a.points, Estimate(a.comparison, None)) == pytest.approx(
            list_numbers(b.points, Estimate(b.comparison, None)), abs=1e-6
        )
    for a_row, b_row in zip(one.covariance, other.covariance, strict=True):
        assert a_row == pytest.approx(b_row, abs=1e-6, rel=1e-9)
    assert list_numbers(*one.seats) == pytest.approx(list_numbers(*other.seats), abs=1e-6)
    assert (one.shared_blocks, one.zeros, one.group_count) == (other.shared_blocks, other.zeros, other.group_count)
    assert (one.fit is None) == (other.fit is None)
    if one.fit and other.fit:
        assert one.fit.played == other.fit.played
        assert one.fit.predicted == pytest.approx(other.fit.predicted)
        assert [(m.better, m.worse) for m in one.fit.misfits] == [(m.better, m.worse) for m in other.fit.misfits]


def list_numbers(*estimates: Estimate) -> list[float]:
    """Return means and half-widths, -1 where one is unknown."""
    return [-1.0 if value is None else value for own in estimates for value in (own.mean, own.half_width)]


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("blocks", [1, 2, 40])
def test_the_same_games(world: str, blocks: int) -> None:
    """Games that are packed have the same ratings, intervals, covariance, bounds and fit; with links and held ratings
    too.
    """
    played = WORLDS[world]
    packed, loose = (pack_rankings(played.games(blocks, Random(1)), own, None) for own in (played.seats, None))
    for is_paired in (False, True):
        one, other = (
            rate_rankings(rankings, played.names, is_paired_by_results=is_paired) for rankings in (packed, loose)
        )
        assert_same_ratings(one, other)
    links, held = [VersionLink(0, 1, 30.0), VersionLink(1, 2, 30.0)], {2: 10.0, 3: -50.0}
    one, other = (rate_rankings(rankings, played.names, links=links, held=held) for rankings in (packed, loose))
    assert_same_ratings(one, other)


@pytest.mark.parametrize("blocks", [1, 30])
def test_the_same_games_in_sides(blocks: int) -> None:
    """The games in sides of two, in seats that are unequal, have the same ratings packed and loose."""
    played = WORLDS["unequal seats"]
    one, other = (
        rate_rankings(pack_rankings(played.games(blocks, Random(1)), own, SIDES), played.names) for own in (4, None)
    )

    assert_same_ratings(one, other)


def test_blocks_of_several_sizes() -> None:
    """Blocks of several sizes (tables of two and three in one block of a damaged store, and an incomplete block) have
    the same ratings packed and loose.
    """
    rankings = RankingCounts(block_games=2)
    for deal in range(5):
        rankings.add(game_result(0, deal, 0, (0, 1, 2)[: 2 + deal // 4], [2.0, 1.0, 0.0][: 2 + deal // 4]))
        if deal != 3:
            rankings.add(game_result(0, deal, 1, (1, 0, 2)[: 2 + deal % 2], [3.0, 2.0, 1.0][: 2 + deal % 2]))
    rated = rate_rankings(rankings, "abc")

    assert [9, 9, 2] == [rated.rating_of(number).games for number in range(3)]
    assert None not in [line.points.mean for line in rated.lines]


def test_no_game() -> None:
    """No bot has a rating without a game."""
    rated = rate_rankings(RankingCounts(), "ab")

    assert [None, None] == [line.points.mean for line in rated.lines]
    assert (0, ()) == (rated.group_count, rated.entrants)
