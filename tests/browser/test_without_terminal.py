"""Somebody with nothing but a browser: from the link of a class to a bot on the ladder, on a phone too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.browser.axe import find_violations, set_scheme
from tests.browser.chromium import Browser, Page
from tests.league.editor_visitor import EditorVisitor
from tests.league.league_process import LeagueProcess, make_league, run_league
from tests.marks import first_rows
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once

RULES = "[trials]\ngames = 2\nladder_bots = 3\n"
OVER = "document.querySelector('#trial .outcome') && !document.querySelector('#trial [data-open]')"
FITS = "document.documentElement.scrollWidth <= innerWidth"


class BrowserCourse(NamedTuple):
    """A running league, the link of its class, and the token of an owner."""

    league: LeagueProcess
    link: str
    token: str


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserCourse]:
    """Run a league that plays, for the tests of this file."""
    folder = tmp_path_factory.mktemp("browser") / "course"
    folder.parent.chmod(0o755)
    tokens = make_league(folder, validation=RULES, rules="placing_games = 2\ndeals = 1")
    with run_league(folder, "-s", "games_at_once=2") as league:
        link = run_pitboss("token", "invite", str(folder), league.url).out.strip()
        number = league.put("rival", tokens["bob"]).value["number"]
        assert league.wait(number, tokens["bob"])["state"] == "placing"
        yield BrowserCourse(league, link, tokens["ada"])


class Hand:
    """The hand of a person at a page: it clicks, writes and presses keys, and counts that."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.clicks = 0
        self.words = 0

    def click(self, element: str) -> None:
        """Click in the middle of an element, which must be seen there."""
        self.page.run(f"{element}.scrollIntoView({{ block: 'center' }})")
        middle = "[box.x + box.width / 2, box.y + box.height / 2]"
        x, y = self.page.run(f"(() => {{ const box = {element}.getBoundingClientRect(); return {middle} }})()")
        assert self.page.run(f"{element}.contains(document.elementFromPoint({x}, {y}))"), element
        self.page.click_at(x, y)
        self.clicks += 1

    def press_button(self, text: str) -> None:
        """Click the button, or the link that looks like one, with a text."""
        shown = "[...document.querySelectorAll('main button, main a')].filter(one => !one.hidden)"
        self.click(f"{shown}.find(one => one.textContent === {text!r})")

    def wait_for(self, condition: str) -> None:
        """Wait for the next page, until its scripts have run."""
        self.page.wait_for(f"document.readyState === 'complete' && {condition}")

    def write(self, text: str) -> None:
        """Write where the focus is."""
        self.page.call("Input.insertText", text=text)
        self.words += 1


@first_rows(1)("width", [1200, 360])
def test_from_the_link_of_a_class_to_the_ladder(browser: Browser, course: BrowserCourse, width: int) -> None:
    """A student joins, opens a starter, changes a line, checks, tries, submits, and sees the bot on the ladder, by six
    clicks and two texts; no page scrolls sideways.
    """
    page = browser.open(course.link, width, height=800, is_apart=True)
    page.call("Emulation.setFocusEmulationEnabled", enabled=True)
    hand = Hand(page)
    assert page.run("location.href") == f"{course.league.url}/join"

    hand.write(f"Student {width}")  # the field has the focus
    hand.press_button("Join")
    hand.wait_for("document.querySelector('h1')?.textContent.startsWith('Welcome')")
    assert page.run(FITS)
    hand.press_button("Write a bot")
    hand.wait_for("document.querySelector('[name=language]')")
    assert page.run(FITS)
    name = page.run("document.querySelector('[name=bot]').value")
    hand.press_button("Open in the editor")
    hand.wait_for("document.querySelector('section.file:not([hidden]) textarea')")
    page.run(
        """(() => {
            const field = document.querySelector('section.file:not([hidden]) textarea');
            const old = 'return table.luck.randrange(len(question["legal"]))';
            field.focus();
            field.setSelectionRange(field.value.indexOf(old), field.value.indexOf(old) + old.length);
        })()"""
    )
    hand.write("return 0")
    assert page.run(FITS)
    hand.press_button("Check")
    page.wait_for(OVER)
    assert re.match(r"\d+ checks: \d+ passed, 0 failed", page.run("document.querySelector('.outcome').textContent"))
    hand.press_button("Try against")
    page.wait_for(f"{OVER} && document.querySelectorAll('#trial tbody tr').length === 2")
    assert page.run(FITS)
    hand.press_button("Submit")
    page.wait_for("location.pathname.startsWith('/versions/')")
    page.wait_for("['placing', 'playing'].includes(document.querySelector('.state')?.textContent)")
    page.go(course.league.url)
    page.wait_for(f"[...document.querySelectorAll('.ladder a.bot')].some(one => one.textContent.startsWith({name!r}))")
    assert page.run(FITS)

    assert (hand.clicks, hand.words) == (6, 2)
    assert page.messages() == []


