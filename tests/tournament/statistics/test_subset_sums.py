"""The lattice of sides: the same model as menu by menu, in one go."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss_tournament.statistics.choice_model import ChoiceSums, DirectSums, Menu
from pitboss_tournament.statistics.subset_sums import MOST_SETS, build_subset_sums

SIDES = 6
MENUS = st.sets(st.integers(0, SIDES - 1), min_size=2).map(lambda sides: tuple(sorted(sides)))
LOGS = st.floats(-4, 4)


@given(
    st.dictionaries(MENUS, st.integers(1, 9), min_size=1, max_size=12),
    st.lists(LOGS, min_size=SIDES, max_size=SIDES),
    st.dictionaries(st.integers(2, SIDES), LOGS),
)
@settings(max_examples=150)
def test_any_menus_and_sizes_of_tie(counts: dict[Menu, int], means: list[float], ties: dict[int, float]) -> None:
    """All sums that the fit asks for equal those of direct enumeration, with ties of any sizes and without."""
    sizes = sorted(size for size in ties if size <= max(map(len, counts)))
    odds = [ties[size] for size in sizes]
    menus = sorted(counts)
    parts = menus, [counts[menu] for menu in menus], SIDES, sizes
    at_once, one_by_one = build_subset_sums(*parts), DirectSums(*parts)
    assert at_once is not None

    for (shares, tied), (own, own_tied) in zip(
        at_once.compute_shares(means, odds), one_by_one.compute_shares(means, odds), strict=True
    ):
        assert shares == pytest.approx(own, abs=1e-12)
        assert tied == pytest.approx(own_tied, abs=1e-12)
    assert flatten_sums(at_once.compute_sums(means, odds)) == pytest.approx(
        flatten_sums(one_by_one.compute_sums(means, odds)), abs=1e-10
    )


def flatten_sums(sums: ChoiceSums) -> list[float]:
    """Return all numbers of some sums."""
    rows = [*sums.tie_by_side, *sums.tie_by_tie, sums.shares, sums.ties, sums.curvature]
    return [sums.value, *(value for row in rows for value in row)]


def test_without_menus() -> None:
    """Nothing was chosen, and nothing is expected."""
    nothing = build_subset_sums([], [], 0, [])

    assert nothing is not None
    assert [] == nothing.compute_shares([], [])
    assert [0.0] == flatten_sums(nothing.compute_sums([], []))


@pytest.mark.once
def test_a_table_with_too_many_subsets() -> None:
    """There is no lattice of it; it is gone through by itself."""
    table = tuple(range(MOST_SETS.bit_length()))

    assert build_subset_sums([table], [1], len(table), []) is None
    assert build_subset_sums([table[:9]], [1], len(table), []) is not None
