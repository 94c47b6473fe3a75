"""Differences between two bots in rating points, as differences of place scores at their tables.

The place score is the share of the opposing sides that finished behind, ties counting half. At a table of two sides
without ties a lead of r points is an expected score of 1 / (1 + 10^(-r/400)), as in the logistic model of chess (Elo
1978), and the difference of the two scores is 2 · score - 1. At larger tables the strength of the others matters: who
is far ahead or behind them has few places to win from them. So the two are put as many points apart as asked, around
the middle of their ratings, and meet the others as these are rated, in the seats that they had. In a side of several
members the mean of their strengths counts, as in ratings.

Which places tie is as in the games. The order behind them follows Plackett (1975) and Luce (1959), who draw the first
place, then the second, and so on. Where the best place is shared the last is drawn first, by the inverse strengths: so
the odds of two bots that do not tie are those of their ratings, if only the winner or only the loser is told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, pairwise
from math import exp
from statistics import fmean
from typing import Final, NamedTuple, TypeAlias

from pitboss.outcome import Sides
from pitboss_tournament.statistics.blocks import Block
from pitboss_tournament.statistics.rankings import PART_NUMBERS, RankingCounts, list_untied
from pitboss_tournament.statistics.ratings import POINTS_PER_LOG_UNIT, rate_rankings

Seating: TypeAlias = tuple[tuple[int, ...], ...]  # the entrants of each side of a table

MAX_SEATINGS: Final = 24  # of two bots that are computed: the orders in which four bots can sit
# the luck of a side beside its log strength: Gumbel's distribution, at the nodes of the trapezoidal rule
GUMBEL_NODES: Final = [0.75 * step for step in range(-4, 20)]
_DENSITY: Final = [exp(-luck - exp(-luck)) for luck in GUMBEL_NODES]
GUMBEL_WEIGHTS: Final = [density / sum(_DENSITY) for density in _DENSITY]


class PointScale(NamedTuple):
    """The scale of the tables that some games were played at."""

    # by place, the mean over all games of (sides behind - sides ahead) / (2 · opposing sides)
    balances: tuple[float, ...]  # in the games whose best place is one side's alone, the best place first
    from_last: tuple[float, ...]  # in the other games, the last place first
    strengths: Mapping[int, float]  # log strengths by entrant
    seats: tuple[float, ...]  # by seat, or set of seats that play together: its log strength; none: all equal
    seatings: Mapping[tuple[int, int], Sequence[Seating]]  # of two bots, the lower number first

    def to_score(self, points: float, one: int, other: int) -> float:
        """Return the expected difference of place scores, between -1 and 1, of two bots if they are `points` apart."""
        middle = (self.strengths[one] + self.strengths[other]) / 2
        half = points / POINTS_PER_LOG_UNIT / 2
        strengths = {**self.strengths, one: middle + half, other: middle - half}
        met = self.seatings[min(one, other), max(one, other)]
        return fmean(self._compare_scores(seating, strengths, one, other) for seating in met)

    def _compare_scores(self, seating: Seating, strengths: Mapping[int, float], one: int, other: int) -> float:
        sides = [fmean([strengths[entrant] for entrant in side]) for side in seating]
        if self.seats:
            sides = [strength + seat for strength, seat in zip(sides, self.seats, strict=True)]
        first, second = (next(at for at, side in enumerate(seating) if bot in side) for bot in (one, other))
        if first == second:
            return 0.0
        lead = _expect_balance(sides, first, self.balances) - _expect_balance(sides, second, self.balances)
        if any(self.from_last):
            turned = [-strength for strength in sides]
            lead += _expect_balance(turned, first, self.from_last) - _expect_balance(turned, second, self.from_last)
        return lead


def measure_scale(blocks: Sequence[Block], names: Sequence[str], sides: Sides | None) -> PointScale:
    """Return the scale of the tables of these blocks: who sat there, how places tie, and what seats are worth."""
    rankings = RankingCounts(sides, len(blocks[0]))
    for result in chain.from_iterable(blocks):
        rankings.add(result)
    rated = rate_rankings(rankings, names)
    orders = {tuple([seat.entrant for seat in result.seats]) for result in chain.from_iterable(blocks)}
    found = {
        tuple(
            tuple(sorted([order[seat] for seat in side])) for side in sides or [(seat,) for seat in range(len(order))]
        )
        for order in orders
    }
    if not rated.seats:  # their order is of no consequence
        found = {tuple(sorted(seating)) for seating in found}
    balances, from_last = _measure_balances(rankings)
    return PointScale(
        balances=balances,
        from_last=from_last[::-1],
        strengths=rated.strengths,
        seats=tuple((seat.mean or 0.0) / POINTS_PER_LOG_UNIT for seat in rated.seats),
        seatings=_group_seatings(found),
    )


def _group_seatings(found: Iterable[Seating]) -> dict[tuple[int, int], list[Seating]]:
    """Return the seatings of each two bots that met; of very many some, evenly chosen."""
    of_pairs: dict[tuple[int, int], list[Seating]] = {}
    for seating in sorted(found):
        entrants = sorted(chain.from_iterable(seating))
        for at, one in enumerate(entrants):
            for other in entrants[at + 1 :]:
                of_pairs.setdefault((one, other), []).append(seating)
    return {
        pair: [own[number * len(own) // MAX_SEATINGS] for number in range(MAX_SEATINGS)]
        if len(own) > MAX_SEATINGS
        else own
        for pair, own in of_pairs.items()
    }


def _measure_balances(rankings: RankingCounts) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the balances by place, the best first: of games whose best place is one side's, and of the others."""
    ties = Counter((ranking[0], len(ranking) - 1) for block in rankings.loose_blocks() for ranking in block)
    for numbers, _, length in rankings.packed_blocks(PART_NUMBERS):
        ties.update({(bits, length - 1): games for bits, games in Counter(numbers[::length]).items()})
    sides = max(count for _, count in ties)
    found = [0.0] * sides, [0.0] * sides
    for (bits, count), games in ties.items():
        is_shared = bits & 1
        for ahead, behind in list_untied(bits, count).pairs:
            share = games / ties.total() / 2 / max(1, count - 1)
            found[is_shared][ahead - 1] += share
            found[is_shared][behind - 1] -= share
    return tuple(found[0]), tuple(found[1])


def _expect_balance(sides: Sequence[float], own: int, balances: Sequence[float]) -> float:
    """Return the expected balance of one of some sides with these log strengths."""
    others = [exp(strength - sides[own]) for at, strength in enumerate(sides) if at != own]
    return sum(
        weight * _expect_place(others, exp(-luck), balances)
        for luck, weight in zip(GUMBEL_NODES, GUMBEL_WEIGHTS, strict=True)
    )


def _expect_place(others: Sequence[float], rarity: float, balances: Sequence[float]) -> float:
    """Return the expected balance where each of the others is ahead with the chance 1 - exp(-strength · rarity)."""
    values = list(balances)
    for other in others:
        behind = exp(-other * rarity)
        values = [one + (1 - behind) * (two - one) for one, two in pairwise(values)]
    return values[0]
