"""The page of a report: whole, alone, the same each time, and safe whatever bots and plugins wrote."""

from __future__ import annotations

import platform
import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from pitboss.records.record import dumps
from pitboss_tournament.counting.pair_choice import MAX_PAIRED_BOTS
from pitboss_tournament.counting.stored_findings import StoredFindings
from pitboss_tournament.plan.limits import Limits
from pitboss_tournament.processes.logs import compress_text
from pitboss_tournament.reporting.page import render_report
from pitboss_tournament.results.verdict import verdict_lines
from pitboss_tournament.store.header import make_header
from pitboss_tournament.store.rows import TournamentEnd
from pitboss_tournament.store.store import Store
from tests import ROOT
from tests.tournament.parsed_page import ParsedPage
from tests.tournament.random_results import draw_result, make_random_plan, play_drawn
from tests.tournament.report_stores import ATTACK, ATTACKS, make_record, write_hostile_store, write_tournament_store
from tests.tournament.rogue_bot import FORGED_LINE, play_rogue
from tests.tournament.small_tournaments import zoo_entrant
from tests.tournament.stored_games import make_stored_game, make_test_header

pytestmark = pytest.mark.once

DOCS = ROOT / "docs" / "report.md"
SECTIONS = [
    "standings",
    "history",
    "pairs",
    "thinking",
    "lengths",
    "seats-section",
    "faults",
    "saved",
    "notable",
    "setup",
]


def parse_report(path: Path) -> ParsedPage:
    """Return the page of a store, taken apart."""
    return ParsedPage(render_report(Store(path)))


