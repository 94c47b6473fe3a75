"""Anchors of a league: bots of the house that play along, take no place, and are beaten with proof."""

from __future__ import annotations

import json
import re
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss_tournament.config.toml_file import TomlFileError
from pitboss_tournament.counting.stored_findings import StoredFindings
from pitboss_tournament.html.elements import markup
from pitboss_tournament.league.anchors import NO_ANCHOR, list_anchors
from pitboss_tournament.league.book import Book
from pitboss_tournament.league.ladder_view import LadderView, build_ladder_view, encode_ladder
from pitboss_tournament.league.league_field import draw_up_field
from pitboss_tournament.league.league_folder import League, read_league
from pitboss_tournament.league.site.bot_page import bot_content
from pitboss_tournament.league.site.game_pages import show_seat
from pitboss_tournament.league.site.ladder_page import ladder_content
from pitboss_tournament.league.site.page_frame import Viewer
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.header import Header
from pitboss_tournament.store.store import Store
from tests.league.league_process import make_league, run_league, wait_until
from tests.league.played_leagues import LeagueBot, PlayedLeague, make_played_league
from tests.league.test_league_play import count_games, submit
from tests.plugins import load_registry
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once

BOTS = tuple(LeagueBot(owner, f"bot-{owner}") for owner in ("ada", "bob", "cy", "dee"))
ANCHORS = 'anchors = ["house:random", "house:first"]'


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> PlayedLeague:
    """Return a league in which the two anchors are the weakest, the second one the very weakest."""
    return make_played_league(tmp_path_factory.mktemp("anchors") / "course", BOTS, 60, ANCHORS)


@pytest.fixture(scope="module")
def view(played: PlayedLeague) -> LadderView:
    """Return its ladder."""
    with closing(Store(played.store)) as store, closing(Book(played.store)) as book:
        return build_ladder_view("1", StoredFindings(store), book.submissions())


def read_played(played: PlayedLeague) -> League:
    """Return what a league is."""
    return read_league(played.folder, load_registry())


def choose_anchors(league: League, *names: str) -> League:
    """Return a league with some of its anchors, in this order."""
    return league._replace(anchors=tuple(one for one in league.anchors if one.name in names))


def test_anchors_take_no_place(view: LadderView) -> None:
    """Anchors are rated, but the places and the places that may be are those of the versions that people sent."""
    assert [line.place for line in view.ranked] == [1, 2, 3, 4]
    assert max(line.row.rank.worst for line in view.ranked if line.row.rank) == 4
    assert [line.submission.bot for line in view.anchors] == ["house:random", "house:first"]
    assert all(line.row.games > 0 and line.rating.mean is not None for line in view.anchors)
    assert not any(line.is_anchor for line in (*view.ranked, *view.newcomers, *view.retired, *view.out))


def test_an_anchor_is_beaten_with_proof(view: LadderView) -> None:
    """The best bot is surer to beat the weaker anchor than the worst bot is, and says how sure."""
    first, *_, last = view.ranked

    assert first.has_beaten("house:random")
    assert first.has_beaten("house:first")
    assert first.beats["house:first"] > last.beats.get("house:first", 0.0)
    assert all(0.5 <= sure <= 1.0 for line in view.ranked for sure in line.beats.values())


def test_the_feed_marks_anchors(view: LadderView) -> None:
    """The JSON of a ladder has anchors apart, marked, and what each version beats; without anchors it has neither."""
    feed = json.loads(encode_ladder(view))
    bare = json.loads(encode_ladder(replace(view, anchors=(), ranked=[replace(view.ranked[0], beats={})])))

    assert [(one["bot"], one["is_anchor"], one["owner"]) for one in feed["anchors"]] == [
        ("house:random", True, ""),
        ("house:first", True, ""),
    ]
    assert feed["ranked"][0]["beats"].keys() == {"house:random", "house:first"}
    assert "anchors" not in bare
    assert not bare["ranked"][0].keys() & {"beats", "is_anchor"}


def test_pages_show_anchors(played: PlayedLeague, view: LadderView) -> None:
    """The ladder has anchors between the bots by their ratings, marked; a bot's page tells which it beats."""
    ladder = str(markup(*ladder_content(read_played(played), view, Viewer("ada"))))
    page = str(markup(*bot_content(view, view.list_versions("bot-ada"), Viewer())))
    anchor = str(markup(*bot_content(view, view.list_versions("house:first"), Viewer())))

    assert ladder.count(">anchor</span>") == 2
    assert 'href="/bots/house%3Arandom"' in ladder
    assert ladder.index("bot-ada") < ladder.index("house:random") < ladder.index("house:first")
    assert "It beats house:random" in page.replace("<!-- -->", "")
    assert "% sure" in page
    assert "an anchor" in anchor
    assert "/versions/-" not in ladder + page + anchor


