"""Standings: means and intervals over blocks."""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable
from itertools import permutations

import msgspec
import pytest
from msgspec.structs import replace

from pitboss_tournament.counting.tally import Tally
from pitboss_tournament.statistics.running_moments import RunningMoments
from pitboss_tournament.statistics.scoring import GameResult, SeatResult
from pitboss_tournament.statistics.student_t import student_t_quantile
from pitboss_tournament.statistics.time_histogram import quantile_ms, write_times

TABLE = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 7: 2.365, 10: 2.228, 30: 2.042, 100: 1.984, 1000: 1.962}


def make_game(deal: int, rotation: int, points: tuple[float, float], fault: str | None = None) -> GameResult:
    """Return a game of entrants 0 and 1; in rotation 1 they have changed seats."""
    seats = []
    for seat, own in enumerate(points):
        win = 0.5 if points[0] == points[1] else float(own == max(points))
        entrant = (seat + rotation) % 2
        seats.append(
            SeatResult(entrant, own, 1, win, fault if seat == 0 else None, {}, 4, 2000, write_times([500] * 4))
        )
    return GameResult(2 * deal + rotation, 0, deal, rotation, tuple(seats), write_times([64]))


@pytest.mark.parametrize(("freedom", "expected"), TABLE.items())
def test_students_t_is_that_of_the_printed_tables(freedom: int, expected: float) -> None:
    """The two-sided 95 % points agree with the tables to their last digit."""
    assert expected == pytest.approx(student_t_quantile(freedom), abs=0.0006)


def test_a_spread_is_what_the_statistics_module_says() -> None:
    """Mean and interval taken one value at a time are those of the whole sample."""
    rng = random.Random(3)
    values = [rng.gauss(1e6, 2) for _ in range(50)]
    spread = RunningMoments()
    for value in values:
        spread.add(value)

    estimate, mean = spread.estimate(), statistics.mean(values)
    skewness = statistics.mean((value - mean) ** 3 for value in values) / statistics.pstdev(values) ** 3
    assert estimate.mean == pytest.approx(mean)
    assert estimate.half_width == pytest.approx(
        (2.0096 + 4 * skewness**2 / 50) * statistics.stdev(values) / 50**0.5, rel=1e-4
    )


def test_one_block_unlike_nine_equal_ones() -> None:
    """The interval of one block unlike nine equal ones is 0.1 ± (2.262 + 4 · 64/9 / 10) / 10, with deviation 1/√10 and
    skewness 8/3. So for a share of the win as rare it is about half of that of ten equal blocks, and not a fifth.
    """
    spread = RunningMoments()
    for value in [0.0] * 9 + [1.0]:
        spread.add(value)

    assert spread.estimate().half_width == pytest.approx((2.2622 + 4 * 64 / 90) / 10, rel=1e-4)


def test_the_other_way_round() -> None:
    """The interval of values with their signs turned is the same to the last bit, about the mean with its
    sign turned.
    """
    rng = random.Random(4)
    one, other = RunningMoments(), RunningMoments()
    for _ in range(100):
        value = rng.expovariate(1)
        one.add(value)
        other.add(-value)

    assert one.mean == -other.mean
    assert one.estimate().half_width == other.estimate().half_width


def draw_normal(rng: random.Random) -> float:
    """Return a value as of a block in which much comes together."""
    return rng.gauss(0, 1)


def draw_skewed(rng: random.Random) -> float:
    """Return a value as of a block of two games, of each of which one comes away with much and most with little."""
    return sum(rng.expovariate(1) - 1 for _ in range(2))


def draw_rare(rng: random.Random) -> float:
    """Return a value as of a block of four games, of which most are drawn, and more of the others won than lost."""
    return sum(rng.choice((3.0, 3.0, -1.0)) for _ in range(4) if rng.random() < 0.25) - 5 / 3


@pytest.mark.parametrize("value", [draw_normal, draw_skewed, draw_rare])
@pytest.mark.parametrize("blocks", [10, 40])
def test_intervals_cover_the_truth(value: Callable[[random.Random], float], blocks: int) -> None:
    """Of many samples 93 to 97 in a hundred have the true mean, 0, within their interval, skewed or not."""
    rng, covered = random.Random(1), 0
    for _ in range(2000):
        spread = RunningMoments()
        for _ in range(blocks):
            spread.add(value(rng))
        estimate = spread.estimate()
        assert estimate.mean is not None
        assert estimate.half_width is not None
        covered += abs(estimate.mean) <= estimate.half_width

    assert 0.93 <= covered / 2000 <= 0.97


def test_equal_values_are_added_together() -> None:
    """Adding equal values together gives the same as adding each of them."""
    together, single = RunningMoments(), RunningMoments()
    for value, count in ((3.0, 4), (-1.5, 1), (0.25, 7), (3.0, 2)):
        together.add_equal(value, count)
        for _ in range(count):
            single.add(value)

    assert msgspec.structs.astuple(single) == pytest.approx(msgspec.structs.astuple(together))


def test_an_empty_or_constant_sample_claims_no_certainty() -> None:
    """A sample without blocks knows nothing.

    Equal values have no interval, or, on a known scale, the one that n blocks without an exception allow.
    """
    spread = RunningMoments()
    assert (None, None) == (spread.estimate().mean, spread.estimate().half_width)

    for _ in range(10):
        spread.add(1.0)
    assert spread.estimate().half_width is None
    assert spread.estimate(scale=1).half_width == pytest.approx(1 - 0.05**0.1)


