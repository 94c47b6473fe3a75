"""Where a version loses points: its owner asks, a process looks into its games, the page and the bundle say what."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from html import escape
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from urllib.parse import urlencode

import msgspec
import pytest
from msgspec.structs import replace

from pitboss_tournament.html.elements import markup
from pitboss_tournament.league.book import Book, ComeAgain
from pitboss_tournament.league.feedback_book import MAX_LOOKS_BEGUN, Feedback, FeedbackBook
from pitboss_tournament.league.site.feedback_page import FeedbackView, feedback_content
from pitboss_tournament.league.site.page_frame import LeagueFrame, Viewer
from pitboss_tournament.league.submission import Submission
from pitboss_tournament.reask.feedback_bundle import (
    MAX_BYTES,
    BundleFault,
    BundleKind,
    BundleOpponent,
    BundlePosition,
    BundleReference,
    FeedbackBundle,
)
from pitboss_tournament.statistics.running_moments import Estimate
from tests.league.archives import GOOD_BOT, make_bot_tar
from tests.league.league_process import TIMEOUT_S, LeagueProcess, make_league, run_league, wait_until
from tests.league.page_visitor import PageVisitor
from tests.league.played_leagues import LeagueBot, make_played_league
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once

NOTING_BOT = GOOD_BOT.replace(b'"choose":0}', b'"choose":0,"note":"a secret thought"}')
BUNDLE = FeedbackBundle(
    game="magpie",
    bot="fox@1",
    place=None,
    bots=2,
    games=4,
    blocks=2,
    points=Estimate(1.0, 0.5),
    wins=Estimate(0.5, 0.1),
    lowest_wins=False,
    counted="points",
    p99_ms=None,
    limit_ms=None,
)


class PlayingCourse:
    """A league that has played, and is served without playing on."""

    def __init__(self, league: LeagueProcess, tokens: dict[str, str], numbers: dict[str, int]) -> None:
        self.league = league
        self.tokens = tokens
        self.numbers = numbers  # of submissions, by bot

    def visit(self, owner: str) -> PageVisitor:
        """Return a browser in which an owner is logged in."""
        visitor = PageVisitor(self.league)
        assert visitor.log_in(self.tokens[owner]).status == 303
        return visitor

    def ask(self, method: str, number: int, owner: str = "") -> Any:  # noqa: ANN401 - an answer
        """Return the answer to a request about a submission, by the token of an owner."""
        return self.league.ask(method, f"/api/submissions/{number}/why", self.tokens.get(owner, ""))

    def wait(self, number: int, owner: str) -> Any:  # noqa: ANN401 - JSON
        """Return what was found, or why nothing was."""
        until = monotonic() + TIMEOUT_S
        while (found := self.ask("GET", number, owner).value)["state"] in ("waiting", "working"):
            assert monotonic() < until, found
            sleep(0.1)
        return found


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayingCourse]:
    """Play a few games of real bots, then serve them."""
    folder = tmp_path_factory.mktemp("feedback") / "course"
    tokens = make_league(folder, owners="ada bob cy", rules="placing_games = 4\ndeals = 1")
    file = folder / "league.toml"
    file.write_text(file.read_text() + "\n[feedback]\na_day = 3\n")
    numbers = {}
    with run_league(folder) as league:
        for name, owner in (("fox", "ada"), ("owl", "bob")):
            archive = make_bot_tar({"bot.py": NOTING_BOT, "mark.txt": name.encode()})
            numbers[name] = league.put(name, tokens[owner], archive).value["number"]
            league.wait(numbers[name], tokens[owner])
        number = numbers["fox"]
        wait_until(
            league, lambda: league.ask("GET", f"/api/submissions/{number}", tokens["ada"]).value["state"] == "playing"
        )
        idle = league.put("idle", tokens["cy"], make_bot_tar({"bot.py": GOOD_BOT, "mark.txt": b"idle"}))
        numbers["idle"] = idle.value["number"]
    with closing(Book(folder / "league.pitboss")) as book:
        [host] = book.add_tokens(["teacher"], "host")
        tokens["teacher"] = host.token
    with run_league(folder, "--no-play") as league:
        yield PlayingCourse(league, tokens, numbers)


def test_an_owner_asks(course: PlayingCourse) -> None:
    """The owner asks by a form, and gets the costs of kinds of decisions, the costliest ones with their replays, and
    the bundle in two forms, which are bounded and have nothing that another bot noted.
    """
    number, ada = course.numbers["fox"], course.visit("ada")
    address = f"/versions/{number}/why"
    assert "3 of 3 times are left" in ada.get(address).text

    sent = ada.post(address, urlencode({"form_token": ada.find_form_token()}).encode())
    waiting = ada.get(address)
    found = course.wait(number, "ada")
    page = ada.get(address).text

    assert (sent.status, sent.headers["location"]) == (303, address)
    if "This page looks again by itself" in waiting.text:
        assert waiting.headers["refresh"] == "5"
    assert found["state"] == "done", found
    bundle = found["bundle"]
    assert bundle["bot"] == "fox@1"
    assert bundle["games"] >= 4
    assert bundle["reference"]["asked"] > 0
    assert escape(bundle["reference"]["name"]) in page
    assert "Which kinds of decisions" in page
    for position in bundle["positions"]:
        replay = f"/games/{position['game_id']}/replay"
        assert f'href="{replay}?part=0#t={position["decision"]}"' in page
        assert ada.get(replay).status == 200
    assert bundle["positions"]
    assert "2 of 3 times are left" in page
    for kind in ("txt", "json"):
        file = ada.get(f"{address}/bundle.{kind}")
        assert file.headers["content-disposition"] == f'attachment; filename="fox_1-bundle.{kind}"'
        assert 0 < len(file.text.encode()) <= MAX_BYTES
        assert "secret thought" not in file.text
        assert str(course.league.folder) not in file.text


def test_others_see_nothing(course: PlayingCourse) -> None:
    """What is not yours is as what is not there: by page, by form, by token, for files, and without login."""
    number = course.numbers["fox"]
    bob, stranger = course.visit("bob"), PageVisitor(course.league)
    token = bob.find_form_token()

    for path in (
        f"/versions/{number}/why",
        f"/versions/{number}/why/bundle.txt",
        f"/versions/{number}/why/bundle.json",
    ):
        assert bob.get(path).status == 404
        assert bob.get(path.replace(f"{number}", "999999")).status == 404
        assert (stranger.get(path).status, stranger.get(path).headers.get("location")) == (303, "/login")
    form = urlencode({"form_token": token}).encode()
    assert bob.post(f"/versions/{number}/why", form).status == 404
    assert stranger.post(f"/versions/{number}/why", form).status == 401
    assert bob.post(f"/versions/{number}/why", form, origin="https://evil.example").status == 403
    assert bob.post(f"/versions/{number}/why", b"form_token=wrong").status == 403
    for method in ("GET", "POST"):
        assert course.ask(method, number, "bob").status == 404
        assert course.ask(method, number).status == 401
    assert course.ask("POST", number, "teacher").status == 404  # a host looks, and does not ask
    assert course.visit("teacher").get(f"/versions/{number}/why").status == 200
    assert course.ask("GET", number, "teacher").status == 200


def test_a_version_that_has_not_played(course: PlayingCourse) -> None:
    """A version without a finished deal is told so."""
    number = course.numbers["idle"]
    course.league.wait(number, course.tokens["cy"])

    assert course.ask("GET", number, "cy").value == {"state": "none", "why": "", "bundle": None}
    assert course.ask("POST", number, "cy").status == 202
    found = course.wait(number, "cy")

    assert (found["state"], found["why"]) == ("failed", "it has played no deal to its end yet")
    page = course.visit("cy").get(f"/versions/{number}/why").text
    assert "Nothing was found: it has played no deal to its end yet." in page
    assert course.visit("cy").get(f"/versions/{number}/why/bundle.json").status == 404


def test_the_quota(course: PlayingCourse) -> None:
    """Who has asked as often as the league allows is told when to come again; others still ask."""
    number = course.numbers["owl"]
    for _ in range(3):
        assert course.ask("POST", number, "bob").status == 202
        course.wait(number, "bob")

    answer = course.ask("POST", number, "bob")

    assert answer.status == 429
    assert int(answer.headers["retry-after"]) > 80_000
    assert answer.value["error"].startswith("you have asked 3 times within 24 hours; come again in ")
    assert re.search(r"<button[^>]*disabled", course.visit("bob").get(f"/versions/{number}/why").text)


def test_why_of_a_league(course: PlayingCourse) -> None:
    """`pitboss why URL BOT` prints what the league finds of one's own bot, and says why there is nothing to print."""
    url, token = course.league.url, course.tokens["ada"]
    course.ask("POST", course.numbers["fox"], "ada")
    course.wait(course.numbers["fox"], "ada")

    told = run_pitboss("why", url, "FOX@1", "--token", token)
    as_json = run_pitboss("why", url, "fox", "--json", env={"PITBOSS_TOKEN": token})

    assert told.status == 0, told.err
    assert told.out.startswith("fox@1 in magpie: ")
    assert told.err == f"pitboss: found before; {url}/versions/1/why looks into newer games\n"
    assert msgspec.json.decode(as_json.out)["bot"] == "fox@1"
    for words, said in (
        (("fox",), "a token is needed"),
        (("fox@7", "--token", token), "the league has no bot 'fox@7' that plays or did; there are fox@1"),
        (("foxx", "--token", token), "did you mean 'fox'?"),
        (("owl", "--token", token), "there is no submission 2 of yours"),
        (("fox", "--token", token, "--reference", "house:random"), "--reference is not for a league"),
        (("idle", "--token", course.tokens["cy"]), "it has played no deal to its end yet"),
    ):
        ran = run_pitboss("why", url, *words)
        assert ran.status != 0
        assert said in ran.err


