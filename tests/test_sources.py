"""The sources as others use them: packages that are typed, and tests that run with pytest alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

import pitboss

ROOT: Final = Path(__file__).parents[1]


def test_packages_are_typed() -> None:
    """`tox -e types` runs mypy on a plugin and a bot against the built wheel."""
    packages = [*ROOT.glob("*/pitboss*/__init__.py"), *ROOT.glob("plugins/*/pitboss_*/__init__.py")]

    assert len(packages) >= 8
    assert [path.parent.name for path in packages if not (path.parent / "py.typed").is_file()] == []


def test_the_changelog_is_by_version() -> None:
    """The newest version is that of the code, and each has its changes under Added, Changed and Fixed only."""
    lines = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
    versions = [line.removeprefix("## ") for line in lines if line.startswith("## ")]

    assert versions[0].split()[0] == pitboss.__version__
    assert {line.removeprefix("### ") for line in lines if line.startswith("### ")} <= {"Added", "Changed", "Fixed"}


@pytest.mark.once
def test_bare_pytest() -> None:
    """Tests run where pytest-xdist is missing."""
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", "tests/test_sources.py"]
    ran = subprocess.run([*words, "-k", "typed"], cwd=ROOT, capture_output=True, text=True, check=False)

    assert (ran.returncode, "1 passed" in ran.stdout) == (0, True), ran.stdout + ran.stderr
