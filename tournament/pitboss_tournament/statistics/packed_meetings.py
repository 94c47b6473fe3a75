"""Packed meetings: the pairs of a `HeadToHead` as columns of bytes, which take no time to read until a pair is wanted.

A field of a thousand bots has tens of thousands of pairs that met, and standings ask for few of them.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from itertools import pairwise
from operator import lt

from msgspec import Struct


class PairedBlocks(Struct, gc=False):
    """The blocks in which both bots of a pair were."""

    count: int = 0
    sum: float = 0.0  # of the differences
    differences: dict[float, int] = {}  # with their counts; not rounded yet, which takes longer than to count them


class PackedMeetings(Struct, frozen=True):
    """Pairs, one after the other: each column is an `array`, of unsigned numbers or of floats, as bytes."""

    ones: bytes  # whole numbers: the first bot of each pair
    others: bytes  # whole numbers: its second, which has the higher number
    sums: bytes  # floats
    ends: bytes  # whole numbers: where the differences of each pair end
    differences: bytes  # floats: of the first pair, of the second one and so on
    counts: bytes  # whole numbers, beside `differences`

    def fits(self, bots: int) -> bool:
        """Whether the columns belong together, and are of so many bots."""
        try:
            ones, others, ends, counts = map(_to_numbers, (self.ones, self.others, self.ends, self.counts))
            sums, differences = map(_to_floats, (self.sums, self.differences))
        except ValueError:
            return False
        return (
            len(ones) == len(others) == len(sums) == len(ends)
            and len(differences) == len(counts) == (ends[-1] if ends else 0)
            and all(map(lt, ones, others))
            and all(one <= other for one, other in pairwise(ends))
            and max(others, default=-1) < bots
        )


def pack_meetings(pairs: Mapping[tuple[int, int], PairedBlocks]) -> PackedMeetings:
    """Return pairs as columns: the same for the same pairs, in whatever order they were met."""
    values, counts, ends, sums = array("d"), array("I"), array("I"), array("d")
    order = sorted(pairs)
    for pair in order:
        differences = sorted(pairs[pair].differences.items())
        values.extend([value for value, _ in differences])
        counts.extend([count for _, count in differences])
        ends.append(len(values))
        sums.append(pairs[pair].sum)
    ones, others = (array("I", [pair[side] for pair in order]) for side in (0, 1))
    return PackedMeetings(*(column.tobytes() for column in (ones, others, sums, ends, values, counts)))


def unpack_meetings(packed: PackedMeetings) -> dict[tuple[int, int], PairedBlocks]:
    """Return the pairs of columns that fit."""
    ones, others, ends, counts = map(_to_numbers, (packed.ones, packed.others, packed.ends, packed.counts))
    sums, differences = map(_to_floats, (packed.sums, packed.differences))
    pairs, start = {}, 0
    for one, other, total, end in zip(ones, others, sums, ends, strict=True):
        own = counts[start:end]
        pairs[one, other] = PairedBlocks(sum(own), total, dict(zip(differences[start:end], own, strict=True)))
        start = end
    return pairs


def _to_numbers(column: bytes) -> array[int]:
    return array("I", column)


def _to_floats(column: bytes) -> array[float]:
    return array("d", column)
