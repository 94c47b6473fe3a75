"""Certificates on paper: as many pages as places, on A4 and Letter, with names of any length and script."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from pitboss.records.record import dumps
from pitboss_tournament.processes.logs import compress_text
from pitboss_tournament.reporting.certificates import render_certificates
from pitboss_tournament.store.header import make_header
from pitboss_tournament.store.store import Store
from tests.browser.chromium import Browser
from tests.tournament.random_results import draw_result, make_random_plan, play_drawn
from tests.tournament.report_stores import make_record

pytestmark = pytest.mark.once

PAPERS: Final = {"A4": (8.27, 11.69), "Letter": (8.5, 11.0)}  # inches
NAMES: Final = ("Ann", "W" * 40, "Zwei Asse im Ärmel und kein Glück heute!", "深蓝团队" * 10, "فريق الصقور " * 3 + "لا")
OUTSIDE_JS: Final = """[...document.querySelectorAll('.certificate')].filter((page) =>
  page.scrollHeight > page.clientHeight + 1 || page.scrollWidth > page.clientWidth + 1 ||
  [...page.children].some((one, at) => at && one.getBoundingClientRect().top <
    page.children[at - 1].getBoundingClientRect().bottom - 1)).length"""


def test_a_page_for_each(tmp_path: Path, browser: Browser) -> None:
    """A certificate fills one sheet on its side; nothing leaves it or lies over something else."""
    made = make_random_plan("round-robin", bots=len(NAMES), seats=2)
    header = make_header(made, "1", "0.1")
    entries = [replace(entry, name=name) for entry, name in zip(header.entries, NAMES, strict=True)]
    title = "The Great Autumn Hackathon of Card-playing Programs, Berlin and Leipzig"
    store = Store.for_run(tmp_path / "x.pitboss", replace(header, entries=entries, title=title))
    games = [draw_result(slot) for slot in play_drawn(made)[1]]
    store.add([(game, compress_text(dumps(make_record(game))), ()) for game in games])
    store.close()
    (tmp_path / "x.html").write_text(render_certificates(Store(tmp_path / "x.pitboss")), "utf-8")
    page = browser.open((tmp_path / "x.html").as_uri(), 1123, height=794)

    assert page.run("document.querySelectorAll('.certificate').length") == len(NAMES)
    for width, height in PAPERS.values():
        printed = page.call("Page.printToPDF", paperWidth=width, paperHeight=height, printBackground=True)
        pages = re.findall(rb"/MediaBox\s*\[0 0 (\d+)\S* (\d+)", base64.b64decode(printed["data"]))
        assert [(int(one), int(other)) for one, other in pages] == [(int(height * 72), int(width * 72))] * len(NAMES)
        page.call("Emulation.setEmulatedMedia", media="print")
        page.call(
            "Emulation.setDeviceMetricsOverride",
            width=int(height * 96),
            height=int(width * 96),
            deviceScaleFactor=1,
            mobile=False,
        )
        assert page.run(OUTSIDE_JS) == 0
