"""Ratings: what they mean, what they do not depend on, and what they admit not to know."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import exp, isfinite, log10, sqrt
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pitboss_tournament.statistics.ratings import POINTS_PER_LOG_UNIT, Ratings, _find_middle, rate_rankings
from pitboss_tournament.statistics.running_moments import Estimate
from pitboss_tournament.statistics.scoring import GameResult
from tests.synthetic_tournaments import SyntheticTournament, game_result
from tests.tournament.statistics.sample_results import (
    count_rankings,
    duel_results,
    league_results,
    ranked_results,
    rate_results,
)

NAMES = ["a", "b", "c", "d"]
WON, LOST, TIED, SPLIT = (1, 1), (-1, -1), (0, 0), (1, -1)


def rating_means(rated: Ratings) -> list[float | None]:
    """Return the ratings in the order of the entrants."""
    return [rated.rating_of(entrant).points.mean for entrant in range(len(rated.lines))]


def renumber_entrants(game: GameResult, numbers: list[int]) -> GameResult:
    """Return the same game of entrants who are listed in another order."""
    return replace(game, seats=tuple(replace(seat, entrant=numbers[seat.entrant]) for seat in game.seats))


@given(st.randoms(use_true_random=False), st.sampled_from([0.0, 6.0]))
@settings(max_examples=15)
def test_games_in_another_order(rng: Random, step: float) -> None:
    """Games in another order have the same ratings and errors."""
    games = league_results(12, step=step)
    shuffled = rng.sample(games, len(games))

    one, other = rate_results(games, NAMES), rate_results(shuffled, NAMES)
    assert [line.name for line in one.lines] == [line.name for line in other.lines]
    for a, b in zip(one.lines, other.lines, strict=True):
        assert (a.points.mean, a.points.half_width) == pytest.approx((b.points.mean, b.points.half_width))


@given(st.permutations(range(4)))
@settings(max_examples=15)
def test_bots_listed_in_another_order(numbers: list[int]) -> None:
    """Bots listed in another order have the same ratings and differences."""
    games = league_results(12, step=6)
    one = rate_results(games, NAMES)
    other = rate_results(
        [renumber_entrants(game, numbers) for game in games], [NAMES[numbers.index(number)] for number in range(4)]
    )

    assert [line.name for line in one.lines] == [line.name for line in other.lines]
    assert [rating_means(other)[number] for number in numbers] == pytest.approx(rating_means(one))
    assert other.difference(numbers[0], numbers[1]).half_width == pytest.approx(one.difference(0, 1).half_width)


def test_a_hundred_points() -> None:
    """A lead of a hundred points wins 64 % of the games between two and, against three equals, 37 % of those at a table
    of four.
    """
    two = rate_results(ranked_results([(1, 2)] * 6401 + [(2, 1)] * 3599, (0, 1)), NAMES[:2])
    assert two.difference(0, 1).mean == pytest.approx(100, abs=0.1)

    table = SyntheticTournament(strengths=(0.5756, 0.0, 0.0, 0.0), seats=4)
    games = list(table.games(5000, Random(1)))
    assert sum(seat.win for game in games for seat in game.seats if seat.entrant == 0) / len(games) == pytest.approx(
        0.37, abs=0.015
    )
    assert rate_results(games, NAMES).difference(0, 1).mean == pytest.approx(100, abs=8)


def test_games_that_tell_only_the_winner() -> None:
    """The first of bots that win 60, 30 and 10 % is 400 log10 2 = 120 points above the second, and that one 191 above
    the third.
    """
    wins = [(1, 2, 2)] * 600 + [(2, 1, 2)] * 300 + [(2, 2, 1)] * 100
    rated = rate_results(ranked_results(wins, (0, 1, 2)), NAMES[:3])

    assert rated.difference(0, 1).mean == pytest.approx(120.4, abs=0.2)
    assert rated.difference(1, 2).mean == pytest.approx(190.8, abs=0.5)


def test_games_that_tell_only_the_loser() -> None:
    """The first of four bots that lose 10, 20, 30 and 40 % is 400 log10 4 = 241 points above the last."""
    losses = [(4, 1, 1, 1)] * 100 + [(1, 4, 1, 1)] * 200 + [(1, 1, 4, 1)] * 300 + [(1, 1, 1, 4)] * 400
    rated = rate_results(ranked_results(losses, (0, 1, 2, 3)), NAMES)

    assert rated.difference(0, 3).mean == pytest.approx(240.8, abs=0.5)


def test_a_bot_that_never_wins_where_only_the_winner_is_told() -> None:
    """A bot that never wins is below all that win, and its rating has one bound: 38 wins to 2 leave nothing for a
    third.
    """
    rated = rate_results(ranked_results([(1, 2, 2)] * 38 + [(2, 1, 2)] * 2, (0, 1, 2)), NAMES[:3])

    assert [line.name for line in rated.lines] == ["a", "b", "c"]
    assert rated.difference(0, 1).mean == pytest.approx(400 * log10(19), abs=10)
    assert rated.rating_of(2).bound == "at most"


@pytest.mark.parametrize("seats", [3, 6])
def test_winners_of_many_tables(seats: int) -> None:
    """Bots 100 points apart come out so, within the error, though the games tell nothing but who won."""
    strengths = tuple(-bot * 100 / POINTS_PER_LOG_UNIT for bot in range(seats))
    world = SyntheticTournament(strengths=strengths, seats=seats, told="winner")
    rated = rate_results(world.games(1500 // seats, Random(2)), world.names)

    for one, other in pairwise(range(seats)):
        found = rated.difference(one, other)
        assert abs((found.mean or 0) - 100) < 1.5 * (found.half_width or 0) < 150


def test_ratings_around_the_middle() -> None:
    """0 is the middle of four bots, and the mirror image of a tournament has the opposite ratings."""
    games = league_results(30, seats=2)
    mirrored = [
        replace(game, seats=tuple(replace(seat, place=3 - seat.place) for seat in game.seats)) for game in games
    ]

    rated = rating_means(rate_results(games, NAMES))
    assert sum(sorted(value or 0 for value in rated)[1:3]) == pytest.approx(0, abs=1e-6)
    assert rating_means(rate_results(mirrored, NAMES)) == pytest.approx([-(value or 0) for value in rated])


def test_an_anchor() -> None:
    """The rating of an anchor is 0 for sure; the intervals of the others are those of their differences from it."""
    rated = rate_rankings(count_rankings(league_results(30, seats=2)), NAMES, anchor=1)

    assert rated.zeros == ((1,),)
    assert rated.rating_of(1).points == Estimate(0.0, 0.0)
    for other in (0, 2, 3):
        one, difference = rated.rating_of(other).points, rated.difference(other, 1)
        assert one.mean == difference.mean
        assert one.half_width == pytest.approx(difference.half_width, rel=0.1)


def test_a_hopeless_bot() -> None:
    """A hopeless bot moves no other rating, and makes no comparison interval but its own wider."""
    world = SyntheticTournament(strengths=(0.4, 0.0, -0.4), seats=2, card_share=0.5)
    games = list(world.games(300, Random(1)))
    lost = [replace(game, pairing=3) for game in ranked_results([(1, 2)] * 20, (1, 3))]
    alone, together = rate_results(games, NAMES[:3]), rate_rankings(count_rankings([*games, *lost]), NAMES, anchor=1)

    assert (together.rating_of(3).comparison or 0) > 200
    for entrant in range(3):
        one, other = alone.rating_of(entrant), together.rating_of(entrant)
        assert other.points.mean == pytest.approx(one.points.mean, abs=5)
        assert other.comparison == pytest.approx(one.comparison, rel=0.2)


@pytest.mark.parametrize("seed", range(3))
def test_comparison_intervals(seed: int) -> None:
    """The comparison intervals of two bots add up to no less than the interval of their difference, and to
    little more.
    """
    rated = rate_results(league_results(40, seed), NAMES)

    for one, other in combinations(range(4), 2):
        width = rated.difference(one, other).half_width or 0
        both = (rated.rating_of(one).comparison or 0) + (rated.rating_of(other).comparison or 0)
        assert width <= both + 1e-9
        assert both < 1.15 * width


def test_bots_that_won_or_lost_all_of_their_games() -> None:
    """The ratings of bots that won or lost all of their games have one bound, which more games move outward; a tie
    leaves it, one loss takes it away.
    """
    bounds = []
    for blocks in (10, 30):
        rated = rate_results(duel_results(*[WON] * blocks), NAMES[:2])
        assert [rated.rating_of(entrant).bound for entrant in (0, 1)] == ["at least", "at most"]
        bounds.append((rated.rating_of(0).one_sided or 0.0, rated.rating_of(1).one_sided or 0.0))
    tied = rate_results(duel_results(*[WON] * 10, (1, 0), TIED), NAMES[:2])
    lost = rate_results(duel_results(*[WON] * 10, (1, -1)), NAMES[:2])

    assert bounds[1][0] > bounds[0][0] > 0 > bounds[0][1] > bounds[1][1]
    assert [tied.rating_of(entrant).bound for entrant in (0, 1)] == ["at least", "at most"]
    assert [lost.rating_of(entrant).one_sided for entrant in (0, 1)] == [None, None]


def test_games_of_a_block_that_are_copies_of_each_other() -> None:
    """The copies of a game in a block prove no more than one of them: the error is by blocks, not by games."""
    rng = Random(4)
    once = [game_result(0, deal, 0, (0, 1), [rng.random(), rng.random()]) for deal in range(200)]
    four_times = [replace(game, rotation=rotation) for game in once for rotation in range(4)]

    one, four = (rate_results(games, NAMES[:2]).difference(0, 1).half_width or 0 for games in (once, four_times))
    assert four == pytest.approx(one, rel=0.02)
    independent = rate_results([replace(game, deal=number) for number, game in enumerate(four_times)], NAMES[:2])
    assert independent.difference(0, 1).half_width == pytest.approx(one / sqrt(4), rel=0.02)


@pytest.mark.parametrize("blocks", [1, 2, 3, 10, 100, 1000])
@pytest.mark.parametrize("block", [WON, LOST, SPLIT])
def test_every_block_the_same(block: tuple[float, float], blocks: int) -> None:
    """The ratings and errors of equal blocks are finite; no error is nothing, and from one block none is claimed."""
    rated = rate_results(duel_results(*[block] * blocks), NAMES[:2])
    difference = rated.difference(0, 1)

    assert difference.mean is not None
    assert isfinite(difference.mean)
    assert (difference.half_width is None) is (rated.chance_better(0, 1) is None) is (blocks == 1)
    if difference.half_width is not None:
        assert 100 / blocks < difference.half_width < 100_000
    assert (difference.mean > 0, difference.mean < 0) == (block == WON, block == LOST)


def test_a_bot_that_always_wins_longer() -> None:
    """The rating of a bot that always wins grows, but its interval never excludes a bot that would win all games with a
    chance of 1 in 20.
    """
    for blocks in (10, 100, 1000):
        difference = rate_results(duel_results(*[WON] * blocks), NAMES[:2]).difference(0, 1)
        assert difference.mean is not None
        assert difference.half_width is not None
        least = 0.05 ** (1 / (2 * blocks))
        odds = 10 ** ((difference.mean - difference.half_width) / 400)
        assert odds / (1 + odds) < least + 0.02


def test_no_games_and_one_game() -> None:
    """The ratings without games tell nothing of any bot; those of one game tell of the bots that played it, but no
    error.
    """
    for line in rate_results([], NAMES).lines:
        assert (line.points.mean, line.points.half_width, line.group, line.blocks) == (None, None, None, 0)

    rated = rate_results(ranked_results([(1, 2)], (3, 1)), NAMES)
    assert ["d", "b", "a", "c"] == [line.name for line in rated.lines]
    assert [1, 1, 0, 0] == [line.games for line in rated.lines]
    assert all(line.points.half_width is None for line in rated.lines)


def test_bots_that_never_met() -> None:
    """Each group has a middle of its own, the groups are told, and no difference between them is claimed."""
    games = [*ranked_results([(1, 2), (2, 1), (1, 2)], (0, 1))]
    games += [replace(game, pairing=1) for game in ranked_results([(1, 2), (1, 2), (1, 2)], (2, 3))]
    rated = rate_results(games, NAMES)

    assert rated.group_count == 2
    assert [rated.rating_of(entrant).group for entrant in range(4)] == [0, 0, 1, 1]
    assert (rated.difference(0, 2).mean, rated.chance_better(0, 2)) == (None, None)
    assert rated.difference(2, 3).mean is not None


def test_bots_that_met_by_way_of_another() -> None:
    """Bots that met by way of another can be compared: a bot that beats the one that beats a third is
    better than both.
    """
    games = [
        *ranked_results([(1, 2)] * 5, (0, 1)),
        *(replace(g, pairing=1) for g in ranked_results([(1, 2)] * 5, (1, 2))),
    ]
    rated = rate_results(games, NAMES[:3])

    assert rated.group_count == 1
    assert ["a", "b", "c"] == [line.name for line in rated.lines]
    assert (rated.difference(0, 2).mean or 0) > (rated.difference(0, 1).mean or 0) > 0


def test_partners_who_are_never_parted() -> None:
    """Partners who are never parted are rated as one: all that their games tell is about both together."""
    rated = rate_results(ranked_results([(1, 2, 1, 2)] * 5, (0, 1, 2, 3)), NAMES, sides=((0, 2), (1, 3)))

    assert rated.partners == ((0, 2), (1, 3))
    ahead, behind = (rated.rating_of(entrant).points for entrant in (0, 1))
    assert [rated.rating_of(entrant).points for entrant in (2, 3)] == [ahead, behind]
    assert rated.compare(0, 2) is None
    assert rated.compare(0, 1) == rated.compare(2, 3) == rated.compare(0, 3)
    assert (rated.difference(2, 1).mean or 0) > 0


def test_partners_who_change() -> None:
    """A bot in sides that change is rated as alone: 64 % for sides of whom each is 100 points above each of
    the others.
    """
    games = []
    for number, (one, two, three, four) in enumerate([(0, 1, 2, 3), (0, 2, 1, 3), (0, 3, 1, 2)]):
        places = [(1, 1, 2, 2)] * 640 + [(2, 2, 1, 1)] * 360 if number == 0 else [(1, 1, 2, 2), (2, 2, 1, 1)] * 500
        games += [replace(game, pairing=number) for game in ranked_results(places, (one, two, three, four))]
    rated = rate_results(games, NAMES, sides=((0, 1), (2, 3)))

    assert rated.group_count == 1
    assert rated.difference(0, 1).mean == pytest.approx(0, abs=0.1)
    assert rated.difference(0, 2).mean == pytest.approx(100, abs=1)


@pytest.mark.parametrize("is_paired_by_results", [False, True])
def test_blocks_that_others_play(is_paired_by_results: bool) -> None:
    """Blocks of other bots make no bot's interval shorter: only its own blocks tell how far off its rating may be."""
    half_widths = []
    for blocks in (30, 600):
        games = duel_results(*[WON] * 10)
        others = SyntheticTournament(strengths=(0.0, 0.0), seats=2).games(blocks, Random(1))
        games += [replace(renumber_entrants(game, [2, 3]), pairing=1) for game in others]
        rated = rate_rankings(count_rankings(games), NAMES, is_paired_by_results=is_paired_by_results)
        half_widths.append(rated.difference(0, 1).half_width or 0.0)

    assert half_widths[1] == pytest.approx(half_widths[0])


