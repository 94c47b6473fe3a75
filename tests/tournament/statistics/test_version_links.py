"""A weak prior from a version of a bot to the one before, and ratings that are held."""

from __future__ import annotations

from itertools import combinations, compress
from math import exp
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pitboss_tournament.statistics.bradley_terry import PRIOR_SD, PairModel, StrengthLink
from pitboss_tournament.statistics.ratings import POINTS_PER_LOG_UNIT, Ratings, VersionLink, rate_rankings
from pitboss_tournament.statistics.scoring import GameResult
from tests.soak.calibration import check_intervals
from tests.soak.running_share import RunningShare
from tests.tournament.statistics.sample_results import count_rankings, league_results, ranked_results
from tests.tournament.statistics.test_packed_games import list_numbers
from tests.tournament.statistics.versioned_leagues import (
    VersionedLeague,
    VersionStep,
    draw_league,
    play_league,
    rate_step,
)

NAMES = ["old", "b", "c", "new"]
NO_LINK_SD, FIRM_SD = 1e7, 1e-4  # points


def list_differences(rated: Ratings) -> list[float]:
    """Return the differences of all pairs of entrants in points, each with its half-width."""
    found = [rated.difference(one, other) for one, other in combinations(range(len(rated.lines)), 2)]
    return [value or 0.0 for own in found for value in (own.mean, own.half_width)]


def hold_strengths(rated: Ratings, entrants: set[int]) -> dict[int, float]:
    """Return the ratings of some entrants, to be held."""
    return {entrant: POINTS_PER_LOG_UNIT * rated.strengths[entrant] for entrant in entrants}


@given(st.randoms(use_true_random=False))
@settings(max_examples=15)
def test_games_and_links_in_another_order(rng: Random) -> None:
    """Games and links in another order have the same ratings and errors."""
    games, links = league_results(12), [VersionLink(3, 0, 40.0), VersionLink(2, 1, 20.0)]
    held = {1: 30.0}
    one = rate_rankings(count_rankings(games), NAMES, links=links, held=held)
    other = rate_rankings(count_rankings(rng.sample(games, len(games))), NAMES, links=links[::-1], held=held)

    assert list_differences(other) == pytest.approx(list_differences(one), abs=1e-6)


def test_links_that_say_nothing() -> None:
    """Links with a very large standard deviation leave the ratings as without a link; a link counts as some blocks all
    the same.
    """
    rankings = count_rankings(league_results(20))
    free, linked = (rate_rankings(rankings, NAMES, links=links) for links in ((), [VersionLink(3, 0, NO_LINK_SD)]))

    for one, other in combinations(range(4), 2):
        expected, found = free.difference(one, other), linked.difference(one, other)
        assert found.mean == pytest.approx(expected.mean, abs=1e-6)
        assert found.half_width == pytest.approx(expected.half_width, rel=0.03)


def test_a_link_that_allows_no_difference() -> None:
    """Both versions are rated as one bot that played the games of both."""
    games = [game for game in league_results(40, seats=2) if {seat.entrant for seat in game.seats} != {0, 3}]
    as_one = [
        replace(game, seats=tuple(replace(seat, entrant=seat.entrant % 3) for seat in game.seats)) for game in games
    ]
    linked = rate_rankings(count_rankings(games), NAMES, links=[VersionLink(3, 0, FIRM_SD)])
    merged = rate_rankings(count_rankings(as_one), NAMES[:3])

    between = linked.difference(3, 0)
    assert list_numbers(between) == pytest.approx([0.0, 0.0], abs=1e-3)
    for other in (1, 2):
        assert linked.difference(0, other).mean == pytest.approx(merged.difference(0, other).mean, abs=0.1)
    assert linked.difference(1, 2).mean == pytest.approx(merged.difference(1, 2).mean, abs=0.1)


def test_the_pull_of_a_link() -> None:
    """The wins of a version beyond those expected are the pull of its prior and of its link, which is weaker than that
    of a normal prior: by 1 + a quarter of the square of the difference in standard deviations.
    """
    sd = 0.3
    rankings = count_rankings(ranked_results([(1, 2)] * 40 + [(2, 1)] * 10, (0, 1)))
    [a, b] = PairModel(rankings, links=[StrengthLink(0, 1, sd)]).likelihood.fit().x

    pull = (a - b) / sd**2 / (1 + ((a - b) / sd) ** 2 / 4)
    assert 40 - 50 / (1 + exp(b - a)) == pytest.approx(a / PRIOR_SD**2 + pull, abs=1e-3)


