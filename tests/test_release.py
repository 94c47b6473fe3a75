"""What a release is made of: one version, all games. `python -m tests.release` builds and tries it."""

from __future__ import annotations

import re
import tomllib
from typing import Final

import pytest

from tests import ROOT
from tests.release import PROJECTS, find_version_faults, read_project, set_version, write_version

WORKFLOW: Final = (ROOT / ".github/workflows/release.yml").read_text("utf-8")


def test_each_distribution_has_the_version() -> None:
    """Each project has the version of the code, and `pitboss` requires pitboss-core and every game at that version."""
    assert len(PROJECTS) >= 18
    assert [*find_version_faults()] == []


def test_each_game_requires_the_core() -> None:
    """No game and no adapter requires `pitboss`: that would require all games in turn."""
    for project in PROJECTS[1:]:
        required = read_project(project)["dependencies"]

        assert any(line.startswith("pitboss-core>=") for line in required), project
        assert not any(line.startswith(("pitboss>", "pitboss=", "pitboss[")) for line in required), project


def test_extras_are_those_of_the_core() -> None:
    """`pitboss[web]` is `pitboss-core[web]`, and so is each other extra."""
    extras = read_project(ROOT / "distribution")["optional-dependencies"]

    assert extras == {name: [f"pitboss-core[{name}]"] for name in read_project(ROOT)["optional-dependencies"]}


def test_one_distribution_has_the_command() -> None:
    """`pitboss` declares the command: uv and pipx offer it then. A second owner would take it along when it goes."""
    assert read_project(ROOT / "distribution")["scripts"] == {"pitboss": "pitboss_tournament.cli:main"}
    assert "scripts" not in read_project(ROOT)


def test_a_version_is_written_wherever_it_stands() -> None:
    """The version of the project and the fixed versions of Pitboss's own distributions change, and nothing else."""
    text = (ROOT / "distribution/pyproject.toml").read_text("utf-8")
    before, after = tomllib.loads(text), tomllib.loads(write_version(text, "7.8.9"))

    assert after["project"].pop("version") == "7.8.9"
    assert {line[-5:] for line in after["project"].pop("dependencies")} == {"7.8.9"}
    del before["project"]["version"], before["project"]["dependencies"]
    assert after == before


@pytest.mark.parametrize("word", ["1.0", "v1.0.0", "1.0.0\n", ""])
def test_what_is_no_version(word: str) -> None:
    """A word that is no version changes nothing."""
    assert set_version(word) == 1


def test_the_workflow_publishes_what_was_tried() -> None:
    """The workflow runs the command of RELEASING.md; the job that publishes is trusted, and knows no secret."""
    assert "python -m tests.release dist" in WORKFLOW
    assert "id-token: write" in WORKFLOW
    assert "secrets." not in WORKFLOW


@pytest.mark.parametrize("name", ["tox.ini", "Makefile", "docker/Dockerfile"])
def test_a_folder_is_installed_by_its_path(name: str) -> None:
    """No folder of the repository is installed by a bare word: pip would take the project of that name on the index."""
    text = (ROOT / name).read_text("utf-8")
    words = {word for line in text.splitlines() if re.search(r"pip (install|wheel)", line) for word in line.split()}
    folders = {path.name for path in ROOT.iterdir() if path.is_dir()}

    assert words
    assert words & folders == set()
