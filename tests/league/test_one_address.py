"""Several leagues under one address: paths, sessions, what is shared, and what ends when."""

from __future__ import annotations

import html
import http.client
import os
import re
import signal
import socket
import struct
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from pitboss_tournament.league.book import Book
from pitboss_tournament.league.shared_people import share_people
from pitboss_tournament.league.site.mounting import MountedApp
from tests.league.archives import make_bot_tar
from tests.league.asgi_requests import AppUser
from tests.league.league_process import HttpAnswer, LeagueProcess, make_league, run_league, wait_until
from tests.league.played_leagues import LeagueBot, make_played_league
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once

MAX_PAGES: Final = 80  # that are visited, one of each kind
PAGE: Final = '<a href="/queue">Q</a><form action="/login"><script src="/static/league.js"></script><a href="//x">'
SCRIPT: Final = 'fetch(`/submit/${name}`); new EventSource("/events"); text.replace("/", ""); fetch(location.href);'


def make_small_app() -> MountedApp:
    """Return an application below /one that sends a page, a script, a redirect with a cookie, and what it was asked."""

    async def send_page(_: Request) -> Response:
        return Response(PAGE, media_type="text/html")

    async def send_script(_: Request) -> Response:
        return Response(SCRIPT, media_type="text/javascript")

    async def log_in(_: Request) -> Response:
        answer = RedirectResponse("/me", 303)
        answer.set_cookie("session", "secret", httponly=True)
        return answer

    async def tell(request: Request) -> Response:
        return PlainTextResponse(f'{request.url.path} {request.base_url} href="/x"')

    async def go_on(_: Request) -> Response:
        return Response('{"go":"/versions/3","text":"\\"go\\":\\"/x\\""}', media_type="application/json")

    routes = [
        Route("/", send_page),
        Route("/step", go_on),
        Route("/a.js", send_script),
        Route("/login", log_in),
        Route("/tell", tell),
    ]
    return MountedApp(Starlette(routes=routes), "/one")


@pytest.fixture
def user(tmp_path: Path) -> Iterator[AppUser]:
    """Return who asks that application."""
    with closing(Book(tmp_path / "book.pitboss")) as book:
        yield AppUser(make_small_app(), book)


async def test_a_page_below_a_path(user: AppUser) -> None:
    """Links and forms of a page lead below the path; links to other servers stay."""
    answer = await user.ask("GET", "/one/")

    assert answer.body.decode() == PAGE.replace('"/q', '"/one/q').replace('"/l', '"/one/l').replace('"/s', '"/one/s')
    assert answer.headers["content-length"] == str(len(answer.body))


async def test_a_script_below_a_path(user: AppUser) -> None:
    """What a script asks of the server is below the path; other texts of it stay."""
    answer = await user.ask("GET", "/one/a.js")

    assert answer.body.decode() == SCRIPT.replace("/submit", "/one/submit").replace('"/events', '"/one/events')


async def test_where_a_script_goes_on(user: AppUser) -> None:
    """An address in a field of JSON that says where a script goes on is below the path, and no text is."""
    answer = await user.ask("GET", "/one/step")

    assert answer.body == b'{"go":"/one/versions/3","text":"\\"go\\":\\"/x\\""}'


async def test_redirects_and_cookies_below_a_path(user: AppUser) -> None:
    """A redirect leads below the path, and a cookie is for it alone."""
    answer = await user.ask("GET", "/one/login")

    assert answer.headers["location"] == "/one/me"
    assert "path=/one" in answer.headers["set-cookie"].lower()


async def test_what_the_application_is_told(user: AppUser) -> None:
    """The application sees its own path, and an address with the path before it; texts are sent as they are."""
    answer = await user.ask("GET", "/one/tell")

    assert answer.body == b'/tell http://localhost/one/ href="/x"'


@pytest.mark.parametrize("path", ["/", "/two/", "/oneself", "/ONE/"])
async def test_other_paths(user: AppUser, path: str) -> None:
    """Nothing is at other paths."""
    assert (await user.ask("GET", path)).status == 404


