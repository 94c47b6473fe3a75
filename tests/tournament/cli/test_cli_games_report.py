"""`pitboss report` of stores of several games: a page, Markdown, JSON, and what is refused."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from pitboss_tournament.exchange.export import digest_records
from pitboss_tournament.reporting.games_table import GamesTable
from tests.tournament.command_line import run_pitboss
from tests.tournament.games_stores import FieldBot, write_game
from tests.tournament.parsed_page import ParsedPage

pytestmark = pytest.mark.once


@pytest.fixture
def stores(tmp_path: Path) -> list[str]:
    """Return the stores of two games."""
    field = {"ann": FieldBot(0.5, {"prompt.md": "aaaa"}, "gpt", answers={"chosen": 3}), "ben": FieldBot()}
    return [str(write_game(tmp_path / f"{name}.pitboss", name, field, blocks=10)) for name in ("one", "two")]


def test_a_page(stores: list[str], tmp_path: Path) -> None:
    """Stores of several games make one page, which has to be named; it has the commands that play the records again."""
    page = tmp_path / "table.html"
    ran = run_pitboss("report", *stores, "-o", str(page), "--date", "today")

    assert (ran.status, ran.out, ran.err) == (0, f"The report is in {page}.\n", "")
    leaf = ParsedPage(page.read_text(encoding="utf-8"))
    assert leaf.errors == []
    assert "2 entrants in 2 games" in leaf.text and ", today" in leaf.text
    for store in stores:
        assert f"pitboss integrity {store} --replay" in leaf.text
        assert f"pitboss run TOURNAMENT.toml --replay-models {store}" in leaf.text


def test_json(stores: list[str]) -> None:
    """With --json the table is printed as `pitboss schema report` describes it, of one store, too; no page is written
    that was not asked for.
    """
    found = msgspec.json.decode(run_pitboss("report", *stores, "--json").out, type=GamesTable)
    alone = msgspec.json.decode(run_pitboss("report", stores[0], "--json").out, type=GamesTable)

    assert [game.name for game in found.games] == ["one", "two"]
    assert [store.digest for game in found.games for store in game.stores] == [
        digest_records(Path(store))[1] for store in stores
    ]
    assert alone.games == found.games[:1]
    assert run_pitboss("schema", "report").json_value == {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Entrants in several games",
        **msgspec.json.schema(GamesTable),
    }
    assert not list(Path(stores[0]).parent.glob("*.html"))


def test_markdown(stores: list[str]) -> None:
    """With --markdown the table over all games is printed, with the digests of the records."""
    lines = run_pitboss("report", *stores, "--markdown").out.splitlines()

    assert lines[0] == "## 2 entrants in 2 games"
    assert "| ann | gpt | aaaa |" in [line[:20] for line in lines]
    records = [line for line in lines if line.startswith("* ")]
    assert [line.rpartition(", 20 games, records ")[2] for line in records] == [
        digest_records(Path(store))[1] for store in stores
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "several stores need a name for their page: name the file with --output"),
        (["--replays"], "--replays is for the report of one game: leave out --replays or stores of several games"),
        (
            ["--certificates", "-o", "x.html"],
            "--certificates is for the report of one game: leave out --certificates or stores of several games",
        ),
        (["--json", "--markdown"], "--json prints the table as JSON: leave out --json or --markdown"),
        (["--json", "--anchor", "zoe"], "--anchor: no entrant is called 'zoe'; there are ann and ben"),
    ],
)
def test_what_a_table_does_not_have(stores: list[str], words: list[str], message: str) -> None:
    """One sentence says what to leave out, or what to add."""
    ran = run_pitboss("report", *stores, *words)

    assert ran.status == 2
    assert message in ran.err


def test_a_store_twice(stores: list[str]) -> None:
    """A store that is given twice is refused: its games would count twice."""
    ran = run_pitboss("report", *stores, stores[0], "--json")

    assert ran.status == 2
    assert "stores that share games cannot be pooled" in ran.err
