"""The build hook: which modules it compiles."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from hatch_build import COMPILED, LEFT_OUT, declare_structs, is_compiled, translate_modules

from tests import ROOT
from tests.compiled import SOURCE_FOLDERS, iter_wheel_paths


@pytest.mark.parametrize("pattern", COMPILED)
def test_a_pattern_of_modules(pattern: str) -> None:
    """Each pattern of the build hook compiles some module: none is left from a module that was renamed."""
    assert any(fnmatchcase(path, pattern) and is_compiled(path) for path in iter_wheel_paths())


@pytest.mark.parametrize("pattern", LEFT_OUT)
def test_a_pattern_of_names(pattern: str) -> None:
    """Each pattern of left-out names is needed: some module would be compiled without it."""
    others = [other for other in LEFT_OUT if other != pattern]
    in_packages = [path for path in iter_wheel_paths() if any(fnmatchcase(path, one) for one in COMPILED)]
    names = [path.rpartition("/")[2] for path in in_packages]

    assert any(fnmatchcase(name, pattern) and not any(fnmatchcase(name, one) for one in others) for name in names)


def test_programs_and_hooks() -> None:
    """A file that is run by its path, and one with hooks, stay Python."""
    in_processes = ("processes/reaper.py", "processes/landlock_launcher.py")
    run_by_path = (*in_processes, "doctor/sandbox_probe.py", "cli/__main__.py")

    assert not any(is_compiled(f"pitboss_tournament/{path}") for path in run_by_path)
    assert not is_compiled("pitboss_house_bots/plugin.py")


def test_classes_with_slots() -> None:
    """Classes with slots become C structs if their bases do; other classes stay as they are."""
    sources = {
        "deck.cards": 'class Card:\n    __slots__ = ("face", "suit")\n\n\nclass Pack:\n    size = 52\n',
        "deck.jokers": (
            "from deck.cards import Card, Pack\n\n\n"
            'class Joker(Card):\n    __slots__ = ("colour",)\n\n\n'
            'class Piquet(Pack):\n    __slots__ = ("low",)\n\n\n'
            'class SmallPiquet(Piquet):\n    __slots__ = ("lowest",)\n\n\n'
            'class Wild(Joker):\n    __slots__ = ("stands_for",)\n'
        ),
        "deck.plain": "class Plain:\n    pass\n\n\nclass Made:\n    __slots__ = tuple(NAMES)\n",
    }

    assert dict(declare_structs(sources)) == {
        "deck.cards": "cdef class Card:\n    cdef public object face, suit\n",
        "deck.jokers": (
            "from deck.cards cimport Card\n"
            "cdef class Joker(Card):\n    cdef public object colour\n"
            "cdef class Wild(Joker):\n    cdef public object stands_for\n"
        ),
    }


def test_structs_are_made_by_their_own_class() -> None:
    """C structs refuse `object.__new__(Class)`, which Python lets pass."""
    files = [file for folder in SOURCE_FOLDERS for file in folder.rglob("*.py") if is_compiled_file(file, folder)]

    assert files
    assert not [file for file in files if re.search(r"object\.__new__\(\w+\)", file.read_text())]


def is_compiled_file(file: Path, folder: Path) -> bool:
    """Return whether a source of a distribution is compiled."""
    return is_compiled(file.relative_to(folder).as_posix())


@pytest.mark.long
@pytest.mark.once
@pytest.mark.parametrize(
    "folder",
    [
        pytest.param(folder, marks=() if folder.name == "racko" else pytest.mark.long, id=folder.name)
        for folder in sorted(ROOT.glob("plugins/*"))
    ],
)
def test_the_modules_of_a_game(folder: Path, tmp_path: Path) -> None:
    """Cython takes the modules of a game as they are; `tox -e compiled` does the rest."""
    pytest.importorskip("Cython")
    pytest.importorskip("setuptools")
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    paths = [
        str(file.relative_to(tmp_path)) for file in sorted(tmp_path.rglob("*.py")) if is_compiled_file(file, tmp_path)
    ]

    made = [extension.sources for extension in translate_modules(tmp_path, paths)]
    assert made == [[f"{path.removesuffix('.py')}.c"] for path in paths]


@pytest.mark.once
@pytest.mark.long
def test_the_commands_of_the_page(tmp_path: Path) -> None:
    """The commands of docs/speed.md install compiled modules, and the command that it names for a check
    confirms that.
    """
    page = (ROOT / "docs" / "speed.md").read_text()
    [install] = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
    [first, check] = re.findall(r"`(pip install hatchling|python -m tests\.compiled)`", page)
    shutil.copytree(ROOT, tmp_path / "copy", ignore=shutil.ignore_patterns(".*", "__pycache__", "build"))
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    env = {**os.environ, "PATH": f"{tmp_path}/venv/bin:{os.environ['PATH']}", "PYTHONPATH": ""}

    script = f"set -e\n{install}\n{first}\n{check}\n"
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path / "copy", env=env, capture_output=True, check=False)

    assert (done.returncode, done.stdout.decode().splitlines()[-1].endswith(" modules are compiled")) == (0, True)