@pytest.fixture
def book(tmp_path: Path) -> Iterator[FeedbackBook]:
    """Return the table of a league with two bots of ada and one of bob."""
    bots = (LeagueBot("ada", "fox"), LeagueBot("ada", "newt"), LeagueBot("bob", "owl"))
    played = make_played_league(tmp_path / "course", bots, 0)
    with closing(FeedbackBook(played.store)) as opened:
        yield opened


def test_one_at_a_time_of_an_owner(book: FeedbackBook) -> None:
    """Asking again while it waits is the same; another version of the owner has to wait, and other owners do not."""
    first = book.ask(1, 5)

    assert book.ask(1, 5) == first
    with pytest.raises(ComeAgain, match="another of your versions is being looked into"):
        book.ask(2, 5)
    assert [one.submission for one in (first, book.ask(3, 5))] == [1, 3]
    assert [one.submission for one in book.list_open()] == [1, 3]


def test_an_old_one_does_not_count(book: FeedbackBook) -> None:
    """What was asked for more than 24 hours ago counts no more; what was found stays."""
    number = book.ask(1, 1).number
    book.finish(number, BUNDLE)
    assert book.count_left(1, 1) == 0
    with closing(sqlite3.connect(book.path)) as db, db:
        db.execute("update league_feedback set asked = '2001-01-01T00:00:00+00:00'")

    assert book.count_left(1, 1) == 1
    again = book.ask(2, 1).number
    book.fail(again, "no")
    found = book.find_found(1)
    assert found is not None
    assert found.bundle == BUNDLE
    assert replace(found, found=found.found.replace("game", "quiet otter")).bundle is None


