"""The ladder as the pages show it: built from standings and the book."""

from __future__ import annotations

from contextlib import closing
from itertools import product
from pathlib import Path

import pytest
from msgspec.structs import replace

from pitboss_tournament.counting.counts import Counts
from pitboss_tournament.counting.findings import Findings
from pitboss_tournament.counting.stored_findings import StoredFindings
from pitboss_tournament.html.elements import el
from pitboss_tournament.league.book import Book, HistoryPoint
from pitboss_tournament.league.finals_field import choose_field
from pitboss_tournament.league.finals_rules import FinalsRules
from pitboss_tournament.league.ladder_view import LadderLine, LadderView, MetPair, build_ladder_view, make_idle_line
from pitboss_tournament.league.site.bot_page import bot_content
from pitboss_tournament.league.site.page_frame import Viewer
from pitboss_tournament.league.site.queue_page import explain_table
from pitboss_tournament.league.submission import Submission
from pitboss_tournament.statistics.scoring import GameResult, SeatResult
from pitboss_tournament.store.store import Store
from tests.bully_tournament import BULLY, SOLID, play_games
from tests.league.played_leagues import LeagueBot, PlayedLeague, make_played_league

pytestmark = pytest.mark.once

BOTS = (
    *(LeagueBot("ada", f"strong-{number}") for number in range(3)),
    LeagueBot("bob", "fox"),
    *(LeagueBot("bob", f"weak-{number}") for number in range(3)),
    LeagueBot("bob", "fox", "retired"),
    LeagueBot("cy", "newt", "placing"),
    LeagueBot("cy", "toad", "refused"),
    LeagueBot("cy", "eel", "received"),
)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> PlayedLeague:
    """Return a league of some bots that nobody may change."""
    return make_played_league(tmp_path_factory.mktemp("ladder") / "course", BOTS, 60, forfeits=True)


@pytest.fixture(scope="module")
def view(played: PlayedLeague) -> LadderView:
    """Return its ladder."""
    with closing(Store(played.store)) as store, closing(Book(played.store)) as book:
        return build_ladder_view("1", StoredFindings(store), book.submissions())


def test_groups(view: LadderView) -> None:
    """Versions that have found their places are ranked; newcomers and retired versions are apart; other versions are
    not shown.
    """
    assert {line.label for line in view.ranked} == {f"{bot.name}@1" for bot in BOTS[:7]}
    assert [line.label for line in view.newcomers] == ["newt@1"]
    assert [line.label for line in view.retired] == ["fox@2"]
    assert (view.waiting, view.is_rated) == (1, True)
    assert [line.place for line in view.ranked] == [1, 2, 3, 4, 5, 6, 7]
    assert {line.place for line in (*view.newcomers, *view.retired)} == {None}


def test_the_order_is_that_of_the_ratings(played: PlayedLeague) -> None:
    """The order is that of the ratings, also if a version that has left met none of those that play, so that not all
    can be compared.
    """
    duels = [(0, 1, 6), (1, 2, 7), (2, 3, 9), (2, 3, 9), (2, 3, 9), (7, 8, 5)]  # who won so many of ten blocks
    with closing(Store(played.store)) as store, closing(Book(played.store)) as book:
        counts, submissions = Counts(store.header), book.submissions()
    for pairing, (one, other, wins) in enumerate(duels):
        for deal, rotation in product(range(10), range(2)):
            seats = tuple(
                SeatResult(bot, float(is_first), 2 - is_first, float(is_first), None, {}, 1, 1, "")
                for bot, is_first in ((one, deal < wins), (other, deal >= wins))
            )
            order = seats[::-1] if rotation else seats
            counts.add(GameResult(20 * pairing + 2 * deal + rotation, pairing, deal, rotation, order))

    rated = Findings(counts, anytime=True)
    view = build_ladder_view("1", rated, submissions)

    finals = choose_field(submissions, rated, FinalsRules(top=2, min_games=1, one_per_owner=False))

    assert ["strong-0", "strong-1", "strong-2", "fox"] == [line.submission.bot for line in view.ranked]
    assert ["strong-0@1", "strong-1@1"] == [one.version for one in finals.taken]
    assert view.ranked[0].row.wins.mean == pytest.approx(0.6)
    assert view.ranked[2].row.wins.mean == pytest.approx(0.75)


