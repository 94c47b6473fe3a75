"""`pitboss serve`: what it shows of stores, whom it refuses, and a tournament that is played meanwhile."""

from __future__ import annotations

import http.client
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import pytest

from pitboss_tournament.web.server import COOKIE
from tests.browser.chromium import WAIT_JS, Browser
from tests.browser.web_server import TIMEOUT_S, WebServer, serve_stores
from tests.marks import first_rows
from tests.tournament.command_line import COMMAND, run_pitboss

pytestmark = pytest.mark.once

MATCH: Final = (
    "match",
    "magpie",
    "house:random",
    "house:first",
    "--seed",
    "s",
    "-s",
    "pinned=false",
    "--sandbox",
    "none",
)
LONG_GAMES: Final = 100_000


def play_match(folder: Path, name: str = "one", *words: str) -> Path:
    """Play a short tournament; return its store."""
    store = folder / f"{name}.pitboss"
    ran = run_pitboss(*MATCH, "--deals", "5", "--store", str(store), *words, cwd=folder)
    assert ran.status == 0, ran.err
    return store


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a short tournament, which nobody may change."""
    return play_match(tmp_path_factory.mktemp("played")).parent


@pytest.fixture(scope="module")
def played_server(played: Path) -> Iterator[WebServer]:
    """Serve that folder."""
    with serve_stores(played) as server:
        yield server


def test_what_is_served(tmp_path: Path) -> None:
    """Stores of a folder are listed; their summary is that of `standings --json`, intervals are as in the terminal, and
    their games are there.
    """
    store = play_match(tmp_path)
    with serve_stores(tmp_path) as server:
        data = server.get_json("/t/one/summary.json")
        [listed] = server.get_json("/tournaments.json")  # waits three seconds only for a summary that is not there yet
        games = server.get_json("/t/one/games.json")
        of_first = server.get_json("/t/one/games.json?before=5&bot=house:first")
        replay = server.get_json("/t/one/games/3.json")
        (tmp_path / "deeper").mkdir()
        play_match(tmp_path / "deeper")
        names = [one["name"] for one in server.get_json("/tournaments.json")]

    expected = run_pitboss("standings", "--json", str(store)).json_value
    del expected["seed"]
    assert data["summary"] == expected
    assert f"The sandbox of all bots: {expected['sandbox'][0]}." in data["notes"]
    board = run_pitboss("standings", str(store)).out.splitlines()
    for cells in data["standings"]["rows"]:
        assert any(all(cell in row for cell in cells) for row in board)
    pairs = run_pitboss("standings", "--pairs", str(store)).out.splitlines()
    [cells] = data["pairs"]["rows"]
    assert any(all(cell in row for cell in cells) for row in pairs)
    assert (listed["name"], listed["is_running"], listed["progress"]) == ("one", False, "10 games played.")
    assert (listed["state"], listed["played"], listed["total"]) == ("over", 10, 10)
    assert [one["name"] for one in listed["best"]] == [line["name"] for line in expected["standings"]]
    assert listed["course"][-1] == [0, 10]
    assert [game["game_id"] for game in games] == list(range(9, -1, -1))
    assert [game["game_id"] for game in of_first] == list(range(4, -1, -1))
    assert replay["title"] == "Magpie: game 3"
    assert names == ["one", "one-2"]


@pytest.mark.long
def test_the_games_of_a_seat(played_server: WebServer) -> None:
    """For a seat a game is served as the seat saw it."""
    data = played_server.get_json("/t/one/games/0.json?seat=1")

    assert data["sequence"]["viewer"] == 1
    assert not any("known" in frame for frame in data["sequence"]["frames"])


@pytest.mark.parametrize(
    ("path", "status", "text"),
    [
        ("/t/none/", 404, "there is no tournament 'none'"),
        ("/t/one/bot/nobody", 404, "there is no bot 'nobody'"),
        ("/t/one/games/99.json", 404, "there is no game 99"),
        (f"/t/one/games/{10**30}.json", 404, "there is no game 1000000"),
        ("/t/one/games/0.json?seat=7", 404, "there is no seat 7; the seats are 0 to 1"),
        ("/t/one/games/0.json?seat=x", 400, "seat is 'x'; it must be a number"),
        ("/t/..%2f..%2fetc/summary.json", 404, ""),
        ("/static/..%2fserver.py", 404, ""),
        ("/static/board.py", 404, "there is no such file"),
    ],
)
def test_what_is_not_there(played_server: WebServer, path: str, status: int, text: str) -> None:
    """A path without a page gets an answer that says what is missing, and nothing but pages and stores is served."""
    found, _, body = played_server.get(path)

    assert (found, text in body.decode()) == (status, True)


@pytest.mark.long
def test_another_store_in_its_place(tmp_path: Path) -> None:
    """A game is that of the store that lies there now, though the same number was asked for before."""
    play_match(tmp_path)
    with serve_stores(tmp_path) as server:
        first, again = (server.get_json("/t/one/games/0.json") for _ in range(2))
        (tmp_path / "one.pitboss").unlink()
        play_match(tmp_path, "one", "--seed", "other")
        other = server.get_json("/t/one/games/0.json")

    assert first == again
    assert other["sequence"] != first["sequence"]


@pytest.mark.long
def test_a_file_that_is_no_store(tmp_path: Path) -> None:
    """A file that is no store is listed with what is wrong, and does not hinder the others."""
    play_match(tmp_path)
    (tmp_path / "bad.pitboss").write_text("no store")
    with serve_stores(tmp_path) as server:
        bad, one = server.get_json("/tournaments.json")

    assert "bad.pitboss" in bad["error"]
    assert one["name"] == "one"


def break_store(good: Path, name: str, *statements: str) -> Path:
    """Return a copy of a store that somebody has changed."""
    broken = good.with_name(f"{name}.pitboss")
    shutil.copy(good, broken)
    with closing(sqlite3.connect(broken)) as db, db:
        for statement in statements:
            db.execute(statement)
    return broken


@pytest.mark.long
def test_stores_that_do_harm(tmp_path: Path) -> None:
    """A store that does harm is shown with what is wrong with it, and holds up neither the list nor the others."""
    good = play_match(tmp_path)
    endless = "with recursive n(i) as (select 0 union all select i + 1 from n) select i as id, '' as result from n"
    break_store(good, "endless", "drop table games", f"create view games as {endless}")
    break_store(good, "entrant", "update games set result = json_set(result, '$[4][0][0]', 99)")
    break_store(good, "seats", "update tournament set header = json_set(header, '$.seats', 30000000)")
    (tmp_path / "empty.pitboss").touch()
    (tmp_path / "folder.pitboss").mkdir()
    os.mkfifo(tmp_path / "pipe.pitboss")
    with (tmp_path / "sparse.pitboss").open("wb") as sparse:
        sparse.truncate(10 << 30)
    break_store(good, "wal", "pragma user_version").with_name("wal.pitboss-wal").write_bytes(os.urandom(10_000))

    with serve_stores(tmp_path) as server:
        listed = {one["name"]: one for one in server.get_json("/tournaments.json")}
        games = server.get_json("/t/one/games.json")
        statuses = {name: server.get(f"/t/{name}/summary.json")[0] for name in listed}

    assert statuses.pop("wal") == statuses.pop("one") == 200  # SQLite passes over a log that is none
    assert listed["one"]["progress"] == "10 games played."
    assert len(games) == 10
    assert set(statuses) == {"empty", "endless", "entrant", "seats", "sparse"}
    assert all(status == 404 and listed[name]["error"] for name, status in statuses.items())
    assert "its view 'games'" in listed["endless"]["error"]
    assert "its result is of another tournament" in listed["entrant"]["error"]
    assert "it has 30000000 seats" in listed["seats"]["error"]


@pytest.mark.long
def test_a_store_that_cannot_be_read_to_its_end(tmp_path: Path) -> None:
    """The list does not wait for a store that cannot be read to its end: its journal is a pipe, on which reading waits
    for ever.
    """
    good = play_match(tmp_path)
    break_store(good, "stuck", "pragma journal_mode = delete")
    os.mkfifo(tmp_path / "stuck.pitboss-journal")

    with serve_stores(tmp_path) as server:
        for _ in range(2):
            one, stuck = server.get_json("/tournaments.json")
            assert (one["progress"], stuck["error"]) == ("10 games played.", "It is being read, which takes long.")


def ask_as(server: WebServer, host: str, path: str = "/tournaments.json", address: str = "127.0.0.1") -> int:
    """Return the status of an answer to a request that calls the server by some name."""
    connection = http.client.HTTPConnection(address, server.port, timeout=TIMEOUT_S)
    cookie = f"{COOKIE}={server.query.removeprefix('token=')}"
    connection.request("GET", path, headers={"Host": host, "Cookie": cookie})
    with closing(connection):
        return connection.getresponse().status


def test_the_names_of_a_server(played: Path) -> None:
    """A server answers to its address, to localhost and to the machine's name; a foreign name is refused, cookie or
    not.
    """
    with serve_stores(played, "--host", "0.0.0.0") as server:
        own = ["127.0.0.1", "192.0.2.7:8000", "[2001:db8::1]:80", "localhost", "LOCALHOST.:80", socket.gethostname()]
        foreign = ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "", "[::1", "a@b", "["]

        assert {ask_as(server, host) for host in own} == {200}
        assert {ask_as(server, host) for host in foreign} == {400}


def test_an_address_of_ipv6(played: Path) -> None:
    """`--host ::1` is this machine alone, as 127.0.0.1 is."""
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no IPv6")
    with serve_stores(played, "--host", "::1") as server:
        assert server.address.startswith("http://[::1]:")
        assert server.query == ""
        assert ask_as(server, f"[::1]:{server.port}", address="::1") == 200
        assert ask_as(server, "evil.example", address="::1") == 400


def test_a_token_leads_to_no_other_server(played: Path) -> None:
    """An address with two slashes is that of a page, not of a server."""
    with serve_stores(played, "--host", "0.0.0.0") as server:
        _, headers, _ = server.get(f"//evil.example/?{server.query}")

    assert headers["location"] == "/evil.example/"


def test_foreign_pages_get_nothing(played_server: WebServer) -> None:
    """Another name in the request is refused (DNS rebinding), and pages run nothing but the server's own scripts."""
    status, _, _ = played_server.get("/tournaments.json", Host="evil.example")
    _, headers, page = played_server.get("/t/one/")

    assert status == 400
    assert "default-src 'none'; script-src 'self'" in headers["content-security-policy"]
    assert b"<script>" not in page


