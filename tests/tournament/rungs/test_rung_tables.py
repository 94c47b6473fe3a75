"""The tables of rungs that ship: what they name, and that they are what was measured."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest

from pitboss.plugins.registry import Registry
from pitboss_house_bots import plugin
from pitboss_tournament.config.entrants import resolve_rung
from pitboss_tournament.rungs.rung_fit import build_table, read_blocks
from tests import ROOT

REGISTRY: Final = Registry()
GAMES: Final = sorted(REGISTRY.rungs)
TABLES: Final = Path(plugin.__file__).with_name("rungs")
MEASURED: Final = ROOT / "bench" / "rung_blocks"


def test_there_are_tables() -> None:
    """The house's bots offer rungs, and each game of a table is installed."""
    assert GAMES
    assert set(GAMES) <= set(REGISTRY.games)
    assert sorted(file.stem for file in TABLES.glob("*.json")) == GAMES


@pytest.mark.parametrize("name", GAMES)
def test_rungs_that_can_be_named(name: str) -> None:
    """Each rung is a bot that exists, no bot is on two of them, and the game's own bot is the zero of the scale."""
    table = REGISTRY.rungs[name]

    assert all(resolve_rung(f"rung:{number}", REGISTRY, name) for number in range(1, len(table.rungs) + 1))
    assert len({rung.bot for rung in table.rungs}) == len(table.rungs)
    assert [rung.strength for rung in table.rungs if rung.bot == f"house:{name}"] == [0.0]
    assert all(one.strength < other.strength for one, other in pairwise(table.rungs))
    assert all((rung.half_width is None) == (rung.bot == f"house:{name}") for rung in table.rungs)


@pytest.mark.parametrize("name", GAMES)
def test_tables_are_what_was_measured(name: str) -> None:
    """The deals of a table are those of its file of measurements, and so are its strengths."""
    table = REGISTRY.rungs[name]
    blocks = read_blocks(MEASURED / f"{name}.tsv")

    assert build_table(name, blocks, seats=table.seats, preset=table.preset, unit=table.unit) == table
