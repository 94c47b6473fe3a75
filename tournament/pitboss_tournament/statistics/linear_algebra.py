"""Linear algebra as the ratings need it, whoever calculates: plain lists, or numpy where it is installed and worth it.

The mathematics of the ratings is written once, in the operations of an `Algebra`. `choose_algebra` (in
`algebra_choice`) is the one place where it is decided which one calculates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TypeAlias

from pitboss_tournament.statistics.packed_matrix import CellCode, PackedMatrix

Vector: TypeAlias = list[float]
Matrix: TypeAlias = list[Vector]
# Of one algebra, which alone looks into them: lists, or arrays of numpy. Both have a length and a value at an index.
Numbers: TypeAlias = Any  # a vector of floats, of whole numbers or of flags
SquareMatrix: TypeAlias = Any  # as rows; symmetric but where it says otherwise


class Algebra(Protocol):
    """Operations on vectors and square matrices of one representation."""

    @property
    def chunk_size(self) -> int:
        """How many whole numbers are best handled at once."""

    def vector(self, values: Iterable[float]) -> Numbers:
        """Return a vector of floats."""

    def whole(self, values: Iterable[int]) -> Numbers:
        """Return a vector of whole numbers."""

    def fill(self, value: float, size: int) -> Numbers:
        """Return a vector of so many equal values: of whole numbers if it is an `int`, else of floats."""

    def split_columns(self, packed: Sequence[int], count: int) -> list[Numbers]:
        """Return as many columns of a table of whole numbers that is given row after row."""

    def join(self, parts: Sequence[Numbers]) -> Numbers:
        """Return one vector of several, which are of whole numbers or all of floats."""

    def apply(self, function: Callable[..., float], *vectors: Numbers) -> Numbers:
        """Return a function of the values of vectors of one length; it uses the operators of arithmetic alone."""

    def select(self, flags: Numbers, yes: Numbers, no: Numbers) -> Numbers:
        """Return the values of one vector where the flag is set, and else of the other."""

    def keep(self, vector: Numbers, flags: Numbers) -> Numbers:
        """Return the values whose flag is set."""

    def take(self, vector: Numbers, places: Numbers) -> Numbers:
        """Return the values at these places."""

    def add_up(self, places: Numbers, values: Numbers, size: int) -> Numbers:
        """Return a vector of sums: at each place, of the values that belong there."""

    def number_keys(self, keys: Numbers) -> tuple[Numbers, Numbers]:
        """Return the distinct whole numbers, ascending, and for each key its place among them."""

    def total(self, vector: Numbers) -> float:
        """Return the sum; 0 of nothing."""

    def largest(self, vector: Numbers) -> float:
        """Return the greatest value; 0 of nothing."""

    def clip(self, vector: Numbers, low: float, high: float) -> Numbers:
        """Return the values, those outside the bounds replaced by the nearer one."""

    def root(self, vector: Numbers) -> Numbers:
        """Return square roots."""

    def logistic(self, vector: Numbers) -> Numbers:
        """Return 1 / (1 + exp(-v)) of each value."""

    def log_one_plus_exp(self, vector: Numbers) -> Numbers:
        """Return log(1 + exp(v)) of each value."""

    def to_list(self, vector: Numbers) -> list[Any]:
        """Return the values as Python's own numbers."""

    def zeros(self, size: int) -> SquareMatrix:
        """Return a matrix of zeros."""

    def add_to(self, matrix: SquareMatrix, rows: Numbers, columns: Numbers, values: Numbers) -> None:
        """Add values to a matrix; of those for the same place, all."""

    def add_products(self, matrix: SquareMatrix, groups: Numbers, places: Numbers, values: Numbers) -> None:
        """Add the sum of v vᵀ over groups, v having at each place the sum of the group's values for it."""

    def take_entries(self, matrix: SquareMatrix, rows: Numbers, columns: Numbers) -> Numbers:
        """Return the values at these places of a matrix."""

    def scale(self, matrix: SquareMatrix, factors: Numbers) -> SquareMatrix:
        """Return D M D, D being the diagonal matrix of the factors."""

    def pick(self, matrix: SquareMatrix, places: Sequence[int]) -> SquareMatrix:
        """Return the rows and columns at these places."""

    def solve(self, matrix: SquareMatrix, right: Numbers) -> Numbers:
        """Return x for which M x is the right side; M is positive definite."""

    def invert(self, matrix: SquareMatrix) -> SquareMatrix:
        """Return the inverse of a positive definite matrix."""

    def sandwich(self, bread: SquareMatrix, filling: SquareMatrix) -> SquareMatrix:
        """Return B F B of two symmetric matrices."""

    def diagonal(self, matrix: SquareMatrix) -> Numbers:
        """Return the values on the diagonal."""

    def pack(self, matrix: SquareMatrix, code: CellCode) -> PackedMatrix:
        """Return the matrix as bytes; of floats whose code is that of whole numbers the fraction is cut off."""

    def unpack(self, packed: PackedMatrix) -> SquareMatrix:
        """Return a matrix of a packed one."""

    def tail_errors(self, t: Numbers, freedom: Numbers) -> Numbers:
        """Return the two-sided errors of Student's t, with whole degrees of freedom, 1 or more."""
