"""Ratings and pairs on the board: the same numbers as the statistics', never made up, in any width."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Final

import pytest
from msgspec.structs import replace

from pitboss_tournament.counting.open_length import INCOMPLETE
from pitboss_tournament.counting.pair_choice import order_pairs
from pitboss_tournament.counting.stored_findings import StoredFindings
from pitboss_tournament.plan.plan import StopRules
from pitboss_tournament.reporting.page import render_report
from pitboss_tournament.results.columns import GROUP, RATING, format_more_blocks
from pitboss_tournament.results.notes import ANYTIME, NOT_COMPARABLE, note_lines, reduction_text
from pitboss_tournament.results.numbers import format_percent
from pitboss_tournament.results.standings_rows import BotRow, PairRow, list_bot_rows
from pitboss_tournament.showing.pair_table import PAIRS_EXPLAINED, pair_lines
from pitboss_tournament.showing.standings_table import board_lines
from pitboss_tournament.statistics.pairwise import EstimatedDifference
from pitboss_tournament.statistics.running_moments import Estimate
from pitboss_tournament.statistics.variance_reduction import VarianceReduction
from tests.marks import first_rows
from tests.synthetic_tournaments import SyntheticTournament
from tests.tournament.command_line import run_pitboss
from tests.tournament.parsed_page import ParsedPage
from tests.tournament.play_terminal import run_in_terminal
from tests.tournament.report_stores import write_results

pytestmark = pytest.mark.once

NAMES = ("strong", "middling", "a_weak_bot_with_a_long_name")


IDLE: Final = BotRow(
    name="x",
    games=0,
    blocks=0,
    points=Estimate(None, None),
    wins=Estimate(None, None),
    faults={},
    substituted={},
    think_ms=None,
    think_p50_ms=None,
    think_p99_ms=None,
    is_out=False,
    rating=Estimate(None, None),
)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the store of a tournament whose truth is known."""
    path = tmp_path_factory.mktemp("pairs") / "x.pitboss"
    world = SyntheticTournament(strengths=(1.0, 0.1, 0.0), seats=2, card_share=0.3)
    write_results(path, list(world.games(120, Random("pairs"))), NAMES).close()
    return path


def test_programs_get_what_a_seat_is_worth(path: Path, tmp_path: Path) -> None:
    """Programs get what a seat is worth where seats are unequal; where they are equal, nothing."""
    assert run_pitboss("standings", str(path), "--json").json_value["seat_ratings"] == []

    world = SyntheticTournament(strengths=(0.0,) * 3, seats=2, advantage=(1.2, -1.2))
    write_results(tmp_path / "seats.pitboss", list(world.games(100, Random(1))), NAMES).close()
    first, second = run_pitboss("standings", str(tmp_path / "seats.pitboss"), "--json").json_value["seat_ratings"]
    assert first["mean"] - first["half_width"] > 0
    assert first["mean"] == pytest.approx(-second["mean"])


def test_the_board_goes_by_rating(path: Path) -> None:
    """The board has the strongest first, each with its interval; --explain explains the unit; programs get the same
    numbers.
    """
    lines = run_pitboss("standings", str(path), "--explain").out.splitlines()
    value = run_pitboss("standings", str(path), "--json").json_value

    assert [line.split()[1] for line in lines[3:6]] == [line["name"] for line in value["standings"]]
    assert lines[3].split()[1] == "strong"
    first = value["standings"][0]
    assert f"{first['rating']['mean']:+.0f} ±{first['rating_comparison']:.0f}" in lines[3]
    assert any(line == f"rating: {RATING.meaning}" for line in lines)
    assert value["standings"][1]["rating"] == {"mean": 0.0, "half_width": 0.0}
    assert value["duplicates"]["ratio"] > 1
    assert any(line.startswith("Duplicate deals: ") for line in lines)


def test_a_tournament_whose_length_is_open(tmp_path: Path) -> None:
    """The intervals hold at any time before a tournament's end, when it was made longer, and where a test may stop it.

    They are wider and the footer says so; programs are told.
    """
    games = list(SyntheticTournament(strengths=(0.3, 0.0, 0.0), seats=2).games(60, Random("open")))
    widths = []
    for number, (totals, stop) in enumerate(
        (([120], None), ([180], None), ([60, 120], None), ([120], StopRules(ranking=True)))
    ):
        store = write_results(tmp_path / f"{number}.pitboss", games, NAMES, stop=stop)
        for played, total in enumerate(totals):
            store.begin_run(played, total)
        summary = StoredFindings(store)
        notes = list(note_lines(summary.tally, {}, open_length=summary.open_length))
        said = ANYTIME.format(open_length=summary.open_length)
        assert (said in notes) == summary.anytime == (number > 0)
        widths.append(
            [width or 0.0 for line in summary.standings for width in (line.points.half_width, line.wins.half_width)]
            + [line.comparison or 0.0 for line in summary.ratings.lines]
        )
        store.close()

    fixed, *anytime = widths
    assert all(others == anytime[0] for others in anytime)
    assert all(1.4 < wide / narrow < 2.5 for wide, narrow in zip(anytime[0], fixed, strict=True))
    assert run_pitboss("standings", str(tmp_path / "0.pitboss"), "--json").json_value["anytime"] is False
    shown = run_pitboss("standings", str(tmp_path / "1.pitboss")).out.splitlines()
    assert ANYTIME.format(open_length=INCOMPLETE) in shown


