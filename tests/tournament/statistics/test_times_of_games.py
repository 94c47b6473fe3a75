"""Times of many games at once are those of the games, one by one."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss_tournament.statistics.time_histogram import GameTimes, game_quantiles_ms, read_times, write_times
from pitboss_tournament.statistics.times_of_games import MIN_ARRAY_GAMES, TotalTimes, list_quantiles_ms

LENGTHS = st.lists(st.integers(0, 10**9), min_size=1, max_size=200)
SHARES = (0.5, 0.99, 1.0)
WRITTEN = st.lists(st.integers(0, 10**6), max_size=30).map(write_times)
# letters in any order, as in stores of schema 5 to 7, and numbers: some long ones, zero, and times beyond the last step
UNUSUAL = st.text("0~z\x80\u0130\u0230\U0001f0a1#$./", max_size=12).map(lambda letters: "0" + letters)


@given(LENGTHS, LENGTHS)
def test_times_can_be_added(one: list[int], two: list[int]) -> None:
    """The times of many games are those of all together; those of early stores count as well, and looking is free."""
    total = TotalTimes()
    for _ in range(300):
        total.add_all([write_times(one)])
    assert total.histogram() == read_times(write_times(one * 300))
    total.add_all([read_times(write_times(two))])

    assert Counter(total.histogram()) == Counter(read_times(write_times(one * 300 + two)))


@given(st.lists(WRITTEN | UNUSUAL, min_size=1, max_size=5))
def test_many_games_have_the_times_of_each(games: list[str]) -> None:
    """Games that are read together have the quantiles and the sum of the same games, read one by one."""
    many = games * MIN_ARRAY_GAMES
    total = TotalTimes()
    total.add_all(many)
    alone = Counter[int]()
    for times in many:
        alone.update(read_times(times))

    assert [tuple(game_quantiles_ms(times, *SHARES)) for times in many] == list_quantiles_ms(many, *SHARES)
    assert dict(alone) == total.histogram()


@pytest.mark.parametrize(
    "odd",
    ["", "#0", "\x200", "0" + 20 * "/", {5: 2, 3: 1}],
    ids=["empty", "begins with a digit", "a letter below the first", "long", "of schema 4"],
)
def test_odd_times_among_many_games(odd: GameTimes) -> None:
    """Times that `write_times` does not return are read among many games as they are by themselves."""
    many: list[GameTimes] = [write_times([7, 90, 90]), odd] * MIN_ARRAY_GAMES

    assert [tuple(game_quantiles_ms(times, *SHARES)) for times in many] == list_quantiles_ms(many, *SHARES)


def test_games_without_times_have_no_quantile() -> None:
    """Of games without times, as those are that were decided by a fault at once, no quantile is known."""
    many: list[GameTimes] = [""] * MIN_ARRAY_GAMES

    assert [(None,) * len(SHARES)] * len(many) == list_quantiles_ms(many, *SHARES)
