"""The example of a game whose rules are a program: in each language it is built, is right, and is as the page says."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from pitboss.foreign_input import read_json
from tests import ROOT
from tests.marks import first_rows
from tests.tournament.command_line import install_plugin, run_pitboss
from tests.tournament.sandbox_programs import needs_bubblewrap

pytestmark = pytest.mark.once

EXAMPLES: Final = ROOT / "examples/engines"
PAGE: Final = (ROOT / "docs/foreign.md").read_text(encoding="utf-8")
FILES: Final = dict(re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", PAGE, re.DOTALL))
MAX_LINES: Final = 59


class EngineLanguage(NamedTuple):
    """How the example is built and started."""

    file: str
    build: tuple[str, ...]
    command: tuple[str, ...] = ("./high_card",)

    def build_in(self, folder: Path) -> None:
        """Build the example in a folder, without a warning."""
        program = (self.build or self.command)[0]
        if shutil.which(program) is None:
            pytest.skip(f"{self.file} needs {program}")
        shutil.copy(EXAMPLES / self.file, folder)
        if self.build:
            built = subprocess.run(self.build, cwd=folder, capture_output=True, text=True, check=False)
            assert (built.returncode, built.stdout + built.stderr) == (0, "")


JAVASCRIPT: Final = EngineLanguage("high_card.mjs", (), ("node", "high_card.mjs"))
LANGUAGES: Final = (
    EngineLanguage("high_card.cpp", ("c++", "-O2", "-std=c++17", "-Wall", "-o", "high_card", "high_card.cpp")),
    JAVASCRIPT,
    EngineLanguage("high_card.rs", ("rustc", "-O", "--edition", "2021", "high_card.rs")),
)


@first_rows(2)("language", LANGUAGES, ids=lambda language: language.file)
def test_the_messages_of_the_page(language: EngineLanguage, tmp_path: Path) -> None:
    """The program answers as the page shows, whether the lines come one by one or at once."""
    language.build_in(tmp_path)
    lines = FILES["high_card.wire"].splitlines()
    sent = "".join(f"{line[2:]}\n" for line in lines if line.startswith("> "))

    ran = subprocess.run(language.command, cwd=tmp_path, input=sent, capture_output=True, text=True, check=True)

    answers = [read_json(line, dict[str, Any]) for line in ran.stdout.splitlines()]
    assert answers == [read_json(line[2:], dict[str, Any]) for line in lines if line.startswith("< ")]


@first_rows(1)("language", LANGUAGES, ids=lambda language: language.file)
def test_the_example_is_checked(language: EngineLanguage, tmp_path: Path) -> None:
    """`check-game` finds nothing wrong, and calls the checks of worlds passed."""
    env = install_example(language, tmp_path)

    checked = run_pitboss("check-game", "high-card", "--quick", cwd=tmp_path, env=env)

    assert checked.status == 0, checked.out + checked.err
    assert re.search(r"\b0 failed", checked.out)
    for name in ("view-leaks-nothing", "past-is-legal-in-worlds"):
        assert re.search(rf"^ok +{name}:", checked.out, re.MULTILINE)


@pytest.mark.parametrize(
    "is_trusted", [pytest.param(True, marks=pytest.mark.long), pytest.param(False, marks=needs_bubblewrap)]
)
def test_a_search_follows_the_game(*, is_trusted: bool, tmp_path: Path) -> None:
    """`house:search` starts the program in its own sandbox, and searches the worlds of its seat."""
    env = install_example(JAVASCRIPT, tmp_path, "" if is_trusted else ", is_trusted=False")
    words = ("high-card", "house:search", "house:random", "--deals", "1", "-s", "logs.keep=all", "--store", "games")

    played = run_pitboss("match", *words, cwd=tmp_path, env=env)
    logged = run_pitboss("log", "games", "1", cwd=tmp_path, env=env)

    assert played.status == 0, played.err
    assert re.search(r'"note":"\d+ worlds: ', logged.out), logged.out


@pytest.mark.parametrize("file", [language.file for language in LANGUAGES])
def test_an_example_is_short(file: str) -> None:
    """An example is a page long."""
    assert len((EXAMPLES / file).read_text(encoding="utf-8").splitlines()) <= MAX_LINES


def install_example(language: EngineLanguage, folder: Path, more: str = "") -> dict[str, str]:
    """Build the example, and install the plugin of the page for it; return the environment."""
    language.build_in(folder)
    command = '["./high_card"], folder=Path(__file__).parent'
    assert command in FILES["high_card.py"]
    code = FILES["high_card.py"].replace(command, f"{[*language.command]}, folder=Path(__file__).parent{more}")
    return install_plugin(folder, "high_card", code)


def test_the_plugin_of_the_examples() -> None:
    """The plugin beside the examples is that of the page."""
    plugin = (EXAMPLES / "high_card.py").read_text(encoding="utf-8")

    for line in FILES["high_card.py"].splitlines():
        assert line in plugin
