"""Proven ranks: which contenders of a ranking are told apart, and what follows from that for their ranks and tiers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp, inf
from typing import Literal, TypeAlias

from msgspec import Struct

from pitboss_tournament.statistics.proven_order import ProvenOrder, iter_positions
from pitboss_tournament.statistics.running_moments import RunningMoments

Basis: TypeAlias = Literal["ratings", "points", "same deals"]  # what is compared: on the same deals, differences


class RankRange(Struct, frozen=True):
    """The ranks that a bot may have, or its tiers."""

    best: int
    worst: int

    @property
    def is_open(self) -> bool:
        """Whether it is more than one rank."""
        return self.best < self.worst


class ProvenRanks:
    """Contenders of a ranking, by their numbers, with those that are proven worse than each; bots, or teams of bots."""

    def __init__(
        self,
        order: Sequence[int],
        proven: ProvenOrder | None = None,
        *,
        anytime: bool,
        basis: Basis = "ratings",
        least_proof: float | None = None,
    ) -> None:
        """Take the ranking `order`, and what is proven of its positions; None: a subclass finds it.

        `anytime`: by tests that hold however often one looks. `least_proof`: minus the logarithm of the error of the
        weakest proof; None if there is none.
        """
        self.order = order
        self.anytime = anytime
        self.basis: Basis = basis
        self._positions = {contender: position for position, contender in enumerate(order)}
        self._proven = ProvenOrder([]) if proven is None else proven
        self._least_proof = least_proof

    def is_better(self, one: int, other: int) -> bool:
        """Whether one bot is proven better than another, and not the other way round too."""
        return bool(self._proven.worse[self._positions[one]] >> self._positions[other] & 1)

    def rank_range(self, bot: int) -> RankRange:
        """Return the ranks that a bot may have; 1 is the best."""
        better, worse = (own[self._positions[bot]].bit_count() for own in (self._proven.better, self._proven.worse))
        return RankRange(1 + better, len(self.order) - worse)

    def tiers(self) -> list[Sequence[int]]:
        """Return the longest runs of neighbours in the ranking of whom no two are told apart; they may overlap."""
        return [self.order[tier.start : tier.stop] for tier in self._proven.tiers()]

    def tier_ranges(self) -> dict[int, RankRange]:
        """Return the tiers that each bot is in, from the best to the worst; 1 is the best tier."""
        ranges: dict[int, RankRange] = {}
        for number, tier in enumerate(self.tiers(), 1):
            for bot in tier:
                ranges[bot] = RankRange(ranges[bot].best if bot in ranges else number, number)
        return ranges

    def groups(self) -> list[Sequence[int]]:
        """Return the tiers of two bots or more."""
        return [tier for tier in self.tiers() if len(tier) > 1]

    def ranked_groups(self) -> list[tuple[RankRange, Sequence[int]]]:
        """Return the groups, each with the places of its bots in the ranking."""
        firsts = ((self._positions[group[0]] + 1, group) for group in self.groups())
        return [(RankRange(first, first + len(group) - 1), group) for first, group in firsts]

    def best_bots(self) -> list[int]:
        """Return the bots than which none is proven better."""
        return [bot for bot, better in zip(self.order, self._proven.better, strict=True) if not better]

    def next_worse(self, bot: int) -> list[int]:
        """Return the bots directly below a bot in the order of proofs: worse than it, and no third bot in between."""
        return [self.order[position] for position in iter_positions(self._proven.next_worse(self._positions[bot]))]

    @property
    def sureness(self) -> float | None:
        """The probability, 0.95 or more, that all that is told apart is told rightly; None if nothing is."""
        return None if self._least_proof is None else 1 - exp(-self._least_proof)


def list_apart(points: Sequence[RunningMoments], *, anytime: bool, lowest_wins: bool) -> Iterator[tuple[int, int]]:
    """Yield the pairs of contenders whose intervals do not overlap, as positions, the better one first."""
    ends: list[tuple[float, float]] = []
    for moments in points:
        is_known = moments.count > 1 and not moments.is_constant
        width = moments.half_width(moments.count, anytime=anytime, shared_by=len(points)) if is_known else inf
        mean = -moments.mean if lowest_wins else moments.mean
        ends.append((mean - width, mean + width))
    yield from ((one, other) for one, (low, _) in enumerate(ends) for other, (_, high) in enumerate(ends) if low > high)
