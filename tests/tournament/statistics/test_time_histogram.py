"""Times counted by size: quantiles of many from little room."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pitboss_tournament.statistics.time_histogram import quantile, read_times, write_times

LENGTHS = st.lists(st.integers(0, 10**9), min_size=1, max_size=200)


def test_no_times_have_no_quantile() -> None:
    """A histogram without times has no quantile."""
    assert write_times([]) == ""
    assert quantile(read_times(""), 0.5) is None


@given(LENGTHS, st.sampled_from([0.5, 0.99, 1.0]))
def test_a_quantile_is_right_to_within_five_per_cent(lengths: list[int], share: float) -> None:
    """A quantile is, within five per cent, one of the times: the one that `share` of them do not exceed."""
    told = quantile(read_times(write_times(lengths)), share)
    assert told is not None

    at_most = sum(length <= told * 1.05 + 1 for length in lengths)
    at_least = sum(length >= told / 1.05 - 1 for length in lengths)
    assert at_most >= share * len(lengths)
    assert at_least >= (1 - share) * len(lengths)
    assert any(told / 1.05 - 1 <= length <= told * 1.05 + 1 for length in lengths)


def test_times_of_schema_5_to_7() -> None:
    """Times of schema 5 to 7, with a letter for each time in the order of the decisions, are read; now a bin has one
    letter, and a number.
    """
    assert read_times("0~0z~") == {0: 2, 78: 2, 74: 1}
    assert write_times([1] * 180 + [2**10]) == "0$#.\x80"
    assert read_times("0$#.\x80") == {0: 180, 80: 1}


def test_a_string_that_nobody_has_written() -> None:
    """A string that Pitboss has not written is read as some times, and soon."""
    assert read_times("##0" + 100_000 * "/") == {0: 13**16 - 1}
