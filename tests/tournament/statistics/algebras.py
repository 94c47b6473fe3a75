"""Who may calculate ratings: each test of the algebra runs with both, where numpy is installed."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

import pytest

from pitboss_tournament.statistics.linear_algebra import Algebra, Matrix, SquareMatrix
from pitboss_tournament.statistics.list_algebra import LISTS

HAS_NUMPY: Final = find_spec("numpy") is not None

needs_numpy = pytest.mark.skipif(not HAS_NUMPY, reason="numpy is not installed")


def find_algebra(name: str) -> Algebra:
    """Return an algebra by name: `lists` or `numpy`."""
    if name == "lists":
        return LISTS
    from pitboss_tournament.statistics.numpy_algebra import NumpyAlgebra

    return NumpyAlgebra()


def list_rows(algebra: Algebra, matrix: SquareMatrix) -> Matrix:
    """Return the rows of a matrix as lists of Python's own numbers."""
    return algebra.pack(matrix, "d").to_rows()


each_algebra = pytest.mark.parametrize("calculator", ["lists", pytest.param("numpy", marks=needs_numpy)])
