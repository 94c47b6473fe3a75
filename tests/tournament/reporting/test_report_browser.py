"""A report in a real browser, on a screen as narrow as a phone's.

Nothing is wider than it, no text is cut, the console is silent, no attack runs.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path
from typing import Any, Final

import pytest

from pitboss_tournament.reporting.games_page import render_table_page
from pitboss_tournament.reporting.games_table import GameInput, GamesTable, StoreRecords, make_games_table
from pitboss_tournament.reporting.page import render_report
from pitboss_tournament.store.store import Store
from tests.plugins import load_registry
from tests.tournament.games_stores import FieldBot, write_game
from tests.tournament.report_stores import ATTACK, write_hostile_store, write_tournament_store

pytestmark = pytest.mark.once

CHROMIUM: Final = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS: Final = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--virtual-time-budget=5000",  # until the frames are drawn
    "--allow-file-access-from-files",
    "--enable-logging=stderr",
    "--v=0",
]
WIDTH: Final = 390

INSPECTION_SCRIPT: Final = """
function look(frame) {
  const page = frame.contentDocument, clipped = [], small = [];
  for (const text of page.querySelectorAll('svg text')) {
    const box = text.getBoundingClientRect();
    if (box.left < -0.5 || box.right > WIDTH + 0.5) clipped.push(text.textContent);
    if (parseFloat(frame.contentWindow.getComputedStyle(text).fontSize) < 12) small.push(text.textContent);
  }
  const said = [...page.querySelectorAll('svg')].flatMap(svg => {
    const words = [...svg.querySelectorAll('text')].map(text => [text.textContent, text.getBoundingClientRect()]);
    return words.flatMap(([one, a], at) => words.slice(at + 1).filter(([, b]) =>
      a.left < b.right && b.left < a.right && a.top + 3 < b.bottom && b.top + 3 < a.bottom)
      .map(([other]) => one + ' / ' + other));
  });
  const boxes = [...page.querySelectorAll('.scroll')].map(box => [box.scrollWidth > box.clientWidth,
    frame.contentWindow.getComputedStyle(box.querySelector('caption span'), '::after').content.includes('scrolls')]);
  return {boxes, width: page.documentElement.scrollWidth, heading: page.querySelector('h1').textContent, clipped, small,
    overlapping: said, images: page.images.length, scripts: page.scripts.length, opened: page.title};
}
onload = () => { unfold(); requestAnimationFrame(() => requestAnimationFrame(report)); };
function unfold() {
  for (const frame of document.querySelectorAll('iframe'))
    for (const fold of frame.contentDocument.querySelectorAll('details')) fold.open = true;
}
function report() { document.body.textContent = JSON.stringify([...document.querySelectorAll('iframe')].map(look)); }
"""


@pytest.mark.long
@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here (Debian: chromium)")
def test_on_a_phone(tmp_path: Path) -> None:
    """A tournament of six, one of thirty, one of attacks in all texts, and a table of several games fit a phone
    with all folds open; no two labels lie on each other, and tables that scroll sideways, and only those, say so.
    """
    stores = [
        write_tournament_store(tmp_path, 6, 4, 30),
        write_tournament_store(tmp_path, 30, 2, 435),
        write_hostile_store(tmp_path),
    ]
    pages = [*(render_report(Store(path)) for path in stores), render_table_page(tabulate_field(tmp_path))]
    for number, page in enumerate(pages):
        (tmp_path / f"{number}.html").write_text(page, encoding="utf-8")
    frames = "".join(
        f'<iframe src="{number}.html" style="width: {WIDTH}px; height: 9000px; border: 0"></iframe>'
        for number in range(len(pages))
    )
    (tmp_path / "frames.html").write_text(
        f"<script>{INSPECTION_SCRIPT.replace('WIDTH', str(WIDTH))}</script>{frames}", encoding="utf-8"
    )

    seen, console = open_in_browser(tmp_path / "frames.html", tmp_path / "profile")

    assert console == []
    for page_seen in seen:
        assert page_seen["width"] <= WIDTH
        assert (page_seen["small"], page_seen["overlapping"], page_seen["clipped"]) == ([], [], [])
        assert [True, True] in page_seen["boxes"]  # it scrolls sideways, and says so
        assert all(scrolls == says_so for scrolls, says_so in page_seen["boxes"])
        assert (page_seen["images"], page_seen["scripts"]) == (0, 0)
        assert page_seen["opened"] == page_seen["heading"]


def tabulate_field(folder: Path) -> GamesTable:
    """Return a table of two games, in which names are attacks, or long."""
    safe = ATTACK.replace("\ud800", "")
    field = {
        safe: FieldBot(0.5, {"prompt.md": safe}, safe, answers={"chosen": 2}),
        "b" * 200: FieldBot(),
        "ann": FieldBot(0.2),
    }
    paths = [write_game(folder / f"{number}.pitboss", game, field) for number, game in enumerate((safe, "g" * 200))]
    records = [StoreRecords(path=str(path), games=1, digest="d" * 64, commands=[safe]) for path in paths]
    inputs = [GameInput(Store(path), [one]) for path, one in zip(paths, records, strict=True)]
    return make_games_table(inputs, load_registry())


def open_in_browser(path: Path, profile: Path) -> tuple[list[Any], list[str]]:
    """Open a page, and return what it came to say, and the lines of its console."""
    assert CHROMIUM is not None
    command = [CHROMIUM, *FLAGS, f"--user-data-dir={profile}", "--dump-dom", path.as_uri()]
    ran = subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", errors="replace", timeout=120, check=False
    )
    found = re.search(r"<body>(\[.*\])</body>", ran.stdout, re.DOTALL)
    assert found, f"{ran.stdout[-500:]}\n{ran.stderr[-500:]}"
    return json.loads(unescape(found[1])), [line for line in ran.stderr.splitlines() if "CONSOLE" in line]