async def test_the_path_alone(user: AppUser) -> None:
    """The path without its last sign leads to the page."""
    answer = await user.ask("GET", "/one")

    assert (answer.status, answer.headers["location"]) == (308, "/one/")


def test_people_are_shared(tmp_path: Path) -> None:
    """Owners, tokens and groups of one league are those of the other, and a token revoked in one is so in both."""
    one, two = (tmp_path / name for name in ("one", "two"))
    make_league(one, owners="ada"), make_league(two, owners="bob")
    with closing(Book(one / "league.pitboss")) as first, closing(Book(two / "league.pitboss")) as second:
        first.set_group("ada", ["Ada", "Cy"], "host")
        assert share_people([first, second]) == []
        assert first.owners() == second.owners() == ["ada", "bob"]
        assert sorted(token.number for token in first.tokens()) == sorted(token.number for token in second.tokens())
        assert second.members() == {"Ada": "ada", "Cy": "ada"}
        lines = len(second.audit())

        second.revoke_tokens(lambda token: token.owner == "ada")
        share_people([first, second])

        assert {token.owner for token in first.tokens() if token.revoked} == {"ada"}
        share_people([first, second])
        assert len(second.audit()) == lines + 1


def test_people_that_cannot_be_shared(tmp_path: Path) -> None:
    """An owner who looks like another one is told of, and the others are shared."""
    one, two = (tmp_path / name for name in ("one", "two"))
    make_league(one, owners="bot1 cy"), make_league(two, owners="botl")
    with closing(Book(one / "league.pitboss")) as first, closing(Book(two / "league.pitboss")) as second:
        complaints = share_people([first, second])
        owners = second.owners()

    assert [line.partition(":")[0] for line in complaints] == [
        "botl cannot be an owner in one",
        "bot1 cannot be an owner in two",
    ]
    assert owners == ["botl", "cy"]


@pytest.fixture(scope="module")
def term(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[LeagueProcess, dict[str, str]]]:
    """Run two leagues under one address, and have the token of an owner of each."""
    folder = tmp_path_factory.mktemp("address") / "term"
    tokens = make_league(folder / "racko", owners="ada") | make_league(folder / "hearts", owners="bob")
    with run_league(folder, "--no-play") as league:
        yield league, tokens


def ask_raw(league: LeagueProcess, sent: bytes) -> bytes:
    """Return all that is answered to some bytes."""
    with socket.create_connection(("127.0.0.1", league.port), timeout=60) as connection:
        connection.sendall(sent)
        parts = []
        while part := connection.recv(65536):
            parts.append(part)
        return b"".join(parts)


def test_the_list_of_leagues(term: tuple[LeagueProcess, dict[str, str]]) -> None:
    """The address itself lists the leagues, with styles, and links that lead to them."""
    league, _ = term
    page = league.ask("GET", "/").value

    assert re.findall(r'<a href="([^"]+)">([^<]+)</a>', page) == [("/hearts/", "hearts"), ("/racko/", "racko")]
    assert league.ask("GET", "/static/league.css").status == 200
    assert league.ask("GET", "/nothing/").status == 404
    assert league.ask("GET", "/hearts").headers["location"] == "/hearts/"


@pytest.mark.parametrize(
    "path", ["/racko/", "/racko/queue", "/racko/rules", "/racko/submit", "/racko/login", "/racko/join"]
)
def test_no_link_leads_out_of_a_league(term: tuple[LeagueProcess, dict[str, str]], path: str) -> None:
    """Each address on the pages of a league is below its path, and is there."""
    league, _ = term
    page = league.ask("GET", path).value
    found = set(re.findall(r'(?:href|src|action)="(/[^"]*)"', page))

    assert found
    assert {one for one in found if not one.startswith("/racko/")} == set()
    assert {one for one in found if league.ask("GET", one).status >= 400} <= {"/racko/logout"}


