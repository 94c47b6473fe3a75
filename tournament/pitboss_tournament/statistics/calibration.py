"""Calibration of the statistics on synthetic tournaments: for bench/ and the tests, never for the runner."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from random import Random
from typing import Final

from msgspec import Struct

from pitboss_tournament.statistics.blocks import score_block
from pitboss_tournament.statistics.head_to_head import HeadToHead
from pitboss_tournament.statistics.pairwise import compare_entrants
from pitboss_tournament.statistics.ratings import rate_results
from pitboss_tournament.statistics.running_moments import Estimate
from pitboss_tournament.statistics.running_standings import RunningStandings
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.statistics.sequential_test import SequentialVerdict
from pitboss_tournament.statistics.synthetic_tournaments import SyntheticTournament

KINDS: Final = ("points", "wins", "ratings", "rating differences", "pairs by points", "pairs by place")
CLOSE_LOOK_BLOCKS: Final = 25  # from here on the sequential test is looked at only after every fifth block


class RunningShare(Struct):
    """Share of true cases over several trials; the cases of one trial are not independent."""

    trials: int = 0
    cases: int = 0
    total: float = 0.0  # of the trials' shares
    squares: float = 0.0

    def add(self, cases: list[bool]) -> None:
        """Add the cases of a trial; a trial without cases does not count."""
        if cases:
            share = sum(cases) / len(cases)
            self.trials += 1
            self.cases += len(cases)
            self.total += share
            self.squares += share * share

    @property
    def share(self) -> float:
        """Mean over trials."""
        return self.total / self.trials

    @property
    def error(self) -> float:
        """Standard error of the share, with one more trial that was half true, so that it is never 0."""
        mean = (self.total + 1 / 2) / (self.trials + 1)
        return sqrt(((self.squares + 1 / 4) / (self.trials + 1) - mean**2) / self.trials)


def collect_estimates(world: SyntheticTournament, games: list[GameResult]) -> dict[str, list[Estimate]]:
    """Return all estimates that the statistics make of a tournament's games, by kind, always in the same order."""
    tally = RunningStandings(world.names, world.seats, disqualify_after=1)
    tally.add_all(games)
    lines = sorted(tally.standings(), key=lambda line: line.name)
    rated = rate_results(games, world.names)
    pairs = compare_entrants(games, len(world.names))
    own = [
        [line.points for line in lines],
        [line.wins for line in lines],
        [rated.rating_of(number).points for number in range(len(lines))],
    ]
    of_two = [
        [rated.difference(pair.entrant, pair.other) for pair in pairs],
        [pair.points.estimate for pair in pairs],
        [pair.places.estimate for pair in pairs],
    ]
    return dict(zip(KINDS, own + of_two, strict=True))


def compute_truth(world: SyntheticTournament, blocks: int = 40_000, seed: int = 0) -> dict[str, list[float]]:
    """Return the true values of the estimates, from very many blocks."""
    known = collect_estimates(world, list(world.games(blocks, Random(f"truth/{seed}"))))
    return {kind: [estimate.mean or 0.0 for estimate in own] for kind, own in known.items()}


def measure_coverage(
    world: SyntheticTournament, true: dict[str, list[float]], blocks: int, trials: int, seed: int = 0
) -> dict[str, RunningShare]:
    """Return by kind the share of 95 % intervals that contain the true value, where there is an interval."""
    shares = {kind: RunningShare() for kind in KINDS}
    for number in range(trials):
        games = list(world.games(blocks, Random(f"trial/{seed}/{blocks}/{number}")))
        for kind, own in collect_estimates(world, games).items():
            shares[kind].add(list(_check_intervals(own, true[kind])))
    return shares


def run_pair_trials(
    world: SyntheticTournament, most: int, trials: int, delta: float | None = None, seed: int = 0
) -> Iterator[tuple[SequentialVerdict, int]]:
    """Yield (verdict, blocks) of each trial: bots 0 and 1 are tested repeatedly, over at most `most` blocks."""
    for number in range(trials):
        meetings = HeadToHead(len(world.strengths))
        verdict: SequentialVerdict = "undecided"
        blocks = 0
        for block in world.blocks(most, Random(f"verdict/{seed}/{number}")):
            meetings.add(score_block(block))
            blocks += 1
            if blocks < CLOSE_LOOK_BLOCKS or blocks % 5 == 0:
                verdict = meetings.judge_pair(0, 1, delta=delta)
                if verdict != "undecided":
                    break
        yield verdict, blocks


def run_ranking_trials(
    world: SyntheticTournament, most: int, trials: int, seed: int = 0
) -> Iterator[tuple[bool, bool, int]]:
    """Yield (is_settled, is_right, blocks) of each trial.

    A ranking is right in the order in which the bots are listed, best first.
    """
    best_first = list(range(len(world.strengths)))
    for number in range(trials):
        meetings = HeadToHead(len(best_first))
        is_settled, order, blocks = False, best_first, 0
        for block in world.blocks(most, Random(f"settling/{seed}/{number}")):
            meetings.add(score_block(block))
            blocks += 1
            if blocks % 10 == 0:
                order = meetings.rank_bots(best_first)
                is_settled = not meetings.undecided_pairs(order)
                if is_settled:
                    break
        yield is_settled, order == best_first, blocks


def _check_intervals(estimates_of_kind: list[Estimate], true: list[float]) -> Iterator[bool]:
    for estimate, value in zip(estimates_of_kind, true, strict=True):
        if estimate.mean is not None and estimate.half_width is not None:
            yield abs(estimate.mean - value) <= estimate.half_width + 1e-9
