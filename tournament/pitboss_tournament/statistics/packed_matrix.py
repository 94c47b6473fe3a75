"""Packed matrix: a square matrix as bytes, which takes a quarter of the memory of Python's numbers, and no decoding."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from functools import cached_property
from typing import Final, Literal, TypeAlias, cast

from msgspec import Struct

CellCode: TypeAlias = Literal["d", "I"]  # of `array`: floats, or whole numbers from 0 on

_SIZES: Final = {code: array(code).itemsize for code in ("d", "I")}


class PackedMatrix(Struct, frozen=True, dict=True):
    """A square matrix, row after row; `matrix[row][column]` is a Python number."""

    code: CellCode
    size: int  # rows, and columns
    cells: bytes

    @property
    def is_whole(self) -> bool:
        """Whether there are as many cells as a matrix of this size has."""
        return self.size >= 0 and len(self.cells) == self.size**2 * _SIZES[self.code]

    @cached_property
    def _numbers(self) -> memoryview[float]:
        return cast("memoryview[float]", memoryview(self.cells).cast(self.code))

    def to_rows(self) -> list[list[float]]:
        """Return its numbers in lists."""
        return [[*row] for row in self]

    def __getitem__(self, row: int) -> memoryview[float]:
        if not 0 <= row < self.size:
            raise IndexError(f"row {row} of {self.size}")
        return self._numbers[row * self.size : (row + 1) * self.size]

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[memoryview[float]]:
        return (self[row] for row in range(self.size))
