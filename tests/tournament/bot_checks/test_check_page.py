"""docs/check.md tells the truth: it names every check and every option, and its bot is told what the page says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from pitboss_tournament.bot_checks.suite import EVERY_CHECK
from tests import ROOT
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once

PAGE: Final = (ROOT / "docs" / "check.md").read_text(encoding="utf-8")
QUIET: Final = {"PYTHONUNBUFFERED": ""}


def mask_numbers(text: str) -> str:
    """Return a text in which all numbers, which differ from run to run, and all places where lines are broken are the
    same.
    """
    text = re.sub(r"[\d,]*\d", "N", text)
    return " ".join(re.sub(r"in a bubblewrap sandbox|without a sandbox", "somewhere", " ".join(text.split())).split())


def test_all_checks_are_named() -> None:
    """Each check stands in the table, in its group and in order."""
    rows = re.findall(r"^\| (\w+): [^|]*\| (`.*`) \|$", PAGE, re.MULTILINE)

    assert [(group, name) for group, names in rows for name in re.findall(r"`([a-z0-9-]+)`", names)] == [
        (one.group, one.name) for one in EVERY_CHECK
    ]


@pytest.mark.long
def test_the_buffered_bot_of_the_page(tmp_path: Path) -> None:
    """The check says of the buffered bot what the page shows, word for word but for the numbers."""
    [code] = re.findall(r"<!-- file: mybot.py -->\n```python\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "mybot.py").write_text(code)
    [shown] = re.findall(r"^\$ pitboss check .*-s clock.start_ms=1000\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)

    ran = run_pitboss(
        "check", "python3 mybot.py", "--game", "racko", "-s", "clock.start_ms=1000", cwd=tmp_path, env=QUIET
    )

    assert ran.status == 1
    assert mask_numbers(ran.out) == mask_numbers(shown)


def test_every_option_is_one() -> None:
    """The command knows every option that the page names."""
    known = run_pitboss("check", "--help", env={"COLUMNS": "200"}).out

    assert all(option in known for option in re.findall(r"--[a-z][a-z-]+", PAGE))
