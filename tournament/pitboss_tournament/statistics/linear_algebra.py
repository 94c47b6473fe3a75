"""Linear algebra for a few dozen unknowns: symmetric positive definite matrices, as lists of rows."""

from __future__ import annotations

from math import sqrt
from typing import TypeAlias

Vector: TypeAlias = list[float]
Matrix: TypeAlias = list[Vector]


def cholesky(matrix: Matrix) -> Matrix:
    """Return the lower triangle L of a positive definite matrix, L Lᵀ being the matrix."""
    lower: Matrix = []
    for number, row in enumerate(matrix):
        new: Vector = []
        for column in range(number):
            other = lower[column]
            rest = row[column] - sum(a * b for a, b in zip(new, other, strict=False))
            new.append(rest / other[column])
        new.append(sqrt(row[number] - sum(a * a for a in new)))
        lower.append(new)
    return lower


def solve_cholesky(lower: Matrix, right: Vector) -> Vector:
    """Return x for which L Lᵀ x is the right side."""
    x: Vector = []
    for row, value in zip(lower, right, strict=True):
        x.append((value - sum(a * b for a, b in zip(row, x, strict=False))) / row[-1])
    for number in reversed(range(len(x))):
        x[number] /= lower[number][number]
        for column in range(number):
            x[column] -= lower[number][column] * x[number]
    return x


def inverse(matrix: Matrix) -> Matrix:
    """Return the inverse of a positive definite matrix."""
    lower, size = cholesky(matrix), len(matrix)
    return [solve_cholesky(lower, [float(row == column) for row in range(size)]) for column in range(size)]


def sandwich(bread: Matrix, filling: Matrix) -> Matrix:
    """Return B F B of two symmetric matrices."""
    half = [[sum(a * b for a, b in zip(row, column, strict=True)) for column in filling] for row in bread]
    return [[sum(a * b for a, b in zip(row, column, strict=True)) for column in bread] for row in half]
