"""The page about games of other programs tells the truth: its game is played, checked and followed."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Final

import pytest

from tests import ROOT
from tests.tournament.command_line import install_plugin, run_pitboss

PAGE: Final = (ROOT / "docs" / "foreign.md").read_text(encoding="utf-8")
FILES: Final = dict(re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", PAGE, re.DOTALL))


@pytest.mark.once
def test_the_game_of_the_page(tmp_path: Path) -> None:
    """The commands of the page end well; `check-game` finds nothing wrong, and calls nothing "passed" that it skips."""
    env = install_plugin(tmp_path, "coin", FILES["coin.py"])
    match, check = re.findall(r"^pitboss (.+)$", PAGE, re.MULTILINE)

    played = run_pitboss(*shlex.split(match), cwd=tmp_path, env=env)
    assert played.status == 0, played.err
    assert "Forfeited" not in played.out
    checked = run_pitboss(*shlex.split(check), "--quick", cwd=tmp_path, env=env)
    assert checked.status == 0, checked.out + checked.err
    assert re.search(r"n/a +actions-can-be-numbered", checked.out)