def test_pairs_side_by_side(path: Path) -> None:
    """Every pair is listed, the better one first, by the order of the board. Programs get both directions of it from
    one entry.
    """
    lines = run_pitboss("standings", str(path), "--pairs").out.splitlines()
    pairs = run_pitboss("standings", str(path), "--json").json_value["pairs"]

    assert lines[1].split() == ["bot", "against", "blocks", "points", "places", "%", "chance", "%", "more"]
    assert len(pairs) == 3
    strongest = lines[2].split()
    assert (strongest[0], strongest[2], strongest[-1]) == ("strong", "40", "sure")
    assert lines[-1] == PAIRS_EXPLAINED
    ends = pairs[0]["places"]["anytime"]
    assert f"({100 * ends['low']:.1f} to {100 * ends['high']:.1f})" in lines[2]
    assert ends["low"] > 0
    assert all(pair["rating_chance"] > 0.9 for pair in pairs if pair["bot"] == "strong")


def test_the_better_one_of_a_pair_comes_first(tmp_path: Path) -> None:
    """The better one of a pair comes first, also where it is listed later: differences and chance are turned round
    together.
    """
    games = list(SyntheticTournament(strengths=(0.0, 0.6), seats=2).games(20, Random("turned")))
    summary = StoredFindings(write_results(tmp_path / "x.pitboss", games, ("weak", "strong")))
    [pair] = order_pairs(summary.comparisons, [1, 0])
    [found] = summary.comparisons

    assert (pair.entrant, pair.other) == (1, 0)
    assert found.places.chance is not None
    assert pair.places.chance == pytest.approx(1 - found.places.chance)
    assert pair.places.chance is not None and pair.places.chance > 0.5
    assert pair.points.estimate.mean == -(found.points.estimate.mean or 0)
    assert pair.points.estimate.half_width == found.points.estimate.half_width


@first_rows(1)("columns", [60, 80, 120])
def test_in_a_terminal(path: Path, columns: int) -> None:
    """The standings are no wider than the terminal, and each bot is still to be told from the others."""
    for words in ((), ("--pairs",)):
        lines = run_in_terminal("standings", str(path), *words, columns=columns, TERM="dumb").splitlines()

        assert max(map(len, lines)) <= columns
        assert any("a_weak_bo" in line for line in lines)


def test_bots_that_cannot_be_compared(tmp_path: Path) -> None:
    """Bots that cannot be compared are reported as such: no difference, no chance, no NaN; ratings that belong together
    are of one group.
    """
    world = SyntheticTournament(strengths=(1.0, 0.0), seats=2)
    games = list(world.games(20, Random("apart")))
    others = [
        replace(game, pairing=5, seats=tuple(replace(seat, entrant=seat.entrant + 2) for seat in game.seats))
        for game in games
    ]
    store = write_results(tmp_path / "x.pitboss", [*games, *others], ("a", "b", "c", "d", "idle"))
    summary = StoredFindings(store)

    text = "\n".join(line.text for line in board_lines(list_bot_rows(summary)))
    assert re.findall(r"±\d+ +([ab]) ", text) == ["a", "b", "a", "b"]
    assert NOT_COMPARABLE in note_lines(summary.tally, {}, summary.ratings)
    [pair] = [pair for pair in order_pairs(summary.comparisons, range(5)) if (pair.entrant, pair.other) == (0, 2)]
    assert (pair.blocks, pair.places.chance, pair.places.more_blocks) == (0, None, None)
    assert (format_percent(None), format_more_blocks(0, None)) == ("-", "-")
    assert "nan" not in (text + run_pitboss("standings", str(store.path), "--json").out).lower()