def test_a_league_that_was_killed(tmp_path: Path) -> None:
    """What was in the making when the league was killed is made again, but not for ever."""
    bots = (LeagueBot("ada", "fox"), LeagueBot("bob", "owl"))
    played = make_played_league(tmp_path / "course", bots, 4)
    with closing(FeedbackBook(played.store)) as opened:
        opened.begin(opened.ask(1, 5).number)
        for _ in range(MAX_LOOKS_BEGUN):
            opened.begin(opened.ask(2, 5).number)

    with run_league(played.folder, "--no-play") as league:
        course = PlayingCourse(league, played.tokens, {})
        first, second = course.wait(1, "ada"), course.wait(2, "bob")

    assert first["why"] == "it has played no deal to its end yet"  # as in games on paper: it was looked into
    assert second["why"].startswith("the league's machine failed with this")


def test_a_bot_that_is_called_otherwise(tmp_path: Path) -> None:
    """What was found names a bot as it is called today, also where other bots met it; other words stay."""
    bots = [LeagueBot("ada", "fox"), LeagueBot("bob", "owl")]
    played = make_played_league(tmp_path / "course", bots, 1)
    met = BundleOpponent("fox@1", 2, Estimate(1.0, 0.5))
    bundles = [
        replace(BUNDLE, game="fox", verdict=["fox is worse than foxy@1"]),
        replace(BUNDLE, bot="owl@1", opponents=[met, replace(met, name="fox")]),
    ]
    with closing(FeedbackBook(played.store)) as book:
        for submission, bundle in enumerate(bundles, 1):
            book.finish(book.ask(submission, 9).number, bundle)

    ran = run_pitboss("league", "rename", str(played.folder), "fox", "vixen")

    assert ran.status == 0, ran.err
    with closing(FeedbackBook(played.store)) as book:
        latest = [book.find_latest(submission) for submission in (1, 2)]
    [first, second] = [one.bundle for one in latest if one is not None]
    assert first == replace(bundles[0], bot="vixen@1", verdict=["vixen is worse than foxy@1"])
    assert second == replace(bundles[1], opponents=[replace(met, name=name) for name in ("vixen@1", "vixen")])


