"""How owners are called before others: pseudonyms, names of choice, and who sees which."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import urlencode

import pytest

from pitboss_tournament.league.book import Book
from pitboss_tournament.league.name_book import DISPLAY_NAME_CHOSEN, NameRefused
from pitboss_tournament.league.pseudonyms import ADJECTIVES, ANIMALS, draw_pseudonym
from tests.league.league_process import LeagueProcess, run_league, wait_until
from tests.league.page_visitor import PageVisitor
from tests.league.played_leagues import LeagueBot, PlayedLeague, make_played_league
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once

BOTS: Final = (LeagueBot("grace", "fox"), LeagueBot("bobby", "owl"), LeagueBot("zoe", "hen", "retired"))
OWNERS: Final = ("grace", "bobby", "zoe")
PAGES: Final = (
    *("/", "/retired", "/bots/fox", "/bots/owl", "/versions/1", "/versions/3", "/games", "/games/0", "/queue"),
    *("/rules", "/submit", "/login", "/api/ladder", "/api/league"),
)


class NamedCourse(NamedTuple):
    """A running league, and its tokens."""

    league: LeagueProcess
    played: PlayedLeague

    def visit(self, owner: str | None = None) -> PageVisitor:
        """Return a browser, logged in or not."""
        visitor = PageVisitor(self.league)
        if owner is not None:
            assert visitor.log_in(self.played.tokens[owner]).status == 303
        return visitor

    def pseudonym(self, owner: str) -> str:
        """Return the pseudonym of an owner."""
        with closing(Book(self.played.store)) as book:
            return book.owner_names()[owner].pseudonym


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NamedCourse]:
    """Run a league as it is by default, in which games were played."""
    played = make_played_league(tmp_path_factory.mktemp("names") / "course", BOTS, 4)
    with run_league(played.folder, "--no-play") as league:
        yield NamedCourse(league, played)


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Book]:
    """Open the book of a league with two owners."""
    with closing(Book(tmp_path / "league.pitboss")) as opened:
        opened.add_tokens(["grace", "bobby"])
        yield opened


def test_a_pseudonym_is_drawn_once(book: Book) -> None:
    """Each owner has a pseudonym of two words, which stays, also when others come."""
    before = {owner: one.pseudonym for owner, one in book.owner_names().items()}
    book.add_tokens(["cy"])
    after = {owner: one.pseudonym for owner, one in book.owner_names().items()}

    assert before == {owner: after[owner] for owner in ("grace", "bobby")}
    assert len(set(after.values())) == 3
    assert all(len(name.split()) == 2 for name in after.values())


def test_pseudonyms_never_run_out() -> None:
    """When all pairs are taken, a pseudonym has a number."""
    pairs = {f"{one} {two}" for one in ADJECTIVES.split() for two in ANIMALS.split()}

    drawn = draw_pseudonym(pairs)

    assert drawn.endswith(" 2")
    assert drawn.removesuffix(" 2") in pairs


@pytest.mark.parametrize("path", PAGES)
def test_nobody_is_named_without_a_login(course: NamedCourse, path: str) -> None:
    """No page and no answer has an owner's name for those who are not logged in."""
    page = course.visit().get(path)

    assert page.status == 200
    assert [owner for owner in OWNERS if owner in page.text] == []


def test_pseudonyms_stand_on_the_ladder(course: NamedCourse) -> None:
    """The ladder, its JSON and the feed have pseudonyms in place of owners."""
    visitor = course.visit()
    fox, hen = course.pseudonym("grace"), course.pseudonym("zoe")

    assert fox in visitor.get("/").text
    assert f"by {hen}" in visitor.get("/bots/hen").text
    ladder = json.loads(visitor.get("/api/ladder").text)
    assert {line["owner"] for line in ladder["retired"]} == {hen}
    assert fox in {one["owner"] for one in json.loads(visitor.get("/api/league").text)["versions"]}


