"""CSV for spreadsheets: a text that one of them would compute stands behind an apostrophe."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from pitboss_tournament.exchange.export import csv_lines, record_lines
from pitboss_tournament.store.header import Header
from pitboss_tournament.store.store import Store
from tests.tournament.stored_games import make_stored_game


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_a_text_that_would_be_computed(tmp_path: Path, header: Header, start: str) -> None:
    """Seeds and names of bots are guarded; negative numbers are not, and JSON lines have the text as it is."""
    entries = [replace(header.entries[0], name=f"{start}SUM(A1)"), header.entries[1]]
    store = Store.for_run(tmp_path / "x.pitboss", replace(header, entries=entries))
    game = make_stored_game(0, seed=f"{start}1+1")
    seats = (replace(game.result.seats[0], points=-5.0), *game.result.seats[1:])
    store.add([(replace(game.result, seats=seats), game.record, ())])

    first, second = csv.DictReader(io.StringIO("\n".join(csv_lines(store, with_times=True)), newline=""))

    assert (first["bot"], first["seed"], first["points"]) == (f"'{start}SUM(A1)", f"'{start}1+1/0", "-5.0")
    assert second["bot"] == "b"
    assert json.loads(next(record_lines(store, with_times=True)))["seed"] == f"{start}1+1/0"
    store.close()
