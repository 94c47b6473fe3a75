"""Cycles of bots: found where they are proven, rarely claimed where they are not, and alpha-rank beside the rating."""

from __future__ import annotations

from random import Random

import pytest

from pitboss.plugins.formats import PlayedBlock
from pitboss_tournament.statistics.cycles import compute_alpha_ranks, find_cycles, find_proven
from pitboss_tournament.statistics.head_to_head import HeadToHead
from pitboss_tournament.statistics.sequential_test import TEST_ERROR


def play_pairs(chances: dict[tuple[int, int], float], bots: int, blocks: int, seed: str) -> HeadToHead:
    """Return blocks of one game between each two bots, by the chance that the first wins."""
    meetings, rng = HeadToHead(bots), Random(seed)
    for _ in range(blocks):
        for (one, other), chance in chances.items():
            won = float(rng.random() < chance)
            meetings.add(PlayedBlock({one: won, other: 1 - won}, {one: won, other: 1 - won}))
    return meetings


CYCLE = {(0, 1): 0.7, (1, 2): 0.7, (0, 2): 0.3}


def test_each_beats_the_next() -> None:
    """The cycle is found once, in its direction; the three share the alpha-rank, and a bot that loses to all has
    nothing of it.
    """
    losing = {(number, 3): 0.9 for number in range(3)}
    meetings = play_pairs(CYCLE | losing, 4, 400, "cycle")

    assert find_cycles(meetings, range(4)) == [(0, 1, 2)]
    ranks = compute_alpha_ranks(meetings, range(4))
    assert [ranks[number] for number in range(4)] == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0], abs=0.001)


def test_the_other_way_round() -> None:
    """The direction of a cycle is that of the results."""
    turned = {pair: 1 - chance for pair, chance in CYCLE.items()}

    assert find_cycles(play_pairs(turned, 3, 400, "turned"), range(3)) == [(0, 2, 1)]


def test_bots_in_an_order() -> None:
    """Bots in an order have no cycle; the best has all of the alpha-rank."""
    order = {(0, 1): 0.7, (1, 2): 0.7, (0, 2): 0.85}
    meetings = play_pairs(order, 3, 400, "order")

    assert find_cycles(meetings, range(3)) == []
    assert find_proven(meetings, range(3)) == {(0, 1), (1, 2), (0, 2)}
    assert compute_alpha_ranks(meetings, range(3))[0] == pytest.approx(1, abs=0.001)


def test_as_many_blocks_as_for_one_pair() -> None:
    """Among three bots a pair is proven for a cycle by as few blocks as by a test of this pair alone."""
    meetings, blocks = HeadToHead(3), 0
    while meetings.judge_pair(0, 1) == "undecided":
        assert find_proven(meetings, range(3)) == set(), blocks
        meetings.add(PlayedBlock({0: 1.0, 1: 0.0}, {0: 1.0, 1: 0.0}))
        blocks += 1

    assert find_proven(meetings, range(3)) == {(0, 1)}


def test_two_bots_and_none() -> None:
    """Two bots, and none, have no cycle, which needs three."""
    for bots in range(3):
        assert find_cycles(HeadToHead(bots), range(bots)) == []


@pytest.mark.once
def test_two_sides_of_a_triangle_are_true() -> None:
    """A cycle is claimed in at most 5 % of tournaments, looked at after every tenth block, where A beats B and B beats
    C for sure, and A and C are equal.
    """
    trials, claimed = 150, 0
    for number in range(trials):
        meetings, rng = HeadToHead(3), Random(f"edge/{number}")
        for block in range(1, 201):
            for one, other, chance in ((0, 1, 0.9), (1, 2, 0.9), (0, 2, 0.5)):
                won = float(rng.random() < chance)
                meetings.add(PlayedBlock({one: won, other: 1 - won}, {}))
            if block % 10 == 0 and find_cycles(meetings, range(3)):
                claimed += 1
                break

    assert claimed <= (TEST_ERROR + 2 * (TEST_ERROR * (1 - TEST_ERROR) / trials) ** 0.5) * trials