def test_one_token_for_all(term: tuple[LeagueProcess, dict[str, str]]) -> None:
    """The owner of one league submits to another one by the same token."""
    league, tokens = term
    with closing(Book(league.folder / "hearts" / "league.pitboss")) as book:
        wait_until(league, lambda: "ada" in book.owners())

    answer = league.ask("PUT", "/hearts/api/submissions/fox", tokens["ada"], make_bot_tar())

    assert answer.status == 202, answer.value
    assert answer.value["owner"] == "ada"
    assert league.ask("GET", "/racko/api/league").value["name"] == "racko"


def log_in(league: LeagueProcess, token: str) -> HttpAnswer:
    """Log in to a league as its page does."""
    headers = {"Origin": f"http://127.0.0.1:{league.port}", "Content-Type": "application/x-www-form-urlencoded"}
    return league.ask("POST", "/racko/login", body=f"token={token}".encode(), **headers)


def test_a_session_of_one_league(term: tuple[LeagueProcess, dict[str, str]]) -> None:
    """A browser that logs in has a cookie for this league alone, and is at its own page below the path."""
    league, tokens = term
    answer = log_in(league, tokens["ada"])

    assert (answer.status, answer.headers["location"]) == (303, "/racko/me")
    cookie = answer.headers["set-cookie"]
    assert "path=/racko;" in f"{cookie.lower()};"
    shown = league.ask("GET", "/racko/me", Cookie=cookie.partition(";")[0])
    assert "ada" in shown.value
    assert 'href="/racko/submit"' in shown.value


def test_an_upload_that_is_too_large(term: tuple[LeagueProcess, dict[str, str]]) -> None:
    """A refusal comes through before the whole upload was read."""
    league, tokens = term

    answer = league.ask("PUT", "/racko/api/submissions/fox", tokens["ada"], b"x" * (8 << 20))

    assert answer.status == 413


def test_events_come_through(term: tuple[LeagueProcess, dict[str, str]]) -> None:
    """Events are sent on as they come, and not when the answer is whole."""
    league, _ = term
    with closing(http.client.HTTPConnection("127.0.0.1", league.port, timeout=60)) as connection:
        connection.request("GET", "/racko/events")
        answer = connection.getresponse()

        assert answer.getheader("content-type", "").startswith("text/event-stream")
        assert answer.readline().startswith(b"data: ")


@pytest.mark.parametrize(
    "sent",
    [
        b"GET / HTTP/2\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\r\n\r\n",
        b"GET racko HTTP/1.1\r\n\r\n",
        b"GET /" + b"x" * 40_000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nX: " + b"y" * 40_000 + b"\r\n\r\n",
    ],
    ids=["another version", "TLS", "no path", "a long path", "a long head"],
)
def test_what_is_no_request(term: tuple[LeagueProcess, dict[str, str]], sent: bytes) -> None:
    """Bytes that are no request of HTTP/1.1 are refused by the door, and it goes on."""
    league, _ = term
    try:
        answer = ask_raw(league, sent)
    except ConnectionError:  # it was closed while more was being sent
        answer = b"HTTP/1.1 400"

    assert answer.startswith(b"HTTP/1.1 400")
    assert league.ask("GET", "/racko/api/league").status == 200


def test_two_requests_in_one_connection(term: tuple[LeagueProcess, dict[str, str]]) -> None:
    """There is one answer at most: no request behind another one comes past the door to another league."""
    league, _ = term
    host = f"Host: 127.0.0.1:{league.port}\r\n\r\n".encode()

    answer = ask_raw(
        league, b"GET /racko/api/league HTTP/1.1\r\n" + host + b"GET /hearts/api/league HTTP/1.1\r\n" + host
    )

    assert answer.count(b"HTTP/1.1 ") == 1
    assert b'"name":"hearts"' not in answer


