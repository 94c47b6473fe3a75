"""Rankings: how games are taken apart, and who can be compared."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss_tournament.statistics.linear_algebra import inverse, sandwich
from pitboss_tournament.statistics.rankings import RankingCounts, group_comparable, list_bits, split_stages
from tests.synthetic_tournaments import game_result
from tests.tournament.statistics.sample_results import count_rankings, league_results


def test_the_stages_of_a_ranking() -> None:
    """At each stage those who are left to choose from, and who is next, or who together.

    Who is last alone was not chosen.
    """
    assert ([0b1111, 0b0111], [(3, 1), (0, 0.5), (2, 0.5)], [2]) == split_stages([1, 2, 2, 4], [3, 0, 2, 1])
    assert ([0b11], [(0, 0.5), (1, 0.5)], [2]) == split_stages([1, 1], [0, 1])
    assert ([], [], []) == split_stages([1], [0])

    menus, chosen, ties = split_stages([1, 2, 3], [1, 2, 0])
    assert {0b111, 0b101} == set(menus)
    assert ([(1, 1), (2, 1)], []) == (chosen, ties)


@given(st.sets(st.integers(0, 300)))
def test_members_as_bits(numbers: set[int]) -> None:
    """A set of numbers, as bits and back."""
    assert tuple(sorted(numbers)) == list_bits(sum(1 << number for number in numbers))


def test_equal_games_are_counted_together() -> None:
    """Equal rankings in the same seats are stored once.

    The games of a tournament take no more room than there are different ones, but for a number a game.
    """
    rankings = count_rankings(league_results(50))

    assert len(rankings.rankings) <= 4 * 3 * 6
    assert sum(rankings.counts) == sum(map(len, rankings.blocks.values())) == 150


def test_sides_as_they_end() -> None:
    """A side is ranked as one, under the names of its members, and has the number of its seats."""
    rankings = RankingCounts(sides=((0, 2), (1, 3)))
    rankings.add(game_result(0, 0, 0, (7, 3, 5, 4), [1.0, 2.0, 1.0, 2.0]))

    assert [((1, (3, 4), 1), (3, (5, 7), 0))] == rankings.rankings


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=8))
def test_bots_alone_can_be_compared_when_a_chain_of_games_connects_them(edges: list[tuple[int, int]]) -> None:
    """That is what the groups say, by another way of finding out."""
    group = list(range(7))
    for one, other in edges:
        group = [group[one] if own == group[other] else own for own in group]

    found = group_comparable((((one,), (other,)) for one, other in edges), range(7))
    assert sorted(entrant for members in found for entrant in members) == list(range(7))
    for one, other in combinations(range(7), 2):
        assert (group[one] == group[other]) == any({one, other} <= set(members) for members in found)


def test_partners_can_be_compared_as_soon_as_they_have_been_parted() -> None:
    """With 0 and 1 always together nothing tells them apart; one game in other sides does."""
    pairs = [((0, 1), (2, 3)), ((0, 1), (2, 4)), ((0, 1), (3, 4))]

    assert [[0], [1], [2, 3, 4]] == group_comparable(pairs, range(5))
    assert [[0, 1, 2, 3, 4]] == group_comparable([*pairs, ((0, 2), (1, 3))], range(5))


def test_sides_of_unequal_size() -> None:
    """A side counts as the mean of its members.

    Two equal bots against a third tell how each of them compares with it.
    """
    assert [[0, 1, 2]] == group_comparable([((0, 1), (2,)), ((0,), (1,))], range(3))
    assert [[0], [1], [2]] == group_comparable([((0, 1), (2,))], range(3))


def test_the_algebra() -> None:
    """A matrix times its inverse is one, and a sandwich of it and its inverse is the inverse."""
    rng = Random(1)
    half = [[rng.gauss(0, 1) for _ in range(6)] for _ in range(6)]
    matrix = [
        [sum(a * b for a, b in zip(row, column, strict=True)) + (row is column) for column in half] for row in half
    ]
    other = inverse(matrix)

    for number, row in enumerate(matrix):
        product = [sum(a * b for a, b in zip(row, column, strict=True)) for column in other]
        assert product == pytest.approx([float(number == k) for k in range(6)], abs=1e-9)
    for one, two in zip(sandwich(other, matrix), other, strict=True):
        assert one == pytest.approx(two)
