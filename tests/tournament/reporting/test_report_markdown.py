"""`pitboss report --markdown`: the verdict and the standings, for the page of a run in CI or a pull request."""

from __future__ import annotations

from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from pitboss_tournament.reporting.markdown import render_markdown
from pitboss_tournament.store.store import Store
from tests.tournament.command_line import run_pitboss
from tests.tournament.report_stores import write_hostile_store, write_tournament_store

READER = MarkdownIt("gfm-like", {"linkify": False})


def _render(path: Path) -> list[Token]:
    with closing(Store(path)) as store:
        return READER.parse(render_markdown(store))


def _list_pieces(tokens: list[Token]) -> list[Token]:
    return [piece for token in tokens for piece in token.children or ()]


def test_the_standings_are_a_table(tmp_path: Path) -> None:
    """The table has a row for each bot, and the headline stands above the table in bold."""
    tokens = _render(write_tournament_store(tmp_path, 3, 2, 6))

    cells = [token.content for before, token in pairwise(tokens) if before.type == "td_open"]
    assert sum(token.type == "tr_open" for token in tokens) == 1 + 3
    assert {f"bot-{number:02}" for number in range(3)} <= set(cells)
    bold = next(place for place, token in enumerate(tokens) if "**" in token.content)
    assert tokens[bold].content.startswith("**Not decided between")
    assert bold < next(place for place, token in enumerate(tokens) if token.type == "table_open")


def test_names_are_plain_text(tmp_path: Path) -> None:
    """No name of a bot, of a game or of an option becomes a tag, a link, a picture or a cell of its own."""
    tokens = _render(write_hostile_store(tmp_path))

    own = ("<details><summary>More about the verdict</summary>", "</details>", "<sub>", "</sub>")
    pieces = _list_pieces(tokens)
    tags = [token.content.strip() for token in [*tokens, *pieces] if token.type in ("html_block", "html_inline")]
    assert set(tags) <= set(own)
    assert not {piece.type for piece in pieces} & {"link_open", "image"}
    rows = [token.type for token in tokens]
    assert rows.count("td_open") == rows.count("th_open") * 2
    assert any("<script>" in token.content.replace("\\", "") for token in tokens)


@pytest.mark.once
def test_the_command(tmp_path: Path) -> None:
    """The summary goes to standard output, or to the named file; pages of games beside the summary are refused."""
    store, page = write_tournament_store(tmp_path, 3, 2, 6), tmp_path / "x.md"
    printed = run_pitboss("report", str(store), "--markdown")
    written = run_pitboss("report", str(store), "--markdown", "-o", str(page))
    refused = run_pitboss("report", str(store), "--markdown", "--replays")

    assert (printed.status, written.status, written.out) == (0, 0, "")
    assert printed.out == page.read_text(encoding="utf-8")
    assert (refused.status, refused.err) == (
        2,
        "pitboss: --markdown has no pages of games: leave out --markdown or --replays\n",
    )
