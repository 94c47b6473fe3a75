"""What the pages make of a ladder, and the ladder that a store has, while it changes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from pitboss_tournament.counting.stored_findings import StoredFindings
from pitboss_tournament.html.elements import markup
from pitboss_tournament.league.book import Book, HistoryPoint
from pitboss_tournament.league.ladder_view import LadderView, build_ladder_view
from pitboss_tournament.league.league_field import draw_up_field
from pitboss_tournament.league.league_file import ValidationTable
from pitboss_tournament.league.league_folder import League, read_league
from pitboss_tournament.league.site.bot_page import bot_content
from pitboss_tournament.league.site.ladder_page import ladder_content
from pitboss_tournament.league.site.page_frame import LeagueFrame, Viewer, show_deadline
from pitboss_tournament.league.site.rules_page import SubmissionEnd, submit_content
from pitboss_tournament.league.site.version_page import version_content
from pitboss_tournament.league.stored_ladder import StoredLadder
from pitboss_tournament.store.store import Store
from tests.league.played_leagues import LeagueBot, PlayedLeague, make_played_league, play_on_paper
from tests.plugins import load_registry
from tests.soak.gift_verdicts import fold_to_star
from tests.synthetic_tournaments import SyntheticTournament
from tests.tournament.command_line import run_pitboss
from tests.tournament.stored_games import make_stored_game

pytestmark = pytest.mark.once

BOTS = (LeagueBot("ada", "fox"), LeagueBot("bob", "owl"), LeagueBot("cy", "hen"), LeagueBot("ada", "fox", "retired"))


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> PlayedLeague:
    """Return a small league."""
    return make_played_league(tmp_path_factory.mktemp("pages") / "course", BOTS, 20)


@pytest.fixture
def book(played: PlayedLeague) -> Iterator[Book]:
    """Return its book."""
    with closing(Book(played.store)) as opened:
        yield opened


@pytest.fixture
def league(played: PlayedLeague) -> League:
    """Return what it is."""
    return read_league(played.folder, load_registry())


@pytest.fixture
def view(played: PlayedLeague, book: Book) -> LadderView:
    """Return its ladder."""
    with closing(Store(played.store)) as store:
        return build_ladder_view("1", StoredFindings(store), book.submissions())


async def test_news_of_a_store(played: PlayedLeague, book: Book) -> None:
    """All readers get the same value, until games or submissions come."""
    source = StoredLadder(played.store, book)
    first = await source.view()
    assert await source.view() is first

    play_on_paper(played.folder, book, 2, seed="more")
    await source.wait_for_change(first)
    second = await source.view()

    assert second.games > first.games
    assert second.stamp != first.stamp


def test_a_deadline_tells_its_zone() -> None:
    """A deadline has the zone by which it was given; scripts find that it wants a zone."""
    shown = str(show_deadline("2026-11-30T09:02:00+01:00"))

    assert shown == '<time datetime="2026-11-30T09:02:00+01:00" data-zone="yes">2026-11-30 09:02 UTC+01:00</time>'


@pytest.mark.parametrize("is_checked", [True, False])
def test_steps_of_a_submission(league: League, is_checked: bool) -> None:
    """The page for submissions promises cures and games only if the league makes checks and plays games."""
    rules = replace(league.file.validation, check=is_checked, games=2 if is_checked else 0)
    told = read_rules(league, rules)

    assert ("each check that fails comes with a cure" in told) == is_checked
    assert ("this league makes no checks" in told) != is_checked
    assert ("it plays with random players" in told) == is_checked


def read_rules(league: League, rules: ValidationTable) -> str:
    """Return the page for submissions of a league with other rules."""
    changed = league._replace(file=replace(league.file, validation=rules))
    frame = LeagueFrame("course", Viewer("ada"), "")
    end = SubmissionEnd("", "", datetime(2027, 1, 1, tzinfo=UTC))
    return str(markup(*submit_content(changed, frame, "http://here", end)))


def test_the_state_of_a_version_stands_once(view: LadderView) -> None:
    """The page of a version tells its state once, with what that means."""
    line = next(iter(view.lines))

    page = str(markup(*version_content(view, line.submission, line, None, 0, "ada")))

    assert page.count("<dt>state</dt>") + page.count(">state</span></dt>") == 1
    assert "<small>it plays</small>" in page


async def test_a_store_without_a_tournament(tmp_path: Path) -> None:
    """A store without a tournament shows the versions that wait for their first games."""
    idle = make_played_league(tmp_path / "course", BOTS[:2], 0)
    with closing(Book(idle.store)) as book:
        view = await StoredLadder(idle.store, book).view()

    assert ([line.submission.bot for line in view.newcomers], view.is_rated) == (["fox", "owl"], False)


def test_cycles_are_told(league: League, view: LadderView) -> None:
    """The ladder and the page of each bot in it tell a cycle, from one bot back to it."""
    cyclic = replace(view, cycles=[(1, 2, 3)])
    pages = [
        markup(*ladder_content(league, cyclic, Viewer())),
        markup(*bot_content(cyclic, cyclic.list_versions("owl"), Viewer())),
    ]

    for page in pages:
        said = page[page.index("Cycles") :].split("<ul>")[1].split("</ul>")[0]
        order = [part.partition("<")[0] for part in said.split('class="bot">')[1:]]
        assert order == ["fox", "owl", "hen", "fox"]
    assert "Cycles" not in markup(*ladder_content(league, view, Viewer()))


def test_a_history_is_drawn(league: League, view: LadderView) -> None:
    """Where ratings of earlier days are known, the ladder has a column of trends, and a bot's page a chart."""
    points = [HistoryPoint(f"2027-02-{day:02}T00:00:00+00:00", 10 * day, 0, 300, day) for day in range(1, 9)]
    known = replace(view, ranked=[replace(line, history=points) for line in view.ranked])

    ladder = markup(*ladder_content(league, known, Viewer()))
    page = markup(*bot_content(known, known.list_versions("owl"), Viewer()))

    assert ladder.count('class="spark"') == 2 * len(view.ranked)  # for wide and for narrow screens
    assert "+70" in ladder
    assert 'class="history"' in page
    assert "2027-02-01" in page
    assert "Trend" not in markup(*ladder_content(league, view, Viewer()))