def test_bots_one_of_whom_has_hardly_played() -> None:
    """The difference is as unsure as the one who has hardly played.

    Of three blocks, Student's t has two degrees of freedom.
    """
    world = SyntheticTournament(strengths=(0.2, 0.0), seats=2)
    games = list(world.games(300, Random(1)))
    games += [replace(renumber_entrants(game, [0, 2]), pairing=1) for game in world.games(3, Random(2))]
    rated = rate_results(games, NAMES[:3])

    assert [303, 300, 3] == [rated.shared_blocks[number][number] for number in range(3)]
    assert (rated.difference(0, 2).half_width or 0) > 5 * (rated.difference(0, 1).half_width or 0)
    a, b = rated.covariance[0], rated.covariance[2]
    assert (rated.difference(0, 2).half_width or 0) / sqrt(a[0] + b[2] - 2 * a[2]) == pytest.approx(4.303, abs=0.001)


@pytest.mark.parametrize(("blocks", "expected"), [(5, 369), (10, 375), (100, 381)])
def test_the_prior_draws_bots_together(blocks: int, expected: int) -> None:
    """Two bots, one of which won nine of ten games, would be 382 points apart without it."""
    by_either_seat = [SPLIT, (-1, 1)] * (blocks // 5)
    games = [WON] * (blocks * 4 // 5) + by_either_seat[: blocks // 5]
    difference = rate_results(duel_results(*games), ["a", "b"]).difference(0, 1)

    assert difference.mean == pytest.approx(expected, abs=0.5)


@pytest.mark.parametrize("seats", [2, 4])
def test_seats_that_are_worth_much(seats: int) -> None:
    """Seats that are worth much make no rating smaller: 200 points between the bots at either end, the seats 400 points
    apart, are found.
    """
    apart, unit = 400.0, POINTS_PER_LOG_UNIT
    strengths = tuple((100 - 200 * bot / 3) / unit for bot in range(4))
    advantage = tuple((apart / 2 - apart * seat / (seats - 1)) / unit for seat in range(seats))
    world = SyntheticTournament(strengths=strengths, seats=seats, card_share=0.5, advantage=advantage)
    rated = rate_results(world.games(600, Random(1)), NAMES)

    found = rated.difference(0, 3)
    assert abs((found.mean or 0) - 200) < (found.half_width or 0) < 60
    for seat, worth in zip(rated.seats, advantage, strict=True):
        assert abs((seat.mean or 0) - unit * worth) < 1.5 * (seat.half_width or 0) < 60


def test_seats_that_are_worth_little() -> None:
    """Seats that are worth little have no strength of their own; nor have the seats of bots that never changed them."""
    equal = SyntheticTournament(strengths=(0.3, 0.1, -0.1, -0.3), seats=4, card_share=0.5)
    assert rate_results(equal.games(50, Random(1)), NAMES).seats == ()

    unmoved = rate_results(ranked_results([(1, 2)] * 900 + [(2, 1)] * 100, (0, 1)), NAMES[:2])
    assert unmoved.seats == ()
    assert unmoved.difference(0, 1).mean == pytest.approx(400 * log10(9), abs=1)


def test_seats_are_compared_by_whole_blocks_only() -> None:
    """In a part of a block the better bot may have had the first seat more often."""
    whole = list(SyntheticTournament(strengths=(2.0, 0.0), seats=2).games(30, Random(1)))
    parts = [game_result(0, 1000 + deal, 0, (0, 1), [1.0, 0.0]) for deal in range(20)]

    assert rate_results([*whole, *parts], NAMES[:2]).seats == ()


def test_bots_of_whom_none_was_ever_placed_ahead() -> None:
    """Bots of which none was ever placed ahead cannot be compared with each other, but can with a third that beats both
    of them.
    """
    tied = rate_results(duel_results(*[TIED] * 30), NAMES[:2])
    assert tied.group_count == 2
    assert tied.difference(0, 1) == Estimate(None, None)

    rated = rate_results(ranked_results([(1, 2, 2)] * 4 + [(3, 1, 1)], (0, 1, 2)), NAMES[:3])
    assert rated.group_count == 1
    assert rated.difference(1, 2).mean == pytest.approx(0)


def test_a_bot_that_is_never_ahead_but_shares_the_last_place() -> None:
    """The rating of a bot that is never ahead has one bound, though it shares the last place: ties say
    nothing of it.
    """
    rated = rate_results(ranked_results([(1, 2, 2)] * 5, (0, 1, 2)), NAMES[:3])

    assert [rated.rating_of(entrant).bound for entrant in range(3)] == ["at least", "at most", "at most"]


def test_sides_whose_seats_are_worth_much() -> None:
    """Partners on the better side win more, whoever they are: 100 points between partners who change are found."""
    sides, world = ((0, 2), (1, 3)), SyntheticTournament(strengths=(0.5756, 0.0, 0.0, 0.0), seats=4)
    rng, games = Random(1), list[GameResult]()
    for number, order in enumerate([(0, 1, 2, 3), (0, 2, 1, 3), (0, 1, 3, 2)] * 400):
        for rotation in range(4):
            seated = (*order[rotation:], *order[:rotation])
            strength = [sum(world.strengths[seated[seat]] for seat in side) / 2 for side in sides]
            ahead = strength[0] - strength[1] + 2.0
            won = rng.random() < exp(ahead) / (1 + exp(ahead))
            games.append(game_result(number % 3, number, rotation, seated, [float(won), float(not won)] * 2))
    rated = rate_results(games, NAMES, sides=sides)

    assert len(rated.seats) == 2
    assert rated.difference(0, 1).mean == pytest.approx(100, abs=25)


def test_a_rounding_error_chooses_nobody_for_the_middle() -> None:
    """Of bots that are equal but for rounding those with the lower numbers are in the middle, whatever the rounding."""
    assert 0.1 + 0.2 > 0.3
    assert _find_middle([0, 1, 2, 3], [0.1 + 0.2, 0.3, 0.3, 1.0]) == [1, 2]
    assert _find_middle([0, 1, 2, 3], [0.3, 0.1 + 0.2, 0.3, 1.0]) == [1, 2]
