"""The pages of a league over HTTP: what everybody sees, what only owners and hosts do, and which forms are taken."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from pitboss_tournament.league.book import Book
from pitboss_tournament.league.sessions import FREE_FAILURES, SESSION_COOKIE
from pitboss_tournament.store.store import Store
from tests.league.archives import make_bot_tar
from tests.league.league_process import LeagueProcess, make_league, run_league
from tests.league.page_visitor import PageVisitor
from tests.league.played_leagues import SECRET_LOG, SECRET_NOTE, LeagueBot, PlayedLeague, make_played_league
from tests.marks import first_rows

pytestmark = pytest.mark.once

HOSTILE = "<script>alert(1)</script> & \"'"
BOTS = (
    LeagueBot("ada", "fox"),
    LeagueBot("bob", "owl"),
    LeagueBot(HOSTILE, HOSTILE),
    LeagueBot("bob", "hen"),
    LeagueBot("ada", "fox", "retired"),
    LeagueBot("cy", "newt", "placing"),
    LeagueBot("bob", "toad", "refused"),
)
REFUSED = len(BOTS)  # the number of its submission


class PlayedCourse(NamedTuple):
    """A running league, and its tokens."""

    league: LeagueProcess
    played: PlayedLeague

    def visit(self, owner: str | None = None) -> PageVisitor:
        """Return a browser, logged in or not."""
        visitor = PageVisitor(self.league)
        if owner is not None:
            assert visitor.log_in(self.played.tokens[owner]).status == 303
        return visitor

    def find_game(self, *owners: str, with_log: bool = False) -> int:
        """Return a game of the bots of these owners."""
        with closing(Store(self.played.store)) as store:
            entries = store.header.entries
            for result in store.results():
                found = {entries[seat.entrant].about.owner for seat in result.seats}
                if found == set(owners) and not (with_log and result.game_id % 10):
                    return result.game_id
        raise AssertionError(owners)


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayedCourse]:
    """Run a league in which games were played, for all tests of this file."""
    played = make_played_league(tmp_path_factory.mktemp("pages") / "course", BOTS, 40, forfeits=True)
    with run_league(played.folder, "--no-play") as league:
        yield PlayedCourse(league, played)


@first_rows(3)("path", ["/", "/bots/fox", "/versions/1", "/games", "/games/0", "/queue", "/rules", "/submit"])
def test_pages_for_everybody(course: PlayedCourse, path: str) -> None:
    """The public pages need no login, and forbid content that is not the server's own."""
    page = course.visit().get(path)

    assert (page.status, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    policy = page.headers["content-security-policy"]
    assert "script-src 'self'; style-src 'self'" in policy
    assert "form-action 'self'" in policy
    assert "Log in" in page.text


def test_names_are_escaped(course: PlayedCourse) -> None:
    """Names are text, wherever they stand, also in the addresses of links."""
    visitor = course.visit()
    address = "/bots/%3Cscript%3Ealert%281%29%3C%2Fscript%3E%20%26%20%22%27"

    for path in ("/", "/bots/fox", address, "/games"):
        page = visitor.get(path)
        assert page.status == 200
        assert "<script>alert" not in page.text
    assert address in visitor.get("/").text
    assert "&lt;script&gt;alert(1)" in visitor.get(address).text


def test_the_ladder(course: PlayedCourse) -> None:
    """The page of the ladder has places, ratings, games, the number of versions that were tried, and newcomers; nothing
    of refused versions.
    """
    page = course.visit().get("/").text

    assert "Tier 1" in page
    assert "Finding their place" in page
    assert 'href="/bots/newt"' in page
    assert "toad" not in page
    assert 'href="/retired"' in page
    assert "fox" in course.visit().get("/retired").text


def test_the_feed(course: PlayedCourse) -> None:
    """The ladder is there as JSON, without what was refused."""
    answer = course.visit().get("/api/ladder")
    found = json.loads(answer.text)

    assert answer.headers["content-type"] == "application/json"
    assert [line["place"] for line in found["ranked"]] == [1, 2, 3, 4]
    assert {line["versions_tried"] for line in found["ranked"] if line["bot"] == "fox"} == {2}
    assert "toad" not in answer.text


@pytest.mark.parametrize(
    "path", ["/bots/nobody", "/bots/toad", f"/versions/{REFUSED}", f"/versions/{10**30}", "/games/99999", "/nothing"]
)
def test_no_page(course: PlayedCourse, path: str) -> None:
    """A page that does not exist, or is not for everybody, is answered by a page that says so, with status 404."""
    page = course.visit().get(path)

    assert (page.status, "<h1>" in page.text) == (404, True)


def test_log_in_and_out(course: PlayedCourse) -> None:
    """A token opens a session: the cookie is no token, no script reads it, and no other site sends it."""
    visitor = PageVisitor(course.league)
    entered = visitor.log_in(course.played.tokens["bob"])
    cookie = entered.headers["set-cookie"]
    own = visitor.get("/me")

    assert (entered.status, entered.headers["location"]) == (303, "/me")
    assert {"HttpOnly", "SameSite=strict"} <= set(cookie.split("; "))
    assert course.played.tokens["bob"] not in cookie
    assert "toad@1" in own.text
    assert "fox" not in own.text
    left = visitor.post("/logout", f"form_token={visitor.find_form_token()}".encode())
    assert left.status == 303
    visitor.cookie = cookie.partition(";")[0]
    assert visitor.get("/me").status == 303


def test_a_host_sees_all(course: PlayedCourse) -> None:
    """A host sees all submissions, with their evidence, and the audit trail."""
    page = course.visit("teacher").get("/me").text

    assert all(word in page for word in ("fox@1", "toad@1", "newt@1", "Audit trail"))
    assert "gcc: &lt;b&gt;no" in course.visit("teacher").get(f"/versions/{REFUSED}").text


def test_evidence_is_for_its_owner(course: PlayedCourse) -> None:
    """Other owners do not learn that a submission was refused; of one that plays they see no evidence."""
    own, other = course.visit("bob"), course.visit("ada")

    assert "gcc: &lt;b&gt;no" in own.get(f"/versions/{REFUSED}").text
    assert other.get(f"/versions/{REFUSED}").status == 404
    assert "it is good" in other.get("/versions/1").text
    assert "it is good" not in own.get("/versions/1").text


@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", "http://127.0.0.1:1", "http://127.0.0.1"])
def test_forms_of_other_sites(course: PlayedCourse, origin: str | None) -> None:
    """A form that no page of this server has sent is refused, whatever it has."""
    visitor = course.visit("ada")
    token = visitor.find_form_token()
    form = f"form_token={token}".encode()

    answers = [
        visitor.post("/logout", form, origin),
        visitor.post("/submit/x", make_bot_tar(), origin, **{"x-form-token": token}),
        visitor.post("/login", b"token=" + course.played.tokens["bob"].encode(), origin),
    ]

    assert [answer.status for answer in answers] == [403, 403, 403]
    assert visitor.get("/me").status == 200


@pytest.mark.parametrize("token", ["", "x" * 43])
def test_forms_of_other_sessions(course: PlayedCourse, token: str) -> None:
    """A form without the token of the session is refused."""
    visitor = course.visit("ada")

    assert visitor.post("/logout", f"form_token={token}".encode()).status == 403
    assert visitor.post("/submit/x", make_bot_tar(), **{"x-form-token": token}).status == 403
    assert PageVisitor(course.league).post("/submit/x", make_bot_tar(), **{"x-form-token": token}).status == 401


def test_many_wrong_tokens(course: PlayedCourse) -> None:
    """Many wrong tokens open nothing, and the right one still does."""
    visitor = PageVisitor(course.league)
    with closing(Book(course.played.store)) as book:
        [made] = book.add_tokens(["dan"])
    wrong = made.token[:-5] + "wrong"

    tried = [visitor.log_in(one).status for one in (*[wrong] * (FREE_FAILURES + 1), made.token)]

    assert tried == [401] * (FREE_FAILURES + 1) + [303]


def test_a_form_that_is_too_large(course: PlayedCourse) -> None:
    """A form that is too large is not read to its end."""
    assert PageVisitor(course.league).post("/login", b"token=" + b"x" * 5_000).status == 413


def test_a_revoked_token(course: PlayedCourse) -> None:
    """The sessions of a revoked token end at once."""
    with closing(Book(course.played.store)) as book:
        [made] = book.add_tokens(["eve"])
        visitor = PageVisitor(course.league)
        visitor.log_in(made.token)
        before = visitor.get("/me").status
        book.revoke_tokens(lambda token: token.owner == "eve")

    assert (before, visitor.get("/me").status, visitor.get("/").status) == (200, 303, 200)
    assert "was revoked" in visitor.log_in(made.token).text


@pytest.mark.long
def test_an_upload_from_a_page(course: PlayedCourse) -> None:
    """An upload from a page is a submission like any other; its owner sees it, and nobody else."""
    visitor = course.visit("ada")
    token = visitor.find_form_token()

    sent = visitor.post("/submit/crow", make_bot_tar(), **{"x-form-token": token})
    taken = visitor.post("/submit/owl", make_bot_tar(), **{"x-form-token": token})

    number = json.loads(sent.text)["number"]
    assert (sent.status, taken.status) == (202, 409)
    assert "belongs to another owner" in json.loads(taken.text)["error"]
    assert "crow@1" in visitor.get(f"/versions/{number}").text
    assert f"/versions/{number}" in visitor.get("/me").text
    assert course.visit("cy").get(f"/versions/{number}").status == 404
    course.league.wait(number, course.played.tokens["ada"])


def test_replays_are_for_who_played(course: PlayedCourse) -> None:
    """Owners of the bots in a game see its cards; what bots noted only their owner sees; a host sees all."""
    game = course.find_game("ada", "bob")
    path = f"/games/{game}/replay.json"
    notes = [SECRET_NOTE.format(bot=bot) for bot in ("fox", "owl", "hen")]

    ada, cy, nobody, host = (course.visit(who).get(path) for who in ("ada", "cy", None, "teacher"))

    assert [ada.status, cy.status, nobody.status, host.status] == [200, 403, 403, 200]
    assert notes[0] in ada.text
    assert notes[1] not in ada.text
    assert notes[2] not in ada.text
    assert notes[0] in host.text
    assert notes[1] in host.text or notes[2] in host.text
    assert course.visit("cy").get(f"/games/{game}/replay").status == 403
    assert "Watch it card by card" not in course.visit("cy").get(f"/games/{game}").text
    assert "Watch it card by card" in course.visit("ada").get(f"/games/{game}").text


def test_logs_are_for_the_owner_of_the_seat(course: PlayedCourse) -> None:
    """An owner reads what its bots wrote, and nothing of the others at the table."""
    page = f"/games/{course.find_game('ada', 'bob', with_log=True)}"
    fox = SECRET_LOG.format(bot="fox")
    others = [SECRET_LOG.format(bot=bot) for bot in ("owl", "hen")]

    shown = {who: course.visit(who).get(page).text for who in ("ada", "bob", "cy", None, "teacher")}

    assert [who for who, text in shown.items() if fox in text] == ["ada", "teacher"]
    assert [who for who, text in shown.items() if any(other in text for other in others)] == ["bob", "teacher"]


def test_games_of_a_bot(course: PlayedCourse) -> None:
    """The list is of its versions only; older ones are on the next page."""
    visitor = course.visit()
    whole = visitor.get("/games").text
    fox = visitor.get("/games?bot=fox&version=1").text

    assert "older games" in whole
    assert "before=" in whole
    rows = [row for row in fox.split("<tr>") if "/games/" in row]
    assert rows
    assert all('href="/bots/fox"' in row for row in rows)
    assert visitor.get("/games?before=x").status == 400


@pytest.mark.long
def test_a_deal_that_is_still_played(tmp_path: Path) -> None:
    """The owners of a deal of which a game is missing see neither the cards nor the logs of the others."""
    played = make_played_league(tmp_path / "course", BOTS[:2], 5, rules='replays = "public"')
    with closing(Store(played.store)) as store:
        last = store.count_games() - 1
    with closing(sqlite3.connect(played.store)) as db, db:
        db.execute("delete from games where id = ?", (last,))
    with run_league(played.folder, "--no-play") as league:
        visitor = PageVisitor(league)
        visitor.log_in(played.tokens["ada"])
        half, whole = (visitor.get(f"/games/{number}/replay.json") for number in (last - 1, 0))
        page = visitor.get(f"/games/{last - 1}").text
        stranger = PageVisitor(league).get("/games/0/replay.json")

    assert (half.status, whole.status) == (403, 200)
    assert "still being played" in page
    assert SECRET_LOG.format(bot="fox") not in page
    assert stranger.status == 200
    assert "to itself" not in stranger.text


@pytest.mark.parametrize("path", ["/", "/games", "/queue", "/api/ladder"])
def test_before_the_first_game(idle: LeagueProcess, path: str) -> None:
    """The pages of a league are there before its first game."""
    page = PageVisitor(idle).get(path)

    assert page.status == 200
    assert path == "/api/ladder" or "No " in page.text


@pytest.fixture(scope="module")
def idle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LeagueProcess]:
    """Run a league to which nobody has sent anything."""
    folder = tmp_path_factory.mktemp("idle") / "course"
    make_league(folder)
    with run_league(folder, "--no-play") as league:
        yield league


def test_the_cookie_of_nobody(course: PlayedCourse) -> None:
    """A cookie that this process has not given opens nothing."""
    visitor = PageVisitor(course.league)
    visitor.cookie = f"{SESSION_COOKIE}={'a' * 43}"

    assert visitor.get("/me").status == 303
