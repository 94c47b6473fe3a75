"""Linear algebra in plain Python, for a few hundred unknowns: vectors are lists, matrices are lists of rows.

Nearly all of its time goes into sums of products, for which `sum` and `map` are the fastest way.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from math import exp, log1p, sqrt
from operator import itemgetter, mul
from typing import Any, Final

from pitboss_tournament.statistics.linear_algebra import Matrix, Vector
from pitboss_tournament.statistics.packed_matrix import CellCode, PackedMatrix
from pitboss_tournament.statistics.student_t import student_t_cdf


class ListAlgebra:
    """An `Algebra` of lists. Nothing has to be installed for it."""

    chunk_size: Final = 1 << 15

    def vector(self, values: Iterable[float]) -> Vector:
        """Return a list."""
        return list(values)

    def whole(self, values: Iterable[int]) -> list[int]:
        """Return a list."""
        return list(values)

    def fill(self, value: float, size: int) -> list[Any]:
        """Return a list."""
        return [value] * size

    def split_columns(self, packed: Sequence[int], count: int) -> list[list[int]]:
        """Return every `count`th number, from the first, the second and so on."""
        return [list(packed[column::count]) for column in range(count)]

    def join(self, parts: Sequence[list[Any]]) -> list[Any]:
        """Return one list."""
        return list(chain.from_iterable(parts))

    def apply(self, function: Callable[..., float], *vectors: Sequence[float]) -> Vector:
        """Return the function's values, one after the other."""
        return list(map(function, *vectors))

    def select(self, flags: Sequence[bool], yes: Vector, no: Vector) -> Vector:
        """Return values of either."""
        return [one if flag else other for flag, one, other in zip(flags, yes, no, strict=True)]

    def keep(self, vector: Vector, flags: Sequence[bool]) -> Vector:
        """Return the values whose flag is set."""
        return [value for value, flag in zip(vector, flags, strict=True) if flag]

    def take(self, vector: Sequence[Any], places: Sequence[int]) -> list[Any]:
        """Return the values at these places."""
        return [vector[place] for place in places]

    def add_up(self, places: Sequence[int], values: Sequence[float], size: int) -> Vector:
        """Return sums, in the order of the values."""
        sums = [0.0] * size
        for place, value in zip(places, values, strict=True):
            sums[place] += value
        return sums

    def number_keys(self, keys: Sequence[int]) -> tuple[list[int], list[int]]:
        """Return the distinct keys, ascending, and their places."""
        distinct = sorted(set(keys))
        places = {key: place for place, key in enumerate(distinct)}
        return distinct, [places[key] for key in keys]

    def total(self, vector: Sequence[float]) -> float:
        """Return the sum."""
        return sum(vector)

    def largest(self, vector: Sequence[float]) -> float:
        """Return the greatest value."""
        return max(vector, default=0)

    def clip(self, vector: Sequence[float], low: float, high: float) -> Vector:
        """Return the values within bounds."""
        return [min(high, max(low, value)) for value in vector]

    def root(self, vector: Sequence[float]) -> Vector:
        """Return square roots."""
        return list(map(sqrt, vector))

    def logistic(self, vector: Sequence[float]) -> Vector:
        """Return chances; neither exponential can overflow."""
        return [1 / (1 + exp(-value)) if value > 0 else exp(value) / (1 + exp(value)) for value in vector]

    def log_one_plus_exp(self, vector: Sequence[float]) -> Vector:
        """Return logarithms; the exponential cannot overflow."""
        return [max(value, 0.0) + log1p(exp(-abs(value))) for value in vector]

    def to_list(self, vector: Sequence[Any]) -> list[Any]:
        """Return a copy."""
        return list(vector)

    def zeros(self, size: int) -> Matrix:
        """Return rows of zeros."""
        return [[0.0] * size for _ in range(size)]

    def add_to(self, matrix: Matrix, rows: Sequence[int], columns: Sequence[int], values: Sequence[float]) -> None:
        """Add value by value."""
        for row, column, value in zip(rows, columns, values, strict=True):
            matrix[row][column] += value

    def add_products(self, matrix: Matrix, groups: Sequence[int], places: Sequence[int], values: Vector) -> None:
        """Add the products of each group's few values."""
        vectors: dict[int, dict[int, float]] = {}
        for group, place, value in zip(groups, places, values, strict=True):
            own = vectors.setdefault(group, {})
            own[place] = own.get(place, 0.0) + value
        for own in vectors.values():
            for row, value in own.items():
                into = matrix[row]
                for column, other in own.items():
                    into[column] += value * other

    def take_entries(self, matrix: Matrix, rows: Sequence[int], columns: Sequence[int]) -> Vector:
        """Return the values one by one."""
        return [matrix[row][column] for row, column in zip(rows, columns, strict=True)]

    def scale(self, matrix: Matrix, factors: Vector) -> Matrix:
        """Return the matrix with its rows and its columns multiplied."""
        return [
            [value * own * other for value, other in zip(row, factors, strict=True)]
            for row, own in zip(matrix, factors, strict=True)
        ]

    def pick(self, matrix: Matrix, places: Sequence[int]) -> Matrix:
        """Return a part of the matrix."""
        return [[matrix[row][column] for column in places] for row in places]

    def solve(self, matrix: Matrix, right: Vector) -> Vector:
        """Return x by the Cholesky decomposition."""
        lower = _decompose(matrix)
        half: Vector = []
        for row, value in zip(lower, right, strict=True):
            half.append((value - sum(map(mul, row, half))) / row[-1])
        x: Vector = []  # from the last one on
        for number in reversed(range(len(half))):
            column = [row[number] for row in lower[:number:-1]]
            x.append((half[number] - sum(map(mul, column, x))) / lower[number][number])
        return x[::-1]

    def invert(self, matrix: Matrix) -> Matrix:
        """Return the inverse by the Cholesky decomposition."""
        columns = _invert_triangle(_decompose(matrix))
        lower = [
            [sum(map(mul, column[row - number :], columns[row])) for number, column in enumerate(columns[: row + 1])]
            for row in range(len(columns))
        ]
        return _fill_symmetric(lower)

    def sandwich(self, bread: Matrix, filling: Matrix) -> Matrix:
        """Return B F B. Zeros of the filling take no time: of many bots most have not met."""
        columns = []
        for column in filling:
            places = [place for place, value in enumerate(column) if value]
            # two zeros first: of a single place, itemgetter returns no tuple
            columns.append((itemgetter(0, 0, *places), (0.0, 0.0, *[column[place] for place in places])))
        half = [[sum(map(mul, gather(row), values)) for gather, values in columns] for row in bread]
        return _fill_symmetric(
            [[sum(map(mul, row, column)) for column in bread[: number + 1]] for number, row in enumerate(half)]
        )

    def diagonal(self, matrix: Matrix) -> Vector:
        """Return the values on the diagonal."""
        return [row[number] for number, row in enumerate(matrix)]

    def pack(self, matrix: Matrix, code: CellCode) -> PackedMatrix:
        """Return the bytes of an array."""
        cells = chain.from_iterable(matrix)
        return PackedMatrix(code, len(matrix), array(code, map(int, cells) if code == "I" else cells).tobytes())

    def unpack(self, packed: PackedMatrix) -> Matrix:
        """Return rows."""
        return packed.to_rows()

    def tail_errors(self, t: Sequence[float], freedom: Sequence[float]) -> Vector:
        """Return the errors one by one."""
        return [2 * student_t_cdf(-abs(own), int(degrees)) for own, degrees in zip(t, freedom, strict=True)]


LISTS: Final = ListAlgebra()


def _decompose(matrix: Matrix) -> Matrix:
    """Return the lower triangle L of a positive definite matrix, L Lᵀ being the matrix; row n has n + 1 values."""
    lower: Matrix = []
    for number, row in enumerate(matrix):
        new: Vector = []
        for value, other in zip(row, lower, strict=False):
            new.append((value - sum(map(mul, new, other))) / other[-1])
        new.append(sqrt(row[number] - sum(map(mul, new, new))))
        lower.append(new)
    return lower


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
