"""Rankings: how games are taken apart, and who can be compared."""

from __future__ import annotations

import sys
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss_tournament.plan.seating import seat_orders
from pitboss_tournament.statistics.rankings import (
    Contender,
    RankingCounts,
    group_comparable,
    list_untied,
    order_places,
)
from tests.synthetic_tournaments import game_result
from tests.tournament.statistics.sample_results import count_rankings, league_results


def test_the_pairs_of_a_ranking() -> None:
    """The pairs of a ranking are each two that do not tie, the one ahead first."""
    all_six = ((1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4))
    assert ((1, 2, 3, 4), all_six, 5.0) == list_untied(0, 4)
    assert ((1, 2, 2, 4), ((1, 2), (1, 3), (1, 4), (2, 4), (3, 4)), 4.5) == list_untied(0b010, 4)
    assert ((1, 1, 3, 3), ((1, 3), (1, 4), (2, 3), (2, 4)), 4.0) == list_untied(0b101, 4)
    assert ((1, 1), (), 0.0) == list_untied(0b1, 2)
    assert ((1,), (), 0.0) == list_untied(0, 1)
    assert (0b010, (2, 0, 3, 1)) == order_places((3, 4, 1, 3))


def test_complete_blocks_are_packed() -> None:
    """A game of three seats takes four bytes, and is read as it was added, whatever the order of the games."""
    games = league_results(50)
    loose, packed = count_rankings(games), RankingCounts(block_games=3)
    for game in sorted(games, key=lambda game: game.rotation):
        packed.add(game)

    assert sys.getsizeof(packed._complete) < 150 * 4 * 1.2 + 100
    assert loose.block_count == packed.block_count == 50
    assert _name_blocks(loose) == _name_blocks(packed)


@pytest.mark.long
@pytest.mark.parametrize("bots", [300, pytest.param(70_000, marks=pytest.mark.once)])
def test_numbers_that_need_more_bytes(bots: int) -> None:
    """Blocks are read as they were added, however many bytes the numbers of the bots need."""
    rankings = RankingCounts(block_games=1)
    for bot in range(bots):
        rankings.add(game_result(bot, 0, 0, (bot,), [1.0]))

    assert [[(0, (((bot,), 0),))] for bot in range(bots)] == _name_blocks(rankings)


def test_a_block_with_tables_of_several_sizes() -> None:
    """A block with tables of several sizes, which a damaged store may have, counts its games as they are."""
    rankings = RankingCounts(block_games=2)
    for deal in range(2):
        rankings.add(game_result(0, deal, 0, (0, 1), [2.0, 1.0]))
        rankings.add(game_result(0, deal, 1, (1, 0, 2)[: 2 + deal], [3.0, 2.0, 1.0][: 2 + deal]))

    assert [[3, 3], [3, 4]] == [[len(game) for game in block] for block in rankings.blocks()]


@pytest.mark.parametrize("block_games", [12, None])
def test_how_often_the_same_sides_meet_in_a_block(block_games: int | None) -> None:
    """The same sides meet in a third of a block's games where partners change; bots of their own meet in
    all of them.
    """
    sides = ((0, 2), (1, 3))
    orders = seat_orders("partners", 4, sides)
    games = [
        game_result(0, deal, number, order, [1.0, 0.0, 1.0, 0.0])
        for deal in range(2)
        for number, order in enumerate(orders)
    ]
    paired, alone = RankingCounts(sides, block_games), RankingCounts(None, block_games)
    assert [1, 1] == [paired.most_meetings, alone.most_meetings]
    for game in games:
        paired.add(game)
        alone.add(game)

    assert [12, 4, 12] == [len(orders), paired.most_meetings, alone.most_meetings]


def test_sides_as_they_end() -> None:
    """A side is ranked as one, under the names of its members, and has the number of its seats."""
    rankings = RankingCounts(sides=((0, 2), (1, 3)))
    rankings.add(game_result(0, 0, 0, (7, 3, 5, 4), [1.0, 2.0, 1.0, 2.0]))

    assert [[(0, (((3, 4), 1), ((5, 7), 0)))]] == _name_blocks(rankings)


def _name_blocks(rankings: RankingCounts) -> list[list[tuple[int, tuple[Contender, ...]]]]:
    """Return the games of each block, sorted: the bits of their ties, and who was ranked."""
    blocks = [
        [(ties, tuple(rankings.contenders[number] for number in numbers)) for ties, *numbers in block]
        for block in rankings.blocks()
    ]
    return sorted(blocks)


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=8))
def test_bots_alone_can_be_compared_when_a_chain_of_games_connects_them(edges: list[tuple[int, int]]) -> None:
    """The groups hold exactly the bots that a chain of games connects, by another way of finding out."""
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
