"""All sets of bots as a sequence that is computed, beside lists made by itertools."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss_tournament.formats.table_sets import TableSets, combination_number, nth_combination


@pytest.mark.parametrize("things", range(8))
def test_combinations_are_numbered_as_by_itertools(things: int) -> None:
    """Number and combination lead to each other."""
    for size in range(things + 1):
        listed = list(combinations(range(things), size))
        assert [nth_combination(number, things, size) for number in range(len(listed))] == listed
        assert [combination_number(combination, things) for combination in listed] == list(range(len(listed)))


@given(st.integers(1, 8), st.data())
def test_a_combination_of_many_things_has_its_number(size: int, data: st.DataObject) -> None:
    """The numbers are exact where floats would not be."""
    combination = sorted(data.draw(st.sets(st.integers(0, 999), min_size=size, max_size=size)))

    assert list(nth_combination(combination_number(combination, 1000), 1000, size)) == combination


def test_all_sets_of_some_bots() -> None:
    """The sequence has each set once, from either end, and in slices."""
    sets, listed = TableSets((7, 2, 5, 9), 3), list(combinations((2, 5, 7, 9), 3))

    assert list(sets) == listed
    assert (len(sets), sets[-1], sets[1:3]) == (4, (5, 7, 9), listed[1:3])
    assert (2, 7, 9) in sets
    with pytest.raises(IndexError):
        sets[4]


def test_each_head_sits_with_all_sets_of_the_others() -> None:
    """The tables of the first head come first; each table is ascending."""
    assert list(TableSets((0, 2, 4), 3, heads=(3, 1))) == [
        (0, 2, 3),
        (0, 3, 4),
        (2, 3, 4),
        (0, 1, 2),
        (0, 1, 4),
        (1, 2, 4),
    ]
