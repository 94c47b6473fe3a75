"""The pages that make a game step by step tell the truth: the game runs at each place where the page says so, what it
prints is what is shown, and what comes out is the example.
"""

from __future__ import annotations

import doctest
import importlib
import os
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple

import pytest

from pitboss import Random
from pitboss.game import resolve_options
from pitboss.simulation.random_play import choose_from, play_on
from pitboss.testing import assert_conforms
from tests import ROOT
from tests.tournament.command_line import run_pitboss

EXAMPLE: Final = ROOT / "examples/plugins/pitboss-crazy-eights"
OMITTED: Final = "…"  # as a line of its own any number of lines
BLOCK: Final = re.compile(
    r"(?:<!-- file: (?P<file>[\w.]+)(?P<inside>, the same class)? -->\n)?```(?P<kind>\w+)\n(?P<text>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)


class PagePlace(NamedTuple):
    """A place of a page: the files as they are there, and a listing of what is typed and printed."""

    files: dict[str, str]
    kind: str  # pycon, console; "" at the end of the page
    text: str


def read_places(page: str, module: str) -> Iterator[PagePlace]:
    """Yield each session and each console of a page; last, its end. A diff changes the module."""
    files: dict[str, str] = {}
    for block in BLOCK.finditer((ROOT / "docs" / page).read_text(encoding="utf-8")):
        kind, text = block["kind"], block["text"]
        if block["file"]:
            between = "" if block["file"] not in files else "\n" if block["inside"] else "\n\n"
            files[block["file"]] = files.get(block["file"], "") + between + text
        elif kind == "diff":
            files[f"{module}.py"] = apply_diff(files[f"{module}.py"], text)
        elif kind in ("pycon", "console"):
            yield PagePlace(dict(files), kind, text)
    yield PagePlace(files, "", "")


def apply_diff(text: str, diff: str) -> str:
    """Return a text with each hunk's new lines in place of the old ones, which stand in one place of the text."""
    for hunk in re.split(r"^@@ .+ @@\n", diff, flags=re.MULTILINE)[1:]:
        lines = hunk.splitlines(keepends=True)
        assert {line[0] for line in lines} <= set(" +-")
        before, after = ("".join(line[1:] for line in lines if line[0] in kept) for kept in (" -", " +"))
        assert text.count(f"\n{before}") == 1, before
        text = text.replace(f"\n{before}", f"\n{after}")
    return text


TUTORIAL: Final = list(read_places("tutorial.md", "crazy_eights"))
MATCHES: Final = list(read_places("matches.md", "five_tricks"))


def import_text(name: str, text: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Import the text of a module under its name, for one test."""
    module = ModuleType(name)
    monkeypatch.setitem(sys.modules, name, module)
    exec(compile(text, f"{name}.py", "exec"), module.__dict__)
    return module


def run_session(text: str) -> str:
    """Run a session; return what it printed otherwise than shown."""
    said: list[str] = []
    session = doctest.DocTestParser().get_doctest(text, {}, "page", None, 0)
    doctest.DocTestRunner(verbose=False).run(session, out=said.append)
    assert session.examples
    return "".join(said)


@pytest.mark.parametrize("file", ["pyproject.toml", "crazy_eights.py"])
def test_what_the_tutorial_makes_is_the_example(file: str) -> None:
    """All listings put together, and the changes made, are the file of the example, byte for byte."""
    assert TUTORIAL[-1].files[file] == (EXAMPLE / file).read_text(encoding="utf-8")


@pytest.mark.parametrize("text", dict.fromkeys(place.files["crazy_eights.py"] for place in TUTORIAL), ids=len)
def test_the_game_of_the_tutorial_runs_after_each_step(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A random game at each table comes to its end."""
    game: Any = import_text("crazy_eights", text, monkeypatch).CrazyEights()

    for seats in game.seats:
        state = game.deal(seats, resolve_options(game, seats), Random("step"))
        play_on(state, choose_from(Random("choices")))
        assert state.turn is None
        assert len(state.outcome().places) == seats


@pytest.mark.parametrize("place", [place for place in TUTORIAL if place.kind == "pycon"])
def test_a_session_of_the_tutorial_prints_what_is_shown(place: PagePlace, monkeypatch: pytest.MonkeyPatch) -> None:
    """A session of the tutorial runs with the game as it is at that place of the page, and prints what the
    page shows.
    """
    import_text("crazy_eights", place.files["crazy_eights.py"], monkeypatch)

    assert run_session(place.text) == ""


def test_the_sessions_about_matches_print_what_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sessions about matches run one after the other, with the whole game, and print what the page shows."""
    import_text("five_tricks", MATCHES[-1].files["five_tricks.py"], monkeypatch)

    assert run_session("\n".join(place.text for place in MATCHES)) == ""


@pytest.mark.once
@pytest.mark.long
def test_the_game_about_matches_conforms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game about matches conforms with partners, in another process too."""
    (tmp_path / "five_tricks.py").write_text(MATCHES[-1].files["five_tricks.py"], encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    game = importlib.import_module("five_tricks").FiveTricks()

    assert_conforms(game, seats=[4], presets=["partners"], games=1)


@pytest.mark.long
@pytest.mark.once
def test_the_commands_of_the_tutorial_print_what_is_shown(tmp_path: Path) -> None:
    """Each command of the tutorial runs in the folder of the page, as it is then, and prints the lines, but for those
    left out.
    """
    register_crazy_eights(tmp_path)
    env = {"PYTHONPATH": os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])}

    for place in TUTORIAL:
        for command, shown in re.findall(r"^\$ pitboss (.+)\n((?:(?!\$ ).*\n)*)", place.text, re.MULTILINE):
            (tmp_path / "crazy_eights.py").write_text(place.files["crazy_eights.py"], encoding="utf-8")
            ran = run_pitboss(*shlex.split(command), cwd=tmp_path, env=env)
            assert ran.status == 0, ran.err
            assert re.fullmatch(make_pattern(shown), ran.out), f"{command}\n{ran.out}"


def register_crazy_eights(folder: Path) -> None:
    """Make the module `crazy_eights` a plugin for each process that has this folder on its path."""
    info = folder / "pitboss_crazy_eights-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pitboss-crazy-eights\nVersion: 0.1.0\n")
    (info / "entry_points.txt").write_text("[pitboss]\ncrazy-eights = crazy_eights\n")


def make_pattern(shown: str) -> str:
    """Return a pattern of what a command prints."""
    lines = shown.splitlines(keepends=True)
    return "".join("(?:.*\n)*?" if line == f"{OMITTED}\n" else re.escape(line).replace(OMITTED, ".*") for line in lines)
