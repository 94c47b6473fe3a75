"""Control variate: the luck is taken out of block means, and their expectation stays what it was."""

from __future__ import annotations

from math import factorial, prod
from random import Random
from statistics import fmean

import pytest
from msgspec.structs import replace

from pitboss_tournament.statistics.blocks import complete_blocks, points
from pitboss_tournament.statistics.control_variate import MIN_FITTED_BLOCKS, luck_means, means_by_block, remove_luck
from tests.tournament.statistics.sample_results import duel_results

BLOCKS = MIN_FITTED_BLOCKS + 1
KINDS = [
    (0.5, -1.0, 1.0),
    (0.3, 0.0, -2.0),
    (0.2, 2.5, 7.0),
]  # of blocks: probability, luck, by how much bot 0 is ahead


def count_each_kind(total: int, kinds: int) -> list[tuple[int, ...]]:
    """Return all ways to have `total` blocks of some kinds."""
    if kinds == 1:
        return [(total,)]
    return [(first, *rest) for first in range(total + 1) for rest in count_each_kind(total - first, kinds - 1)]


def test_the_expectation_over_all_samples() -> None:
    """With eleven blocks of three kinds, all 78 samples and their probabilities are known.

    The expected mean without luck is the true one, exactly. It would not be if the weight were fitted on all blocks.
    """
    expected = fitted_on_all = 0.0
    for counts in count_each_kind(BLOCKS, len(KINDS)):
        drawn = [kind for kind, count in zip(KINDS, counts, strict=True) for _ in range(count)]
        chance = factorial(BLOCKS) * prod(
            share**count / factorial(count) for (share, _, _), count in zip(KINDS, counts, strict=True)
        )
        means, luck = [{0: ahead, 1: -ahead} for _, _, ahead in drawn], [{0: had, 1: -had} for _, had, _ in drawn]
        expected += chance * sum(block[0] for block in remove_luck(means, luck, means)) / BLOCKS
        fitted_on_all += chance * mean_less_common_luck([(had, ahead) for _, had, ahead in drawn])

    truth = sum(share * ahead for share, _, ahead in KINDS)
    assert sum(share * had for share, had, _ in KINDS) == pytest.approx(0)
    assert expected == pytest.approx(truth, abs=1e-12)
    assert abs(fitted_on_all - truth) > 0.01


def mean_less_common_luck(blocks: list[tuple[float, float]]) -> float:
    """Return the mean with one weight for all blocks, fitted on them."""
    luck, ahead = fmean(had for had, _ in blocks), fmean(value for _, value in blocks)
    squares = sum((had - luck) ** 2 for had, _ in blocks)
    slope = sum((had - luck) * value for had, value in blocks) / squares if squares else 0.0
    return ahead - max(-1.0, min(1.0, slope)) * luck


def test_luck_that_explains_everything() -> None:
    """Blocks that differ by their luck alone are equal without it, in points and in a measure of another scale."""
    rng = Random(1)
    lucky = [rng.gauss(0, 1) for _ in range(20)]
    luck, scored = [{0: had, 1: -had} for had in lucky], [{0: 5 + 2 * had, 1: 5 - 2 * had} for had in lucky]
    shares = [{entrant: mean / 10 for entrant, mean in block.items()} for block in scored]

    assert [block[0] for block in remove_luck(shares, [{0: 2 * b[0], 1: 2 * b[1]} for b in luck], scored)] == (
        pytest.approx([0.5] * 20)
    )
    halved = remove_luck(scored, luck, scored)  # a point of luck counts for no more than a point
    assert [block[0] for block in halved] == pytest.approx([5 + had for had in lucky])


def test_luck_without_a_bearing_on_results() -> None:
    """Where results do not differ, or nobody had any luck, they stay as they are; so do ten blocks or fewer."""
    rng = Random(1)
    lucky = [{0: had, 1: -had} for had in (rng.gauss(0, 1) for _ in range(20))]
    level, none = [{0: 5.0, 1: 5.0}] * 20, [{0: 0.0, 1: 0.0}] * 20

    assert remove_luck(level, lucky, level) == level
    assert remove_luck(lucky, none, lucky) == lucky
    assert remove_luck(lucky[:10], lucky[:10], lucky[:10]) == lucky[:10]
    assert remove_luck([], [], []) == []


def test_luck_by_seat() -> None:
    """Luck counts above the mean of the table, by the bots of the seats, over the games of a block.

    Half of what bot 0 is ahead by is luck.
    """
    games = duel_results(*[(float(number), 0.0) for number in range(12)])
    numbered = [replace(game, game_id=number) for number, game in enumerate(games)]
    blocks = complete_blocks(numbered)
    luck = {game.game_id: [game.deal + 3.0, 3.0] if game.rotation == 0 else [0.0, 0.0] for game in numbered}

    assert luck_means(blocks[4], luck) == {0: 1.0, 1: -1.0}
    plain, less = means_by_block(blocks, points), means_by_block(blocks, points, luck)
    assert plain[4] == {0: 2.0, 1: 0.0}
    assert [block[0] for block in less] == pytest.approx([number / 4 for number in range(12)])