def assert_page(leaf: ParsedPage) -> None:
    """Make sure that a page is what every page is."""
    assert leaf.errors == []
    assert [name for name in leaf.ids if name in SECTIONS] == SECTIONS
    assert "script" not in leaf.tags
    assert not {
        name for _, name, _ in leaf.attributes if name.startswith("on") or name in ("src", "srcset", "action", "style")
    }
    assert {value for _, name, value in leaf.attributes if name == "href" and not value.startswith("#")} == {"data:,"}
    assert leaf.tags.count("svg") == sum(
        (tag, name, value) == ("svg", "role", "img") for tag, name, value in leaf.attributes
    )
    assert leaf.tags.count("table") == leaf.tags.count("caption") == leaf.tags.count("tbody")
    boxes = [value for tag, name, value in leaf.attributes if tag == "div" and name == "tabindex"]
    assert boxes == ["0"] * (leaf.tags.count("table") + sum(name.startswith("bracket-") for name in leaf.ids) // 2)
    assert leaf.tags.count("th") == sum((tag, name) == ("th", "scope") for tag, name, _ in leaf.attributes)


def test_a_tournament(tmp_path: Path) -> None:
    """Every element is closed, ids are unique, links lead somewhere, nothing comes from elsewhere, and tables and
    pictures say what they are.
    """
    leaf = parse_report(write_tournament_store(tmp_path, 6, 4, 30))

    assert_page(leaf)
    assert "6 bots, 120 games of magpie, 4 at a table: 30 complete blocks." in leaf.text
    assert leaf.tags.count("svg") == 5
    assert leaf.rows["seats-table"][0][3] == "Share of wins,\N{NO-BREAK SPACE}%"


def test_who_is_better_comes_first(tmp_path: Path) -> None:
    """The page begins with the verdict, in the words of `pitboss standings`; groups without a proven difference stand
    by the standings; what figures mean stands below them, and the options at the end.
    """
    path = write_tournament_store(tmp_path, 3, 3, 50)
    summary = StoredFindings(Store(path))
    leaf = parse_report(path)
    said = list(verdict_lines(summary.rank_confidence, summary.names, summary.tally.games))

    assert leaf.text.index(said[0]) < leaf.text.index(said[1]) < leaf.text.index("The picture in numbers.")
    assert said[0].endswith(" sure: bot-02 is better than bot-01 and bot-00.")
    assert "Bots without a proven difference bot-01 and bot-00" in leaf.text
    assert [row[0] for row in leaf.rows["standings-table"][1:]] == ["1. bot-02", "2–3. bot-01", "2–3. bot-00"]
    assert leaf.text.index("No difference between two bots of a group") > leaf.text.index("without a proven difference")
    assert leaf.text.index("options.turns") > leaf.text.index("Games worth a look")


@pytest.mark.long
def test_it_opens_with_a_headline_three_sentences_and_a_picture(tmp_path: Path) -> None:
    """The page opens with the headline, the number of games, the verdict and the cautions; folds have explanations."""
    text = render_report(Store(write_tournament_store(tmp_path, 42, 2, 861)))
    opening = text[text.index("<header>") : text.index("<svg")]
    shown = re.sub(r"<details>.*?</details>", "", text, flags=re.DOTALL)

    assert re.findall(r"<p[^>]*>(?:<strong>)?(\w+)", opening) == ["Not", "42", "Verdict", "Beware"]
    assert 'class="note"' not in shown[: shown.index('id="setup"')]
    assert "By the format" not in shown


@pytest.mark.long
def test_a_large_field(tmp_path: Path) -> None:
    """Pairs, courses and times of the first bots only are drawn, and sentences say so; tables have all bots."""
    text = render_report(Store(write_tournament_store(tmp_path, 104, 2, 104 * 103 // 2)))
    page = ParsedPage(text)

    assert 1 + MAX_PAIRED_BOTS == len(page.rows["pairs-table"])
    assert f"The other {104 - MAX_PAIRED_BOTS} bots are left out. pitboss standings --pairs-of NAME" in text
    for name in ("standings-table", "history-table", "thinking-table"):
        assert 1 + 104 == len(page.rows[name])
    assert 2 == text.count("The first 100 of 104 bots")


def test_a_title(tmp_path: Path) -> None:
    """A tournament that has one is headed with it."""
    store = Store.for_run(tmp_path / "x.pitboss", replace(make_test_header(tmp_path), title="Autumn <Cup>"))
    store.close()

    assert "<h1>Autumn &lt;Cup&gt;</h1>" in render_report(Store(store.path))


def test_no_game_yet(tmp_path: Path) -> None:
    """A store without games has a page that says so, and every section."""
    path = tmp_path / "x.pitboss"
    Store.for_run(path, make_test_header(tmp_path)).close()
    leaf = parse_report(path)

    assert_page(leaf)
    assert "Verdict: there are too few games for a verdict." in leaf.text
    assert "No game has been played yet." in leaf.text
    assert "Beware" not in leaf.text


def test_one_game(tmp_path: Path) -> None:
    """One game of a block has a page: no interval is claimed."""
    path = tmp_path / "x.pitboss"
    store = Store.for_run(path, make_test_header(tmp_path))
    store.add([make_stored_game(0)])
    store.close()
    leaf = parse_report(path)

    assert_page(leaf)
    assert [row[3][-3:] for row in leaf.rows["standings-table"][1:]] == ["± ?", "± ?"]
    assert leaf.rows["pairs-table"][1][2] == "no complete block together"


def test_thirty_bots(tmp_path: Path) -> None:
    """Thirty bots fit on the page: the heat map has names on both sides, a cell its numbers in its title, and the
    pictures are low.
    """
    leaf = parse_report(write_tournament_store(tmp_path, 30, 2, 435))

    assert_page(leaf)
    assert [len(row) for row in leaf.rows["pairs-table"]] == [31] * 31
    assert sorted(leaf.rows["pairs-table"][0][1:]) == sorted(row[0] for row in leaf.rows["pairs-table"][1:])
    titles = [value for tag, name, value in leaf.attributes if tag == "td" and name == "title"]
    assert len(titles) == 30 * 29
    assert re.fullmatch(r"bot-\d\d – bot-\d\d: [+−]\d+\.\d, (< |> )?\d+ %, [^,]+", titles[0])
    heights = [int(value) for tag, name, value in leaf.attributes if tag == "svg" and name == "height"]
    assert sum(heights) < 2_500


def test_a_tournament_that_is_running(tmp_path: Path) -> None:
    """Games of blocks that are not complete are counted as games, and how many games there will be is said, until it is
    over.
    """
    path = write_tournament_store(tmp_path, 4, 4, 10, missing_games=3)
    store = Store(path)
    store.begin_run(37, 40)
    running = parse_report(path)
    store.record_end(TournamentEnd("bot-03 is <better>.", is_complete=False))
    leaf = parse_report(path)
    store.close()

    assert_page(leaf)
    assert "4 bots, 37 of 40 games so far of magpie, 4 at a table: 9 complete blocks." in running.text
    assert "4 bots, 37 of 40 games of magpie, 4 at a table: 9 complete blocks." in leaf.text
    assert "It was over before all games were played: bot-03 is <better>." in leaf.text
    assert leaf.rows["runs-table"][1][1:6] == ["37", "40", "none", "0.1", platform.python_version()]


def test_a_format_that_came_to_its_end(tmp_path: Path) -> None:
    """A format that came to its end is not over too early, though it took fewer games than were foreseen."""
    store = Store(write_tournament_store(tmp_path, 4, 4, 10))
    store.begin_run(0, 50)
    store.record_end(TournamentEnd("the order of the bots", is_complete=True))
    page = parse_report(store.path)
    store.close()

    assert "4 bots, 40 games of magpie, 4 at a table: 10 complete blocks." in page.text
    assert "It was over before" not in page.text


def test_a_bot_that_is_out(tmp_path: Path) -> None:
    """A bot that is out is named, and its missing games are not waited for."""
    path = tmp_path / "x.pitboss"
    header = make_test_header(tmp_path)
    store = Store.for_run(path, replace(header, faults=replace(header.faults, disqualify_after=1)))
    game = make_stored_game(0)
    seats = [replace(game.result.seats[0], fault="late"), game.result.seats[1]]
    store.add([game._replace(result=replace(game.result, seats=tuple(seats)))])
    store.begin_run(1, 2)
    leaf = parse_report(path)
    store.close()

    assert "2 bots, 1 of 2 games of magpie" in leaf.text
    assert "Out, and in no more games, as they forfeited too often: a." in leaf.text


@pytest.mark.parametrize("missing", [0, 1])
def test_a_format_that_ranks(tmp_path: Path, missing: int) -> None:
    """A knockout has an order of its own; it is told once the last game is played."""
    made = make_random_plan("knockout", bots=4, seats=2)
    course, slots = play_drawn(made)
    store = Store.for_run(tmp_path / "x.pitboss", make_header(made, "1", "0.1"))
    games = [draw_result(slot) for slot in slots[: len(slots) - missing]]
    store.add([(game, compress_text(dumps(make_record(game))), ()) for game in games])
    store.close()
    leaf = parse_report(store.path)

    assert_page(leaf)
    assert course.ranking is not None
    order = ", ".join(f"{place}. b{entrant}" for place, entrant in enumerate(course.ranking, 1))
    assert (f"By the format, knockout, they end in this order: {order}." in leaf.text) == (missing == 0)
    assert ("By the format" in leaf.text) == (missing == 0)


def test_every_text_is_an_attack(tmp_path: Path) -> None:
    """Hostile text in names, options, commands, messages, exchanges and last words stands on the page as text, in one
    line, and does nothing else.
    """
    path = write_hostile_store(tmp_path)
    text = render_report(Store(path), date=ATTACK)
    leaf = ParsedPage(text)

    assert_page(leaf)
    assert sum(text.startswith(("late in game", "malformed in game")) for text in leaf.texts) == 2
    assert set(leaf.tags).isdisjoint({"img", "script", "iframe"})
    assert text.count("<style>") == text.count("</style>") == 1
    for attack in ATTACKS[:4]:
        assert leaf.text.count(attack) >= 10
    assert r"a\x00b\x1b[2J\u202egpj.exe\u2028</p>" in leaf.text
    assert all(sign == "\n" or sign.isprintable() for sign in text)
    text.encode("utf-8")


def test_evidence_of_a_rogue(tmp_path: Path) -> None:
    """The first fault of each kind is on the page, with what was exchanged and written, behind a margin, and the
    commands to look at it.
    """
    path = play_rogue(tmp_path)
    text = render_report(Store(path))
    leaf = ParsedPage(text)
    quoted = re.findall(r'<span class="quoted">([^<]*)</span>', text)

    assert_page(leaf)
    assert (
        "rogue: 2 games forfeited (malformed 2), 4 decisions substituted (malformed 4). See why."
        in leaf.text.replace("  ", " ")
    )
    assert leaf.rows["faults-table"][1] == ["rogue", "malformed 2", "malformed 4", "yes"]
    assert sum(" in game 0, seat 1, question" in text for text in leaf.texts) == 1
    assert "malformed in game 0, seat 1, question 2: the line " in leaf.text
    assert r"&lt; \x1b[2J\xff\n0.1 &gt; {&quot;type&quot;:&quot;bye&quot;}" in quoted
    assert sum(line.count(FORGED_LINE) for line in quoted) == text.count(FORGED_LINE) > 1
    assert f"pitboss replay {path} 0" in leaf.text
    assert f"pitboss log {path} 0 --seat 1" in leaf.text


def test_the_same_store_gives_the_same_page(tmp_path: Path) -> None:
    """The same store gives the same page, to the byte; only the date that is asked for differs."""
    store = Store(write_tournament_store(tmp_path, 4, 3, 8))

    assert render_report(store) == render_report(store)
    assert render_report(store, "today") == render_report(store).replace("4-3-8.pitboss. ", "4-3-8.pitboss, today. ")


@pytest.mark.parametrize("name", ["setup-table", "bots-table"])
def test_what_was_played(tmp_path: Path, name: str) -> None:
    """The configuration is complete: options, seed, clocks, rules for faults, versions, commands and limits."""
    rows = dict((first, rest) for first, *rest in parse_report(write_tournament_store(tmp_path, 2, 2, 1)).rows[name])  # noqa: C402

    if name == "setup-table":
        wanted = {
            "options.turns": "5",
            "seed": "test",
            "clock.decision_ms": "20000",
            "faults.policy": "forfeit",
            "pitboss_version": "0.1",
        }
        assert {key: rows[key][0] for key in wanted} == wanted
    else:
        assert rows["Bot"] == ["Digest", "Command", *Limits.__struct_encode_fields__]
        assert re.fullmatch("[0-9a-f]{12}", rows["bot-00"][0])
        assert rows["bot-00"][1].endswith(zoo_entrant("good").command[-1])
        assert rows["bot-00"][2:] == ["1024", "128", "256", "64", "3600", "[]"]


def test_the_page_about_reports(tmp_path: Path) -> None:
    """docs/report.md tells of every section, in the order of the page."""
    of_one_game, *_ = DOCS.read_text(encoding="utf-8").partition("## Several games")
    told = re.findall(r"^\| (.+?) \|", of_one_game, re.MULTILINE)
    headings = re.findall(r"<h2[^>]*>(.*?)</h2>", render_report(Store(write_tournament_store(tmp_path, 2, 2, 1))))

    assert told[1:] == headings
