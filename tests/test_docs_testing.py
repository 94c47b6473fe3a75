"""The page about tests tells the truth: its commands run, its tests pass, and what it shows is what is told."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests import ROOT
from tests.test_author_pages import EXAMPLE, make_pattern, register_crazy_eights
from tests.tournament.command_line import run_pitboss

PAGE: Final = (ROOT / "docs/testing.md").read_text(encoding="utf-8")
LISTINGS: Final = re.findall(r"<!-- file: test_eights.py -->\n```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.once
@pytest.mark.long
def test_the_page_about_tests(tmp_path: Path) -> None:
    """All listings are one file of tests, which pass beside the records that the commands make."""
    register_crazy_eights(tmp_path)
    (tmp_path / "test_eights.py").write_text("\n\n".join(LISTINGS), encoding="utf-8")
    folders = [str(tmp_path), str(EXAMPLE), *filter(None, [os.environ.get("PYTHONPATH")])]
    env = {"PYTHONPATH": os.pathsep.join(folders)}

    for command in re.findall(r"^\$ pitboss (.+)$", PAGE, re.MULTILINE):
        ran = run_pitboss(*shlex.split(command), cwd=tmp_path, env=env)
        assert ran.status == 0, ran.err
    tests = [sys.executable, "-m", "pytest", "-q", "-c", os.devnull, "-p", "no:cacheprovider", "test_eights.py"]
    ran_tests = subprocess.run(
        tests, cwd=tmp_path, env={**os.environ, **env}, capture_output=True, text=True, check=False
    )

    count = sum(text.count("\ndef test_") + text.startswith("def test_") for text in LISTINGS)
    assert f"{count} passed" in ran_tests.stdout, ran_tests.stdout
    [told] = re.findall(r"```text\n(.*?)\n```", PAGE, re.DOTALL)
    assert re.match(make_pattern(told), (tmp_path / "told.txt").read_text())