def test_an_anchor_has_one_name(played: PlayedLeague) -> None:
    """Lists of games call an anchor as the ladder does, without a version."""
    with closing(Store(played.store)) as store:
        header = store.header
        result = next(one for one in store.results() if len(set(is_house(header, one))) > 1)

    seats = "".join(str(show_seat(header, seat)) for seat in result.seats)

    assert 'class="bot">house:' in seats
    assert not re.search(r"house:[a-z]+<span", seats)
    assert '</a>&nbsp;<span class="points">' in seats
    assert re.search(r">bot-[a-z]+<span [^>]*>@1</span>", seats)


def is_house(header: Header, result: GameResult) -> list[bool]:
    """Return for each seat of a game whether an anchor sits there."""
    return [header.bots[seat.entrant].startswith("house:") for seat in result.seats]


def test_an_anchor_that_is_not_named_any_more_leaves(played: PlayedLeague) -> None:
    """An anchor that the file names no more leaves, and comes back as the same entry."""
    league = read_played(played)
    with closing(Store(played.store)) as store, closing(Book(played.store)) as book:
        was, known = store.header, book.submissions()

    fewer = draw_up_field(choose_anchors(league, "house:first"), known, was).header
    again = draw_up_field(league, known, fewer).header

    assert {entry.name: entry.why for entry in fewer.entries if entry.left} == {"house:random": NO_ANCHOR}
    assert len(again.entries) == len(was.entries)
    assert sorted(again.rosters[-1].entries) == sorted(was.rosters[-1].entries)
    assert not any(entry.left for entry in again.entries)


def test_another_program_under_the_name_of_an_anchor(played: PlayedLeague) -> None:
    """A name that means another program than before is another version, as its games would be another bot's."""
    league = read_played(played)
    with closing(Store(played.store)) as store, closing(Book(played.store)) as book:
        was, known = store.header, book.submissions()
    random, first = league.anchors
    changed = league._replace(anchors=(replace(random, command=first.command), first))

    now = draw_up_field(changed, known, was).header

    assert [entry.version for entry in now.entries if entry.name == "house:random"] == [1, 2]
    assert "house:random@2" in {now.bots[number] for number in now.rosters[-1].entries}


def test_anchors_alone_do_not_play(played: PlayedLeague) -> None:
    """Without a version that somebody has sent, anchors do not play among themselves."""
    with closing(Store(played.store)) as store:
        field = draw_up_field(read_played(played), [], store.header)

    assert field.header.rosters[-1].entries == ()


@pytest.mark.parametrize(
    ("anchors", "said"),
    [
        ('["rung:*"]', "the rungs of the game, and magpie has none"),
        ('["rung:2"]', "magpie has no rungs"),
        ('["house:nobody"]', "an anchor is a bot of the house"),
        ('["./bot.py"]', "an anchor is a bot of the house"),
        ('["house:random", "house:random"]', "is named twice"),
    ],
)
def test_wrong_anchors(tmp_path: Path, anchors: str, said: str) -> None:
    """What is no bot of the house for this game is refused, with the line of the file."""
    make_league(tmp_path / "course", rules=f"anchors = {anchors}")

    with pytest.raises((TomlFileError, ConfigError), match=said.replace("*", r"\*")) as caught:
        read_league(tmp_path / "course", load_registry())

    assert "league.toml" in str(caught.value)


def test_all_rungs_by_a_star() -> None:
    """The name `rung:*` stands for all rungs of a game, the weakest first."""
    registry = load_registry()

    found = list_anchors(["house:random", "rung:*"], "racko", registry)

    assert found == ["house:random", *(f"rung:{number}" for number in range(1, len(registry.rungs["racko"].rungs) + 1))]


@pytest.mark.long
def test_one_bot_and_the_rungs(tmp_path: Path) -> None:
    """One person with one bot has a league at once, where there are rungs: they play along, and their games audit."""
    racko = load_registry().find_game("racko")
    rules = 'placing_games = 2\ndeals = 1\nanchors = ["rung:1", "rung:2"]'
    tokens = make_league(tmp_path / "course", rules=rules, game=racko)
    with run_league(tmp_path / "course", "--workers", "1") as league:
        submit(league, "fox", tokens["ada"])
        wait_until(league, lambda: count_games(league.folder) >= 6)
        ladder = league.ask("GET", "/api/ladder").value

    assert {one["bot"] for one in ladder["anchors"]} <= {"rung:1", "rung:2"}
    with closing(Store(tmp_path / "course" / "league.pitboss")) as store:
        own = [entry for entry in store.header.entries if entry.about.yardstick]
    assert [entry.name for entry in own] == ["rung:1", "rung:2"]
    assert {entry.own.clock.decision_ms for entry in own} == {30_000}
    assert run_pitboss("integrity", str(tmp_path / "course" / "league.pitboss")).status == 0
