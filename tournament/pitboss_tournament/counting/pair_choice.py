"""Which pairs of bots are shown, and in which order: all of a small field, and the first to look at of a larger one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from pitboss_tournament.statistics.head_to_head import HeadToHead
from pitboss_tournament.statistics.pairwise import Comparison

MAX_PAIRED_BOTS: Final = 45  # all of whose pairs are shown: 990
TOP_BOTS: Final = 20  # of a larger field: all of their pairs that met are shown


class PairChoice(NamedTuple):
    """Pairs of bots to show, the lower number first, and how many are left out."""

    pairs: list[tuple[int, int]]
    left_out: int

    def tell(self, file: str) -> str | None:
        """Return what is left out, and how to see it; None if nothing is."""
        if not self.left_out:
            return None
        return (
            f"{self.left_out:,} of {self.left_out + len(self.pairs):,} pairs are left out. These are the first "
            f"{TOP_BOTS} bots among each other, and each bot beside the next one below it, as far as they have met. "
            f"All pairs of a bot: pitboss standings {file} --pairs-of NAME; all pairs: --pairs --csv."
        )


def choose_pairs(meetings: HeadToHead, order: Sequence[int]) -> PairChoice:
    """Return the pairs of the bots in `order`, which is the ranking: all of a field of MAX_PAIRED_BOTS or fewer.

    Of more bots those of the first TOP_BOTS that have met, and each bot with the next one below it that it has met.
    """
    if len(order) <= MAX_PAIRED_BOTS:
        return PairChoice([*combinations(sorted(order), 2)], 0)
    places = {bot: place for place, bot in enumerate(order)}
    below: dict[int, int] = {}  # by place: the nearest place below it whose bot it has met
    chosen = set[tuple[int, int]]()
    for pair in meetings.list_pairs():
        if places.keys() >= set(pair):
            first, second = sorted(places[bot] for bot in pair)
            below[first] = min(second, below.get(first, second))
            if second < TOP_BOTS:
                chosen.add(pair)
    chosen |= {_order_numbers(order[first], order[second]) for first, second in below.items()}
    return PairChoice(sorted(chosen), len(order) * (len(order) - 1) // 2 - len(chosen))


def list_pairs_of(bots: Collection[int], everybody: Collection[int]) -> list[tuple[int, int]]:
    """Return all pairs of some bots, with each other and with all others."""
    return sorted({_order_numbers(bot, other) for bot in bots for other in everybody if other != bot})


def _order_numbers(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)


def order_pairs(comparisons: Iterable[Comparison], order: Sequence[int]) -> list[Comparison]:
    """Return the comparisons in the order of the board, each turned so that its better bot comes first."""
    place = {entrant: number for number, entrant in enumerate(order)}

    def rank_pair(pair: Comparison) -> list[int]:
        return sorted((place[pair.entrant], place[pair.other]))

    def is_ahead(pair: Comparison) -> bool:
        mean = pair.places.estimate.mean
        return mean > 0 if mean else place[pair.entrant] < place[pair.other]

    return [pair if is_ahead(pair) else pair.reverse() for pair in sorted(comparisons, key=rank_pair)]
