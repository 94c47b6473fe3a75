"""The bully's tournament: it beats weak bots by far and loses 33 to 67 to a solid bot, which beats them by less."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random

from pitboss_tournament.statistics.scoring import GameResult
from tests.synthetic_tournaments import game_result

NAMES = ("bully", "solid", "weak1", "weak2", "weak3")
BULLY, SOLID = 0, 1
DEALS = 200


def chance_to_win(one: int, other: int) -> float:
    """Return how often the first bot wins: a bully beats weak bots by far and loses to a solid one."""
    if (one, other) == (BULLY, SOLID):
        return 0.33
    return {BULLY: 0.9, SOLID: 0.65}.get(one, 0.5)


def play_games(deals: int = DEALS) -> Iterator[GameResult]:
    """Yield the games of all pairs, two a deal."""
    rng = Random("bully")
    for pairing, (one, other) in enumerate(combinations(range(len(NAMES)), 2)):
        for deal in range(deals):
            for rotation, seated in enumerate(((one, other), (other, one))):
                winner = one if rng.random() < chance_to_win(one, other) else other
                yield game_result(pairing, deal, rotation, seated, [float(bot == winner) for bot in seated])
