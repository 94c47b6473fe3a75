"""docs/loadouts.md tells the truth: its files are written, its commands run, and its listings are those of the game."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Final

import pytest

from pitboss.protocol.messages import Start
from tests import ROOT
from tests.duel_plugin import install_duel
from tests.test_readme import STEP
from tests.tournament.command_line import run_pitboss

PAGE: Final = (ROOT / "docs/loadouts.md").read_text(encoding="utf-8")
LISTINGS: Final = re.findall(r"<!-- from: (\S+) -->\n```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.once
def test_the_steps_of_the_page(tmp_path: Path) -> None:
    """Each command ends with status 0, or the one that is said, in a folder that holds what the page has put there."""
    env = install_duel(tmp_path / "site")
    said = []
    for step in STEP.finditer(PAGE):
        if step["file"]:
            (tmp_path / step["file"]).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / step["file"]).write_text(step["text"], encoding="utf-8")
            continue
        program, *words = shlex.split(step["command"])
        ran = run_pitboss(*words, cwd=tmp_path, env=env)
        assert (program, ran.status) == ("pitboss", int(step["status"] or 0)), f"{words}\n{ran.out}{ran.err}"
        said.append(ran.out + ran.err)

    first, wrong, _, report = said
    assert "bee+late" in first and "bee+rush" in first
    assert "it has 3 cards 'fox'; 1 to 2 are allowed; it has 3 cards; it must have 10" in " ".join(wrong.split())
    assert "cross.html" in report
    assert 'id="loadouts"' in (tmp_path / "cross.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(("source", "listing"), LISTINGS)
def test_a_listing_is_of_its_source(source: str, listing: str) -> None:
    """Each line of a listing stands in the file that it is from, in this order."""
    lines = iter((ROOT / source).read_text(encoding="utf-8").splitlines())

    assert LISTINGS
    for line in filter(None, listing.splitlines()):
        assert line in lines, line


def test_the_message_of_the_page() -> None:
    """The message that the page shows is one of the protocol, and tells the deck of its own seat alone."""
    [line] = re.findall(r'^\{"type":"start".*\}$', PAGE, re.MULTILINE)
    plain = json.loads(line)

    assert set(plain) - {"type"} <= set(Start.__struct_fields__)
    assert plain["loadouts"][1 - plain["seat"]] is None
    assert sum(plain["loadouts"][plain["seat"]]["cards"].values()) == 10
