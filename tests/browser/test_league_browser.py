"""The pages of a league in a browser: on a phone too, renewed without a reload, sorted, with uploads."""

from __future__ import annotations

import base64
import io
import json
import tarfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pitboss_tournament.league.book import Book
from tests.browser.axe import find_violations, set_scheme
from tests.browser.chromium import Browser, Page
from tests.league.archives import make_bot_tar
from tests.league.league_process import LeagueProcess, run_league
from tests.league.played_leagues import LeagueBot, PlayedLeague, make_played_league, play_on_paper
from tests.marks import first_rows

pytestmark = pytest.mark.once

HOSTILE = "<script>document.title = 'alert'</script><img src=x onerror=alert(1)>"
LONG = "An extraordinarily long name that somebody has given to a bot"
BOTS = (
    LeagueBot("ada", "fox"),
    LeagueBot(HOSTILE, HOSTILE[:60]),
    LeagueBot("bob", LONG),
    LeagueBot("w" * 64, "w" * 64),
    LeagueBot("ada", "fox", "retired"),
    LeagueBot("cy", "newt", "placing"),
)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> PlayedLeague:
    """Return a league with hostile and long names."""
    return make_played_league(tmp_path_factory.mktemp("browser") / "course", BOTS, 15, forfeits=True)


@pytest.fixture(scope="module")
def league(played: PlayedLeague) -> Iterator[LeagueProcess]:
    """Run it."""
    with run_league(played.folder, "--no-play") as running:
        yield running


def log_in(browser: Browser, league: LeagueProcess, token: str) -> Page:
    """Log in as a person would; return the page that comes then."""
    page = browser.open(f"{league.url}/login")
    if page.run("location.pathname") == "/me":
        page.run("document.querySelector('.who form').requestSubmit()")
        page.wait_for("location.pathname === '/'")
        page.go(f"{league.url}/login")
    page.run(f"document.querySelector('[name=token]').value = {json.dumps(token)}")
    page.run("document.querySelector('main form').requestSubmit()")
    page.wait_for("location.pathname === '/me'")
    return page


@first_rows(1)("width", [1400, 390])
def test_all_pages(browser: Browser, league: LeagueProcess, width: int) -> None:
    """On every page of a league hostile names run nothing, long ones widen no page, and every script does its work."""
    page = browser.open(league.url, width)
    bot = page.run(
        "[...document.querySelectorAll('.ladder a.bot')].find(one => one.textContent.includes('script')).href"
    )
    for path in ("", "bots/fox", "versions/2", "retired", "games", "games/0", "queue", "rules", "submit", "login"):
        page.go(f"{league.url}/{path}")
        assert page.run("document.documentElement.scrollWidth <= innerWidth"), path
        assert page.run("document.title").endswith("· course")
    page.go(bot)
    assert page.run("document.querySelector('h1').textContent").startswith(HOSTILE[:60])
    assert page.run("document.documentElement.scrollWidth <= innerWidth")
    assert [one for one in page.messages() if "Password forms" not in one] == []


@pytest.mark.long
def test_accessibility_of_all_pages(browser: Browser, league: LeagueProcess) -> None:
    """No page has a serious violation, light or dark."""
    found = {}
    for scheme in ("light", "dark"):
        for path in ("", "bots/fox", "versions/2", "retired", "games", "games/0", "queue", "rules", "submit", "login"):
            page = browser.open(f"{league.url}/{path}")
            set_scheme(page, scheme)
            found[scheme, path] = find_violations(page)
            browser.close_pages()

    assert {page: violations for page, violations in found.items() if violations} == {}


@pytest.mark.long
def test_accessibility_of_an_owners_pages(browser: Browser, league: LeagueProcess, played: PlayedLeague) -> None:
    """Nor has a page that only an owner sees."""
    found = {}
    log_in(browser, league, played.tokens["ada"])
    for scheme in ("light", "dark"):
        for path in ("me", "me/games", "me/games?bot=fox&result=lost", "versions/1", "versions/1/why"):
            page = browser.open(f"{league.url}/{path}")
            set_scheme(page, scheme)
            found[scheme, path] = find_violations(page)

    assert {page: violations for page, violations in found.items() if violations} == {}


