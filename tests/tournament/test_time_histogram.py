"""Times counted by size: quantiles of many from little room."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from pitboss_tournament.statistics.time_histogram import count_times, quantile

LENGTHS = st.lists(st.integers(0, 10**9), min_size=1, max_size=200)


def test_no_times_have_no_quantile() -> None:
    """Nothing is known of nothing."""
    assert quantile(count_times([]), 0.5) is None


@given(LENGTHS, st.sampled_from([0.5, 0.99, 1.0]))
def test_a_quantile_is_right_to_within_five_per_cent(lengths: list[int], share: float) -> None:
    """It is one of the times, that which `share` of them do not exceed, or nearly so."""
    told = quantile(count_times(lengths), share)
    assert told is not None

    at_most = sum(length <= told * 1.05 + 1 for length in lengths)
    at_least = sum(length >= told / 1.05 - 1 for length in lengths)
    assert at_most >= share * len(lengths)
    assert at_least >= (1 - share) * len(lengths)
    assert any(told / 1.05 - 1 <= length <= told * 1.05 + 1 for length in lengths)


@given(LENGTHS, LENGTHS)
def test_counts_can_be_added(one: list[int], two: list[int]) -> None:
    """Two counts together are the count of both."""
    assert Counter(count_times(one)) + Counter(count_times(two)) == Counter(count_times(one + two))
