"""Who calculates the ratings: numpy where it is installed and saves more than its import costs, else plain Python."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Final

from pitboss_tournament.statistics.linear_algebra import Algebra
from pitboss_tournament.statistics.list_algebra import LISTS

LIST_UNKNOWNS: Final = 60  # with fewer, and
LIST_BLOCKS: Final = 5_000  # fewer blocks, lists take less than the 0.1 s and 25 MiB that numpy's import takes

THREADS: Final = "OPENBLAS_NUM_THREADS"


def choose_algebra(unknowns: int, blocks: int) -> Algebra:
    """Return what is best for a fit of so many unknowns to the games of so many blocks.

    The choice depends on nothing else; the results of both agree to a millionth of a rating point.
    """
    if unknowns < LIST_UNKNOWNS and blocks < LIST_BLOCKS:
        return LISTS
    return _find_numpy() or LISTS


@cache
def _find_numpy() -> Algebra | None:
    """Return numpy's algebra; None where numpy (`pitboss[fast]`) is not installed."""
    try:
        with _one_thread():
            from pitboss_tournament.statistics.numpy_algebra import NumpyAlgebra
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        return None
    return NumpyAlgebra()


@contextmanager
def _one_thread() -> Iterator[None]:
    """Let a library that is imported meanwhile calculate in one thread, unless its user says otherwise.

    Threads of OpenBLAS wait for each other in loops: beside a run, which keeps all processors busy, a refit of a
    thousand bots took nine times the processor time.
    """
    is_asked = THREADS in os.environ
    os.environ.setdefault(THREADS, "1")
    try:
        yield
    finally:
        if not is_asked:
            del os.environ[THREADS]