def test_a_draft_saves_itself(browser: Browser, course: BrowserCourse) -> None:
    """What is written is there after a reload, without a click; a second window does not overwrite it."""
    draft = EditorVisitor(course.league, course.token).begin("saves itself").headers["location"]
    page = log_in(browser, course)
    page.go(f"{course.league.url}{draft}")

    page.run("document.querySelector('textarea').focus()")
    page.call("Input.insertText", text="# mine\n")
    page.wait_for("document.querySelector('.said').textContent === 'Saved.'")
    page.go(f"{course.league.url}{draft}")

    assert "# mine" in page.run("document.querySelector('textarea').value")
    EditorVisitor(course.league, course.token).change(draft, "save", {"bot.py": "elsewhere", "bot.toml": ""})
    page.run("document.querySelector('textarea').focus()")
    page.call("Input.insertText", text="# late")
    said = page.wait_for("document.querySelector('.said.error')?.textContent")
    assert "another window" in said
    assert "# late" in page.run("document.querySelector('textarea').value")


def test_the_narrowest_phone(browser: Browser, course: BrowserCourse) -> None:
    """At 320 pixels no page on which a bot is written scrolls sideways, though its lines and names are long."""
    visitor = EditorVisitor(course.league, course.token)
    draft = visitor.begin("w" * 40).headers["location"]
    visitor.change(draft, "save", {f"{'deep/' * 8}{'n' * 40}.py": "x" * 500, "bot.toml": ""})
    visitor.change(draft, "try", against="house:random")
    visitor.wait_trial(draft)
    page = log_in(browser, course, 320)

    for path in ("/join", "/editor", "/editor/game", "/editor/rules", draft, "/submit"):
        page.go(f"{course.league.url}{path}")
        assert page.run(FITS), path


def test_the_keys_of_the_editor(browser: Browser, course: BrowserCourse) -> None:
    """Tab writes blanks, Enter keeps the indent, and after Escape Tab leaves the text."""
    draft = EditorVisitor(course.league, course.token).begin("keys").headers["location"]
    page = log_in(browser, course)
    page.go(f"{course.league.url}{draft}")
    page.run("document.querySelector('textarea').value = ''; document.querySelector('textarea').focus()")

    page.press("Tab")
    page.call("Input.insertText", text="x")
    page.press("Enter")
    page.call("Input.insertText", text="y")

    assert page.run("document.querySelector('textarea').value") == "    x\n    y"
    assert page.run("document.querySelector('.place').textContent") == "Line 2, column 6."
    page.press("Escape")
    page.press("Tab")
    assert page.run("document.activeElement.tagName") != "TEXTAREA"


def test_a_login_link(browser: Browser, course: BrowserCourse) -> None:
    """A link with a token logs in by one button; the token is in the address no more."""
    page = browser.open(f"{course.league.url}/login#{course.token}", is_apart=True)
    hand = Hand(page)

    assert page.run("location.href") == f"{course.league.url}/login"
    assert page.run("history.length") <= 2
    hand.press_button("Log in")
    page.wait_for("document.querySelector('.who a')?.textContent === 'Mine: ada'")

    assert page.run("location.href") == f"{course.league.url}/me"
    page.go(f"{course.league.url}/login#{course.token}")
    assert course.token not in page.run("location.href")


def test_a_folder_or_files_are_submitted(browser: Browser, course: BrowserCourse, tmp_path: Path) -> None:
    """Single files, with a bot.toml among them, are a submission."""
    (tmp_path / "bot.toml").write_text('command = ["{python}", "bot.py"]\n')
    (tmp_path / "bot.py").write_text("import sys\n")
    page = log_in(browser, course)
    page.go(f"{course.league.url}/submit")
    root = page.call("DOM.getDocument")["root"]["nodeId"]
    field = page.call("DOM.querySelector", nodeId=root, selector="[name=files]")["nodeId"]
    page.call("DOM.setFileInputFiles", files=[str(tmp_path / "bot.toml"), str(tmp_path / "bot.py")], nodeId=field)
    page.run("document.querySelector('[name=bot]').value = 'single'; document.getElementById('upload').requestSubmit()")

    said = page.wait_for("location.pathname.startsWith('/versions/') && document.querySelector('h1')?.textContent")

    assert said.startswith("single@1")


@pytest.mark.long
def test_accessibility(browser: Browser, course: BrowserCourse) -> None:
    """No page of the editor has a serious violation, light or dark."""
    visitor = EditorVisitor(course.league, course.token)
    draft = next(iter(re.findall(r"/editor/\d+", visitor.get("/editor").text)))
    found = {}
    for scheme in ("light", "dark"):
        for path in ("/join", "/login", "/editor", "/editor/game", "/editor/rules", draft):
            page = log_in(browser, course)
            page.go(f"{course.league.url}{path}")
            set_scheme(page, scheme)
            found[scheme, path] = find_violations(page)
            browser.close_pages()

    assert {page: violations for page, violations in found.items() if violations} == {}


def log_in(browser: Browser, course: BrowserCourse, width: int = 1200) -> Page:
    """Return a page of the owner's browser."""
    page = browser.open(f"{course.league.url}/login#{course.token}", width, is_apart=True)
    page.run("document.querySelector('main form').requestSubmit()")
    page.wait_for("location.pathname === '/me'")
    return page
