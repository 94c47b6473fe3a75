"""Control variate: the luck is taken out of block means, and their expectation stays what it was."""

from __future__ import annotations

from math import factorial, prod
from random import Random
from statistics import fmean, pvariance

import pytest
from msgspec.structs import replace

from pitboss.records.luck_features import FEATURES
from pitboss_tournament.statistics.blocks import complete_blocks, points
from pitboss_tournament.statistics.control_variate import MIN_FITTED_BLOCKS, luck_means, means_by_block, remove_luck
from tests.tournament.statistics.sample_luck import NOTHING, value_luck
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
        means = [{0: ahead, 1: -ahead} for _, _, ahead in drawn]
        luck = [lucky_block(had) for _, had, _ in drawn]
        expected += chance * sum(block[0] for block in remove_luck(means, luck)) / BLOCKS
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


def lucky_block(had: float) -> dict[int, list[float]]:
    """Return a block in which bot 0 had luck, at the expense of bot 1, by one feature."""
    return {0: value_luck(had), 1: value_luck(-had)}


@pytest.mark.parametrize("scale", [0.1, 1.0, 3.0])
def test_luck_that_explains_everything(scale: float) -> None:
    """Blocks that differ by their luck alone are nearly equal without it, whatever a point of luck is worth."""
    rng = Random(1)
    lucky = [rng.gauss(0, 1) for _ in range(200)]
    scored = [{0: 5 + scale * had, 1: 5 - scale * had} for had in lucky]
    less = remove_luck(scored, [*map(lucky_block, lucky)])

    assert [block[0] for block in less] == pytest.approx([5] * 200, abs=0.05 * scale)


def test_two_features() -> None:
    """Each of two features has the weight of its own bearing on the results."""
    rng = Random(1)
    had = [(rng.gauss(0, 1), rng.gauss(0, 1)) for _ in range(400)]
    luck = [{0: [value, -square, *NOTHING[2:]], 1: [-value, square, *NOTHING[2:]]} for value, square in had]
    scored = [{0: 2 * value + square, 1: -2 * value - square} for value, square in had]

    assert pvariance(block[0] for block in remove_luck(scored, luck)) < 0.02


def test_luck_without_a_bearing_on_results() -> None:
    """Results that do not differ, or in which nobody had any luck, stay as they are; so do ten blocks or fewer."""
    rng = Random(1)
    drawn = [rng.gauss(0, 1) for _ in range(20)]
    luck, scored = [*map(lucky_block, drawn)], [{0: had, 1: -had} for had in drawn]
    level, none = [{0: 5.0, 1: 5.0}] * 20, [lucky_block(0.0)] * 20

    assert remove_luck(level, luck) == level
    assert remove_luck(scored, none) == scored
    assert remove_luck(scored[:10], luck[:10]) == scored[:10]
    assert remove_luck([], []) == []


def test_features_that_explain_nothing() -> None:
    """Luck without a bearing on the results costs next to nothing, though there are many features."""
    rng = Random(2)
    kinds, drawn = range(len(FEATURES)), [rng.gauss(0, 1) for _ in range(60)]
    scored = [{0: ahead, 1: -ahead} for ahead in drawn]
    luck = [{0: had, 1: [-one for one in had]} for had in ([rng.gauss(0, 1) for _ in kinds] for _ in drawn)]

    assert pvariance(block[0] for block in remove_luck(scored, luck)) < 1.05 * pvariance(drawn)


def test_a_block_is_not_judged_by_itself() -> None:
    """The luck that is taken out of a block does not depend on the block's own results, and depends on
    those of others.
    """
    rng = Random(3)
    drawn = [rng.gauss(0, 1) for _ in range(30)]
    luck, scored = [*map(lucky_block, drawn)], [{0: 2 * had + rng.gauss(0, 1), 1: -2 * had} for had in drawn]
    changed = [{0: 50.0, 1: -7.0}, *scored[1:]]
    taken, taken_then = (
        [mean[0] - less[0] for mean, less in zip(means, remove_luck(means, luck), strict=True)]
        for means in (scored, changed)
    )

    assert taken_then[0] == pytest.approx(taken[0])
    assert taken_then[1] != pytest.approx(taken[1])


def test_luck_by_seat() -> None:
    """Luck counts by the bots of the seats, over the games of a block. Half of what bot 0 is ahead by is luck."""
    games = duel_results(*[(float(number), 0.0) for number in range(200)])
    numbered = [replace(game, game_id=number) for number, game in enumerate(games)]
    blocks = complete_blocks(numbered)
    luck = {
        game.game_id: [value_luck(game.deal), value_luck(-game.deal)] if game.rotation == 0 else [NOTHING, NOTHING]
        for game in numbered
    }

    assert luck_means(blocks[4], luck) == {0: value_luck(2.0), 1: value_luck(-2.0)}
    plain, less = means_by_block(blocks, points), means_by_block(blocks, points, luck)
    assert plain[4] == {0: 2.0, 1: 0.0}
    assert [block[0] for block in less] == pytest.approx([number / 4 for number in range(200)], rel=0.05)
