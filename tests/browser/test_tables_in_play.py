"""Tables in play in the browser: each game is shown card by card while another process plays it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Final

import pytest

from pitboss_tournament.running.watch_protocol import socket_address
from tests.browser.axe import find_violations
from tests.browser.chromium import Browser
from tests.browser.web_server import serve_stores
from tests.marks import first_rows
from tests.tournament.run_processes import wait_for
from tests.tournament.watched_matches import GOOD, HOSTILE_NOTE, gated_bot, run_watched_match, wait_for_tables

pytestmark = [pytest.mark.once, pytest.mark.skipif(sys.platform != "linux", reason="there are no abstract sockets")]

STATE: Final = "document.querySelector('#bar .state')?.textContent"
GAME: Final = f"+{STATE}.match(/Game (\\d+)/)?.[1]"
FRAMES: Final = "+document.querySelector('.position')?.textContent.split(' / ')[1]"


def read_game(events: Any) -> tuple[dict[str, Any], dict[str, Any]]:  # noqa: ANN401 - an iterator of any JSON
    """Return the data of a game as its parts make it, and the last event."""
    kind, page = next(events)
    assert kind == "page"
    data = page["replay"]
    for kind, part in events:
        if kind != "more":
            return data, part
        data["sequence"]["frames"] += part["frames"]
        data["decisions"] += part["decisions"]
    raise AssertionError("the game has no end")


@pytest.mark.long
def test_a_game_in_play_is_the_stored_one(tmp_path: Path) -> None:
    """The events that several watchers of a table receive make the page of the stored game, over one connection."""
    store = tmp_path / "x.pitboss"
    with run_watched_match(store, bots=(gated_bot(tmp_path), GOOD)) as run, serve_stores(tmp_path) as server:
        wait_for_tables(store, 2, run)
        listed = server.get_json("/t/x/tables.json")
        with server.listen("/t/x/tables/1/events") as first, server.listen("/t/x/tables/1/events") as second:
            both = [next(first), next(second)]
            name = "@" + socket_address(store)[1:]
            connections = Path("/proc/net/unix").read_text().split().count(name) - 1
            (tmp_path / "gate").touch()
            shown, end = read_game(iter([both[0], *first]))
            also_shown, _ = read_game(iter([both[1], *second]))
        game = both[0][1]["game_id"]
        stored = server.get_json(f"/t/x/games/{game}.json")

    assert [one["table"] for one in listed] == [1, 2]
    assert game == listed[0]["game_id"]
    assert connections == 1
    assert (end["is_finished"], end["is_stored"]) == (True, True)
    assert shown == also_shown
    ended = {"places": end["places"], "results": end["results"], "costliest": stored["costliest"]}
    assert {**shown, **ended} == {**stored, "subtitle": shown["subtitle"]}


def test_no_run(tmp_path: Path) -> None:
    """A store that no run plays has no tables, and the page of a table says so."""
    store = tmp_path / "x.pitboss"
    with run_watched_match(store) as run:
        wait_for_tables(store, 1, run)
    with serve_stores(tmp_path) as server:
        assert server.get_json("/t/x/tables.json") == []
        with server.listen("/t/x/tables/1/events") as events:
            assert list(events) == [("gone", {})]


@pytest.mark.long
def test_the_page_of_a_table(tmp_path: Path, browser: Browser) -> None:
    """From the tournament a link leads to a table; its game goes on there while it is played, and when it is over and
    has been shown the next one follows. Nothing that a bot writes runs, and a killed run is told.
    """
    store = tmp_path / "x.pitboss"
    with run_watched_match(store, bots=(gated_bot(tmp_path), GOOD)) as run, serve_stores(tmp_path) as server:
        wait_for_tables(store, 2, run)
        page = browser.open(f"{server.address}t/x/")
        page.wait_for("document.querySelector('.in-play a')")
        page.wait_for("document.querySelector('.in-play a .mini')?.shadowRoot.querySelector('.seat .card')")
        page.run("document.querySelector('.in-play a').click()")
        first = page.wait_for(f"{FRAMES} && {STATE}.match(/Game (\\d+) is being played/)?.[1]")
        note = page.wait_for("document.querySelectorAll('.moves .note')[1]?.textContent")  # then the bot waits
        before = page.run(FRAMES)
        (tmp_path / "gate").touch()
        page.wait_for(f"/is over/.test({STATE})")
        after = page.run(FRAMES)
        link = page.run("document.querySelector('.recorded').href")
        page.press("End")
        result = page.run("document.querySelector('.seat .result').textContent")
        (tmp_path / "gate").unlink()
        second = page.wait_for(f"{STATE}.match(/Game (\\d+) is being played/)?.[1]")
        run.kill()
        page.wait_for(f"/is not being played now/.test({STATE})")

        assert after > before
        assert note == HOSTILE_NOTE
        assert "point" in result
        assert link == f"{server.address}t/x/games/{first}"
        assert second != first
        assert page.messages() == []


@pytest.mark.long
def test_who_wants_to_stay(tmp_path: Path, browser: Browser) -> None:
    """Without the mark at "go on" a page stays with its game until the button is pressed; keys move the new one."""
    store = tmp_path / "x.pitboss"
    with run_watched_match(store) as run, serve_stores(tmp_path) as server:
        wait_for_tables(store, 1, run)
        page = browser.open(f"{server.address}t/x/tables/1")
        page.run("document.querySelector('.follow input').click()")
        page.wait_for(f"/is over/.test({STATE})")
        page.press("End")
        page.run("new Promise(done => setTimeout(done, 4000))")
        stayed = page.run(GAME)
        page.press("Home")
        page.run("document.querySelector('.next').click()")
        next_game = page.wait_for(f"/is over/.test({STATE}) && {GAME}")
        page.press("End")
        position = page.run("document.querySelector('.position').textContent.split(' / ')")
        page.run("window.steps = 0; document.querySelector('#replay').addEventListener('frame', () => steps++)")
        page.press("ArrowLeft")
        stepped = page.run("+document.querySelector('.position').textContent.split(' / ')[0]")

        assert stayed != next_game
        assert position[0] == position[1]
        assert stepped == int(position[0]) - 1
        assert page.run("steps") == 1


@first_rows(1)("width", [1400, 400])
def test_a_table_fits(tmp_path: Path, browser: Browser, width: int) -> None:
    """Nothing of the page of a table is wider than the window, and all that can be pressed has a name."""
    store = tmp_path / "x.pitboss"
    with run_watched_match(store) as run, serve_stores(tmp_path) as server:
        wait_for_tables(store, 1, run)
        page = browser.open(f"{server.address}t/x/tables/1", width)
        page.wait_for(f"/is over/.test({STATE})")

        assert page.run("document.documentElement.scrollWidth <= innerWidth")
        assert page.run(
            "[...document.querySelectorAll('button, input, a[href]')].every("
            "one => one.textContent || one.ariaLabel || one.labels?.[0]?.textContent)"
        )
        assert page.run("document.querySelector('#bar .state').getAttribute('role')") == "status"
        assert find_violations(page) == []


@pytest.mark.long
def test_a_killed_server(tmp_path: Path, browser: Browser) -> None:
    """A page whose server is killed says so; the run does not notice, and can be watched by the next server."""
    store = tmp_path / "x.pitboss"
    with run_watched_match(store, bots=(gated_bot(tmp_path), GOOD)) as run:
        with serve_stores(tmp_path) as server:
            wait_for_tables(store, 1, run)
            page = browser.open(f"{server.address}t/x/tables/1")
            page.wait_for(f"/is being played/.test({STATE})")
            server.process.kill()
            page.wait_for(f"/server does not answer/.test({STATE})")
        with serve_stores(tmp_path) as server, server.listen("/t/x/tables/1/events") as events:
            kind, _ = next(events)
            (tmp_path / "gate").touch()
            _, end = read_game(iter([(kind, _), *events]))
            wait_for(lambda: run.poll() is None, run)

    assert end["is_finished"]