def test_a_bully_is_better_against_the_field_alone(played: PlayedLeague) -> None:
    """The ladder ranks it above a solid bot; the pair is marked, and the page of either says both answers."""
    with closing(Store(played.store)) as store, closing(Book(played.store)) as book:
        counts, submissions = Counts(store.header), book.submissions()
    counts.add_all(play_games())
    view = build_ladder_view("1", Findings(counts, anytime=True), submissions)
    numbers = [line.number for line in view.ranked]
    bully, solid = (next(line for line in view.ranked if line.label == f"strong-{bot}@1") for bot in (BULLY, SOLID))
    page = str(el("div", *bot_content(view, [solid], Viewer())))

    assert numbers.index(bully.number) < numbers.index(solid.number)
    assert [{pair.one, pair.other} for pair in view.pairs if pair.is_reversed] == [{bully.number, solid.number}]
    assert page.count("proven better head to head") == 1
    assert "proven worse head to head" not in page


def test_retired_versions_keep_their_ratings(view: LadderView) -> None:
    """Retired versions have games, a rating, and the reason why they play no more; the tries of a bot are counted
    together.
    """
    [retired] = view.retired
    [fox] = [line for line in view.ranked if line.submission.bot == "fox"]

    assert retired.rating.mean is not None
    assert retired.row.games > 0
    assert (fox.versions_tried, retired.versions_tried) == (2, 2)
    assert [line.submission.version for line in view.list_versions("fox")] == [2, 1]


def test_tiers(view: LadderView) -> None:
    """A tier ends where a bot is proven worse than its first; each place lies within those that the bot may have."""
    verdicts = {(pair.one, pair.other): pair.verdict for pair in view.pairs}
    tiers = [line.tier or 0 for line in view.ranked]
    firsts = {line.tier: line for line in reversed(view.ranked)}

    assert tiers == sorted(tiers)
    assert 1 < max(tiers) < len(tiers)
    for line in view.ranked:
        assert line.row.rank is not None
        assert line.row.rank.best <= (line.place or 0) <= line.row.rank.worst
        first = firsts[line.tier]
        assert verdicts.get((first.number, line.number), "open") == "open"


def test_pairs(view: LadderView) -> None:
    """A pair that met is listed once, by numbers of submissions, with how far the first is ahead."""
    numbers = {line.number for line in view.lines}
    pairs = {frozenset((pair.one, pair.other)) for pair in view.pairs}
    strong, weak = (view.list_versions(bot)[0].number for bot in ("strong-0", "weak-2"))

    assert len(pairs) == len(view.pairs)
    assert set().union(*pairs) <= numbers
    [met] = [pair for pair in view.pairs if {pair.one, pair.other} == {strong, weak}]
    assert (met.score if met.one == strong else -met.score) > 0.2


def test_before_the_first_game(played: PlayedLeague) -> None:
    """A ladder without standings shows the versions that wait for their first games."""
    with closing(Book(played.store)) as book:
        view = build_ladder_view("1", None, book.submissions())

    assert (view.is_rated, view.games, list(view.ranked)) == (False, 0, [])
    assert {line.submission.bot for line in view.newcomers} == {bot.name for bot in BOTS[:7]} | {"newt"}


def test_history(played: PlayedLeague) -> None:
    """A trend is from the first to the last of the latest ratings; without two of them there is none."""
    points = [HistoryPoint(f"2027-02-{day:02}T00:00:00+00:00", 10.0 * day, 0, 300, day) for day in range(1, 21)]
    with closing(Book(played.store)) as book:
        view = build_ladder_view("1", None, book.submissions(), {1: points, 2: points[:1]})

    lines = {line.number: line.trend for line in view.lines}
    assert (lines[1], lines[2], lines[3]) == (70.0, None, None)


def make_line(number: int, place: int | None) -> LadderLine:
    """Return a version with a place."""
    submission = Submission(
        number=number,
        owner="ada",
        bot=f"b{number}",
        version=1,
        digest="",
        bytes=1,
        upload="",
        state="placing" if place is None else "playing",
        tries=1,
        received="2027-01-01T00:00:00+00:00",
        changed="2027-01-01T00:00:00+00:00",
    )
    return replace(make_idle_line(submission), place=place)


@pytest.mark.parametrize(
    ("places", "verdict", "said"),
    [
        ((None, 3), "open", "b0@1 finds its place"),
        ((4, 3), "open", "neighbours: it is not proven which is ahead, b1@1 or b0@1"),
        ((4, 3), "worse", "a reunion: they have not met for long"),
        ((1, 9), "open", "a reunion: they have not met for long"),
    ],
)
def test_why_a_table_is_played(places: tuple[int | None, int], verdict: str, said: str) -> None:
    """Newcomers find their places, neighbours meet until it is proven who is ahead, and others meet again."""
    lines = [make_line(number, place) for number, place in enumerate(places)]
    pair = replace(MetPair(0, 1, 9, 0.1, "open"), verdict=verdict)

    assert explain_table(lines, [pair]) == said


def test_an_empty_league(tmp_path: Path) -> None:
    """An empty league has no lines on its ladder."""
    view = build_ladder_view("1", None, [])

    assert list(view.lines) == []
