"""The pictures of README and docs: each that a page names is there and small, and none is kept that no page names."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from tests import ROOT
from tests.pictures import LARGEST_BYTES, STATIC

PICTURE: Final = re.compile(r"!\[(?P<words>[^\]]*)\]\((?P<path>[^)]+)\)")


def list_named_pictures() -> list[tuple[Path, str]]:
    """Return the file and the words of each picture that README or docs show."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    return [
        ((page.parent / found["path"]).resolve(), found["words"])
        for page in pages
        for found in PICTURE.finditer(page.read_text(encoding="utf-8"))
    ]


def test_pictures_that_pages_name() -> None:
    """Each picture that a page names is there, is small, and has words for those who cannot see it; README has two or
    more.
    """
    named = list_named_pictures()

    assert len({file for file, _ in named}) >= 3
    assert [file for file, words in named if not file.is_file() or not words] == []
    assert [file for file, _ in named if file.stat().st_size >= LARGEST_BYTES] == []


def test_pictures_that_are_kept() -> None:
    """No picture is kept that no page shows."""
    shown = {file for file, _ in list_named_pictures()}

    assert {file for file in STATIC.iterdir() if file.suffix in (".png", ".svg", ".webp")} == shown