def test_a_bot_that_has_not_played() -> None:
    """A bot that has not played has no rating; one with too few blocks has a rating whose width is unknown."""
    few = replace(IDLE, rating=Estimate(12.4, None), group=0)
    some = replace(IDLE, rating=Estimate(-1012.4, 9.0), rating_comparison=3.0, group=1, blocks=5)

    assert (RATING.text(IDLE), GROUP.text(IDLE)) == ("-", "-")
    assert (RATING.text(few), GROUP.text(few)) == ("+12 ±?", "a")
    assert (RATING.text(some), GROUP.text(some)) == ("-1,012 ±3", "b")
    assert RATING.text(replace(some, blocks=4)) == "-1,012 ±?"


def test_a_cycle(tmp_path: Path) -> None:
    """The board and the report name it, with alpha-rank beside the rating; programs get both."""
    games = []
    for pairing, (one, other) in enumerate([(0, 1), (1, 2), (2, 0)]):
        world = SyntheticTournament(strengths=(0.8, -0.8), seats=2)
        for game in world.games(60, Random(pairing)):
            seats = tuple(replace(seat, entrant=(one, other)[seat.entrant]) for seat in game.seats)
            games.append(replace(game, pairing=pairing, seats=seats))
    store = write_results(tmp_path / "x.pitboss", games, ("rock", "scissors", "paper"))
    lines = run_pitboss("standings", str(store.path)).out.splitlines()
    value = run_pitboss("standings", str(store.path), "--json").json_value
    page = ParsedPage(render_report(store))

    sentence = "A cycle: rock beats scissors, scissors beats paper, and paper beats rock."
    assert sentence in lines
    assert lines[3].split()[1:8] == ["proven", "games", "blocks", "rating", "alpha", "%", "points"]
    assert value["cycles"] == [["rock", "scissors", "paper"]]
    assert [line["alpha_rank"] for line in value["standings"]] == pytest.approx([1 / 3] * 3)
    assert sentence in page.text
    heading, *rows = page.rows["standings-table"]
    assert [row[heading.index("Alpha %")] for row in rows] == ["33", "33", "33"]


def test_a_bot_that_won_all_of_its_games() -> None:
    """The rating of a bot that won all of its games is written as its only bound."""
    winner = replace(IDLE, rating=Estimate(400.0, 300.0), rating_comparison=300.0, rating_bound="at least", group=0)

    assert RATING.text(winner) == "≥ +100"
    assert RATING.text(replace(winner, rating=Estimate(-400.0, 300.0), rating_bound="at most")) == "≤ -100"


def test_an_anchor(path: Path) -> None:
    """An anchor is 0 on the board, which says so; a bot that does not play cannot be an anchor."""
    lines = run_pitboss("standings", str(path), "--anchor", "strong", "--explain").out.splitlines()
    wrong = run_pitboss("standings", str(path), "--anchor", "stron")

    assert " 0 ±" in lines[3]
    assert any(line == "The 0 of ratings is strong." for line in lines)
    assert "anchor is 'stron' (did you mean 'strong'?); the bots are " in wrong.err


@pytest.mark.parametrize(
    ("blocks", "more_blocks", "written"), [(0, None, "-"), (3, None, "?"), (3, 0, "sure"), (3, 12_000, "12,000")]
)
def test_how_many_more_blocks(blocks: int, more_blocks: int | None, written: str) -> None:
    """No more blocks are needed for a pair that is sure; their number is unknown where there is no difference to speak
    of.
    """
    assert format_more_blocks(blocks, more_blocks) == written


@pytest.mark.parametrize(("chance", "written"), [(1.0, ">99.9"), (0.0, "<0.1"), (0.975, "97.5")])
def test_nothing_is_certain(chance: float, written: str) -> None:
    """A chance is never written as 0 or 100 %."""
    assert format_percent(chance) == written


def test_pairs_where_it_is_narrow() -> None:
    """Columns that say less are left out first, then names are cut."""
    points, places = (EstimatedDifference(Estimate(*own), 0.99, 12) for own in ((12.3, 1.2), (0.123, 0.012)))
    rating = Estimate(None, None)
    pairs = [
        PairRow(
            bot="a" * 30, other="b" * 30, blocks=1_000, points=points, places=places, rating=rating, rating_chance=None
        )
    ]
    widths = [max(len(line.text) for line in pair_lines(pairs, width)) for width in (None, 100, 85, 60)]

    assert widths[0] > 100
    assert all(found <= width for found, width in zip(widths[1:], (100, 85, 60), strict=True))
    assert pair_lines(pairs, 60)[1].text.startswith("aaaaaaa")


def test_what_duplicates_saved_without_an_interval() -> None:
    """The text about what duplicates saved has no interval where none is known."""
    saved = VarianceReduction(blocks=2, games=4, ratio=1.5, low=None, high=None)

    assert "would need 1.50 times the games." in reduction_text(saved)
