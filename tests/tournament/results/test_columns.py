"""One declaration of a column: it is in the terminal, the report, a page, CSV and JSON, with what it means."""

from __future__ import annotations

import csv
import io
import sqlite3
from contextlib import closing
from random import Random

import pytest
from msgspec.structs import replace

from pitboss_tournament.counting.stored_findings import StoredFindings
from pitboss_tournament.html.number_format import typeset
from pitboss_tournament.reporting.page import render_report
from pitboss_tournament.results.columns import BOT_COLUMNS, IN_UNIT, NAME, PAIR_COLUMNS, RANK, format_range
from pitboss_tournament.results.standings_rows import BotRow, PairRow, list_bot_rows, list_pair_rows
from pitboss_tournament.statistics.pairwise import EstimatedDifference
from pitboss_tournament.statistics.running_moments import Estimate, Interval
from pitboss_tournament.store.store import Store
from tests.browser.web_server import serve_stores
from tests.synthetic_tournaments import SyntheticTournament
from tests.tournament.command_line import run_pitboss
from tests.tournament.parsed_page import ParsedPage
from tests.tournament.report_stores import write_results

COLUMNS = [column for column in BOT_COLUMNS if column is not IN_UNIT]  # see `test_point_unit`
NAMES = ("rock", "scissors", "paper", "one", "other")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Return a store whose standings have every column: a cycle of three, and two bots that never met these, one of
    which has left and was a yardstick.
    """
    games = []
    for pairing, (first, second) in enumerate([(0, 1), (1, 2), (2, 0), (3, 4)]):
        world = SyntheticTournament(strengths=(0.8, -0.8), seats=2)
        for game in world.games(60, Random(pairing)):
            seats = tuple(replace(seat, entrant=(first, second)[seat.entrant]) for seat in game.seats)
            games.append(replace(game, pairing=pairing, seats=seats))
    path = tmp_path_factory.mktemp("columns") / "x.pitboss"
    write_results(path, games, NAMES).close()
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("update entries set left = '2026-11-26T12:00:00+00:00', why = 'taken out' where name = 'other'")
        db.execute("""update entries set about = '{"yardstick":true}' where name = 'other'""")
    return Store(path)


@pytest.fixture(scope="module")
def bots(store: Store) -> list[BotRow]:
    """Return the rows of its bots."""
    return list_bot_rows(StoredFindings(store))


@pytest.fixture(scope="module")
def pairs(store: Store) -> list[PairRow]:
    """Return the rows of its pairs."""
    summary = StoredFindings(store)
    return list_pair_rows(summary, summary.comparisons)


def test_a_tournament_with_every_column(bots: list[BotRow]) -> None:
    """The tournament has every column, so that none is left out of what the other tests look at."""
    assert all(column.is_shown(bots) for column in COLUMNS)


@pytest.mark.once
def test_in_the_terminal(store: Store, bots: list[BotRow]) -> None:
    """Heading and cells are in the standings, and --explain says what each means."""
    lines = run_pitboss("standings", str(store.path), "--explain").out.splitlines()
    at = next(number for number, line in enumerate(lines) if " bot " in line)

    for column in COLUMNS:
        assert f"{column.heading}: {column.meaning}" in lines
        assert column is RANK or column.heading in lines[at]
        assert all(column.text(row) in line for row, line in zip(bots, lines[at + 1 :], strict=False))


def test_in_the_report(store: Store, bots: list[BotRow]) -> None:
    """The columns are in the report's table of the bots, the rank before the name. The meaning of each can
    be opened.
    """
    document = ParsedPage(render_report(store))
    heading, *rows = document.rows["standings-table"]

    for column in COLUMNS:
        at = 0 if column in (RANK, NAME) else heading.index(column.heading.capitalize())
        assert column is NAME or column.meaning in document.text
        assert all(typeset(column.text(row, 2)) in cells[at] for row, cells in zip(bots, rows, strict=True))


@pytest.mark.once
def test_on_a_page(store: Store, bots: list[BotRow], pairs: list[PairRow]) -> None:
    """The page is sent the columns as they are declared, and their cells."""
    with serve_stores(store.path.parent) as server:
        data = server.get_json("/t/x/summary.json")

    assert [sent["key"] for sent in data["standings"]["columns"]] == [column.key for column in COLUMNS]
    assert [sent["key"] for sent in data["pairs"]["columns"]] == [column.key for column in PAIR_COLUMNS]
    for sent, column in zip(data["standings"]["columns"], COLUMNS, strict=True):
        assert (sent["heading"], sent["meaning"], sent["kind"]) == (column.heading, column.meaning, column.kind)
    assert data["standings"]["rows"] == [[column.text(row) for column in COLUMNS] for row in bots]
    assert len(data["pairs"]["rows"]) == sum(pair.blocks > 0 for pair in pairs) == 4


@pytest.mark.once
def test_as_data(store: Store) -> None:
    """A column's key is one of JSON and of its schema, and begins the names of its columns of CSV."""
    [first, *_] = run_pitboss("standings", str(store.path), "--json").json_value["standings"]
    schema = run_pitboss("schema", "standings").json_value["$defs"]["BotRow"]["properties"]
    heading, row, *_ = csv.reader(io.StringIO(run_pitboss("standings", str(store.path), "--csv").out))

    for column in COLUMNS:
        assert column.key in first
        assert column.key in schema
        assert any(name == column.key or name.startswith(f"{column.key}_") for name in heading)
    assert row[heading.index("name")] == first["name"]
    assert row[heading.index("points_mean")] == str(first["points"]["mean"])


@pytest.mark.once
def test_pairs(store: Store) -> None:
    """The columns of pairs are in the terminal, in CSV and in JSON."""
    text = run_pitboss("standings", "--pairs", str(store.path)).out
    heading, *_ = csv.reader(io.StringIO(run_pitboss("standings", "--pairs", "--csv", str(store.path)).out))
    [first, *_] = run_pitboss("standings", str(store.path), "--json").json_value["pairs"]

    for column in PAIR_COLUMNS:
        assert column.heading in text
        assert column.kind == "name" or f"{column.heading}: {column.meaning}" in text
        assert any(column.key in name for name in heading)
        assert column.key in {*first, *first["places"]}


def test_zero_has_no_sign() -> None:
    """A mean that rounds to zero is written without a sign, whichever side it comes from."""
    difference = EstimatedDifference(
        estimate=Estimate(mean=-1e-9, half_width=None), chance=None, more_blocks=None, anytime=Interval(-0.5, 0.5)
    )

    assert format_range(difference, 100) == "0.0 (-50.0 to 50.0)"
