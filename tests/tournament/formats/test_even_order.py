"""The order of a round-robin: at any moment all bots have played about as often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, combinations, combinations_with_replacement, pairwise
from pathlib import Path

import msgspec
import pytest

from pitboss_tournament.formats.balanced_design import choose_tables
from pitboss_tournament.formats.even_order import iter_even_choices, order_evenly
from pitboss_tournament.plan.plan import Entrant, FormatChoice, Plan
from pitboss_tournament.rounds.round_progress import begin_rounds
from pitboss_tournament.rounds.schedule import ScheduledGame, deal_seed
from pitboss_tournament.store.header import HeaderRow, find_changes, make_header
from tests.tournament.small_tournaments import make_plan


def measure_gap(bots: int, tables: Iterable[Sequence[int]]) -> int:
    """Return the greatest difference between the numbers of games of two bots at any moment."""
    played, gap = Counter[int](dict.fromkeys(range(bots), 0)), 0
    for table in tables:
        played.update(table)
        gap = max(gap, max(played.values()) - min(played.values()))
    return gap


def plan_games(bots: int, fields: Mapping[str, object] = {}, *, is_even: bool = True) -> Plan:
    """Return the plan of a round-robin of some bots, which are never started."""
    entrants = [Entrant(name=f"bot-{number:02}", command=("true",)) for number in range(bots)]
    return make_plan(Path("unused"), *entrants, even_order=is_even, **fields)


def list_games(plan: Plan) -> list[ScheduledGame]:
    """Return the games of a plan in the order in which they begin."""
    return list(chain.from_iterable(begin_rounds(plan).batches()))


@pytest.mark.parametrize("things", range(1, 12))
@pytest.mark.parametrize("size", range(1, 6))
def test_each_choice_comes_once_and_in_turn(things: int, size: int) -> None:
    """All choices come once. Two things are at most two apart at tables of two, else at most as many as seats."""
    sets, repeated = (list(iter_even_choices(things, size, has_repeats=repeats)) for repeats in (False, True))

    assert sorted(sets) == list(combinations(range(things), size))
    assert sorted(repeated) == list(combinations_with_replacement(range(things), size))
    assert measure_gap(things, sets) <= max(2, size - 1)
    assert measure_gap(things, repeated) <= max(2, size)


def test_an_even_number_of_bots_plays_in_rounds() -> None:
    """By the circle method everybody plays once in each round, and meets all others in the fewest rounds."""
    pairs = list(iter_even_choices(8, 2, has_repeats=False))
    rounds = [pairs[first : first + 4] for first in range(0, 28, 4)]

    assert all(sorted(chain.from_iterable(one)) == list(range(8)) for one in rounds)


def test_a_chosen_list_of_tables() -> None:
    """A balanced choice of tables comes in an even order, too."""
    tables = choose_tables(16, 4, 60)
    ordered = [tables[number] for number in order_evenly(tables)]

    assert sorted(ordered) == sorted(tables)
    assert measure_gap(16, ordered) <= 2 < measure_gap(16, tables)


@pytest.mark.parametrize(
    ("bots", "fields", "bound"),
    [
        (24, {"deals": 1}, 12),  # a process serves a bot at several tables: 552 games
        (24, {"deals": 30}, 80),  # batches of twenty deals in two orders
        (23, {"deals": 1, "order": "deals"}, 12),
        (12, {"deals": 2, "seats": 4}, 128),
        (16, {"deals": 1, "seats": 4, "format": FormatChoice(options={"tables": 60})}, 24),
    ],
)
def test_at_each_moment_all_have_played_about_as_often(bots: int, fields: dict[str, object], bound: int) -> None:
    """At each moment of a run in the order of the schedule the numbers of games differ by at most this bound.

    It is two or three batches of a bot.
    """
    games = list_games(plan_games(bots, fields))
    by_name = list_games(plan_games(bots, fields, is_even=False))
    gap, before = (measure_gap(bots, [game.entrants for game in order]) for order in (games, by_name))

    assert gap <= bound
    assert gap < before


def test_the_order_changes_no_game() -> None:
    """The games, their numbers and their cards are those of the order by names."""
    even, by_name = (plan_games(9, {"deals": 3}, is_even=is_even) for is_even in (True, False))
    listed = [sorted((*game, deal_seed(made, game)) for game in list_games(made)) for made in (even, by_name)]

    assert listed[0] == listed[1]
    assert list_games(even) != list_games(by_name)


def test_a_store_of_an_earlier_pitboss_goes_on_in_its_order() -> None:
    """A store that lacks the setting has its tables by name, is no other tournament, and goes on so."""
    header = make_header(plan_games(6), "1", "0")
    plain = msgspec.json.decode(msgspec.json.encode(header.row))
    del plain["even_order"]
    earlier = msgspec.convert(plain, HeaderRow)
    tables = [game.entrants for game in list_games(plan_games(6, {"deals": 20}, is_even=earlier.even_order))]

    assert find_changes(earlier, header.row) == []
    assert all(sorted(one) <= sorted(next_one) for one, next_one in pairwise(tables))
