"""`pitboss new game`: each kind plays at once, keeps every promise, and passes its own tests; what is refused."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final, get_args

import pytest

from pitboss_tournament.authoring.game_templates import COMMON_FOLDER, GAMES_FOLDER, GameKind, NewGame
from tests.mistakes import each_mistake
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once

KINDS: Final = get_args(GameKind)
MAX_LINES: Final = 100
SMALL_CHECK: Final = ("--seats", "2", "--games", "1", "--seconds", "0")


def install_in_place(folder: Path, name: str, module: str) -> dict[str, str]:
    """Make a new game's folder look installed, as `pip install --editable` would; return the environment."""
    info = folder / f"pitboss_{module}-0.1.0.dist-info"
    info.mkdir()
    rules = (folder / "RULES.md").read_text()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: pitboss-{name}\nVersion: 0.1.0\n\n{rules}")
    (info / "entry_points.txt").write_text(f"[pitboss]\n{name} = {module}\n")
    return {"PYTHONPATH": os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])}


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_a_new_game(tmp_path: Path, kind: str) -> None:
    """The next steps of a new game are printed, and work: the game is checked, bots play its tournament, and its tests
    pass.
    """
    made = run_pitboss("new", "game", "four-winds", "--kind", kind, "--into", "games", cwd=tmp_path)
    folder = tmp_path / "games/four-winds"
    env = install_in_place(folder, "four-winds", "four_winds")

    assert made.status == 0, made.err
    assert made.out.splitlines() == [
        f"games/four-winds is a game of {kind}: games/four-winds/four_winds.py, its rules, its tests and a tournament.",
        "",
        f"  install it         {sys.executable} -m pip install --editable games/four-winds",
        "  check it           pitboss check-game four-winds",
        "  let bots play it   pitboss run games/four-winds/tournament.toml",
        "  play it yourself   pitboss play four-winds --against house:random",
    ]
    assert sorted(path.name for path in folder.iterdir() if path.is_file()) == [
        "RULES.md",
        "four_winds.py",
        "pyproject.toml",
        "test_four_winds.py",
        "tournament.toml",
    ]
    if kind == "dice":  # the tests below check each kind
        ran = run_pitboss("check-game", "four-winds", *SMALL_CHECK, cwd=tmp_path, env=env)
        assert ran.status == 0, ran.out
    ran = run_pitboss("match", "four-winds", "house:random", "house:first", "--deals", "2", cwd=tmp_path, env=env)
    assert ran.status == 0, ran.err
    tests = [sys.executable, "-m", "pytest", "-q", "-c", os.devnull, "-p", "no:cacheprovider", str(folder)]
    passed = subprocess.run(tests, env={**os.environ, **env}, capture_output=True, text=True, check=False)
    assert "2 passed" in passed.stdout, passed.stdout
    assert run_pitboss("rules", "four-winds", env=env).out.startswith("# Four Winds")


@pytest.mark.long
def test_a_tournament_of_a_new_game(tmp_path: Path) -> None:
    """The tournament file of a new game is played to the end."""
    assert run_pitboss("new", "game", "dicey", "--kind", "dice", cwd=tmp_path).status == 0
    env = install_in_place(tmp_path / "dicey", "dicey", "dicey")
    file = tmp_path / "dicey/tournament.toml"
    file.write_text(file.read_text().replace("deals = 20", "deals = 1"))

    ran = run_pitboss("run", str(file), cwd=tmp_path, env=env)
    assert ran.status == 0, ran.err


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_template_promises(kind: str) -> None:
    """The module of a template has a hundred lines at most, and no name of the template is left in what is made from
    it.
    """
    files = [*(GAMES_FOLDER / kind).iterdir(), *(GAMES_FOLDER / COMMON_FOLDER).iterdir()]
    texts = {path.name: path.read_text() for path in files if path.is_file()}
    new = NewGame(name="x1-y", kind=kind, into=Path())  # type: ignore[arg-type]

    assert len(texts["newgame.py"].splitlines()) <= MAX_LINES
    for name, text in texts.items():
        assert not re.search("new.?game", new.rename(text), re.IGNORECASE), name


@each_mistake(__file__)
def test_what_is_refused(tmp_path: Path, written: str, said: str) -> None:
    """A mistake with `new game` is an error that says why, and nothing is made."""
    (tmp_path / "there").mkdir()
    made = run_pitboss("new", "game", written, cwd=tmp_path)

    assert (made.status, made.out) == (2, "")
    assert said in made.err
    assert [path.name for path in tmp_path.rglob("*")] == ["there"]