def test_who_is_logged_in_sees_the_own_name(course: NamedCourse) -> None:
    """An owner sees the own name with the pseudonym, and of others the pseudonyms; a host sees both of all."""
    own, all_of_them = course.visit("grace").get("/").text, course.visit("teacher").get("/").text

    assert f"grace ({course.pseudonym('grace')})" in own
    assert "bobby" not in own
    assert f"bobby ({course.pseudonym('bobby')})" in all_of_them


def test_the_feed_names_owners_to_a_host(course: NamedCourse) -> None:
    """The feed has an owner's own name for that owner's token, and all names for a host's."""
    tokens = course.played.tokens

    def list_owners(token: str) -> set[str]:
        return {one["owner"] for one in course.league.ask("GET", "/api/league", token).value["versions"]}

    assert list_owners(tokens["teacher"]) == set(OWNERS)
    assert list_owners(tokens["grace"]) == {"grace", course.pseudonym("bobby"), course.pseudonym("zoe")}


def test_a_report_names_no_owner(course: NamedCourse, tmp_path: Path) -> None:
    """The report and the table of games of a league's store have no owner's name."""
    report, table = tmp_path / "report.html", tmp_path / "games.csv"
    made = run_pitboss("report", str(course.played.store), "-o", str(report), cwd=tmp_path)
    out = run_pitboss("export", str(course.played.store), "--what", "csv", "-o", str(table), cwd=tmp_path)

    assert (made.status, out.status) == (0, 0)
    assert [owner for owner in OWNERS if owner in report.read_text() + table.read_text()] == []


def test_a_name_of_choice(course: NamedCourse) -> None:
    """An owner chooses a name on a page: everybody sees it, the host sees both, and the audit trail has it."""
    visitor = course.visit("zoe")
    form = {"form_token": visitor.find_form_token(), "display": "The  Hen House"}

    chosen = visitor.post("/me/name", urlencode(form).encode())
    again = visitor.post("/me/name", urlencode({**form, "display": "Hen Two"}).encode())
    foreign = visitor.post("/me/name", urlencode({**form, "form_token": "x", "display": "Hen"}).encode())

    assert (chosen.status, again.status, foreign.status) == (303, 409, 403)
    assert "once in 10 minutes" in again.text
    assert "The Hen House" in visitor.get("/me").text
    teacher = course.visit("teacher")
    wait_until(course.league, lambda: "zoe (The Hen House)" in teacher.get("/versions/3").text)
    assert "by The Hen House<" in course.visit().get("/bots/hen").text
    with closing(Book(course.played.store)) as book:
        assert ("zoe", DISPLAY_NAME_CHOSEN, "The Hen House") in [(one.who, one.what, one.about) for one in book.audit()]


@pytest.mark.parametrize(
    "said", ["bobby", "B\u043ebby", "bobby\u200b", "<b>", "x" * 41, "PSEUDONYM"], ids=lambda said: ascii(said)[:12]
)
def test_names_that_nobody_may_choose(book: Book, said: str) -> None:
    """A name of choice is a name, and looks like neither the name nor the pseudonym of somebody else."""
    said = said.replace("PSEUDONYM", book.owner_names()["bobby"].pseudonym)

    with pytest.raises(NameRefused):
        book.choose_display_name("grace", said)
    assert book.owner_names()["grace"].display == ""


@pytest.mark.parametrize(
    ("access", "to_all", "to_class"), [("class", False, True), ("shown", True, True), ("pseudonyms", False, False)]
)
def test_the_key_says_who_sees_names(tmp_path: Path, access: str, to_all: bool, to_class: bool) -> None:
    """With `owners = "class"` those who are logged in see names, with `"shown"` everybody."""
    played = make_played_league(tmp_path / "course", BOTS, 1, rules=f'owners = "{access}"')
    with run_league(played.folder, "--no-play") as league:
        course = NamedCourse(league, played)
        anybody, classmate = course.visit().get("/").text, course.visit("grace").get("/bots/owl").text
        fed = league.ask("GET", "/api/league", played.tokens["grace"]).value["versions"]

    assert ("bobby" in anybody, "bobby" in classmate) == (to_all, to_class)
    assert ("bobby" in {one["owner"] for one in fed}) == to_class
