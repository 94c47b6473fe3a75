"""Packed meetings: what is unpacked is what was packed, and columns that do not belong together are found."""

from __future__ import annotations

from array import array

import pytest
from msgspec.structs import replace

from pitboss.plugins.formats import PlayedBlock
from pitboss_tournament.statistics.head_to_head import (
    HeadToHead,
    PackedMeetings,
    PairedBlocks,
    pack_meetings,
    unpack_meetings,
)

PAIRS = {
    (0, 3): PairedBlocks(3, 0.5, {0.5: 1, 0.0: 2}),
    (1, 2): PairedBlocks(2, -2.0, {-1.0: 2}),
    (0, 1): PairedBlocks(1, 0.25, {0.25: 1}),
}


def test_all_pairs_come_back() -> None:
    """All pairs come back with all of their differences; the columns do not depend on the order in which
    they were met.
    """
    packed = pack_meetings(PAIRS)

    assert packed.fits(4)
    assert unpack_meetings(packed) == PAIRS
    assert packed == pack_meetings(dict(reversed(PAIRS.items())))
    assert {} == unpack_meetings(pack_meetings({}))


def test_more_blocks_after_totals_are_restored() -> None:
    """The blocks after restored totals are added to those that there were."""
    meetings, other = HeadToHead(4), HeadToHead(4)
    meetings.add(PlayedBlock({0: 1.0, 1: 0.0}, {}, ()))
    other.add(PlayedBlock({2: 1.0, 3: 0.0}, {}, ()))

    other.restore(meetings.totals())
    other.add(PlayedBlock({0: 1.0, 1: 0.0}, {}, ()))

    assert (2, 0) == (other.count_blocks(0, 1), other.count_blocks(2, 3))
    assert {-1.0: 2} == other.count_differences(1, 0)


@pytest.mark.parametrize(
    "change",
    [
        {"ones": array("I", [0, 1]).tobytes()},
        {"ones": array("I", [0, 3, 1]).tobytes()},
        {"others": array("I", [1, 4, 2]).tobytes()},
        {"ends": array("I", [2, 9, 4]).tobytes()},
        {"ends": array("I", [2, 3, 5]).tobytes()},
        {"counts": b"odd"},
        {"sums": b""},
    ],
)
def test_columns_that_do_not_fit(change: dict[str, bytes]) -> None:
    """A pair of a bot that is not there, one of a bot with itself, and columns of other lengths are no meetings."""
    packed: PackedMeetings = replace(pack_meetings(PAIRS), **change)

    assert not packed.fits(4)
