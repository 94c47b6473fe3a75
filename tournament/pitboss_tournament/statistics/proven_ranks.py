"""Proven ranks: which contenders of a ranking differ, and what follows from that for their ranks and tiers.

The order is that of proofs of pairs and of what follows from them, as bits. A set of positions is a whole number with a
bit for each: so a thousand bots take a thousand numbers of 125 bytes, and what concerns all others of a bot is one
operation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import exp
from typing import Literal, TypeAlias

from msgspec import Struct

Basis: TypeAlias = Literal["ratings", "points", "same deals"]  # what is compared: on the same deals, differences

PositionSet: TypeAlias = int  # bit n stands for position n
RankedNames: TypeAlias = Sequence[str] | Mapping[int, str]  # by number: of those that are ranked, and of no others


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
        """Return the longest runs of neighbours in the ranking without a proven difference; runs may overlap."""
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

    def count_proven(self) -> int:
        """Return the number of pairs of which one is proven better."""
        return sum(worse.bit_count() for worse in self._proven.worse)

    def best_bots(self) -> list[int]:
        """Return the bots than which none is proven better."""
        return [bot for bot, better in zip(self.order, self._proven.better, strict=True) if not better]

    def layers(self) -> list[list[int]]:
        """Return the bots by place: those that none of the bots left is proven better than, which are then taken out.

        The bots of a layer are in the order of the ranking.
        """
        left, layers = (1 << len(self.order)) - 1, list[list[int]]()
        while left:
            best = [position for position in iter_positions(left) if not self._proven.better[position] & left]
            layers.append([self.order[position] for position in best])
            left &= ~sum(1 << position for position in best)
        return layers

    def next_worse(self, bot: int) -> list[int]:
        """Return the bots directly below a bot in the order of proofs: worse than it, and no third bot in between."""
        return [self.order[position] for position in iter_positions(self._proven.next_worse(self._positions[bot]))]

    @property
    def sureness(self) -> float | None:
        """The probability, 0.95 or more, that all proven differences are right; None if there are none."""
        return None if self._least_proof is None else 1 - exp(-self._least_proof)


class ProvenOrder:
    """Bots as positions in a ranking, and for each those that are proven worse, and better, than it."""

    def __init__(self, worse: Sequence[PositionSet], in_cycles: PositionSet = 0) -> None:
        """Take for each position those that are proven worse; no two may be worse than each other.

        `in_cycles`: bots that are proven better than each other, so that neither is worse.
        """
        self.worse = worse
        self.better = _transpose(worse)
        self.in_cycles = in_cycles

    def tiers(self) -> list[range]:
        """Return the longest runs of neighbours without a proven difference; runs may overlap."""
        found: list[range] = []
        end = last = 0
        for first in range(len(self.worse)):
            inside = (1 << end) - (1 << first)
            while end < len(self.worse) and not (self.worse[end] | self.better[end]) & inside:
                inside |= 1 << end
                end += 1
            if end > last:
                found.append(range(first, end))
            last = end
        return found

    def next_worse(self, position: int) -> PositionSet:
        """Return the worse positions between which and this one there is no third one."""
        worse = self.worse[position]
        behind_others = 0
        for other in iter_positions(worse):
            behind_others |= self.worse[other]
        return worse & ~behind_others


def close_proofs(
    count: int, proofs: Iterable[tuple[int, int]], contrary: Iterable[tuple[int, int]] = ()
) -> ProvenOrder:
    """Return the order of proofs, better one first, and what follows from them by way of others (Warshall 1962).

    Where it would follow that two are better than each other, neither is. Nor does it follow that the first of a
    `contrary` pair is better than the second: those are pairs whose own games look the other way round.
    """
    direct = [0] * count
    for better, worse in proofs:
        direct[better] |= 1 << worse
    behind = [*direct]
    for between in range(count):
        bit, further = 1 << between, behind[between]
        for position, own in enumerate(behind):
            if own & bit:
                behind[position] = own | further
    ahead = _transpose(behind)
    in_cycles = sum(1 << position for position in range(count) if behind[position] & ahead[position])
    order = [own & ~other for own, other in zip(behind, ahead, strict=True)]
    if any(own & ~proven for own, proven in zip(order, direct, strict=True)):
        for better, worse in contrary:
            order[better] &= direct[better] | ~(1 << worse)
    return ProvenOrder(order, in_cycles)


def iter_positions(positions: PositionSet) -> Iterator[int]:
    """Yield the positions in a set, ascending."""
    while positions:
        lowest = positions & -positions
        yield lowest.bit_length() - 1
        positions ^= lowest


def _transpose(rows: Sequence[PositionSet]) -> list[PositionSet]:
    """Return for each position in whose sets it is."""
    size = len(rows)
    digits = [format(row, f"0{size}b") for row in reversed(rows)]  # the last position first
    return [int("".join(column), 2) for column in zip(*digits, strict=True)][::-1]
