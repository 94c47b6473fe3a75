"""`pitboss export --what decisions`: records as data for machine learning."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from pitboss.learning.learning_game import prepare_game
from pitboss.plugins.registry import Registry
from pitboss_tournament.exchange import decision_export
from pitboss_tournament.exchange.decision_export import LetterRow, write_decisions
from pitboss_tournament.store.store import Store
from tests.marks import first_rows
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once

MATCH: Final = ("match", "poker", "house:first", "house:random", "--preset", "kuhn", "--deals", "2", "--seed", "x")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the store of a short match of Kuhn poker."""
    path = tmp_path_factory.mktemp("kuhn") / "kuhn.pitboss"
    assert run_pitboss(*MATCH, "--sandbox", "none", "--store", str(path)).status == 0
    return path


def read_arrays(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what a file says about itself, and its columns."""
    with np.load(path) as file:
        return json.loads(str(file["about"])), {name: file[name] for name in LetterRow._fields}


def test_decisions_as_arrays(store: Path, tmp_path: Path) -> None:
    """A row for each letter: who chose what of what, what it knew, and what it got at the end; `about` says what all
    numbers mean.
    """
    target = tmp_path / "kuhn.npz"
    assert run_pitboss("export", str(store), "--what", "decisions", "--output", str(target)).status == 0

    about, columns = read_arrays(target)

    game = prepare_game("poker", 2, preset="kuhn")
    assert (about["fingerprint"], about["letters"]) == (game.fingerprint, game.alphabet.letters)
    assert about["bots"] == ["house:first", "house:random"]
    rows = len(columns["letter"])
    assert columns["mask"].shape == (rows, len(game.alphabet))
    assert columns["observation"].shape == (rows, game.encoder.size)
    assert columns["mask"][np.arange(rows), columns["letter"]].all()
    assert (columns["mask"].sum(axis=1) == 2).all()
    seat_part = next(part for part in about["parts"] if part["name"] == "seat")
    seats = columns["observation"][:, seat_part["start"] :][:, :2].argmax(axis=1)
    assert (seats == columns["seat"]).all()
    firsts = columns["mask"].argmax(axis=1)[columns["bot"] == 0]
    assert (columns["letter"][columns["bot"] == 0] == firsts).mean() > 0.4
    opened = Store(store)
    for number, record in opened.records():
        of_game = columns["game_id"] == number
        for seat in range(2):
            own = of_game & (columns["seat"] == seat)
            assert set(columns["points"][own]) == {record.outcome.points[seat]}
            assert {about["bots"][bot] for bot in columns["bot"][own]} == {record.players[seat]}
    opened.close()


def test_many_chunks_are_one_file(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many rows are in memory at a time, the bytes are the same; nothing else is left in the folder."""
    opened, registry = Store(store), Registry()
    for name, chunk in (("a.npz", 2_000), ("b.npz", 7)):
        monkeypatch.setattr(decision_export, "CHUNK_ROWS", chunk)
        write_decisions(opened, registry, tmp_path / name, ".npz")
    opened.close()

    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.npz", "b.npz"]


def test_decisions_as_parquet(store: Path, tmp_path: Path) -> None:
    """Decisions as Parquet have the same columns, with the same description."""
    parquet = pytest.importorskip("pyarrow.parquet")
    opened, registry = Store(store), Registry()
    for ending in (".npz", ".parquet"):
        write_decisions(opened, registry, tmp_path / f"x{ending}", ending)
    opened.close()

    about, columns = read_arrays(tmp_path / "x.npz")
    table = parquet.read_table(tmp_path / "x.parquet")

    assert json.loads(table.schema.metadata[b"pitboss"]) == about
    assert table.column_names == list(columns)
    for name, values in columns.items():
        assert table[name].to_pylist() == values.tolist()


@first_rows(1)(
    ("words", "said"),
    [
        (("--output", "x.csv"), "pitboss: decisions are written to a file .npz or .parquet, not .csv\n"),
        (("--output", "x"), "pitboss: decisions are written to a file .npz or .parquet, not without an ending\n"),
        ((), "pitboss: --what decisions is no text: name the file to write with --output\n"),
    ],
)
def test_another_kind_of_file(store: Path, tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    """An export to another kind of file is refused in a line, and nothing is written."""
    ran = run_pitboss("export", str(store), "--what", "decisions", *words, cwd=tmp_path)

    assert (ran.status, ran.err) == (2, said)
    assert list(tmp_path.iterdir()) == []
