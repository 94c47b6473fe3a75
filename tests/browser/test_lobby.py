"""A lobby: people come by an invitation, choose a seat, leave and come back; and what others may not do."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest

from tests.browser.axe import find_violations
from tests.browser.chromium import Browser
from tests.browser.lobby_page import LobbyServer, SocketPerson, come_to_table, open_lobby
from tests.browser.play_page import HEADING, MY_TURN, open_play, play_turn, read_game
from tests.browser.websocket import RawWebSocket, try_socket
from tests.marks import first_rows
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once

PEOPLE: Final = ("Ann", "Bob", "Cem")
TAKE_BACK: Final = '{"type":"take_back"}'


@pytest.mark.long
def test_three_people_and_a_bot(tmp_path: Path, browser: Browser) -> None:
    """Three people with browsers of their own play a whole game of hearts with a bot. One of them leaves, which the
    others see, and comes back to the same seat by the invitation.
    """
    with open_lobby(tmp_path) as server:
        table = server.open_table("hearts", "open", "open", "Cem", "house:hearts", preset="single")
        pages = [come_to_table(browser, server.base + table, name, seat) for seat, name in enumerate(PEOPLE)]
        for page in pages:
            page.wait_for(HEADING)
        seats = [read_game(page)["seat"] for page in pages]
        for _ in range(8):
            play_turn(*pages)
        ann, bob, _ = pages
        own = bob.run("location.pathname")
        bob.go(f"{server.base}/")
        away = ann.wait_for(
            "[...document.querySelectorAll('.people li')].find(one => one.textContent.includes('away'))?.textContent"
        )
        bob.go(server.base + table)
        bob.wait_for(HEADING)
        back = bob.run("location.pathname")
        while play_turn(*pages):
            pass
        ann.wait_for("document.querySelector('[data-key=\"new cards\"]')")
        lobby = server.ask("GET", "/", Cookie=server.host_cookie).text
        status, said = server.stop()
    [store] = tmp_path.glob("*.pitboss")

    assert seats == [0, 1, 2]
    assert away.startswith("Bob (away)")
    assert back == own
    assert "between games" in lobby
    assert (status, [page.messages() for page in pages]) == (143, [[], [], []])
    assert store.name == "hearts-Ann-Bob-Cem-house_hearts.pitboss"
    assert run_pitboss("integrity", "--replay", store.name, cwd=tmp_path).status == 0
    assert "--resume" not in said


def test_several_tables(tmp_path: Path, browser: Browser) -> None:
    """A person plays at two tables of one server under one name, the lobby lists who sits where, and the same game
    with the same players has a store of its own. After Ctrl-C the games are kept; the host closes a table.
    """
    with open_lobby(tmp_path) as server:
        first, second, third = (server.open_table("racko", "open", "house:first") for _ in range(3))
        page = come_to_table(browser, server.base + first, "Ann", 0)
        page.wait_for(MY_TURN)
        own = page.run("location.pathname")
        page.run("document.querySelector('a.look.page').click()")
        page.wait_for("document.title === 'The lobby'")
        page.go(server.base + second)
        is_asked = page.run("document.querySelector('#name') !== null")
        page.run("document.querySelector('button[form=sit]').click()")
        page.wait_for(MY_TURN)
        listed = server.ask("GET", "/", Cookie=server.host_cookie).text
        closed = server.send(f"{third}/close", server.host_cookie).status
        after = server.ask("GET", third).status
        violations = find_violations(browser.open(server.link))
        _, said = server.stop()

    assert own.startswith("/play/")
    assert not is_asked
    assert listed.count(">playing<") == 2
    assert listed.count(">Ann<") == 2
    assert (closed, after) == (303, 404)
    assert violations == []
    assert sorted(re.findall(r"--resume (\S+) --browser", said)) == [
        "racko-Ann-house_first-2.pitboss",
        "racko-Ann-house_first.pitboss",
    ]


def test_a_seat_is_opened_again(tmp_path: Path, browser: Browser) -> None:
    """A person who leaves comes back to the seat by the invitation. Once the host lets the person in again, the link so
    far ends, and the invitation leads who says the name to the seat.
    """
    with open_lobby(tmp_path) as server:
        table = server.open_table("racko", "open", "house:first")
        page = come_to_table(browser, server.base + table, "Ann", 0)
        page.wait_for(MY_TURN)
        play_turn(page)
        path = page.run("location.pathname")
        page.go("about:blank")
        page.go(server.base + table)
        page.wait_for(HEADING)
        back = page.run("location.pathname")
        early = server.send(f"{table}/sit", name="Ann", seat=0).status
        server.send(f"{table}/seat", server.host_cookie, seat=0)
        told = page.wait_for("document.querySelector('.connection').textContent")
        gone = server.ask("GET", path).status
        wrong = server.send(f"{table}/sit", name="Eve", seat=0)
        again = come_to_table(browser, server.base + table, "Ann", 0)
        again.wait_for(MY_TURN)
        now = again.run("location.pathname")

    assert back == path
    assert early == 400
    assert told == "Your seat has been given to somebody else."
    assert gone == 404
    assert "Seat 1 is kept for Ann" in wrong.text
    assert now != path


def sit_down_all(server: LobbyServer, table: str, *names: str) -> list[SocketPerson]:
    """Return the people of these names, who sit down in the first seats of a table, where the game begins."""
    cookies = [server.sit_down(table, name, seat) for seat, name in enumerate(names)]
    return [SocketPerson(server, table, cookie) for cookie in cookies]


@first_rows(1)("is_killed", [True, False])
def test_a_lobby_that_is_started_again(tmp_path: Path, is_killed: bool) -> None:
    """After Ctrl-C or a kill the next lobby in this folder offers unfinished games again: by another invitation, to
    people of the same names, who go on where they were. A table without a game is not offered.
    """
    with open_lobby(tmp_path) as server:
        server.open_table("racko", "open", "house:first")
        tables = [server.open_table("racko", "open", other, preset="short") for other in ("house:first", "open")]
        [ann] = sit_down_all(server, tables[0], "Ann")
        sit_down_all(server, tables[1], "Bob", "Cem")
        for _ in range(4):
            ann.play()
        if is_killed:
            server.process.kill()
            server.process.wait()
        else:
            server.stop()
    journal = (tmp_path / "racko-Ann-house_first.pitboss.unfinished").read_bytes()
    (tmp_path / "torn.pitboss.unfinished").write_text("this is no journal\n")
    with open_lobby(tmp_path) as server:
        alone, both = server.list_invitations()
        pages = [server.ask("GET", one, Cookie=server.host_cookie).text for one in (alone, both)]
        refused = server.send(f"{alone}/sit", name="Eve", seat=0)
        [ann] = sit_down_all(server, alone, "Ann")
        decisions = ann.game["data"]["decisions"]
        for _ in range(4):
            ann.play()
        seats = [person.game["seat"] for person in sit_down_all(server, both, "Bob", "Cem")]
        _, said = server.stop()

    assert not {alone, both} & {*tables}
    assert "The unfinished game goes on when one more person sits here." in pages[0]
    assert "The unfinished game goes on when 2 more people sit here." in pages[1]
    assert "2 seats, short" in pages[0]
    assert "Seat 1 is kept for Ann" in refused.text
    assert len(decisions) == journal.count(b'"decision"') >= 4
    assert seats == [0, 1]
    assert "torn.pitboss.unfinished: this unfinished game is not offered again" in said
    assert len(list(tmp_path.glob("*.pitboss"))) == 2


def test_another_game_in_place_of_an_unfinished_one(tmp_path: Path) -> None:
    """Once the host gives the seat of somebody who does not come back to a bot, the table plays another game, and the
    unfinished one is kept.
    """
    with open_lobby(tmp_path) as server:
        sit_down_all(server, server.open_table("racko", "open", "open"), "Ann", "Bob")
    with open_lobby(tmp_path) as server:
        [again] = server.list_invitations()
        server.send(f"{again}/seat", server.host_cookie, seat=1, bot="house:first")
        [ann] = sit_down_all(server, again, "Ann")

    assert {one["seat"] for one in ann.game["data"]["decisions"]} <= {1}  # the bot may have begun already
    assert sorted(path.name for path in tmp_path.glob("*.unfinished")) == [
        "racko-Ann-Bob.pitboss.unfinished",
        "racko-Ann-house_first.pitboss.unfinished",
    ]


def list_refusals(server: LobbyServer, table: str, guest: str) -> dict[str, int]:
    """Return the answer to each thing that somebody tries at a table where Ann, a guest, waits."""
    own, host = {"Origin": server.base}, server.host_cookie
    form = "seat=1&name=Eve"
    return {
        "the entrance": server.ask("GET", "/").status,
        "the lobby's socket": try_socket(server.port, "/socket"),
        "a new table's page": server.ask("GET", "/new/racko", Cookie=guest).status,
        "a new table": server.send("/new/racko", guest, seats=2).status,
        "a wrong key of the host": server.ask("GET", "/new/racko", Cookie=f"{host[:-2]}xx").status,
        "no origin": server.ask("POST", f"{table}/sit", form).status,
        "another origin": server.ask("POST", f"{table}/sit", form, Origin="http://evil.example").status,
        "another origin's close": server.ask(
            "POST", f"{table}/close", "", Origin="http://evil.example", Cookie=host
        ).status,
        "another origin's socket": try_socket(server.port, f"{table}/socket", "http://evil.example"),
        "another name of the server": server.ask("GET", table, Host="evil.example").status,
        "no table": server.ask("GET", "/table/none").status,
        "no game": server.ask("GET", "/new/none", Cookie=host).status,
        "a guest closes": server.send(f"{table}/close", guest).status,
        "a guest changes a seat": server.send(f"{table}/seat", guest, seat=0, bot="house:first").status,
        "a taken seat": server.send(f"{table}/sit", name="Eve", seat=0).status,
        "no seat": server.send(f"{table}/sit", name="Eve", seat=99).status,
        "a word for a seat": server.send(f"{table}/sit", name="Eve", seat="-1").status,
        "a second seat": server.send(f"{table}/sit", guest, name="Eve", seat=1).status,
        "a large form": server.ask("POST", f"{table}/sit", "x" * 5000, **own).status,
        "many fields": server.ask("POST", f"{table}/sit", "a=1&" * 500, **own).status,
        "no bot": server.send(f"{table}/seat", host, seat=1, bot="sh -c id").status,
        "a command for a bot": server.send("/new/racko", host, seats=2, seat0="open", seat1="sh -c id").status,
        "no person": server.send("/new/racko", host, seats=2, seat0="house:first", seat1="house:first").status,
        "somebody else leaves": server.send(f"{table}/leave").status,
    }


def test_what_a_guest_may_not_do(tmp_path: Path) -> None:
    """Who is not the host sets nothing up, a page of another site sends nothing, and nobody acts for another's seat."""
    with open_lobby(tmp_path) as server:
        table = server.open_table("racko", "open", "open", "house:first")
        guest = server.send(f"{table}/sit", name="Ann", seat=0).cookie
        found = list_refusals(server, table, guest)
        page = server.ask("GET", table).text
        stranger = server.ask("GET", "/").text

    assert found == {
        **dict.fromkeys(found, 403),
        "the entrance": 200,
        **dict.fromkeys(("no table", "no game"), 404),
        "another name of the server": 400,
        **dict.fromkeys(("a taken seat", "no seat", "a word for a seat", "a second seat", "many fields"), 400),
        "a large form": 413,
        **dict.fromkeys(("no bot", "a command for a bot", "no person"), 400),
        "somebody else leaves": 303,
    }
    assert ">Ann<" in page
    assert "waiting for 1" in page
    assert "Ann" not in stranger
    assert guest.partition("=")[2] not in page