def test_a_league_that_looks_into_nothing(tmp_path: Path) -> None:
    """With `a_day = 0` nobody asks, and the page says what to do instead."""
    played = make_played_league(tmp_path / "course", (LeagueBot("ada", "fox"), LeagueBot("bob", "owl")), 2)
    file = played.folder / "league.toml"
    file.write_text(file.read_text() + "\n[feedback]\na_day = 0\n")

    with run_league(played.folder, "--no-play") as league:
        course = PlayingCourse(league, played.tokens, {})
        answer = course.ask("POST", 1, "ada")
        page = course.visit("ada").get("/versions/1/why").text

    assert answer.status == 403
    assert "This league looks into no games" in page


def test_words_of_bots_are_text() -> None:
    """Whatever bots are called, do and say is text on the page."""
    hostile = "<script>alert(1)</script>"
    bundle = replace(
        BUNDLE,
        notes=[hostile],
        faults=[BundleFault(hostile, 1, 0, 1, hostile, hostile)],
        opponents=[BundleOpponent(hostile, 1, Estimate(None, None))],
        reference=BundleReference(hostile, 1, 1, 1, 1),
        kinds=[BundleKind(hostile, hostile, hostile, 1, 1, Estimate(1.0, None))],
        positions=[BundlePosition(0, 0, 3_000, hostile, [hostile], hostile, hostile, 1.5, 0.5)],
    )
    one = Submission(
        number=7,
        owner="ada",
        bot=hostile,
        version=1,
        digest="",
        bytes=1,
        upload="",
        state="playing",
        tries=1,
        received="2027-01-01T00:00:00+00:00",
        changed="2027-01-01T00:00:00+00:00",
    )
    found = Feedback(
        number=1,
        submission=7,
        asked=one.received,
        state="done",
        tries=1,
        why=hostile,
        found=msgspec.json.encode(bundle).decode(),
    )
    failed = replace(found, state="failed")
    view = FeedbackView(one, failed, found, 0, 1, 5, is_own=True)

    page = markup(*feedback_content(view, LeagueFrame(hostile, Viewer("ada", form_token="f"), "")))

    assert "<script>" not in page
    assert page.count("&lt;script&gt;") >= 14
    assert 'href="/games/0/replay?part=1#t=3000"' in page
    assert "which cost 1.5 ±\N{NO-BREAK SPACE}1 points" in page or "which cost 1.5 ± 1 points" in page
