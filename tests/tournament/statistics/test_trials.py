"""Short trials in worlds with a known truth; `bench/certainty.py` is the long form."""

from __future__ import annotations

import pytest

from pitboss_tournament.statistics.trials import KINDS, Share, coverage, settlings, truth, verdicts
from pitboss_tournament.statistics.worlds import World

pytestmark = pytest.mark.once

WORLDS = [
    World(strengths=(0.6, 0.0, -0.6), seats=3, deal=0.5, step=5),
    World(strengths=(0.3, -0.3), seats=2, deal=0.2, suit=0.4, advantage=(0.4, 0.0)),
    World(strengths=(0.6, 0.2, -0.2, -0.6), seats=4, deal=0.5, drawn=0.8),
    World(strengths=(0.5, 0.0, -0.5), seats=3, deal=0.5, tail=0.2, pot=True),
]


@pytest.mark.parametrize("world", WORLDS)
def test_intervals_hold_the_truth(world: World) -> None:
    """Of those said to be of 95 % about 95 % do, at 10 and at 60 blocks, for means, ratings and pairs, whatever way the games of a block depend on each other."""
    true = truth(world, blocks=6000)

    for blocks, trials in ((10, 250), (60, 100)):
        for kind, share in coverage(world, true, blocks, trials).items():
            assert 0.93 - 3 * share.error < share.share < 0.97 + 3 * share.error, (kind, blocks)


def test_intervals_when_all_games_tie() -> None:
    """They hold the truth, and where there is no scale none is claimed."""
    world = World(strengths=(0.0, 0.0), seats=2, drawn=1.0)
    shares = coverage(
        world, {kind: [0.5 if kind == "wins" else 0.0] * 2 for kind in KINDS[:3]} | {kind: [0.0] for kind in KINDS[3:]}, 10, 3
    )

    assert [0, 3, 3, 3, 0, 3] == [share.trials for share in shares.values()]
    assert all(share.share == 1 for share in shares.values() if share.trials)


def test_equal_bots_are_rarely_told_apart() -> None:
    """Looked at after every block, the test claims a difference where there is none in at most 5 % of the tournaments."""
    wrong = Share()
    for verdict, _ in verdicts(World(strengths=(0, 0), seats=2, deal=0.5, step=12), 120, 100):
        wrong.add([verdict != "undecided"])

    assert wrong.share <= 0.05 + 3 * wrong.error


def test_the_better_bot_is_found_with_fewer_blocks_than_a_fixed_number() -> None:
    """A bot clearly better is proven so, never worse, and sooner than by the 432 blocks that finding a difference of 0.1 would take."""
    ends = list(verdicts(World(strengths=(0.4, -0.4), seats=2, deal=0.5), 432, 30, delta=0.1))

    assert {"better"} == {verdict for verdict, _ in ends}
    assert sum(blocks for _, blocks in ends) / 30 < 120


def test_rankings_are_settled_rightly() -> None:
    """Bots that are well apart are put in order, the right one."""
    for is_settled, is_right, blocks in settlings(World(strengths=(1.0, 0.0, -1.0), seats=3, deal=0.5), 300, 10):
        assert (is_settled, is_right) == (True, True)
        assert blocks < 200