@pytest.mark.parametrize("sent", [b"GET /racko/events HTTP/1.1", b"PUT /racko/api/submissions/fox HTTP/1.1", b"GE"])
def test_clients_that_are_suddenly_gone(term: tuple[LeagueProcess, dict[str, str]], sent: bytes) -> None:
    """A client that resets its connection in the middle of anything ends nothing but that."""
    league, _ = term
    for _ in range(5):
        with socket.create_connection(("127.0.0.1", league.port), timeout=60) as connection:
            connection.sendall(sent + f"\r\nHost: 127.0.0.1:{league.port}\r\nContent-Length: 99\r\n\r\nx".encode())
            if sent.startswith(b"GET "):
                connection.recv(1)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    assert league.ask("GET", "/racko/api/league").status == 200


def test_another_host_name(term: tuple[LeagueProcess, dict[str, str]]) -> None:
    """A league behind the door refuses the names of other servers, as it does without one."""
    league, _ = term

    answer = ask_raw(league, b"GET /racko/ HTTP/1.1\r\nHost: evil.example.org\r\nConnection: keep-alive\r\n\r\n")

    assert answer.startswith(b"HTTP/1.1 400")
    assert b"Call this server by its address" in answer


def test_a_killed_door_takes_its_leagues_along(tmp_path: Path) -> None:
    """Leagues end with the door, also when that is killed, so that the next run can hold them."""
    folder = tmp_path / "term"
    make_league(folder / "racko"), make_league(folder / "hearts")
    with run_league(folder, "--no-play") as league:
        os.kill(league.process.pid, signal.SIGKILL)
        league.process.wait()
    with run_league(folder, "--no-play") as again:
        assert again.ask("GET", "/hearts/api/league").status == 200


def test_folders_that_cannot_be_paths(tmp_path: Path) -> None:
    """A folder whose name cannot be a path is refused, as is a league that does not start."""
    make_league(tmp_path / "term" / "Week 1")
    make_league(tmp_path / "other" / "racko", rules="placing_games = 0")

    spaces = run_pitboss("league", "run", str(tmp_path / "term"), "--port", "0")
    wrong = run_pitboss("league", "run", str(tmp_path / "other"), "--port", "0")

    assert (spaces.status, wrong.status) == (2, 2)
    assert "'Week 1' cannot be a path" in spaces.err
    assert "placing_games" in wrong.err


def test_all_pages_of_a_league_stay_below_its_path(tmp_path: Path) -> None:
    """Whoever follows the links of a league that has been played, logged in as its host, is never led out of it, nor to
    a page that is not there.
    """
    bots = [LeagueBot("ada", "fox"), LeagueBot("bob", "owl"), LeagueBot("ada", "fox", "retired")]
    played = make_played_league(tmp_path / "term" / "racko", bots, 12, 'anchors = ["house:random"]', forfeits=True)
    make_league(tmp_path / "term" / "hearts")
    with run_league(tmp_path / "term", "--no-play") as league:
        cookie = log_in(league, played.tokens["teacher"]).headers["set-cookie"].partition(";")[0]
        seen, left = set[str](), ["/racko/"]
        while left and len(seen) < MAX_PAGES:
            path = left.pop(0)
            seen.add(path)
            answer = league.ask("GET", path, Cookie=cookie)
            assert answer.status < 400, path
            page = answer.value if isinstance(answer.value, str) else ""
            named = re.findall(r'(?:href|src|action)="(/[^"#]*)', page)
            assert [one for one in named if not one.startswith("/racko/")] == [], path
            kinds = {re.sub(r"\d+", "0", one) for one in (*seen, *left)}
            for link in map(html.unescape, re.findall(r'(?:href|src)="(/[^"#]*)', page)):
                if (kind := re.sub(r"\d+", "0", link)) not in kinds and not link.endswith(".zip"):
                    kinds.add(kind)
                    left.append(link)

    assert {"/racko/queue", "/racko/games", "/racko/me", "/racko/bots/house%3Arandom"} <= seen
