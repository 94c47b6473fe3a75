"""The scripts of the pages: a compiler reads them where it is installed, and finds no mistake."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests import ROOT

pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(shutil.which("tsc") is None, reason="tsc is not installed (Debian: node-typescript)"),
]


def check_scripts(*options: str, folder: Path = ROOT) -> str:
    """Return what the TypeScript compiler has to say of scripts."""
    done = subprocess.run(["tsc", *options], capture_output=True, text=True, cwd=folder, check=False)
    return done.stdout + done.stderr


def test_the_scripts_of_the_pages() -> None:
    """The scripts name only names, properties and arguments that there are, and nothing in them is unused."""
    assert check_scripts("--project", ".") == ""


@pytest.mark.long
def test_a_mistake_is_found(tmp_path: Path) -> None:
    """The check sees a name that is mistyped."""
    shutil.copy(ROOT / "tsconfig.json", tmp_path)
    scripts = tmp_path / "tournament" / "pitboss_tournament" / "web" / "static"
    scripts.mkdir(parents=True)
    (scripts / "x.js").write_text("export const widht = 3;\nexport const area = width * widht;\n")

    assert "Cannot find name 'width'" in check_scripts("--project", ".", folder=tmp_path)