def test_own_lines_stand_out(league: League, view: LadderView) -> None:
    """An owner who is logged in sees the lines of its own bots marked."""
    assert markup(*ladder_content(league, view, Viewer("ada"))).count(">you<") == 1
    assert ">you<" not in markup(*ladder_content(league, view, Viewer()))


@pytest.mark.long
def test_friends_on_the_ladder(tmp_path: Path) -> None:
    """The ladder and `league status` name two pals that fold to a star, and its rating without these games."""
    bots = [LeagueBot(f"owner{number}", name) for number, name in enumerate(("star", "pal", "mate", "x", "y", "z"))]
    played = make_played_league(tmp_path / "course", bots, 0)
    league = read_league(played.folder, load_registry())
    with closing(Book(played.store)) as book:
        submissions = book.submissions()
        header = draw_up_field(league, submissions, None).begin_in(1).header
        world = SyntheticTournament(strengths=(-0.2, -0.3, -0.3, 0.2, 0.1, 0.0), seats=2, card_share=0.5)
        with closing(Store.for_run(played.store, header)) as store:
            games = enumerate(fold_to_star(world.games(15 * 50, Random(1))))
            store.add((replace(game, game_id=number), make_stored_game(number).record, ()) for number, game in games)
            view = build_ladder_view("1", StoredFindings(store), submissions)
    page = str(markup(*ladder_content(league, view, Viewer())))
    told = run_pitboss("league", "status", str(played.folder))
    written = run_pitboss("league", "status", str(played.folder), "--json").json_value

    names = {line.number: line.submission.bot for line in view.lines}
    assert {(names[one.giver], names[one.gainer]) for one in view.gifts} == {("pal", "star"), ("mate", "star")}
    assert [line.submission.bot for line in view.lines if line.row.rating_without_gifts is not None] == ["star"]
    assert "Who gains by whom" in page
    assert "star gains by pal" in told.out
    assert "Without its games with" in told.out
    assert {(one["giver"], one["gainer"]) for one in written["gifts"]} == {("pal", "star"), ("mate", "star")}
