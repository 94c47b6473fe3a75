"""Leagues of known truth in which bots have versions: the old ones have many games, the new ones few."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import exp
from random import Random
from typing import Final

from msgspec import Struct

from pitboss_tournament.counting.counts import VERSION_SD
from pitboss_tournament.statistics.ratings import POINTS_PER_LOG_UNIT, Ratings, VersionLink, rate_rankings
from pitboss_tournament.statistics.scoring import GameResult
from tests.synthetic_tournaments import game_result
from tests.tournament.statistics.sample_results import count_rankings

LADDER: Final = (450.0, 300.0, 150.0, 0.0, -150.0, -300.0, -450.0)  # ratings of bots with many games
LADDER_DEALS: Final = 10  # of each two of them


class VersionedLeague(Struct, frozen=True, kw_only=True):
    """Bots 0 to n - 1 have old versions; the new version of bot b is entrant n + b."""

    strengths: tuple[float, ...]  # true ones in points, by entrant
    sd: float  # of the difference of a version from the one before, in points

    @property
    def bots(self) -> int:
        """The number of bots, each with two versions."""
        return len(self.strengths) // 2

    @property
    def links(self) -> list[VersionLink]:
        """Links of the new versions to the old ones."""
        return [VersionLink(self.bots + bot, bot, self.sd) for bot in range(self.bots)]

    @property
    def names(self) -> list[str]:
        """Names of the entrants."""
        return [f"bot{entrant % self.bots}@{1 + entrant // self.bots}" for entrant in range(2 * self.bots)]

    def difference(self, one: int, other: int) -> float:
        """Return the true difference."""
        return self.strengths[one] - self.strengths[other]


def draw_league(rng: Random, bots: int = 5, sd: float = 40.0) -> VersionedLeague:
    """Return a league whose bots have strengths with a standard deviation of 100 points."""
    old = [rng.gauss(0, 100) for _ in range(bots)]
    return VersionedLeague(strengths=(*old, *[strength + rng.gauss(0, sd) for strength in old]), sd=sd)


def play_league(league: VersionedLeague, old_deals: int, new_deals: int, rng: Random) -> list[GameResult]:
    """Return games: each two old versions play some deals, and each new version against each version of the others."""
    bots, games = range(league.bots), []
    for one, other in combinations(bots, 2):
        games += play_pair(league.strengths, (one, other), old_deals, rng)
        new_pairs = ((one, other + len(bots)), (one + len(bots), other), (one + len(bots), other + len(bots)))
        for pair in new_pairs:
            games += play_pair(league.strengths, pair, new_deals, rng)
    return games


def play_pair(strengths: Sequence[float], pair: tuple[int, int], deals: int, rng: Random) -> list[GameResult]:
    """Return deals of two entrants in both orders, the games independent of each other."""
    lead = (strengths[pair[0]] - strengths[pair[1]]) / POINTS_PER_LOG_UNIT
    games = []
    for deal in range(deals):
        for rotation in range(2):
            points = [1.0, 0.0] if rng.random() < 1 / (1 + exp(-lead)) else [0.0, 1.0]
            seated, scored = (pair, points) if rotation == 0 else (pair[::-1], points[::-1])
            games.append(game_result(pair[0] * len(strengths) + pair[1], deal, rotation, seated, scored))
    return games


class VersionStep(Struct, frozen=True, kw_only=True):
    """A new version of the bot in the middle of a ladder: its blocks are half with neighbours, half with anybody."""

    change: float  # by which it is better than the one before, in points
    blocks: int

    @property
    def strengths(self) -> tuple[float, ...]:
        """The ratings of all, the new version last."""
        return (*LADDER, LADDER[len(LADDER) // 2] + self.change)

    @property
    def versions(self) -> tuple[int, int]:
        """The new version, and the one before."""
        return len(LADDER), len(LADDER) // 2


def rate_step(step: VersionStep, rng: Random) -> Ratings:
    """Return the ratings of a ladder with a new version, which is linked to the one before as in a league."""
    strengths, (new, old) = step.strengths, step.versions
    games = [game for pair in combinations(range(new), 2) for game in play_pair(strengths, pair, LADDER_DEALS, rng)]
    neighbours = sorted(range(new), key=lambda bot: abs(strengths[bot] - strengths[new]))[:2]
    met = Counter(rng.choice(neighbours if number % 2 else range(new)) for number in range(step.blocks))
    for other, deals in sorted(met.items()):
        games += play_pair(strengths, (other, new), deals, rng)
    names = [f"bot{bot}" for bot in range(len(strengths))]
    return rate_rankings(count_rankings(games), names, links=[VersionLink(new, old, VERSION_SD)])
