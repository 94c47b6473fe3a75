"""Arrays: numpy as the ratings use it, with the operations that it lacks.

The other modules of this package import numpy from here. It is loaded with the first array, so that commands that make
none do not wait for it. Its BLAS (OpenBLAS) calculates in one thread: threads of OpenBLAS wait for each other in loops,
and beside a run, which keeps all processors busy, a refit of a thousand bots took nine times the processor time. If
`OPENBLAS_NUM_THREADS` is set, OpenBLAS has as many threads as that says.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from pitboss_tournament.statistics.packed_matrix import CellCode, PackedMatrix

THREADS: Final = "OPENBLAS_NUM_THREADS"


@contextmanager
def _one_thread() -> Iterator[None]:
    """Let a library that is imported meanwhile calculate in one thread, unless the environment says otherwise.

    The environment is afterwards as before: the programs of bots inherit it.
    """
    is_asked = THREADS in os.environ
    os.environ.setdefault(THREADS, "1")
    try:
        yield
    finally:
        if not is_asked:
            os.environ.pop(THREADS, None)  # unless another thread has removed it


class _LateNumpy:
    """Numpy, imported when its first attribute is asked for."""

    def __getattr__(self, name: str) -> object:
        with _one_thread():
            import numpy  # noqa: PLC0415 - with the first array: few commands calculate
        value = getattr(numpy, name)
        setattr(self, name, value)  # from now on it is found without this function
        return value


if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:
    np = _LateNumpy()

__all__ = [
    "Flags",
    "Floats",
    "Whole",
    "add_products",
    "add_to",
    "add_up",
    "invert",
    "join_arrays",
    "logistic",
    "np",
    "pack_matrix",
    "scale_matrix",
    "solve",
    "unpack_matrix",
]

Floats: TypeAlias = "NDArray[np.float64]"
Whole: TypeAlias = "NDArray[np.int64]"
Flags: TypeAlias = "NDArray[np.bool_]"


def join_arrays(parts: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Return one array of several; without any, an empty one of whole numbers."""
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


def add_up(places: Whole, values: Floats | Whole, size: int) -> Floats:
    """Return `size` sums: at each place, of the values that belong there."""
    return np.bincount(places, weights=values, minlength=size).astype(np.float64, copy=False)  # of nothing it is whole


def logistic(leads: Floats) -> Floats:
    """Return 1 / (1 + exp(-v)) of each value; the exponential cannot overflow."""
    small = np.exp(-np.abs(leads))
    chances: Floats = np.where(leads > 0, 1.0, small) / (1 + small)
    return chances


def add_to(matrix: Floats, rows: Whole, columns: Whole, values: Floats) -> None:
    """Add values to a matrix; of those for the same place, all."""
    flat = matrix.reshape(-1)  # a view
    np.add.at(flat, rows * len(matrix) + columns, values)


def add_products(matrix: Floats, groups: Whole, places: Whole, values: Floats) -> None:
    """Add the sum of v vᵀ over groups, v having at each place the sum of the group's values for it.

    Products are added by the distance of the two values in their group, which is sorted by place.
    """
    size = len(matrix)
    keys, at = np.unique(groups * size + places, return_inverse=True)
    sums = add_up(at, values, len(keys))
    group, place = np.divmod(keys, size)
    add_to(matrix, place, place, sums * sums)
    for distance in range(1, len(keys)):
        first = np.flatnonzero(group[distance:] == group[:-distance])
        if not first.size:
            break
        product = sums[first] * sums[first + distance]
        add_to(matrix, place[first], place[first + distance], product)
        add_to(matrix, place[first + distance], place[first], product)


def scale_matrix(matrix: Floats, factors: Floats) -> Floats:
    """Return D M D, D being the diagonal matrix of the factors."""
    scaled: Floats = matrix * factors[:, None]
    scaled *= factors[None, :]
    return scaled


def solve(matrix: Floats, right: Floats) -> Floats:
    """Return x for which M x is the right side."""
    solution: Floats = np.linalg.solve(matrix, right).astype(np.float64, copy=False)  # numpy's types say less
    return solution


def invert(matrix: Floats) -> Floats:
    """Return the inverse of a symmetric matrix, exactly symmetric: rounding errors of both halves are averaged."""
    inverse: Floats = np.linalg.inv(matrix).astype(np.float64, copy=False)
    both: Floats = inverse + inverse.T
    both /= 2
    return both


def pack_matrix(matrix: Floats, code: CellCode) -> PackedMatrix:
    """Return the matrix as bytes; of floats whose code is that of whole numbers the fraction is cut off."""
    return PackedMatrix(code, len(matrix), matrix.astype(np.dtype(code), order="C", copy=False).tobytes())


def unpack_matrix(packed: PackedMatrix) -> Floats:
    """Return the matrix as floats; of packed floats it is a view that cannot be changed."""
    cells = np.frombuffer(packed.cells, dtype=np.dtype(packed.code)).reshape(packed.size, packed.size)
    return cells.astype(np.float64, copy=False)
