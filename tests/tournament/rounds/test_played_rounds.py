"""The rounds of a tournament as they are told: in the terminal, in the report and to programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from pitboss.records.record import dumps
from pitboss_tournament.processes.logs import compress_text
from pitboss_tournament.reporting.page import render_report
from pitboss_tournament.rounds.round_lines import describe_table, round_lines
from pitboss_tournament.rounds.round_progress import begin_rounds
from pitboss_tournament.rounds.round_replay import list_rounds
from pitboss_tournament.rounds.schedule import ScheduledGame
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.header import make_header
from pitboss_tournament.store.store import Store
from tests.tournament.command_line import run_pitboss
from tests.tournament.parsed_page import ParsedPage
from tests.tournament.random_results import draw_result, make_random_plan, open_games, play_drawn, tied_result
from tests.tournament.report_stores import make_record

pytestmark = pytest.mark.once


def write_store(path: Path, name: str, bots: int, **options: object) -> Store:
    """Return the store of a tournament of this format, with results drawn by lot."""
    made = make_random_plan(name, bots, 2, options=options)
    _, slots = play_drawn(made)
    store = Store.for_run(path, make_header(made, "1", "0.1"))
    games = [draw_result(slot) for slot in slots]
    store.add([(game, compress_text(dumps(make_record(game))), ()) for game in games])
    store.close()
    return Store(path)


@pytest.mark.parametrize(("name", "bots"), [("swiss", 7), ("knockout", 6), ("settle", 4)])
def test_all_games_are_in_a_round(tmp_path: Path, name: str, bots: int) -> None:
    """Each round has each bot at one table at most, but for settle; wins add up to the games, scores to a half."""
    store = write_store(tmp_path / "x.pitboss", name, bots)
    tables = list_rounds(store)
    rounds = sorted({table.round for table in tables})

    assert rounds == [*range(1, len(rounds) + 1)]
    assert len(rounds) > 1
    assert sum(table.games for table in tables) == store.count_games()
    for table in tables:
        assert sum(one.wins for one in table.bots) == pytest.approx(table.games)
        assert [one.wins for one in table.bots] == sorted((one.wins for one in table.bots), reverse=True)
    for number in rounds:
        met = [one.bot for table in tables if table.round == number for one in table.bots]
        assert name == "settle" or len(met) == len(set(met))
        scores = {one.bot: one.score for table in tables if table.round == number for one in table.bots}
        assert all(one.score == scores[one.bot] for table in tables if table.round == number for one in table.bots)
    first = [one.score for table in tables if table.round == 1 for one in table.bots]
    assert name == "settle" or sum(first) / len(first) == pytest.approx(0.5)


@pytest.mark.parametrize("bots", [2, 3, 6, 8, 11])
def test_bracket(tmp_path: Path, bots: int) -> None:
    """A knockout has as many matches as bots that are out, however often they were played longer; each bot but the
    winner has as many ways as matches that it won, and no other format has a bracket.
    """
    store = write_store(tmp_path / "x.pitboss", "knockout", bots)
    page = render_report(store)
    swiss = render_report(write_store(tmp_path / "y.pitboss", "swiss", 6))

    assert page.count('class="table"') == bots - 1
    assert page.count('class="way"') == sum(count - 1 for count in Counter(_bots_of_matches(store)).values())
    assert 'class="table"' not in swiss


def test_the_bracket_of_a_stage(tmp_path: Path) -> None:
    """A stage that is a knockout has a bracket of its own matches, whose rounds are numbered from 1."""
    stages = [
        {"name": "groups", "groups": 2, "advance": 2},
        {"name": "finals", "format": "knockout", "deals": 1},
    ]
    page = render_report(write_store(tmp_path / "x.pitboss", "stages", 6, stages=stages))

    assert page.count('class="table"') == 3
    assert ">Bracket: finals</title>" in page
    assert [name for name in (">Round 1</text>", ">Round 2</text>", ">Final</text>") if name in page] == [
        ">Round 1</text>",
        ">Final</text>",
    ]


def _bots_of_matches(store: Store) -> list[str]:
    """Return the bots of each match."""
    matches = {frozenset(bot.bot for bot in table.bots) for table in list_rounds(store)}
    return [bot for match in matches for bot in match]


def test_scores_of_opponents(tmp_path: Path) -> None:
    """The one of two bots with equal scores that met better opponents goes first, in all outputs, as in the format."""
    store = write_store(tmp_path / "x.pitboss", "swiss", 6)
    last = [table for table in list_rounds(store) if table.round == max(one.round for one in list_rounds(store))]
    bots = sorted((bot for table in last for bot in table.bots), key=lambda one: (-one.score, -one.opposition))
    page = ParsedPage(render_report(store))

    assert [row[0] for row in page.rows["scores-table"][1:]] == [one.bot for one in bots]
    assert [row[-1] for row in page.rows["scores-table"][1:]] == [f"{one.opposition * 100:.0f}" for one in bots]
    assert len({one.score for one in bots}) < len(bots)
    assert sum(one.opposition for one in bots) / len(bots) == pytest.approx(0.5)


def test_where_rounds_are_told(tmp_path: Path) -> None:
    """`--rounds`, `--json` and the report tell the same; a format of one round is refused, and tells none."""
    swiss, single = (write_store(tmp_path / f"{name}.pitboss", name, 6) for name in ("swiss", "round-robin"))
    tables = list_rounds(swiss)
    lines = [*round_lines(tables)]
    page = ParsedPage(render_report(swiss))
    refused = run_pitboss("standings", "--rounds", str(single.path))

    assert run_pitboss("standings", "--rounds", str(swiss.path)).out.splitlines()[1 : 1 + len(lines)] == lines
    assert len(run_pitboss("standings", "--json", str(swiss.path)).json_value["rounds"]) == len(tables)
    assert len(page.rows["rounds-table"]) == 1 + len(tables)
    assert len(page.rows["scores-table"]) == 1 + 6
    assert (refused.status, "its format is round-robin" in refused.err) == (2, True)
    assert list_rounds(single) == []
    assert "rounds-table" not in ParsedPage(render_report(single)).rows


def play_level_knockout(path: Path, draw_extension: Callable[[ScheduledGame], GameResult]) -> Store:
    """Return the store of a knockout of four bots whose matches are all level until they are extended."""
    made = make_random_plan("knockout", bots=4, seats=2)
    course, store = begin_rounds(made), Store.for_run(path, make_header(made, "1", "0.1"))
    while not course.is_over:
        games = [(draw_extension if course.is_extension else tied_result)(slot) for slot in open_games(course)]
        for game in games:
            course.add_result(game)
        store.add([(game, compress_text(dumps(make_record(game))), ()) for game in games])
        course.advance_round(frozenset())
    store.close()
    return Store(path)


def test_matches_that_are_level(tmp_path: Path) -> None:
    """Deals that are played because a match is level belong to its round: four equal bots play two rounds."""
    tables = list_rounds(play_level_knockout(tmp_path / "x.pitboss", tied_result))

    assert [(table.round, table.games, table.tie_break_games) for table in tables] == [(1, 8, 6), (1, 8, 6), (2, 8, 6)]
    assert describe_table(tables[0]) == "b0 1, b3 1, tie-break 3–3"


def test_a_tie_break_is_one_row_of_its_match(tmp_path: Path) -> None:
    """Terminal, data and report tell the wins of tie-break deals in the row of the match, apart from the others."""
    store = play_level_knockout(tmp_path / "x.pitboss", partial(draw_result, skill_step=99.0))
    rows = ["b0 1, b3 1, tie-break 2–0", "b1 1, b2 1, tie-break 2–0", "b0 1, b1 1, tie-break 2–0"]
    page = render_report(store)

    printed = run_pitboss("standings", "--rounds", str(store.path)).out.splitlines()
    assert [line.strip() for line in printed if "tie-break" in line and "b" in line[:3]] == rows
    assert [line for line in printed if line.startswith("Round ")] == ["Round 1", "Round 2"]
    told = run_pitboss("standings", "--json", str(store.path)).json_value["rounds"]
    assert [[(one["wins"], one["tie_break_wins"]) for one in table["bots"]] for table in told] == [[(3, 2), (1, 0)]] * 3
    assert [row[1] for row in ParsedPage(page).rows["rounds-table"][1:]] == rows
    assert (page.count(">1 + 2<"), page.count(">Final<"), page.count(">Round 1<")) == (3, 1, 1 + 1)
