"""Choices from menus: the columns of many menus against a sum over all sets of each menu by itself."""

from __future__ import annotations

from itertools import combinations
from math import exp, log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss_tournament.statistics.choice_model import ChoiceModel, Menu

CONTENDERS = 6
MENUS = st.sets(st.integers(0, CONTENDERS - 1), min_size=2).map(lambda members: tuple(sorted(members)))
LOGS = st.floats(-4, 4)


def weigh_sets(menu: Menu, means: list[float], ties: dict[int, float]) -> dict[Menu, float]:
    """Return the weight of each set that may be chosen from a menu: d_k times the mean strength of its members."""
    odds = {1: 0.0} | ties
    return {
        chosen: exp(odds[size] + sum(means[member] for member in chosen) / size)
        for size in odds
        for chosen in combinations(menu, size)
    }


@given(
    st.dictionaries(MENUS, st.integers(1, 9), min_size=1, max_size=12),
    st.lists(LOGS, min_size=CONTENDERS, max_size=CONTENDERS),
    st.dictionaries(st.integers(2, CONTENDERS), LOGS),
)
@settings(max_examples=60)
def test_any_menus_and_sizes_of_tie(counts: dict[Menu, int], means: list[float], ties: dict[int, float]) -> None:
    """All sums and shares are those of the sets, with ties of any sizes and without."""
    sizes = sorted(ties)
    model = ChoiceModel(list(counts), list(counts.values()), CONTENDERS, sizes)
    odds = [ties[size] for size in sizes]
    sums = model.compute_sums(means, odds)
    value, unknowns = 0.0, CONTENDERS + len(sizes)
    expected, curvature = [0.0] * unknowns, [[0.0] * unknowns for _ in range(unknowns)]
    for (menu, count), (shares, tied) in zip(counts.items(), model.compute_shares(means, odds), strict=True):
        weights = weigh_sets(menu, means, ties)
        total = sum(weights.values())
        own, both = [0.0] * unknowns, [[0.0] * unknowns for _ in range(unknowns)]
        for chosen, weight in weights.items():
            parts = [(member, 1 / len(chosen)) for member in chosen]
            parts += [(CONTENDERS + sizes.index(len(chosen)), 1.0)] if len(chosen) > 1 else []
            for one, part in parts:
                own[one] += part * weight / total
                for other, likewise in parts:
                    both[one][other] += part * likewise * weight / total
        assert list(shares) == pytest.approx([own[member] for member in menu])
        assert list(tied) == pytest.approx([own[CONTENDERS + n] for n in range(len(sizes)) if sizes[n] <= len(menu)])
        value += count * log(total)
        for one in range(unknowns):
            expected[one] += count * own[one]
            for other in range(unknowns):
                curvature[one][other] += count * (both[one][other] - own[one] * own[other])

    assert sums.value == pytest.approx(value)
    assert [*sums.shares, *sums.ties] == pytest.approx(expected)
    for one in range(CONTENDERS):
        row = sums.curvature[one * CONTENDERS : one * CONTENDERS + one + 1]
        assert row == pytest.approx(curvature[one][: one + 1], abs=1e-10)
    for tie in range(len(sizes)):
        row = [*sums.tie_by_contender[tie], *sums.tie_by_tie[tie]]
        assert row == pytest.approx(curvature[CONTENDERS + tie], abs=1e-10)


def test_without_menus() -> None:
    """Nothing was chosen, and nothing is expected."""
    nothing = ChoiceModel([], [], 0, [])

    assert [] == nothing.compute_shares([], [])
    assert nothing.compute_sums([], []).value == 0.0
