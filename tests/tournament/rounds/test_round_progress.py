"""The course: rounds follow from what was played and from nothing else; a resumed tournament is where it was."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss.errors import ConfigError
from pitboss.plugins.formats import EntrantField, FormatOptions, PlannedRound, RoundGenerator
from pitboss_tournament.formats import selection
from pitboss_tournament.formats.table_sets import table_number
from pitboss_tournament.rounds.asked_rounds import FormatPluginError
from pitboss_tournament.rounds.round_progress import begin_rounds
from pitboss_tournament.rounds.schedule import deal_seed
from pitboss_tournament.store.header import make_header
from tests.tournament.random_results import draw_result, make_random_plan, open_games, play_drawn

pytestmark = pytest.mark.once

FORMATS = ("gauntlet", "knockout", "ladder", "round-robin", "settle", "swiss")
ENDS: dict[str, dict[str, object]] = {"ladder": {"rounds": 4}, "settle": {"games": 1_000}}  # of formats without one


@settings(max_examples=60)
@given(
    name=st.sampled_from(FORMATS),
    bots=st.integers(4, 9),
    seats=st.integers(2, 4),
    deals=st.integers(1, 3),
    spread=st.sampled_from([0.0, 0.3, 3.0]),
    stopped=st.integers(0, 10_000),
    shuffle=st.integers(0, 99),
)
def test_a_tournament_is_stopped_and_carried_on(
    name: str, bots: int, seats: int, deals: int, spread: float, stopped: int, shuffle: int
) -> None:
    """A tournament that is stopped and carried on has the same games and the same ranking, in whatever order the games
    of a round are played, and wherever it is stopped.
    """
    made = make_random_plan(name, bots, seats, deals, ENDS.get(name))
    whole, games = play_drawn(made, spread)
    shuffled, again = play_drawn(made, spread, shuffle)
    assert (games, whole.ranking) == (again, shuffled.ranking)

    kept, resumed = games[: stopped % (len(games) + 1)], begin_rounds(made)
    for slot in sorted(kept):
        assert resumed.advance_to(slot.game_id, frozenset)
        assert resumed.scheduled_game(slot.game_id) == slot
        resumed.add_result(draw_result(slot, spread))
    rest = []
    while not resumed.is_over:
        for slot in open_games(resumed):
            if slot not in kept:
                rest.append(slot)
                resumed.add_result(draw_result(slot, spread))
        resumed.advance_round(frozenset())

    assert sorted(games) == sorted(kept + rest)
    assert resumed.ranking == whole.ranking


@pytest.mark.parametrize(("name", "seats"), list(product(FORMATS, (2, 3, 4))))
def test_numbers_and_blocks(name: str, seats: int) -> None:
    """Games are numbered from 0 without gaps.

    Each block has a key and a seed of its own, and gives each bot each seat once.
    """
    made = make_random_plan(name, 7, seats, 2, ENDS["ladder"] if name == "ladder" else None)
    course, games = play_drawn(made, 0.5)
    blocks: dict[tuple[int, int], list[tuple[int, ...]]] = {}
    for slot in games:
        blocks.setdefault((slot.pairing, slot.deal), []).append(slot.entrants)

    assert sorted(slot.game_id for slot in games) == list(range(len(games)))
    assert course.total_games == len(games)
    assert len({deal_seed(made, slot) for slot in games}) == len(blocks)
    for tables in blocks.values():
        assert all(sorted(at) == sorted(tables[0]) for at in zip(*tables, strict=True))
    for slot in games:
        assert slot.pairing == table_number(tuple(sorted(slot.entrants)))


@pytest.mark.parametrize("name", ["round-robin", "gauntlet"])
def test_a_schedule_of_many_games_takes_no_memory(name: str) -> None:
    """The tables of 100 bots are computed as they are needed, from the first to the last."""
    made = make_random_plan(name, 100, 4, deals=1000)
    tracemalloc.start()
    course = begin_rounds(made)
    first, last = course.scheduled_game(0), course.scheduled_game(course.total_games - 1)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert next(course.batches())[0] == first
    assert sorted(first.entrants) == [0, 1, 2, 3]
    assert sorted(last.entrants) == [0 if name == "gauntlet" else 96, 97, 98, 99]
    assert peak < 1_000_000


def test_a_header_has_the_same_course() -> None:
    """A header gives the same rounds and seeds as its plan, so that a store can be checked without the
    tournament file.
    """
    made = make_random_plan("swiss", 6, 2)
    course = begin_rounds(make_header(made, "1", "0"))

    assert open_games(course) == open_games(begin_rounds(made))
    assert deal_seed(make_header(made, "1", "0"), course.scheduled_game(3)) == deal_seed(made, course.scheduled_game(3))


def test_a_bot_is_put_out_in_the_middle_of_a_round() -> None:
    """The round ends without its games, and later rounds without it.

    Resumed with the same games it goes on the same.
    """
    made = make_random_plan("swiss", 6, 2)
    courses = begin_rounds(made), begin_rounds(made)
    for course in courses:
        for slot in open_games(course):
            if 5 not in slot.entrants:
                course.add_result(draw_result(slot))
        course.advance_round(frozenset({5}))

    first, second = (open_games(course) for course in courses)
    assert first == second
    assert 5 not in {bot for slot in first for bot in slot.entrants}
    assert {2} == set(Counter(bot for slot in first for bot in slot.entrants).values())


def test_a_store_with_games_that_cannot_be() -> None:
    """A store with games that cannot be is not of this tournament: later games without those before them, other bots
    than those of the schedule, or a game after the last one.
    """
    made = make_random_plan("swiss", 6, 2, options={"rounds": 2})
    slot = open_games(begin_rounds(made))[0]
    with pytest.raises(ConfigError, match="round 1 of the format 'swiss' is not finished"):
        begin_rounds(made).advance_to(slot.game_id + 6, frozenset)
    with pytest.raises(ConfigError, match="game 0 in the store is not the one that the format 'swiss' has there"):
        begin_rounds(made).add_result(draw_result(slot._replace(entrants=(4, 5))))
    course, games = play_drawn(made)
    with pytest.raises(ConfigError, match="'swiss' has no game 12"):
        course.advance_to(len(games), frozenset)


def test_a_static_tournament_that_was_made_shorter() -> None:
    """The games beyond the end of a static tournament that was made shorter are passed over."""
    course = begin_rounds(make_random_plan("round-robin", 4, 2, 1))

    assert course.advance_to(11, frozenset)
    assert not course.advance_to(12, frozenset)


class FixedRoundsFormat:
    """A format that asks for whatever it was made with."""

    name, summary, is_static, Options = "odd", "It asks for what cannot be.", False, FormatOptions

    def __init__(self, asks: PlannedRound | Exception) -> None:
        self.asks = asks

    def check(self, field: EntrantField, options: FormatOptions) -> None:
        """Allow everything."""

    def count_blocks(self, field: EntrantField, options: FormatOptions) -> int:
        """Expect one."""
        return 1

    def rounds(self, field: EntrantField, options: FormatOptions) -> RoundGenerator:
        """Yield the one round."""
        if isinstance(self.asks, Exception):
            raise self.asks
        yield self.asks
        return None


@pytest.mark.parametrize(
    ("asks", "said"),
    [
        (PlannedRound([[0, 0]], 1), r"asks for a table \(0, 0\) in round 1; a table is 2 different ones of 3 bots"),
        (PlannedRound([[0, 3]], 1), r"asks for a table \(0, 3\) in round 1"),
        (PlannedRound([[0, 1, 2]], 1), r"asks for a table \(0, 1, 2\) in round 1"),
        (PlannedRound([], 1), "asks for 0 tables with 1 deals in round 1"),
        (PlannedRound([[0, 1]], 0), "asks for 1 tables with 0 deals in round 1"),
        (ValueError("no idea"), "the format 'odd' broke in round 1: ValueError: no idea"),
    ],
)
def test_a_format_of_a_plugin_is_broken(
    monkeypatch: pytest.MonkeyPatch, asks: PlannedRound | Exception, said: str
) -> None:
    """A broken format of a plugin is named, with what it asked for and what a table is."""
    monkeypatch.setitem(selection.load_built_in_formats(), "odd", FixedRoundsFormat(asks))

    with pytest.raises(FormatPluginError, match=said):
        begin_rounds(make_random_plan("odd", 3, 2))