def test_an_address_for_others_needs_the_token(played: Path) -> None:
    """A server that others can reach asks for the token that it printed; with the token a cookie is set."""
    with serve_stores(played, "--host", "0.0.0.0") as server:
        refused, _, text = server.get("/tournaments.json")
        wrong, _, _ = server.get("/?token=guessed")
        right, headers, _ = server.get(f"/?{server.query}")
        let_in, _, _ = server.get("/tournaments.json", Cookie=headers["set-cookie"].split(";")[0])

    assert (refused, wrong, right, let_in) == (403, 403, 307, 200)
    assert text == b"This address needs the token that `pitboss serve` printed."


@pytest.mark.long
@first_rows(1)("number", [signal.SIGINT, signal.SIGTERM])
def test_a_client_that_reads_nothing_does_not_hold_the_server(played: Path, number: signal.Signals) -> None:
    """Ctrl-C ends the server though somebody watches, and somebody else has stopped reading."""
    with serve_stores(played) as server, socket.create_connection(("127.0.0.1", server.port)) as stalled:
        stalled.sendall(b"GET /t/one/games/1.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 200)
        with server.watch("one") as events:
            next(events)
            server.process.send_signal(number)
            status = server.process.wait(TIMEOUT_S)

    assert status == 128 + number


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    """A port that cannot be had is a sentence."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ran = run_pitboss("serve", str(tmp_path), "--port", str(taken.getsockname()[1]))

    assert ran.status == 2
    assert "cannot be served there" in ran.err


def test_a_folder_that_is_not_there() -> None:
    """A path that does not exist is a sentence."""
    ran = run_pitboss("serve", "nowhere")

    assert ran.status == 2
    assert "nowhere: there is no such file or folder" in ran.err


@contextmanager
def start_long_match(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Begin a tournament that goes on until it is killed."""
    words = (*MATCH, "--workers", "1", "--deals", str(LONG_GAMES), "--store", "long.pitboss")
    with subprocess.Popen([*COMMAND, *words], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
        try:
            yield run
        finally:
            run.kill()


def await_played(server: WebServer, games: int) -> bool:
    """Watch a tournament until so many games are played; return whether it is being played then."""
    with server.watch("long") as events:
        found = (data for data in events if "summary" in data)  # at first there is no whole store to be read
        return next(bool(data["is_running"]) for data in found if data["summary"]["played"] >= games)


@pytest.mark.long
def test_a_tournament_that_is_being_played(tmp_path: Path, browser: Browser) -> None:
    """A page shows a tournament while another process plays it, and after that was killed."""
    with serve_stores(tmp_path) as server, start_long_match(tmp_path) as run:
        while not (tmp_path / "long.pitboss").exists():
            assert run.poll() is None
        assert await_played(server, 20)
        page = browser.open(f"{server.address}t/long/")
        played = (
            "+(document.querySelector('.progress')?.textContent ?? '0').match(/([\\d,]+) of/)?.[1].replace(',', '')"
        )
        first = page.wait_for(played)
        later = page.wait_for(f"{played} > {first} && {played}")
        progress = page.run("document.querySelector('.progress').textContent")
        run.kill()
        run.wait()
        page.wait_for("!document.querySelector('.state.playing')")
        said = page.run("document.querySelector('.progress').textContent")

        assert later > first
        assert "process" not in progress
        assert "games played" in said
        assert page.messages() == []


@pytest.mark.long
def test_a_game_from_the_list_in_the_browser(played: Path, browser: Browser) -> None:
    """From the list a click leads to a tournament, to the games of a bot and to a game, with nothing refused."""
    with serve_stores(played) as server:
        page = browser.open(server.address)
        page.wait_for("document.querySelector('.tournaments a')")
        page.run("document.querySelector('.tournaments a').click()")
        page.wait_for("document.querySelector('tbody button')")
        page.run("document.querySelector('tbody button').click()")
        heading = "document.querySelector('.games h2')?.textContent"
        page.wait_for(f"/of house/.test({heading})")
        page.wait_for("document.querySelector('.games a')")
        page.run("document.querySelector('.games a').click()")
        page.wait_for("document.querySelector('.seat')")
        title = page.run("document.querySelector('h1').textContent")

        assert title.startswith("Magpie: game ")
        assert page.messages() == []


@pytest.mark.long
def test_a_game_leads_back_to_its_tournament(played_server: WebServer, browser: Browser) -> None:
    """The list tells state, leaders and the last hour; from a game there is a way back; nobody reads of processes."""
    page = browser.open(played_server.address)
    page.wait_for("document.querySelector('.tournaments .hour')")
    listed = page.run("document.querySelector('.tournaments').innerText")
    page.go(f"{played_server.address}t/one/games/3")
    page.wait_for("document.querySelector('.way-back')")
    back = page.run("document.querySelector('.way-back').textContent")
    page.run("document.querySelector('.way-back').click()")
    page.wait_for("document.querySelector('.leaders')")
    shown = page.run("document.body.innerText")

    told = ("over", "Tier 1", "house:random", "10 games in the last hour")
    assert [words for words in told if words not in listed] == []
    assert back == "‹ one"
    assert "process" not in (listed + shown).lower()
    assert page.messages() == []


@pytest.mark.long
def test_rounds_and_brackets(tmp_path: Path, browser: Browser) -> None:
    """A Swiss tournament shows the tables of its rounds, a knockout its bracket up to the final, with links to bots."""
    for format_name in ("swiss", "knockout"):
        play_match(tmp_path, format_name, "--format", format_name)
    found = {}
    with serve_stores(tmp_path) as server:
        for name in ("swiss", "knockout"):
            page = browser.open(f"{server.address}t/{name}/")
            page.wait_for("document.querySelector('.rounds')")
            titles = page.run("[...document.querySelectorAll('.rounds h3')].map(one => one.textContent)")
            met = page.run("document.querySelectorAll('.rounds .met').length")
            found[name] = titles, met, page.run("document.querySelectorAll('.bracket').length")
        page.run("document.querySelector('.bracket a.bot').click()")
        page.wait_for("document.querySelector('.panels')")

    assert found["knockout"] == (["Final"], 1, 1)
    assert found["swiss"][0][0] == "Round 1"
    assert found["swiss"][2] == 0


@pytest.mark.long
def test_a_tournament_opens_with_its_leaders(played: Path, browser: Browser) -> None:
    """The headline and the first tiers stand above all, with the ranks and ratings of the standings; links lead to
    report and CSV.
    """
    with serve_stores(played) as server:
        page = browser.open(f"{server.address}t/one/")
        page.wait_for("document.querySelector('.leaders')")
        headline = page.run("document.querySelector('.headline + .leaders').previousSibling.textContent")
        first = page.run("document.querySelector('.tier li').innerText.split(/\\s+/).slice(0, 2)")
        row = page.run("document.querySelector('tbody tr').innerText.split(/\\s+/).slice(0, 2)")
        rating = page.run("document.querySelector('.tier li .soft').innerText")
        line = page.run("document.querySelector('tbody tr').innerText")
        above = page.run(
            "document.querySelector('.leaders').compareDocumentPosition(document.querySelector('.verdict'))"
        )
        page.run("[...document.querySelectorAll('.ways a')].find(link => link.textContent === 'Report').click()")
        page.wait_for("document.querySelector('#standings')")
        margin = page.run("getComputedStyle(document.body).maxWidth")
        page.run("document.querySelector('#notable a').click()")
        page.wait_for("document.querySelector('.seat')")

        assert headline == server.get_json("/t/one/summary.json")["summary"]["headline"]["text"]
        assert first == row
        assert rating
        assert rating in line
        assert above == 4  # DOCUMENT_POSITION_FOLLOWING
        assert margin != "none"  # its style is not refused
        assert page.messages() == []


@pytest.mark.long
def test_teams(tmp_path: Path, browser: Browser) -> None:
    """A tournament in which all play together has on its page the teams with their points, and no ratings."""
    bots = ("house:first", "house:first", "house:random")
    words = (
        "--preset",
        "small",
        "--seats",
        "2",
        "-s",
        "same_deals=true",
        "--deals",
        "1",
        "--seed",
        "s",
        "--sandbox",
        "none",
    )
    ran = run_pitboss("match", "fireworks", *bots, *words, "--store", str(tmp_path / "one.pitboss"))
    assert ran.status == 0, ran.err
    with serve_stores(tmp_path) as server:
        page = browser.open(f"{server.address}t/one/")
        page.wait_for("document.querySelector('.teams td') !== null")
        teams = page.run("[...document.querySelectorAll('.teams tbody th')].map(one => one.textContent)")
        heads = page.run("[...document.querySelectorAll('.teams thead th')].map(one => one.textContent)")
        report = server.get("/t/one/report")[2].decode()
        assert page.messages() == []

    expected = ["house:first + house:first-2", "house:first + house:random", "house:first-2 + house:random"]
    assert sorted(teams) == expected
    assert heads == ["team", "blocks", "points", "behind the first"]
    assert all(team in report for team in expected)
    assert "Ratings over time" not in report
    assert 'id="teams"' in report


def test_the_report_and_the_table_that_are_served(played: Path, played_server: WebServer) -> None:
    """The report has neither the seed nor the settings with it; the CSV is that of the command."""
    _, headers, report = played_server.get("/t/one/report")
    _, _, table = played_server.get("/t/one/standings.csv")
    said = report.decode()

    assert 'href="./">one</a>' in said
    assert f" from {played}" not in said
    assert "script-src" not in headers["content-security-policy"]
    assert "default-src 'none'; style-src 'sha256-" in headers["content-security-policy"]
    assert "Notable games" in said
    assert not [word for word in ("options.", "Settings", "seed") if word in said]
    assert table.decode() == run_pitboss("standings", "--csv", str(played / "one.pitboss")).out


@pytest.mark.long
@first_rows(1)("width", [1400, 400])
def test_a_bot_from_the_standings_in_the_browser(played: Path, browser: Browser, width: int) -> None:
    """The name of a bot leads to its page, and from there to its best game and to the bot it met; nothing is refused,
    and nothing is wider than the window.
    """
    with serve_stores(played) as server:
        page = browser.open(f"{server.address}t/one/", width)
        page.wait_for("document.querySelector('a.bot')")
        name = page.run("document.querySelector('a.bot').textContent")
        page.run("document.querySelector('a.bot').click()")
        page.wait_for("document.querySelector('.panels')")
        page.run(WAIT_JS)  # for its style
        shown = page.run("document.querySelector('h1').textContent")
        filled = page.run("getComputedStyle(document.querySelector('svg .dot')).fill")
        wider = page.run("document.documentElement.scrollWidth - innerWidth")
        page.run("document.querySelector('#bot-pairs-caption').closest('table').querySelector('tbody a').click()")
        page.wait_for(f"document.querySelector('h1').textContent !== {name!r}")
        page.run("document.querySelector('#best-games-caption').closest('table').querySelector('tbody a').click()")
        page.wait_for("document.querySelector('.seat')")

        assert shown == name
        assert filled != "rgb(0, 0, 0)"
        assert wider <= 0
        assert page.messages() == []


def test_no_table_is_cut(tmp_path: Path, browser: Browser) -> None:
    """At 1400 and 1920 pixels no table of a tournament or of a bot is wider than its card, though a name is long."""
    name = "the-bot-with-a-name-of-forty-letters-abc"
    assert run_pitboss("new", "bot", "python", name, "--game", "magpie", cwd=tmp_path).status == 0
    wider = """[...document.querySelectorAll('.scroll')].filter(one => one.scrollWidth > one.clientWidth)
        .map(one => one.getAttribute('aria-label') ?? one.textContent.slice(0, 40))"""
    play_match(tmp_path, "one", name)
    found = {}
    with serve_stores(tmp_path) as server:
        for width in (1400, 1920):
            page = browser.open(f"{server.address}t/one/", width)
            page.wait_for(f"document.querySelector('a.bot') && document.body.textContent.includes({name!r})")
            found[width, "tournament"] = page.run(wider)
            page.run(f"[...document.querySelectorAll('a.bot')].find(one => one.textContent === {name!r}).click()")
            page.wait_for("document.querySelector('.panels')")
            page.run(WAIT_JS)  # for its style
            found[width, "bot"] = page.run(wider)

    assert len(name) == 40
    assert not any(found.values()), found


@pytest.mark.long
def test_fifty_watchers(tmp_path: Path) -> None:
    """Fifty who watch one tournament all get its summary, and get it again when it has changed."""
    play_match(tmp_path)
    seen: list[list[int]] = []

    def watch(server: WebServer) -> None:
        with server.watch("one") as events:
            mine = [next(events)["summary"]["played"]]
            seen.append(mine)
            mine.append(next(played for data in events if (played := data["summary"]["played"]) > 10))

    with serve_stores(tmp_path) as server:
        watchers = [threading.Thread(target=watch, args=(server,)) for _ in range(50)]
        for watcher in watchers:
            watcher.start()
        while len(seen) < 50:
            assert server.process.poll() is None
        play_match(tmp_path, "one", "--deals", "6")
        for watcher in watchers:
            watcher.join(TIMEOUT_S)

    assert [mine[0] for mine in seen] == [10] * 50
    assert all(len(mine) == 2 for mine in seen)


def test_without_the_packages_of_the_server(tmp_path: Path) -> None:
    """Where the extra packages are not installed, the command says what to install."""
    code = "import sys; sys.modules['hypercorn'] = None; from pitboss_tournament.cli import main; main()"
    ran = subprocess.run(
        [sys.executable, "-c", code, "serve", str(tmp_path)], capture_output=True, text=True, check=False
    )

    assert ran.returncode == 2
    assert "pitboss install 'pitboss[web]'" in ran.stderr
