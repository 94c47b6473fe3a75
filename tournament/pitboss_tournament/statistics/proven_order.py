"""Proven order: which bots are better than which, by proofs of pairs and what follows from them, as bits.

A set of positions is a whole number with a bit for each: so a thousand bots take a thousand numbers of 125 bytes, and
what concerns all others of a bot is one operation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

PositionSet: TypeAlias = int  # bit n stands for position n


class ProvenOrder:
    """Bots as positions in a ranking, and for each those that are proven worse, and better, than it."""

    def __init__(self, worse: Sequence[PositionSet], in_cycles: PositionSet = 0) -> None:
        """Take for each position those that are proven worse; no two may be worse than each other.

        `in_cycles`: those of whom proofs say that they are better than each other, so that neither is worse.
        """
        self.worse = worse
        self.better = _transpose(worse)
        self.in_cycles = in_cycles

    def tiers(self) -> list[range]:
        """Return the longest runs of neighbours of whom no two are told apart; they may overlap."""
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
