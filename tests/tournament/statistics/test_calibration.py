"""Short trials in worlds with a known truth; `tests.soak.calibration` and `tests.soak.stop_rule` are the long form."""

from __future__ import annotations

import pytest

from tests.marks import first_rows
from tests.soak.calibration import KINDS, compute_truth, measure_coverage
from tests.soak.rating_coverage import DESIGNS, MIN_COVERAGE, measure_rating_coverage
from tests.soak.running_share import RunningShare, is_kept
from tests.soak.stop_rule import run_pair_trials, run_ranking_trials
from tests.synthetic_tournaments import SyntheticTournament

pytestmark = pytest.mark.once

WORLDS = [
    SyntheticTournament(strengths=(0.6, 0.0, -0.6), seats=3, card_share=0.5, step=5),
    SyntheticTournament(strengths=(0.3, -0.3), seats=2, card_share=0.2, affinity=0.4, advantage=(0.4, 0.0)),
    SyntheticTournament(strengths=(0.6, 0.2, -0.2, -0.6), seats=4, card_share=0.5, draw_share=0.8),
    SyntheticTournament(strengths=(0.5, 0.0, -0.5), seats=3, card_share=0.5, tail=0.2, pot=True),
]


@pytest.mark.long
@pytest.mark.parametrize("world", WORLDS)
def test_intervals_hold_the_truth(world: SyntheticTournament) -> None:
    """About 95 % of the 95 % intervals contain the true value.

    At 10 and at 60 blocks, for means, ratings and pairs, however the games of a block depend on each other.
    """
    true = compute_truth(world, blocks=6000)

    for blocks, trials in ((10, 250), (60, 100)):
        for kind, share in measure_coverage(world, true, blocks, trials).items():
            most = 1.0 if kind.startswith("rating") else 0.97
            assert 0.93 - 3 * share.error < share.share < most + 3 * share.error, (kind, blocks)


@first_rows(1)(
    ("name", "trials"), [("gauntlet of 4, 10 deals, 450 points apart", 60), ("swiss of 16, 10 deals, equal", 25)]
)
def test_ratings_of_bots_with_few_blocks_or_paired_by_results(name: str, trials: int) -> None:
    """The 95 % intervals of bots with few blocks or paired by results contain the true value in at least 93 %."""
    for kind, share in measure_rating_coverage(DESIGNS[name], trials).items():
        assert is_kept(share, MIN_COVERAGE, 1.0), (kind, share)


def test_intervals_when_all_games_tie() -> None:
    """The intervals hold the truth when all games tie, and where there is no scale none is claimed."""
    world = SyntheticTournament(strengths=(0.0, 0.0), seats=2, draw_share=1.0)
    shares = measure_coverage(
        world,
        {kind: [0.5 if kind == "wins" else 0.0] * 2 for kind in KINDS[:2]} | {kind: [0.0] for kind in KINDS[2:]},
        10,
        3,
    )

    assert [0, 3, 0, 0, 0, 3] == [share.trials for share in shares.values()]
    assert all(share.share == 1 for share in shares.values() if share.trials)


def test_equal_bots_are_rarely_told_apart() -> None:
    """The test claims a false difference of equal bots in at most 5 % of the tournaments, looked at after
    every block.
    """
    wrong = RunningShare()
    for verdict, _ in run_pair_trials(
        SyntheticTournament(strengths=(0, 0), seats=2, card_share=0.5, step=12), 120, 100
    ):
        wrong.add([verdict != "undecided"])

    assert wrong.share <= 0.05 + 3 * wrong.error


def test_the_better_bot_is_found_with_fewer_blocks_than_a_fixed_number() -> None:
    """A clearly better bot is proven better, never worse.

    It takes fewer than the 432 blocks that a fixed sample needs for a difference of 0.1.
    """
    ends = list(
        run_pair_trials(SyntheticTournament(strengths=(0.4, -0.4), seats=2, card_share=0.5), 432, 30, delta=0.1)
    )

    assert {"better"} == {verdict for verdict, _ in ends}
    assert sum(blocks for _, blocks in ends) / 30 < 120


def test_rankings_are_settled_rightly() -> None:
    """Bots that are well apart are put in order, the right one."""
    for is_settled, is_right, blocks in run_ranking_trials(
        SyntheticTournament(strengths=(1.0, 0.0, -1.0), seats=3, card_share=0.5), 300, 10
    ):
        assert (is_settled, is_right) == (True, True)
        assert blocks < 200