@pytest.mark.parametrize("played", [20, 40, 100])
def test_a_version_that_is_far_from_the_one_before(played: int) -> None:
    """A link lets go of a version that its games show to be 512 points better than the one before."""
    rankings = count_rankings(ranked_results([(1, 2)] * (played * 19 // 20) + [(2, 1)] * (played // 20), (0, 1)))
    linked = rate_rankings(rankings, NAMES[:2], links=[VersionLink(0, 1, 100.0)]).difference(0, 1)

    assert linked.mean is not None and linked.half_width is not None
    assert {20: 200, 40: 350, 100: 440}[played] < linked.mean < 512 < linked.mean + linked.half_width


@pytest.mark.parametrize("change", [0.0, 600.0, -600.0])
def test_a_version_with_two_blocks(change: float) -> None:
    """The interval of a version with two blocks holds a change of 600 points, and is no wider than a prior of 200
    points allows: Student's t with three degrees of freedom, which holds 735 points in 95 %, beside the uncertainty of
    the version before.
    """
    step = VersionStep(change=change, blocks=2)
    found = [rate_step(step, Random(f"two/{number}")).difference(*step.versions) for number in range(8)]

    for between in found:
        assert between.mean is not None and between.half_width is not None
        assert between.half_width < 900
        assert abs(between.mean - change) < between.half_width


def test_a_link_is_all_that_connects_two_groups() -> None:
    """Versions that met nobody in common can be compared, with an error of no less than the link's."""
    games = ranked_results([(1, 2), (2, 1)] * 20, (0, 1)) + [
        replace(game, pairing=1) for game in ranked_results([(1, 2), (2, 1)] * 20, (2, 3))
    ]
    apart = rate_rankings(count_rankings(games), NAMES)
    linked = rate_rankings(count_rankings(games), NAMES, links=[VersionLink(3, 0, 50.0)])

    assert (2, 1) == (apart.group_count, linked.group_count)
    between = linked.difference(3, 0)
    assert between.mean == pytest.approx(0.0, abs=1e-6)
    assert 90 < (between.half_width or 0) < 130


def test_links_of_versions_that_have_not_played() -> None:
    """The links of versions that have not played change nothing."""
    rankings = count_rankings(league_results(20))
    links = [VersionLink(4, 0, 1.0), VersionLink(3, 5, 1.0)]
    free, linked = (rate_rankings(rankings, [*NAMES, "x", "y"], links=own, held={5: 9.0}) for own in ((), links))

    assert free == linked


@pytest.mark.parametrize("entrants", [{0}, {0, 2}, {1, 2, 3}])
def test_ratings_held_where_they_are(entrants: set[int]) -> None:
    """The free ratings beside ratings held where they are come out as in the joint fit, and so do all intervals."""
    rankings = count_rankings(league_results(30))
    joint = rate_rankings(rankings, NAMES)
    partly = rate_rankings(rankings, NAMES, held=hold_strengths(joint, entrants))

    for one, other in combinations(range(4), 2):
        found, expected = partly.difference(one, other), joint.difference(one, other)
        assert found.mean == pytest.approx(expected.mean, abs=1e-4)
        assert found.half_width == pytest.approx(expected.half_width, abs=0.02)


def test_ratings_held_elsewhere() -> None:
    """Ratings that are held do not move, and are as far apart as they are given; the others are rated by them."""
    rankings = count_rankings(league_results(30))
    joint = rate_rankings(rankings, NAMES)
    partly = rate_rankings(rankings, NAMES, held={0: 500.0, 1: -500.0})

    assert partly.difference(0, 1).mean == pytest.approx(1000.0)
    assert (partly.difference(0, 2).mean or 0) > (joint.difference(0, 2).mean or 0) + 100
    assert {0: 500.0, 1: -500.0} == pytest.approx(hold_strengths(partly, {0, 1}))


def test_all_ratings_held() -> None:
    """Ratings that are all held are those that were given."""
    held = {0: 100.0, 1: 50.0, 2: -25.0, 3: 0.0}
    rankings = count_rankings(league_results(10))
    rated = rate_rankings(rankings, NAMES, held=held)

    for one, other in combinations(range(4), 2):
        assert rated.difference(one, other).mean == pytest.approx(held[one] - held[other])


@pytest.mark.parametrize("leagues", [8, pytest.param(200, marks=[pytest.mark.once, pytest.mark.long])])
def test_intervals_of_linked_versions(leagues: int) -> None:
    """At least 93 % of the intervals of linked versions hold the true difference, and those of new versions are shorter
    than without links.
    """
    shares, lengths = RunningShare(), {"free": 0.0, "linked": 0.0}
    for number in range(leagues):
        league, games = draw_games(f"linked/{number}", old_deals=60, new_deals=1)
        rankings = count_rankings(games)
        linked = rate_rankings(rankings, league.names, links=league.links)
        shares.add(check_differences(linked, league))
        for kind, rated in (("free", rate_rankings(rankings, league.names)), ("linked", linked)):
            lengths[kind] += rated.difference(league.bots, 0).half_width or 0.0

    assert shares.share > 0.93 - 3 * shares.error
    assert lengths["linked"] < 0.8 * lengths["free"]


@pytest.mark.parametrize("leagues", [8, pytest.param(200, marks=[pytest.mark.once, pytest.mark.long])])
def test_intervals_beside_held_ratings(leagues: int) -> None:
    """At least 93 % of the intervals beside held ratings hold the true difference, where ratings are held that were
    estimated before others joined.
    """
    shares = RunningShare()
    for number in range(leagues):
        league, games = draw_games(f"held/{number}", old_deals=20, new_deals=5)
        is_old = [all(seat.entrant < league.bots for seat in game.seats) for game in games]
        early = rate_rankings(count_rankings(compress(games, is_old)), league.names)
        held = hold_strengths(early, set(range(league.bots)))
        shares.add(check_differences(rate_rankings(count_rankings(games), league.names, held=held), league))

    assert shares.share > 0.93 - 3 * shares.error


def draw_games(seed: str, old_deals: int, new_deals: int) -> tuple[VersionedLeague, list[GameResult]]:
    """Return a league with its games."""
    rng = Random(seed)
    league = draw_league(rng)
    return league, play_league(league, old_deals, new_deals, rng)


def check_differences(rated: Ratings, league: VersionedLeague) -> list[bool]:
    """Return whether the intervals of differences hold the truth: of new versions from each other and from old ones."""
    pairs = [(new, other) for new in range(league.bots, 2 * league.bots) for other in range(new)]
    estimates = [rated.difference(*pair) for pair in pairs]
    return check_intervals(estimates, [league.difference(*pair) for pair in pairs])