def test_a_first_fault_that_is_counted_last() -> None:
    """The first fault of a kind is that of the lowest game, in whatever order the games end."""
    tally = Tally(["a", "b"], 2, 10)
    for deal in (3, 1, 2):
        tally.add(make_game(deal, 0, (0.0, 1.0), "late"))

    assert tally.first_faults == {0: {"late": (2, 0)}}


def test_only_whole_blocks_count() -> None:
    """A block is a deal in all rotations.

    A game of an unfinished one is counted as played, but not in the estimates.
    """
    tally = Tally(["a", "b"], block_games=2, disqualify_after=10)
    tally.add_all([make_game(0, 0, (10, 20)), make_game(0, 1, (30, 40)), make_game(1, 0, (99, 0))])

    by_name = {line.name: line for line in tally.standings()}
    assert [by_name[name].games for name in "ab"] == [3, 3]
    assert [by_name[name].blocks for name in "ab"] == [1, 1]
    assert [by_name[name].points.mean for name in "ab"] == [25, 25]
    assert [by_name[name].wins.mean for name in "ab"] == [0.5, 0.5]
    assert by_name["a"].think_ms == pytest.approx(0.5)


def test_a_tally_does_not_grow_with_the_games() -> None:
    """A tally keeps only the sum of a finished block."""
    tally = Tally(["a", "b"], block_games=2, disqualify_after=10)
    for deal in range(500):
        tally.add_all([make_game(deal, 0, (1, 2)), make_game(deal, 1, (1, 2))])

    assert not tally._open_blocks


def test_faults_are_counted_by_kind_and_put_a_bot_out() -> None:
    """A bot that has forfeited as often as is allowed is out; the other one is not."""
    tally = Tally(["a", "b"], block_games=2, disqualify_after=2)
    tally.add_all([make_game(0, 0, (1, 2), "late"), make_game(1, 0, (1, 2), "crashed")])

    by_name = {line.name: line for line in tally.standings()}
    assert by_name["a"].faults == {"late": 1, "crashed": 1}
    assert (by_name["a"].is_out, by_name["b"].is_out) == (True, False)


@pytest.mark.parametrize(("games", "is_out"), [(40, True), (41, False)])
def test_faults_put_a_bot_out_if_they_are_a_share_of_its_games(games: int, is_out: bool) -> None:
    """Two forfeited games of 40 are 5 %; with one game more they are less."""
    tally = Tally(["a", "b"], block_games=2, disqualify_after=2, disqualify_percent=5)
    tally.add_all(make_game(deal, 0, (1, 2), "late" if deal < 2 else None) for deal in range(games))

    assert tally.is_disqualified(0) is is_out


def test_substituted_decisions_are_counted_and_cost_nothing() -> None:
    """Substituted decisions are counted by kind, apart from forfeited games, and put no bot out."""
    [first, second] = make_game(0, 0, (1, 2)).seats
    played = replace(make_game(0, 0, (1, 2)), seats=(replace(first, substituted={"late": 3, "illegal": 1}), second))
    tally = Tally(["a", "b"], block_games=2, disqualify_after=1)
    tally.add_all([played, played])

    by_name = {line.name: line for line in tally.standings()}
    assert by_name["a"].substituted == {"late": 6, "illegal": 2}
    assert by_name["b"].substituted == {}
    assert (by_name["a"].faults, by_name["a"].is_out) == ({}, False)


def test_the_first_fault_of_a_bot_is_that_of_the_lowest_game() -> None:
    """The first fault of a bot is that of its lowest game, in whatever order the games come in; a substituted decision
    counts as well.
    """
    late, crashed = make_game(1, 0, (1, 2), "late"), make_game(2, 1, (1, 2), "crashed")
    [first, second] = make_game(3, 0, (1, 2)).seats
    substituted = replace(make_game(3, 0, (1, 2)), seats=(first, replace(second, substituted={"late": 1})))
    for order in permutations([late, crashed, substituted, make_game(0, 0, (1, 2))]):
        tally = Tally(["a", "b"], block_games=2, disqualify_after=9)
        tally.add_all(order)

        assert tally.first_faults == {0: {"late": (2, 0)}, 1: {"crashed": (5, 0), "late": (6, 1)}}


def test_quantiles_of_all_games_together() -> None:
    """A bot's thinking times and the runner's lag are those of all games.

    99 of 100 are no longer than p99, to within 5 %.
    """
    quick, slow = make_game(0, 0, (1, 2)), make_game(1, 0, (1, 2))
    times = write_times([100] * 97 + [80_000] * 3)
    slow = replace(slow, seats=(replace(slow.seats[0], think=times), slow.seats[1]), lag=write_times([3000]))
    tally = Tally(["a", "b"], block_games=2, disqualify_after=9)
    tally.add_all([quick, slow])

    assert quantile_ms(tally.lag, 0.5) == pytest.approx(0.064)
    [a] = [line for line in tally.standings() if line.name == "a"]
    assert a.think_p50_ms == pytest.approx(0.1, rel=0.05)
    assert a.think_p99_ms == pytest.approx(80, rel=0.05)
    assert quantile_ms(tally.lag, 0.99) == pytest.approx(3, rel=0.05)


def test_a_bot_that_never_decided_has_no_times() -> None:
    """A bot that never decided has no times."""
    [line] = Tally(["a"], block_games=1, disqualify_after=9).standings()

    assert (line.think_ms, line.think_p50_ms, line.think_p99_ms) == (None, None, None)
