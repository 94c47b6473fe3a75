"""The tables of rungs that ship: what they name, and that they are what was measured."""

from __future__ import annotations

from collections.abc import Iterator
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

HEAD: Final = (
    "| game | rungs | `house:GAME` is | deals of `arena rung` | deals measured |",
    "|---|---:|---:|---:|---:|",
)


def list_rows() -> Iterator[str]:
    """Yield the rows of the table in docs/rungs.md."""
    for name in GAMES:
        table = REGISTRY.rungs[name]
        own = [rung.bot for rung in table.rungs].index(f"house:{name}") + 1
        measured = sum(map(len, read_blocks(MEASURED / f"{name}.tsv").values()))
        yield f"| {name} | {len(table.rungs)} | rung {own} | {table.deals:,} | {measured:,} |"


def test_the_page_about_rungs() -> None:
    """docs/rungs.md has a row for each game with rungs."""
    page = (ROOT / "docs" / "rungs.md").read_text(encoding="utf-8")

    assert "\n".join((*HEAD, *list_rows())) in page


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
