"""Head to head: differences between pairs of bots over complete blocks, by place score (share of opponents beaten).

The pairs of a `HeadToHead` may be packed: columns of bytes, which take no time to read until a pair is wanted. A field
of a thousand bots has tens of thousands of pairs that met, and standings ask for few of them.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations, pairwise
from operator import lt
from typing import Final

from msgspec import Struct

from pitboss.plugins.formats import PlayedBlock
from pitboss_tournament.statistics.sequential_test import TEST_ERROR, SequentialVerdict, judge_differences

_DIGITS: Final = 12  # scores are fractions of small numbers: smaller differences are rounding errors


class MeetingTotals(Struct, frozen=True):
    """All that a `HeadToHead` has accumulated, as plain data: shared, not copied."""

    scores: list[float]
    blocks: list[int]
    pairs: PackedMeetings

    def fits(self, bots: int) -> bool:
        """Whether these are totals of `bots` bots."""
        return len(self.scores) == len(self.blocks) == bots and self.pairs.fits(bots)


class HeadToHead:
    """Place scores of bots numbered from 0, accumulated block by block."""

    def __init__(self, bots: int) -> None:
        self._scores = [0.0] * bots
        self._blocks = [0] * bots
        self._packed: PackedMeetings | None = None  # pairs that nobody has asked for yet

    @cached_property
    def _pairs(self) -> dict[tuple[int, int], PairedBlocks]:
        packed, self._packed = self._packed, None
        return {} if packed is None else unpack_meetings(packed)

    def make_room(self, bots: int) -> None:
        """Take in bots that join: `bots` is their new number."""
        more = bots - len(self._scores)
        self._scores += [0.0] * more
        self._blocks += [0] * more

    def totals(self) -> MeetingTotals:
        """Return what has been accumulated."""
        return MeetingTotals(self._scores, self._blocks, self._packed or pack_meetings(self._pairs))

    def restore(self, totals: MeetingTotals) -> None:
        """Replace what has been accumulated: bots that it lacks have joined since."""
        bots = len(self._scores)
        self._scores, self._blocks = totals.scores, totals.blocks
        self.make_room(bots)
        vars(self).pop("_pairs", None)
        self._packed = totals.pairs

    def add(self, block: PlayedBlock) -> None:
        """Add a complete block."""
        for bot, score in block.place_scores.items():
            self._scores[bot] += score
            self._blocks[bot] += 1
        for (one, score), (other, beside) in combinations(sorted(block.place_scores.items()), 2):
            pair = self._pairs.get((one, other))
            if pair is None:
                pair = self._pairs[one, other] = PairedBlocks()
            difference = score - beside
            pair.count += 1
            pair.sum += difference
            pair.differences[difference] = pair.differences.get(difference, 0) + 1

    def add_all(self, blocks: Iterable[PlayedBlock]) -> None:
        """Add complete blocks."""
        for block in blocks:
            self.add(block)

    def merge_groups(self, groups: Sequence[int | None], count: int) -> HeadToHead:
        """Return the meetings of `count` groups of bots: `groups` has the group of each bot, None for one without.

        Meetings of bots of one group are left out.
        """
        merged = HeadToHead(count)
        for (one, other), blocks in self._pairs.items():
            first, second = groups[one], groups[other]
            if first is None or second is None or first == second:
                continue
            sign = 1 if first < second else -1
            pair = merged._pairs.setdefault(_ordered_pair(first, second), PairedBlocks())
            pair.count += blocks.count
            pair.sum += sign * blocks.sum
            for difference, times in blocks.differences.items():
                pair.differences[sign * difference] = pair.differences.get(sign * difference, 0) + times
        return merged

    def count_blocks(self, one: int, other: int) -> int:
        """Return the number of blocks with both bots."""
        pair = self._pairs.get(_ordered_pair(one, other))
        return pair.count if pair else 0

    def list_pairs(self, fewest: int = 1) -> list[tuple[int, int]]:
        """Return the pairs with `fewest` blocks or more, the lower number first."""
        return [pair for pair, blocks in self._pairs.items() if blocks.count >= fewest]

    def list_losses(self, order: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Yield the pairs of bots in `order`, as positions, whose first is behind the second where both sat."""
        positions = {bot: position for position, bot in enumerate(order)}
        for (one, other), blocks in self._pairs.items():
            if one in positions and other in positions and (lead := round(blocks.sum, _DIGITS)):
                yield (positions[other], positions[one]) if lead > 0 else (positions[one], positions[other])

    def count_blocks_of(self, bot: int) -> int:
        """Return the number of blocks of one bot."""
        return self._blocks[bot]

    def count_differences(self, one: int, other: int) -> Counter[float]:
        """Return the differences of the first bot's place scores from the second's, with the blocks of each."""
        sign = 1 if one < other else -1
        differences = Counter[float]()
        if pair := self._pairs.get(_ordered_pair(one, other)):
            for value, count in pair.differences.items():
                differences[sign * round(value, _DIGITS)] += count
        return differences

    def mean_score(self, bot: int) -> float:
        """Return a bot's mean place score over its blocks; half before the first."""
        return round(self._scores[bot] / self._blocks[bot], _DIGITS) if self._blocks[bot] else 0.5

    def opposition_score(self, bot: int) -> float:
        """Return the mean score of a bot's opponents, weighted by blocks played together."""
        met = [(other, self.count_blocks(bot, other)) for other in range(len(self._scores)) if other != bot]
        blocks = sum(count for _, count in met)
        return round(sum(self.mean_score(other) * count for other, count in met) / blocks, _DIGITS) if blocks else 0.5

    def rank_bots(self, bots: Iterable[int]) -> list[int]:
        """Return bots, best first, by the mean over opponents of their mean difference; ties by number.

        Playing one opponent more often so gives no advantage.
        """
        bots = sorted(bots)
        return sorted(bots, key=lambda bot: (-self._mean_advantage(bot, bots), bot))

    def judge_pair(
        self, one: int, other: int, *, delta: float | None = None, error: float = TEST_ERROR
    ) -> SequentialVerdict:
        """Return the verdict of the sequential test on two bots."""
        return judge_differences(self.count_differences(one, other), delta=delta, error=error)

    def undecided_pairs(
        self, order: Sequence[int], delta: float | None = None, *, only: tuple[int, int] | None = None
    ) -> list[tuple[int, int]]:
        """Return the neighbours in `order`, or the pair `only`, that are not proven "better" or, with a delta, "close".

        Which bots are neighbours is itself read off the games. So each pair is tested at `error` divided by the number
        of all pairs (Bonferroni): the probability that a wrong verdict between neighbours is ever given is at most
        `error`.
        """
        error = TEST_ERROR / max(1, len(order) * (len(order) - 1) / 2)
        pairs = pairwise(order) if only is None else [only]
        return [pair for pair in pairs if self.judge_pair(*pair, delta=delta, error=error) not in ("better", "close")]

    def _mean_advantage(self, bot: int, others: Sequence[int]) -> float:
        means = []
        for other in others:
            if other != bot and (blocks := self.count_blocks(bot, other)):
                mean = self._pairs[_ordered_pair(bot, other)].sum / blocks
                means.append(mean if bot < other else -mean)
        return round(sum(means) / len(means), _DIGITS) if means else 0.0


def _ordered_pair(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)


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
        """Whether the columns belong together, and are of `bots` bots."""
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
