"""The faults of `bench/sabotage.py` can still be planted: each changes the text of its game, which stays Python."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Final

import pytest

FOLDER: Final = Path(__file__).parents[2] / "bench" / "sabotaged"
ROWS: Final[list[dict[str, Any]]] = tomllib.loads((FOLDER / "faults.toml").read_text())["faults"]


@pytest.mark.parametrize("row", ROWS, ids=[row["name"] for row in ROWS])
def test_a_fault_is_planted(row: dict[str, Any]) -> None:
    """Each change finds its place, and the game with the fault can be compiled."""
    text = (FOLDER / f"{row['game'].replace('-', '_')}.txt").read_text()
    for old, new in row["changes"]:
        assert old in text
        text = text.replace(old, new)

    compile(text, row["name"], "exec")


def test_there_are_enough_faults() -> None:
    """There are at least forty, each with a name of its own."""
    assert len({row["name"] for row in ROWS}) == len(ROWS) >= 40
