"""How the bot judges a hand of draw or stud: its equity, by dealing what is unseen, and the cards that it lays away."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random
from typing import Final

from pitboss.parts.betting.rankings import Ranking

RIVALS: Final = 40  # hands that a choice of cards to keep is compared with
DRAWS: Final = 25  # of each choice


def estimate_dealt_equity(
    rankings: Sequence[Ranking],
    deck: Sequence[int],
    own: Sequence[int],
    others: Sequence[Sequence[int]],
    size: int,
    samples: int,
    rng: Random,
) -> float:
    """Return the equity of a hand, 0 to 1, against others of which some cards are open; each has `size` in the end.

    Cards are keys (`card_key`). With two rankings it is the mean of what the hand wins by each.
    """
    seen = {*own, *(key for hand in others for key in hand)}
    unseen = [key for key in deck if key not in seen]
    missing = [size - len(hand) for hand in (own, *others)]
    won = 0.0
    for _ in range(samples):
        cards = iter(rng.sample(unseen, sum(missing)))
        hands = [
            [*hand, *[next(cards) for _ in range(count)]] for hand, count in zip((own, *others), missing, strict=True)
        ]
        for ranking in rankings:
            strengths = [ranking.rank(hand, ()) for hand in hands]
            best = max(strengths)
            won += (strengths[0] == best) / strengths.count(best)
    return won / samples / len(rankings)


def choose_discards(ranking: Ranking, deck: Sequence[int], own: Sequence[int], most: int, rng: Random) -> list[int]:
    """Return the places of the cards to lay away: those whose exchange beats most random hands."""
    unseen = [key for key in deck if key not in own]
    rivals = sorted(ranking.rank(rng.sample(unseen, len(own)), ()) for _ in range(RIVALS))

    def count_beaten(gone: tuple[int, ...]) -> float:
        kept = [key for place, key in enumerate(own) if place not in gone]
        draws = DRAWS if gone else 1
        strengths = [ranking.rank([*kept, *rng.sample(unseen, len(gone))], ()) for _ in range(draws)]
        return sum(strength > rival for strength in strengths for rival in rivals) / draws

    choices = [gone for count in range(most + 1) for gone in combinations(range(len(own)), count)]
    return [*max(choices, key=count_beaten)]
