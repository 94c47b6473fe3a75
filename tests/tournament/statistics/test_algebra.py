"""Linear algebra, in lists and in numpy: what each operation says, and that both say the same."""

from __future__ import annotations

from math import log1p
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss_tournament.statistics.algebra_choice import LIST_BLOCKS, LIST_UNKNOWNS, choose_algebra
from pitboss_tournament.statistics.linear_algebra import Algebra, Matrix
from pitboss_tournament.statistics.list_algebra import LISTS
from tests.tournament.statistics.algebras import HAS_NUMPY, each_algebra, find_algebra, list_rows, needs_numpy


def make_matrix(algebra: Algebra, rows: Matrix) -> object:
    """Return a matrix of an algebra with these rows."""
    matrix = algebra.zeros(len(rows))
    for row, values in enumerate(rows):
        places = algebra.whole(range(len(rows)))
        algebra.add_to(matrix, algebra.whole([row] * len(rows)), places, algebra.vector(values))
    return matrix


def draw_positive_definite(size: int, seed: int) -> Matrix:
    """Return a symmetric matrix with positive eigenvalues."""
    rng = Random(seed)
    half = [[rng.gauss(0, 1) for _ in range(size)] for _ in range(size)]
    return [[sum(a * b for a, b in zip(row, column, strict=True)) + (row is column) for column in half] for row in half]


@each_algebra
def test_an_inverse(calculator: str) -> None:
    """A matrix times its inverse is one, a sandwich of it and its inverse is the inverse, and it solves equations."""
    algebra, rows = find_algebra(calculator), draw_positive_definite(6, seed=1)
    matrix = make_matrix(algebra, rows)
    inverse = algebra.invert(matrix)
    solved = algebra.to_list(algebra.solve(matrix, algebra.vector(rows[2])))

    other = list_rows(algebra, inverse)
    for number, row in enumerate(rows):
        product = [sum(a * b for a, b in zip(row, column, strict=True)) for column in other]
        assert product == pytest.approx([float(number == k) for k in range(6)], abs=1e-9)
    for one, two in zip(list_rows(algebra, algebra.sandwich(inverse, matrix)), other, strict=True):
        assert one == pytest.approx(two)
    assert solved == pytest.approx([0, 0, 1, 0, 0, 0], abs=1e-9)


@each_algebra
def test_a_part_of_a_matrix(calculator: str) -> None:
    """It has the rows and columns that are asked for."""
    algebra = find_algebra(calculator)
    matrix = make_matrix(algebra, [[1, 2, 3], [2, 4, 5], [3, 5, 6]])

    assert [[1, 3], [3, 6]] == list_rows(algebra, algebra.pick(matrix, [0, 2]))
    assert [] == list_rows(algebra, algebra.pick(matrix, []))
    assert [1, 4, 6] == algebra.to_list(algebra.diagonal(matrix))
    assert [3, 2] == algebra.to_list(algebra.take_entries(matrix, algebra.whole([0, 1]), algebra.whole([2, 0])))
    assert [[4, 0], [0, 0]] == list_rows(
        algebra, algebra.scale(make_matrix(algebra, [[1, 2], [2, 4]]), _vector(algebra))
    )


def _vector(algebra: Algebra) -> object:
    return algebra.vector([2.0, 0.0])


@each_algebra
def test_products_within_groups(calculator: str) -> None:
    """Values for one place of a group are added before they are multiplied; those of two groups are not."""
    algebra = find_algebra(calculator)
    matrix = algebra.zeros(3)
    groups, places = algebra.whole([7, 7, 7, 9, 9, 8]), algebra.whole([0, 2, 0, 2, 1, 1])
    algebra.add_products(matrix, groups, places, algebra.vector([1.0, 5.0, 2.0, 1.0, 4.0, 2.0]))

    assert [[9, 0, 15], [0, 20, 4], [15, 4, 26]] == list_rows(algebra, matrix)


@each_algebra
def test_equal_values(calculator: str) -> None:
    """As many as are asked for: whole numbers of one, and floats of a float."""
    algebra = find_algebra(calculator)
    filled = [algebra.to_list(algebra.fill(value, 3)) for value in (4, 4.0)]

    assert ["[4, 4, 4]", "[4.0, 4.0, 4.0]"] == list(map(str, filled))
    assert [2, 3, 4] == algebra.to_list(algebra.whole(range(2, 5)))


@each_algebra
def test_nothing(calculator: str) -> None:
    """Empty vectors have a sum and a greatest value of 0, and no keys."""
    algebra = find_algebra(calculator)
    nothing = algebra.vector([])

    assert (0, 0) == (algebra.total(nothing), algebra.largest(nothing))
    assert [[], []] == [algebra.to_list(part) for part in algebra.number_keys(algebra.whole([]))]
    assert [0, 0] == algebra.to_list(algebra.add_up(algebra.whole([]), nothing, 2))
    assert [] == algebra.to_list(algebra.join([]))


@each_algebra
def test_numbers_that_do_not_overflow(calculator: str) -> None:
    """Chances and logarithms of leads of any size."""
    algebra = find_algebra(calculator)
    leads = algebra.vector([-800.0, -1.0, 0.0, 1.0, 800.0])

    low, half, high = 0.2689414213699951, 0.5, 0.7310585786300049
    assert algebra.to_list(algebra.logistic(leads)) == pytest.approx([0, low, half, high, 1])
    expected = [0, log1p(low / high), log1p(1), 1 + log1p(low / high), 800]
    assert algebra.to_list(algebra.log_one_plus_exp(leads)) == pytest.approx(expected)


@needs_numpy
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 9), st.floats(-9, 9)), max_size=30))
def test_sums_in_lists_and_in_numpy(entries: list[tuple[int, int, float]]) -> None:
    """They agree, whatever belongs together."""
    found = []
    for algebra in (LISTS, find_algebra("numpy")):
        groups, places = algebra.whole([own for own, _, _ in entries]), algebra.whole([own for _, own, _ in entries])
        values, matrix = algebra.vector([entry[2] for entry in entries]), algebra.zeros(10)
        algebra.add_products(matrix, groups, places, values)
        distinct, at = algebra.number_keys(places)
        found.append([*list_rows(algebra, matrix), algebra.to_list(algebra.add_up(places, values, 10))])
        found[-1] += [algebra.to_list(distinct), algebra.to_list(at)]

    for one, other in zip(*found, strict=True):
        assert one == pytest.approx(other, abs=1e-9)


def test_who_calculates() -> None:
    """Lists do for a small field, without an import of numpy, and for any field where numpy is not installed."""
    assert choose_algebra(LIST_UNKNOWNS - 1, LIST_BLOCKS - 1) is LISTS
    assert (choose_algebra(LIST_UNKNOWNS, 0) is LISTS) == (not HAS_NUMPY)
    assert (choose_algebra(2, LIST_BLOCKS) is LISTS) == (not HAS_NUMPY)
