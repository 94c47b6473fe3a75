"""Trials: how often the statistics are right in worlds in which the truth is known."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from random import Random

from msgspec import Struct

from pitboss_tournament.statistics.pairwise import compare_entrants
from pitboss_tournament.statistics.ratings import rate_results
from pitboss_tournament.statistics.running_standings import Estimate, RunningStandings
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.statistics.sequential_test import SequentialComparison, SequentialVerdict
from pitboss_tournament.statistics.synthetic_tournaments import SyntheticTournament

KINDS = ("points", "wins", "ratings", "rating differences", "pairs by points", "pairs by place")
CLOSE_LOOK_BLOCKS = 25  # blocks, from which on the sequential test is looked at only after every fifth


class RunningShare(Struct):
    """How often something was so, in several trials of several cases each; the cases of a trial are not independent."""

    trials: int = 0
    cases: int = 0
    total: float = 0.0  # of the trials' shares
    squares: float = 0.0

    def add(self, cases: list[bool]) -> None:
        """Take a trial; without cases it counts for nothing."""
        if cases:
            share = sum(cases) / len(cases)
            self.trials += 1
            self.cases += len(cases)
            self.total += share
            self.squares += share * share

    @property
    def share(self) -> float:
        """The mean share."""
        return self.total / self.trials

    @property
    def error(self) -> float:
        """The standard error of the share, with one more trial that was so by half: it is never 0."""
        mean = (self.total + 1 / 2) / (self.trials + 1)
        return sqrt(((self.squares + 1 / 4) / (self.trials + 1) - mean**2) / self.trials)


def collect_estimates(world: SyntheticTournament, games: list[GameResult]) -> dict[str, list[Estimate]]:
    """Return all that a tournament's games are said to prove, by kind, always in the same order."""
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
    """Return what the estimates approach, from very many blocks."""
    known = collect_estimates(world, list(world.games(blocks, Random(f"truth/{seed}"))))
    return {kind: [estimate.mean or 0.0 for estimate in own] for kind, own in known.items()}


def measure_coverage(
    world: SyntheticTournament, true: dict[str, list[float]], blocks: int, trials: int, seed: int = 0
) -> dict[str, RunningShare]:
    """Return how often the 95 % intervals held the truth, by kind. Where no interval is claimed there is nothing to count."""
    shares = {kind: RunningShare() for kind in KINDS}
    for number in range(trials):
        games = list(world.games(blocks, Random(f"trial/{seed}/{blocks}/{number}")))
        for kind, own in collect_estimates(world, games).items():
            shares[kind].add(list(_check_intervals(own, true[kind])))
    return shares


def run_pair_trials(
    world: SyntheticTournament, most: int, trials: int, delta: float | None = None, seed: int = 0
) -> Iterator[tuple[SequentialVerdict, int]]:
    """Yield the verdict on bots 0 and 1 and the blocks it took, looked at while it runs, at most so many blocks."""
    for number in range(trials):
        evidence = SequentialComparison()
        verdict: SequentialVerdict = "undecided"
        blocks = 0
        for block in world.blocks(most, Random(f"verdict/{seed}/{number}")):
            evidence.add(block)
            blocks += 1
            if blocks < CLOSE_LOOK_BLOCKS or blocks % 5 == 0:
                verdict = evidence.test_pair(0, 1, delta=delta).verdict
                if verdict != "undecided":
                    break
        yield verdict, blocks


def run_ranking_trials(
    world: SyntheticTournament, most: int, trials: int, seed: int = 0
) -> Iterator[tuple[bool, bool, int]]:
    """Yield whether the ranking by place scores was settled, whether rightly (the bots being listed best first), and after how many blocks."""
    best_first = list(range(len(world.strengths)))
    for number in range(trials):
        evidence = SequentialComparison()
        is_settled, order, blocks = False, best_first, 0
        for block in world.blocks(most, Random(f"settling/{seed}/{number}")):
            evidence.add(block)
            blocks += 1
            if blocks % 10 == 0:
                order = rank_entrants(evidence, best_first)
                is_settled = evidence.test_ranking(order).is_settled
                if is_settled:
                    break
        yield is_settled, order == best_first, blocks


def rank_entrants(evidence: SequentialComparison, entrants: list[int]) -> list[int]:
    """Return the entrants by their mean difference from all others, the best first."""
    return sorted(
        entrants,
        key=lambda one: -sum(evidence.mean_difference(one, other) or 0.0 for other in entrants if other != one),
    )


def _check_intervals(estimates_of_kind: list[Estimate], true: list[float]) -> Iterator[bool]:
    for estimate, value in zip(estimates_of_kind, true, strict=True):
        if estimate.mean is not None and estimate.half_width is not None:
            yield abs(estimate.mean - value) <= estimate.half_width + 1e-9