@pytest.mark.long
def test_news_without_a_reload(browser: Browser, league: LeagueProcess, played: PlayedLeague) -> None:
    """When games were played the ladder shows them; what was opened stays open."""
    page = browser.open(league.url)
    games = "[...document.querySelectorAll('.facts div')].find(one => one.textContent.includes('games')).textContent"
    before = page.run(games)
    page.run("window.isSame = true; document.querySelector('details').open = true")

    with closing(Book(played.store)) as book:
        play_on_paper(played.folder, book, 3, seed="more")

    page.wait_for(f"{games} !== {json.dumps(before)}")
    assert page.run("window.isSame && document.querySelector('details').open")


def test_the_ladder_is_sorted(browser: Browser, league: LeagueProcess) -> None:
    """A heading sorts by its column, down, then up, then as it was; bands are hidden meanwhile."""
    page = browser.open(league.url)
    games = "[...document.querySelectorAll('.ladder td.games')].map(one => +one.textContent.replace(',', ''))"
    bands = "[...document.querySelectorAll('.ladder .band')].filter(one => !one.hidden).length"
    press = "document.querySelector('.ladder thead .games button').click()"
    original, shown = page.run(games), page.run(bands)

    found = []
    for _ in range(3):
        page.run(press)
        found.append((page.run(games), page.run(bands)))

    assert found == [(sorted(original, reverse=True), 0), (sorted(original), 0), (original, shown)]


@pytest.mark.long
def test_an_upload(browser: Browser, league: LeagueProcess, played: PlayedLeague, tmp_path: Path) -> None:
    """A student logs in, chooses an archive, and sees what becomes of it."""
    archive = tmp_path / "crow.tar"
    archive.write_bytes(make_bot_tar())
    page = log_in(browser, league, played.tokens["ada"])
    page.go(f"{league.url}/submit")
    root = page.call("DOM.getDocument")["root"]["nodeId"]
    field = page.call("DOM.querySelector", nodeId=root, selector="[name=archive]")["nodeId"]
    page.call("DOM.setFileInputFiles", files=[str(archive)], nodeId=field)
    page.run("document.querySelector('[name=bot]').value = 'crow'; document.getElementById('upload').requestSubmit()")

    page.wait_for("location.pathname.startsWith('/versions/')")
    page.wait_for("document.querySelector('.state')?.textContent === 'placing'")

    assert page.run("document.querySelector('h1').textContent").startswith("crow@1 by ada")


def test_a_refused_upload(browser: Browser, league: LeagueProcess, played: PlayedLeague, tmp_path: Path) -> None:
    """The page of an upload that is refused says why."""
    archive = tmp_path / "crow.tar"
    archive.write_bytes(b"no archive")
    page = log_in(browser, league, played.tokens["ada"])
    page.go(f"{league.url}/submit")
    root = page.call("DOM.getDocument")["root"]["nodeId"]
    field = page.call("DOM.querySelector", nodeId=root, selector="[name=archive]")["nodeId"]
    page.call("DOM.setFileInputFiles", files=[str(archive)], nodeId=field)
    page.run("document.querySelector('[name=bot]').value = 'dove'; document.getElementById('upload').requestSubmit()")

    said = page.wait_for("document.querySelector('.said.error')?.textContent")

    assert said.startswith("Refused: ")


def test_a_folder_is_packed(browser: Browser, league: LeagueProcess) -> None:
    """The script makes an archive of a folder: what is hidden or was built is not in it."""
    files = {
        "bot/bot.toml": "command = []",
        "bot/src/main.py": "x" * 1_000,
        "bot/.git/config": "hidden",
        "bot/build/out": "built",
        f"bot/{'d' * 90}/{'f' * 60}.py": "long",
        "bot/päth.txt": "",
    }
    page = browser.open(f"{league.url}/rules")
    encoded = page.run(
        f"""(async () => {{
            const {{ packFolder }} = await import("/static/tar.js");
            const files = Object.entries({json.dumps(files)}).map(([path, text]) => {{
                const file = new File([text], path.split("/").at(-1));
                Object.defineProperty(file, "webkitRelativePath", {{ value: path }});
                return file;
            }});
            const bytes = new Uint8Array(await (await packFolder(files)).arrayBuffer());
            return btoa(String.fromCharCode(...bytes));
        }})()"""
    )

    with tarfile.open(fileobj=io.BytesIO(base64.b64decode(encoded))) as archive:
        found = {}
        for member in archive:
            content = archive.extractfile(member)
            assert content is not None
            found[f"bot/{member.name}"] = content.read().decode()
    assert found == {path: text for path, text in files.items() if "/.git" not in path and "/build" not in path}