@pytest.mark.long
def test_many_pages(tmp_path: Path) -> None:
    """With 400 pages of spectators open the game goes on; of one person's link only a few may be open."""
    words = ("magpie", "--against", "house:first", "-o", "turns=3", "--seed", "s")
    with open_play(*words, cwd=tmp_path) as server:
        paths = {name: f"/{link.split('/', 3)[3]}/socket" for name, link in server.links.items()}
        watching = [RawWebSocket(server.port, paths["spectators"]) for _ in range(400)]
        statuses = {one.status for one in watching}
        own = [RawWebSocket(server.port, paths["You"]) for _ in range(16)]
        more = RawWebSocket(server.port, paths["You"])
        surplus = more.read_until_closed()
        messages = [own[0].read(), own[0].read()]
        question = messages[1]["question"]["number"]
        for page in own[:2]:  # two tabs of a seat: the first answer counts
            page.send(f'{{"type":"choose","question":{question},"action":0}}')
        while (said := own[0].read()).get("type") != "part" or not said["decisions"]:
            pass
        seen = [one.read()["type"] for one in watching]
        asked = own[0].read()
        for one in (*watching, *own, more):
            one.close()

    assert (statuses, surplus) == ({101}, 1013)
    assert set(seen) == {"game"}
    assert [one["seat"] for one in said["decisions"]].count(0) == 1
    assert asked["type"] in ("status", "part")


def test_a_flood(tmp_path: Path) -> None:
    """A page that sends messages without end loses its connection, and the person can play on."""
    with open_play("magpie", "--against", "house:first", "-o", "turns=3", "--seed", "s", cwd=tmp_path) as server:
        path = f"/{server.links['You'].split('/', 3)[3]}/socket"
        flood = RawWebSocket(server.port, path)
        with suppress(OSError):  # it may be closed before all is sent
            for _ in range(3000):
                flood.send(TAKE_BACK)
        code = flood.read_until_closed()
        page = RawWebSocket(server.port, path)
        kinds = [page.read()["type"], page.read()["type"]]
        flood.close()
        page.close()

    assert code in (1008, None)  # None: the connection had ended before the code was read
    assert kinds == ["game", "status"]
