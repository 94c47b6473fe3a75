"""The page for a projector: what is seen from the last row, and nobody at the machine."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from tests.browser.chromium import Browser, Page
from tests.browser.web_server import WebServer, serve_stores
from tests.marks import first_rows
from tests.tournament.command_line import run_pitboss
from tests.tournament.watched_matches import GOOD, run_watched_match, wait_for_tables

pytestmark = [pytest.mark.once, pytest.mark.skipif(sys.platform != "linux", reason="there are no abstract sockets")]

SIZE: Final = (1920, 1080)
LEAST_PX: Final = 28
PAGE: Final = "document.querySelector('.board')?.dataset.page"
NAMES: Final = "[...document.querySelectorAll('.standing .name')].map((one) => one.textContent)"
TABLE: Final = "document.querySelector('.felt-of-show')?.shadowRoot.querySelector('.plate')"
# every text that is seen, in the page and at the table, with its size, its box, and the room that cuts it
TEXTS: Final = """(() => {
  const found = [];
  const look = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const holder = node.parentElement;
      if (!node.textContent.trim() || holder.closest('.card, style, .race, [aria-label*="counts"] .bet')) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const { left, top, right, bottom, width, height } = range.getBoundingClientRect();
      const style = getComputedStyle(holder);
      if (!width || !height || style.visibility === 'hidden' || style.clipPath !== 'none') continue;
      const clip = holder.closest('ol, ul, p, h1, h2, div, section, main').getBoundingClientRect();
      found.push({
        text: node.textContent, px: parseFloat(style.fontSize), left, top, right, bottom,
        isCut: right > clip.right + 2 || left < clip.left - 2 || holder.scrollWidth > holder.clientWidth + 2 &&
          style.overflow === 'hidden',
      });
    }
    for (const one of root.querySelectorAll('*')) if (one.shadowRoot) look(one.shadowRoot);
  };
  look(document.body);
  return found;
})()"""
OVERLAPS: Final = """(() => {
  const parts = [...document.querySelectorAll('header, .headline, .board, .live, .ticker')];
  const boxes = (nodes) => nodes.map((one) => one.getBoundingClientRect()).filter(({ width }) => width);
  const pairs = (all) => all.flatMap((one, at) => all.slice(at + 1).filter((other) => one.left < other.right - 1 &&
    other.left < one.right - 1 && one.top < other.bottom - 1 && other.top < one.bottom - 1).map((two) => [one, two]));
  return [parts, [...document.querySelectorAll('.standing')], [...document.querySelectorAll('.met, .foot')],
    [...document.querySelectorAll('.ticker li')]].flatMap((nodes) => pairs(boxes(nodes)));
})()"""
SCROLLS: Final = """[document.scrollingElement, ...document.querySelectorAll('*')].filter((one) =>
  one.scrollHeight > one.clientHeight + 2 && one.clientHeight && one.closest('main, html') &&
  ['auto', 'scroll'].includes(getComputedStyle(one).overflowY) || one === document.scrollingElement &&
  (one.scrollHeight > innerHeight || one.scrollWidth > innerWidth)).length"""


def look_at(page: Page, names: int) -> None:
    """Check what is seen now: the size of all text, and that nothing is cut, overlaps or scrolls."""
    texts = page.run(TEXTS)

    assert len(texts) > names
    assert [one for one in texts if one["px"] < LEAST_PX - 0.01] == []
    assert [one for one in texts if one["isCut"]] == []
    inside = {"left": (0, SIZE[0]), "right": (0, SIZE[0]), "top": (0, SIZE[1]), "bottom": (0, SIZE[1])}
    assert [one for one in texts for side, (low, high) in inside.items() if not low <= one[side] <= high] == []
    assert page.run(OVERLAPS) == []
    assert page.run(SCROLLS) == 0


@contextmanager
def show(browser: Browser, server: WebServer, name: str = "x") -> Iterator[Page]:
    """Open the page of a tournament for a projector; its pages turn every second."""
    page = browser.open(f"{server.address}t/{name}/?show=1", SIZE[0], height=SIZE[1])
    page.wait_for(PAGE)
    yield page
    assert page.messages() == []


@first_rows(1)("bots", [40, 16, 8])
def test_from_the_last_row(tmp_path: Path, browser: Browser, bots: int) -> None:
    """With a table in play and without, each page has text of 28 pixels at least; nothing is cut, overlaps, scrolls."""
    store = tmp_path / "x.pitboss"
    with run_watched_match(store, "--deals", "100", bots=(GOOD,) * bots) as run, serve_stores(tmp_path) as server:
        wait_for_tables(store, 1, run)
        with show(browser, server) as page:
            page.wait_for(TABLE)
            page.wait_for("document.querySelectorAll('.ticker li').length > 1")
            look_at_all(page, bots)
            run.kill()
            page.wait_for("document.querySelector('.state').textContent === 'paused'")
            look_at_all(page, bots)


def look_at_all(page: Page, bots: int) -> None:
    """Look at one page after the other, until all bots have been in the standings."""
    found: set[str] = set()
    while len(found) < bots:
        name, names = page.run(
            f"[{PAGE}, [...document.querySelectorAll('.standing .name')].map((one) => one.textContent)]"
        )
        found |= set(names)
        look_at(page, 3)
        if len(found) < bots:  # all may stand on one page
            page.wait_for(f"{PAGE} !== {json.dumps(name)}")


def play_to_the_end(folder: Path, form: str, bots: int) -> dict[str, Any]:
    """Play a short tournament; return its headline."""
    named = (GOOD for _ in range(bots))
    settings = ("-s", f"format={form}", "-s", "pinned=false", "--sandbox", "none", "--store", "x.pitboss")
    ran = run_pitboss("match", "magpie", *named, "--seats", "2", "--deals", "1", "--seed", "s", *settings, cwd=folder)
    assert ran.status == 0, ran.err
    found: dict[str, Any] = run_pitboss("standings", "--json", str(folder / "x.pitboss")).json_value["headline"]
    return found


@first_rows(1)("form", ["knockout", "round-robin"])
def test_the_podium(tmp_path: Path, browser: Browser, form: str) -> None:
    """In the end the podium names the first three places, those who share one too, and the headline of the terminal."""
    headline = play_to_the_end(tmp_path, form, 5)
    with serve_stores(tmp_path) as server, show(browser, server) as page:
        page.wait_for(f"{PAGE} === 'podium'")
        look_at(page, 3)
        steps = page.run(
            "[...document.querySelectorAll('.podium > ol > li')].map((step) => [step.querySelector('.place').firstChild"
            ".textContent, [...step.querySelectorAll('.name')].map((one) => one.textContent)])"
        )
        told = page.run("document.querySelector('.headline').textContent")
        for kind in ("places", "standings"):
            page.wait_for(f"{PAGE}.startsWith('{kind}')")

    places = headline["places"]
    assert told == headline["text"]
    assert [name for _, names in steps for name in names] == [one["bot"] for one in places if one["place"] <= 3]
    texts = {f"{one['place']}" + (f"–{one['last']}" if one["last"] > one["place"] else "") for one in places}
    assert {place for place, _ in steps} <= texts


@pytest.mark.long
def test_a_bracket_of_sixteen(tmp_path: Path, browser: Browser) -> None:
    """Eight matches of the first round are set closely, so that all rounds up to the final are seen."""
    play_to_the_end(tmp_path, "knockout", 16)
    with serve_stores(tmp_path) as server, show(browser, server) as page:
        page.wait_for(f"{PAGE} === 'bracket'")
        look_at(page, 16)
        heads = page.run("[...document.querySelectorAll('.bracket h3')].map((one) => one.textContent)")
        matches = page.run("document.querySelectorAll('.bracket .met').length")

    assert heads == ["Round 1", "Round 2", "Round 3", "Final"]
    assert matches == 15


FINALS: Final = """
[format]
name = "stages"
[[format.stages]]
name = "groups"
groups = 2
advance = 2
[[format.stages]]
name = "finals"
format = "knockout"
"""


@pytest.mark.long  # `test_the_bracket_of_a_stage` has the data
def test_a_knockout_as_the_last_stage(tmp_path: Path, browser: Browser) -> None:
    """The finals of an event are a bracket of their own rounds: on the page for a projector, and on that of the
    tournament above the rounds of the groups.
    """
    bots = ", ".join(json.dumps(GOOD) for _ in range(6))
    rules = f'game = "magpie"\nseats = 2\ndeals = 1\nseed = "s"\nsandbox = "none"\npinned = false\nbots = [{bots}]'
    (tmp_path / "x.toml").write_text(f"{rules}\n{FINALS}", encoding="utf-8")
    ran = run_pitboss("run", "x.toml", cwd=tmp_path)
    with serve_stores(tmp_path) as server, show(browser, server) as page:
        page.wait_for(f"{PAGE} === 'bracket'")
        look_at(page, 4)
        columns = page.run(
            "[...document.querySelectorAll('.bracket > ol > li')].map((one) => [one.querySelector('h3').textContent, "
            "one.querySelectorAll('.met').length, one.querySelectorAll('.won').length])"
        )
        title = page.run("document.querySelector('.board h2').textContent")
        page.go(f"{server.address}t/x/")
        page.wait_for("document.querySelector('.rounds')")
        titles = page.run(
            "[...document.querySelectorAll('section:has(> .scroll > .rounds) > h2')].map((one) => one.textContent)"
        )
        rounds = page.run("[...document.querySelectorAll('.rounds h3')].map((one) => one.textContent)")

    assert ran.status == 0, ran.err
    assert title == "Bracket: finals"
    assert columns == [["Round 1", 2, 2], ["Final", 1, 1]]
    assert titles == ["Bracket: finals", "Rounds"]
    assert rounds == ["Round 1", "Final", "Round 1, groups"]


def test_a_server_that_goes_and_comes_back(tmp_path: Path, browser: Browser) -> None:
    """The page says that the server does not answer, and goes on when one is there again at the same address."""
    play_to_the_end(tmp_path, "round-robin", 2)
    with serve_stores(tmp_path) as server:
        port = server.port
        page = browser.open(f"{server.address}t/x/?show", SIZE[0], height=SIZE[1])
        page.wait_for(PAGE)
    page.wait_for("document.querySelector('.connection').textContent.includes('trying again')")
    look_at(page, 2)
    with serve_stores(tmp_path, port=port):
        page.wait_for("document.querySelector('.connection').textContent === ''")
