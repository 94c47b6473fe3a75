"""Operations on arrays that numpy lacks."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss_tournament.statistics.arrays import (
    THREADS,
    Floats,
    add_products,
    add_to,
    add_up,
    invert,
    join_arrays,
    logistic,
    np,
    pack_matrix,
    scale_matrix,
    solve,
    unpack_matrix,
)


def draw_positive_definite(size: int, seed: int) -> Floats:
    """Return a symmetric matrix with positive eigenvalues."""
    half = np.random.default_rng(seed).normal(size=(size, size))
    return half @ half.T + np.eye(size)


def test_an_inverse() -> None:
    """A matrix times its inverse is one, the inverse is exactly symmetric, and solutions are those of the inverse."""
    matrix = draw_positive_definite(6, seed=1)
    inverse = invert(matrix)

    assert matrix @ inverse == pytest.approx(np.eye(6), abs=1e-9)
    assert (inverse == inverse.T).all()
    assert solve(matrix, matrix[2]) == pytest.approx(np.eye(6)[2], abs=1e-9)


def test_a_scaled_matrix() -> None:
    """Each entry is multiplied by the factors of its row and of its column."""
    matrix = np.array([[1.0, 2.0], [2.0, 4.0]])

    assert [[4, 12], [12, 36]] == scale_matrix(matrix, np.array([2.0, 3.0])).tolist()
    assert [[1, 2], [2, 4]] == matrix.tolist()


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 9), st.floats(-9, 9)), max_size=40))
def test_sums_by_place_and_by_group(entries: list[tuple[int, int, float]]) -> None:
    """Values of one place are added, in a vector and in a matrix; products are those of the sums within a group."""
    groups, places = (np.array([entry[at] for entry in entries], dtype=np.int64) for at in (0, 1))
    values, matrix, products = np.array([entry[2] for entry in entries]), np.zeros((10, 10)), np.zeros((10, 10))
    sums, vectors = np.zeros(10), defaultdict[int, Floats](lambda: np.zeros(10))
    for group, place, value in entries:
        sums[place] += value
        vectors[group][place] += value

    add_to(matrix, places, places, values)
    add_products(products, groups, places, values)

    assert add_up(places, values, 10) == pytest.approx(sums)
    assert matrix == pytest.approx(np.diag(sums))
    assert products == pytest.approx(sum((np.outer(own, own) for own in vectors.values()), np.zeros((10, 10))))


def test_nothing() -> None:
    """Sums of nothing are floats, to which others can be added; the parts of nothing are an empty array."""
    nothing = join_arrays([])
    sums = add_up(nothing, nothing, 2)
    sums += 0.5

    assert [0.5, 0.5] == sums.tolist()
    assert 0 == len(nothing)


def test_chances_of_large_leads() -> None:
    """The chances of large leads are 0 and 1, and nothing overflows."""
    assert logistic(np.array([-800.0, 0.0, 800.0])).tolist() == pytest.approx([0, 0.5, 1])


def test_a_packed_matrix() -> None:
    """A packed matrix has the same numbers, also where it is a part of a larger one, which does not lie side by side in
    memory.
    """
    matrix = draw_positive_definite(4, seed=2)

    assert (unpack_matrix(pack_matrix(matrix[:3, 1:], "d")) == matrix[:3, 1:]).all()
    assert [[1, 0], [0, 2]] == unpack_matrix(pack_matrix(np.array([[1.0, 0.0], [0.0, 2.9]]), "I")).tolist()


@pytest.mark.once
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads are counted in /proc")
def test_one_thread() -> None:
    """Arrays are calculated in one thread, and the programs of bots do not inherit the setting that says so."""
    code = f"""
import os
from pitboss_tournament.statistics.arrays import np
np.linalg.inv(np.eye(200))
print(len(os.listdir("/proc/self/task")), {THREADS!r} in os.environ)
"""
    environment = {name: value for name, value in os.environ.items() if name != THREADS}
    ran = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60)

    assert "1 False" == ran.stdout.strip(), ran.stderr
