"""A store as rows of plain values: the same as the CSV that the commands write."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from pitboss.errors import PitbossError
from pitboss_tournament.exchange.rows import Row, open_store
from tests.tournament.command_line import run_pitboss
from tests.tournament.report_stores import write_tournament_store


def _as_text(rows: list[Row]) -> list[dict[str, str]]:
    """Return rows as the module csv reads them back."""
    return [{key: "" if value is None else str(value) for key, value in row.items()} for row in rows]


@pytest.mark.once
def test_rows_are_those_of_csv(tmp_path: Path) -> None:
    """Each kind of row has the keys and values of the CSV of the same name."""
    path = write_tournament_store(tmp_path, 3, 2, 6)
    with open_store(path) as store:
        found = [store.list_bots(), store.list_pairs(), list(store.iterate_seats())]
    for rows, words in zip(
        found,
        (
            ["standings", str(path), "--csv"],
            ["standings", str(path), "--pairs", "--csv"],
            ["export", str(path), "-w", "csv"],
        ),
        strict=True,
    ):
        written = list(csv.DictReader(run_pitboss(*words).out.splitlines()))
        assert _as_text(rows) == written
        assert rows


def test_values_are_plain(tmp_path: Path) -> None:
    """Values are texts, numbers, booleans or None, and each row has the same keys, so that a table can be made."""
    with open_store(write_tournament_store(tmp_path, 3, 2, 6)) as store:
        tables = [store.list_bots(), store.list_pairs(), list(store.iterate_seats())]
        assert (store.game, list(store.bots)) == ("magpie", ["bot-00", "bot-01", "bot-02"])
    for rows in tables:
        assert len({tuple(row) for row in rows}) == 1
        assert {type(value) for row in rows for value in row.values()} <= {str, int, float, bool, type(None)}


def test_a_file_that_is_no_store(tmp_path: Path) -> None:
    """A path without a store is named in an error of Pitboss."""
    with pytest.raises(PitbossError, match=r"nothing\.pitboss"), open_store(tmp_path / "nothing.pitboss"):
        pass
