"""Linear algebra by numpy, for a thousand unknowns and for millions of games. Importing this module needs numpy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pitboss_tournament.statistics.packed_matrix import CellCode, PackedMatrix
from pitboss_tournament.statistics.student_t import MAX_EXACT_FREEDOM, student_t_cdf

Floats: TypeAlias = NDArray[np.float64]
Whole: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]
AnyArray: TypeAlias = NDArray[Any]


class NumpyAlgebra:
    """An `Algebra` of arrays. Sums are rounded in another order than those of lists, by parts in 10^15."""

    chunk_size: Final = 1 << 20

    def vector(self, values: Iterable[float]) -> Floats:
        """Return an array."""
        return np.array(values if isinstance(values, np.ndarray) else list(values), dtype=np.float64)

    def whole(self, values: Iterable[int]) -> Whole:
        """Return an array of 64 bits, wide enough for the product of two numbers of contenders."""
        if isinstance(values, range):
            return np.arange(values.start, values.stop, values.step, dtype=np.int64)
        return np.array(values if isinstance(values, np.ndarray | Sequence) else list(values), dtype=np.int64)

    def fill(self, value: float, size: int) -> AnyArray:
        """Return an array, of whole numbers if the value is an `int`."""
        return np.full(size, value)

    def split_columns(self, packed: Sequence[int], count: int) -> list[Whole]:
        """Return columns that lie side by side in memory."""
        table = np.asarray(packed, dtype=np.int64).reshape(-1, count)
        return [np.ascontiguousarray(table[:, column]) for column in range(count)]

    def join(self, parts: Sequence[AnyArray]) -> AnyArray:
        """Return one array."""
        return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)

    def apply(self, function: Callable[..., Any], *vectors: AnyArray) -> AnyArray:
        """Return the function of whole arrays, whose operators go value by value."""
        array: AnyArray = function(*vectors)
        return array

    def select(self, flags: Flags, yes: AnyArray, no: AnyArray) -> AnyArray:
        """Return values of either."""
        return np.where(flags, yes, no)

    def keep(self, vector: AnyArray, flags: AnyArray) -> AnyArray:
        """Return the values whose flag is set."""
        return vector[flags.astype(np.bool_)]

    def take(self, vector: AnyArray, places: Whole) -> AnyArray:
        """Return the values at these places."""
        return vector[places]

    def add_up(self, places: Whole, values: AnyArray, size: int) -> Floats:
        """Return sums."""
        return np.bincount(places, weights=values, minlength=size).astype(np.float64, copy=False)

    def number_keys(self, keys: Whole) -> tuple[Whole, Whole]:
        """Return the distinct keys, ascending, and their places."""
        distinct, places = np.unique(keys, return_inverse=True)
        return distinct, places

    def total(self, vector: AnyArray) -> float:
        """Return the sum."""
        return float(vector.sum())

    def largest(self, vector: AnyArray) -> float:
        """Return the greatest value."""
        return float(vector.max()) if vector.size else 0.0

    def clip(self, vector: Floats, low: float, high: float) -> Floats:
        """Return the values within bounds."""
        return np.clip(vector, low, high)

    def root(self, vector: Floats) -> Floats:
        """Return square roots."""
        return np.sqrt(vector)

    def logistic(self, vector: Floats) -> Floats:
        """Return chances; the exponential cannot overflow."""
        small = np.exp(-np.abs(vector))
        chances: Floats = np.where(vector > 0, 1.0, small) / (1 + small)
        return chances

    def log_one_plus_exp(self, vector: Floats) -> Floats:
        """Return logarithms; the exponential cannot overflow."""
        return np.maximum(vector, 0.0) + np.log1p(np.exp(-np.abs(vector)))

    def to_list(self, vector: AnyArray) -> list[Any]:
        """Return a list."""
        return list(vector.tolist())

    def zeros(self, size: int) -> Floats:
        """Return an array of two dimensions."""
        return np.zeros((size, size))

    def add_to(self, matrix: Floats, rows: Whole, columns: Whole, values: AnyArray) -> None:
        """Add the sums of what belongs to the same place."""
        flat = matrix.reshape(-1)  # a view
        np.add.at(flat, rows * len(matrix) + columns, values)

    def add_products(self, matrix: Floats, groups: Whole, places: Whole, values: Floats) -> None:
        """Add products by the distance of the two values in their group, in which they are sorted by place."""
        size = len(matrix)
        keys, at = np.unique(groups * size + places, return_inverse=True)
        sums = np.bincount(at, weights=values, minlength=len(keys))
        group, place = np.divmod(keys, size)
        self.add_to(matrix, place, place, sums * sums)
        for distance in range(1, len(keys)):
            first = np.flatnonzero(group[distance:] == group[:-distance])
            if not first.size:
                break
            product = sums[first] * sums[first + distance]
            self.add_to(matrix, place[first], place[first + distance], product)
            self.add_to(matrix, place[first + distance], place[first], product)

    def take_entries(self, matrix: Floats, rows: Whole, columns: Whole) -> Floats:
        """Return the values."""
        return matrix[rows, columns]

    def scale(self, matrix: Floats, factors: Floats) -> Floats:
        """Return the matrix with its rows and its columns multiplied."""
        scaled: Floats = matrix * factors[:, None]
        scaled *= factors[None, :]
        return scaled

    def pick(self, matrix: Floats, places: Sequence[int]) -> Floats:
        """Return a part of the matrix."""
        return matrix[np.ix_(places, places)]

    def solve(self, matrix: Floats, right: Floats) -> Floats:
        """Return x by LAPACK."""
        solution: Floats = np.linalg.solve(matrix, right).astype(np.float64, copy=False)
        return solution

    def invert(self, matrix: Floats) -> Floats:
        """Return the inverse by LAPACK, as symmetric as its rounding errors allow."""
        inverse: Floats = np.linalg.inv(matrix).astype(np.float64, copy=False)
        both: Floats = inverse + inverse.T
        both /= 2
        return both

    def sandwich(self, bread: Floats, filling: Floats) -> Floats:
        """Return B F B."""
        return bread @ filling @ bread

    def diagonal(self, matrix: Floats) -> Floats:
        """Return a copy of the diagonal."""
        return np.diagonal(matrix).copy()

    def pack(self, matrix: Floats, code: CellCode) -> PackedMatrix:
        """Return the bytes of the array."""
        return PackedMatrix(code, len(matrix), matrix.astype(np.dtype(code), order="C", copy=False).tobytes())

    def unpack(self, packed: PackedMatrix) -> Floats:
        """Return an array of floats; of packed floats it is a view that cannot be changed."""
        cells = np.frombuffer(packed.cells, dtype=np.dtype(packed.code)).reshape(packed.size, packed.size)
        return cells.astype(np.float64, copy=False)

    def tail_errors(self, t: Floats, freedom: Floats) -> Floats:
        """Return the errors of all that have the same degrees of freedom at once, by the sums of `student_t_cdf`."""
        errors = np.empty(len(t))
        order = np.argsort(freedom, kind="stable")
        distinct, starts = np.unique(freedom[order], return_index=True)
        for degrees, own in zip(distinct.tolist(), np.split(order, starts[1:]), strict=True):
            errors[own] = _tail_errors(np.abs(t[own]), int(degrees))
        return errors


def _tail_errors(t: Floats, freedom: int) -> Floats:
    """Return the two-sided errors of t, 0 or more, with these degrees of freedom."""
    if freedom > MAX_EXACT_FREEDOM:
        return np.array([2 * student_t_cdf(-value, freedom) for value in t.tolist()])
    angle = np.arctan2(t, np.sqrt(freedom))
    square, odd = np.cos(angle) ** 2, freedom % 2
    term = np.cos(angle) if odd else np.ones(len(t))
    total = term.copy() if freedom > 1 else np.zeros(len(t))
    for number in range(2 + odd, freedom - 1, 2):
        term *= (number - 1) / number * square
        total += term
    within = 2 / np.pi * (angle + np.sin(angle) * total) if odd else np.sin(angle) * total
    errors: Floats = np.clip(1 - within, 0.0, 2.0)
    return errors
