"""One declaration of a column of a league: it is on the ladder, other pages and in the terminal, with its meaning."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from contextlib import closing

import pytest

from pitboss_tournament.counting.stored_findings import StoredFindings
from pitboss_tournament.html.elements import markup
from pitboss_tournament.html.number_format import typeset
from pitboss_tournament.html.page_parts import capitalize_first
from pitboss_tournament.league.book import Book, HistoryPoint
from pitboss_tournament.league.ladder_columns import LADDER_COLUMNS, LadderTable, choose_ladder_columns
from pitboss_tournament.league.ladder_view import LadderLine, LadderView, build_ladder_view, make_idle_line
from pitboss_tournament.league.league_folder import read_league
from pitboss_tournament.league.site.bot_cells import DRAWINGS
from pitboss_tournament.league.site.bot_page import bot_content
from pitboss_tournament.league.site.ladder_page import ladder_content
from pitboss_tournament.league.site.owner_page import owner_content
from pitboss_tournament.league.site.page_frame import Viewer
from pitboss_tournament.results.columns import BOT_COLUMNS
from pitboss_tournament.store.store import Store
from tests.league.played_leagues import LeagueBot, PlayedLeague, make_played_league
from tests.plugins import load_registry
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once

BOTS = (LeagueBot("ada", "fox"), LeagueBot("bob", "owl"), LeagueBot("cy", "hen"), LeagueBot("cy", "newt", "refused"))
DRAWN = next(column.shown.meaning for column in LADDER_COLUMNS if column.shown.key == "drawn")
WRITTEN_OTHERWISE = ("drawn", "place", "name", "received")  # drawings, more than their text, times as people read them


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> PlayedLeague:
    """Return a league of three bots with faults."""
    return make_played_league(tmp_path_factory.mktemp("columns") / "course", BOTS, 60, forfeits=True)


@pytest.fixture(scope="module")
def view(played: PlayedLeague) -> LadderView:
    """Return its ladder, with trends."""
    points = [HistoryPoint(f"2027-02-{day:02}T00:00:00+00:00", -10 * day, 0, 300, day) for day in range(1, 9)]
    with closing(Store(played.store)) as store, closing(Book(played.store)) as book:
        return build_ladder_view("1", StoredFindings(store), book.submissions(), {1: points, 2: points})


def read_tables(page: str) -> list[tuple[list[tuple[str, str]], list[list[str]]]]:
    """Return the tables of a page: headings, each with what it means; and the texts of the cells by row."""
    found = []
    for table in re.findall(r"<table.*?</table>", page, re.DOTALL):
        head, _, body = table.partition("</thead>")
        heads = [(read_text(cell), read_title(cell)) for cell in re.findall(r"<th[ >].*?</th>", head, re.DOTALL)]
        rows = [
            re.findall(r"<t[hd][ >].*?</t[hd]>", row, re.DOTALL) for row in re.findall(r"<tr.*?</tr>", body, re.DOTALL)
        ]
        found.append((heads, [[read_text(cell) for cell in row] for row in rows]))
    return found


def read_text(cell: str) -> str:
    """Return the text of an element."""
    return html.unescape(re.sub(r"<[^>]*>", "", cell)).strip()


def read_title(cell: str) -> str:
    """Return what shows where one points at an element."""
    found = re.search(r'title="([^"]*)"', cell)
    return html.unescape(found[1]) if found else ""


def declared_heads(table: LadderTable, lines: list[LadderLine]) -> list[tuple[str, str]]:
    """Return the headings and meanings of a table; a picture has its scale in place of a heading."""
    return [
        (capitalize_first(column.shown.heading), column.shown.meaning)
        for column in choose_ladder_columns(table, lines)
        if column.shown.key != "drawn"
    ]


def check_rows(table: LadderTable, lines: list[LadderLine], rows: list[list[str]], more: Sequence[int] = ()) -> None:
    """Check the cells against the texts that are declared; `more` are the cells that belong to no column."""
    columns = choose_ladder_columns(table, lines)
    for line, row in zip(lines, rows, strict=True):
        cells = [cell for number, cell in enumerate(row) if number not in more]
        for column, cell in zip(columns, cells, strict=True):
            if column.shown.key not in WRITTEN_OTHERWISE:
                assert cell == typeset(column.shown.text(line))


def test_on_the_ladder(played: PlayedLeague, view: LadderView) -> None:
    """The headings and cells of the ladder are all declared, with their meanings; the last one is for
    narrow screens.
    """
    lines = list(view.ranked)
    page = str(markup(*ladder_content(read_league(played.folder, load_registry()), view, Viewer())))
    [(heads, rows)] = read_tables(page)

    assert [head for head in heads if DRAWN not in head] == declared_heads("ladder", lines)
    check_rows("ladder", lines, [row for row in rows if len(row) > 1], more=[len(heads)])
    for column in choose_ladder_columns("ladder", lines):
        assert f'class="{column.shown.key}' in page


def test_on_the_page_of_a_bot(view: LadderView) -> None:
    """The facts, the table of the versions, and what is told of other bots are of declared columns."""
    [fox] = view.list_versions("fox")
    page = str(markup(*bot_content(view, [fox], Viewer())))
    (versions, rows), (opponents, others), *_ = read_tables(page)
    facts = re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", page, re.DOTALL)

    assert [head for head in versions if head[0]] == declared_heads("versions", [fox])
    check_rows("versions", [fox], rows)
    assert [opponent for opponent in opponents if opponent[1]] == declared_heads("opponents", [fox])
    check_rows("opponents", [line for line in view.ranked if line != fox], others, more=range(5))
    for column, (name, cell) in zip(choose_ladder_columns("facts", [fox]), facts, strict=True):
        assert (read_text(name), read_title(name)) == (column.shown.heading, column.shown.meaning)
        assert column.shown.key in WRITTEN_OTHERWISE or read_text(cell) == typeset(column.shown.text(fox))


@pytest.mark.parametrize("is_host", [True, False])
def test_on_the_page_of_an_owner(played: PlayedLeague, view: LadderView, is_host: bool) -> None:
    """A submission that was refused has a line as well; a host sees whose they are."""
    with closing(Book(played.store)) as book:
        own = book.submissions()
    page = markup(*owner_content(view, own, {}, Viewer("cy", is_host), []))
    [(heads, rows)] = read_tables(page)

    without = ("What was seen last",) if is_host else ("What was seen last", "Owner")
    assert [head[0] for head in heads if head[0] not in without] == [
        heading for heading, _ in declared_heads("owner", list(view.lines)) if heading not in without
    ]
    assert len(rows) == len(BOTS)


def test_in_the_terminal(played: PlayedLeague) -> None:
    """`league status` shows the columns that are meant for it, of all submissions."""
    with closing(Book(played.store)) as book:
        lines = [make_idle_line(one) for one in book.submissions()]
    out = run_pitboss("league", "status", str(played.folder)).out

    columns = choose_ladder_columns("status", lines)
    [head] = [line for line in out.splitlines() if "Digest" in line]
    assert head.split() == [capitalize_first(column.shown.heading) for column in columns]
    for line in lines:
        assert any(all(column.shown.text(line) in row for column in columns) for row in out.splitlines())


def test_columns_of_standings() -> None:
    """A column that standings have too has the same heading and meaning there; drawings are of declared columns."""
    keys = [column.shown.key for column in LADDER_COLUMNS]
    standings = {column.key: column for column in BOT_COLUMNS}

    assert len(keys) == len(set(keys))
    assert set(DRAWINGS) <= set(keys)
    for column in LADDER_COLUMNS:
        if column.shown.key in ("rating", "games", "faults", "digest"):
            declared = standings[column.shown.key]
            assert (column.shown.heading, column.shown.meaning) == (declared.heading, declared.meaning)
