"""Linear algebra for a few hundred unknowns: symmetric positive definite matrices, as lists of rows.

Nearly all of their time goes into sums of products, for which `sum` and `map` are the fastest way.
"""

from __future__ import annotations

from math import sqrt
from operator import itemgetter, mul
from typing import TypeAlias

Vector: TypeAlias = list[float]
Matrix: TypeAlias = list[Vector]


def cholesky(matrix: Matrix) -> Matrix:
    """Return the lower triangle L of a positive definite matrix, L Lᵀ being the matrix; row n has n + 1 values."""
    lower: Matrix = []
    for number, row in enumerate(matrix):
        new: Vector = []
        for value, other in zip(row, lower, strict=False):
            new.append((value - sum(map(mul, new, other))) / other[-1])
        new.append(sqrt(row[number] - sum(map(mul, new, new))))
        lower.append(new)
    return lower


def solve_cholesky(lower: Matrix, right: Vector) -> Vector:
    """Return x for which L Lᵀ x is the right side."""
    half: Vector = []
    for row, value in zip(lower, right, strict=True):
        half.append((value - sum(map(mul, row, half))) / row[-1])
    x: Vector = []  # from the last one on
    for number in reversed(range(len(half))):
        column = [row[number] for row in lower[:number:-1]]
        x.append((half[number] - sum(map(mul, column, x))) / lower[number][number])
    return x[::-1]


def inverse(matrix: Matrix) -> Matrix:
    """Return the inverse of a positive definite matrix."""
    columns = _invert_triangle(cholesky(matrix))
    lower = [
        [sum(map(mul, column[row - number :], columns[row])) for number, column in enumerate(columns[: row + 1])]
        for row in range(len(columns))
    ]
    return _fill_symmetric(lower)


def sandwich(bread: Matrix, filling: Matrix) -> Matrix:
    """Return B F B of two symmetric matrices. Zeros of the filling take no time: of many bots most have not met."""
    columns = []
    for column in filling:
        places = [place for place, value in enumerate(column) if value]
        # two zeros first: of a single place, itemgetter returns no tuple
        columns.append((itemgetter(0, 0, *places), (0.0, 0.0, *[column[place] for place in places])))
    half = [[sum(map(mul, gather(row), values)) for gather, values in columns] for row in bread]
    return _fill_symmetric(
        [[sum(map(mul, row, column)) for column in bread[: number + 1]] for number, row in enumerate(half)]
    )


def _invert_triangle(lower: Matrix) -> Matrix:
    """Return the columns of the inverse of a lower triangle, each from the diagonal on."""
    columns: Matrix = []
    for number in range(len(lower)):
        column: Vector = []
        for row in lower[number:]:
            column.append((float(not column) - sum(map(mul, row[number:], column))) / row[-1])
        columns.append(column)
    return columns


def _fill_symmetric(lower: Matrix) -> Matrix:
    """Return the whole of a symmetric matrix."""
    return [[*row, *(below[number] for below in lower[number + 1 :])] for number, row in enumerate(lower)]
