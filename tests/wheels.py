"""Build the wheels of Pitboss and its games, install them in a fresh environment, and play there, outside the checkout.

    python -m tests.wheels [FOLDER]

The wheels are left in FOLDER, by default in dist/. The exit status is not 0 if anything fails.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests import ROOT

SOURCES: Final = (ROOT, ROOT / "distribution", *sorted(path.parent for path in ROOT.glob("plugins/*/pyproject.toml")))
COMMANDS: Final = (
    "games",
    "new bot python first --game racko",
    "match racko first house:racko --deals 2 -o max_rounds=1 --seed wheels --store wheels.pitboss",
    "standings wheels.pitboss",
    "report wheels.pitboss --output report.html",
    "replay wheels.pitboss --check",
)


def build_wheels(folder: Path) -> list[Path]:
    """Build the wheels into an empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder))
    subprocess.run([*pip, *map(str, SOURCES)], check=True, cwd=ROOT)
    return sorted(folder.glob("*.whl"))


def try_wheels(wheels: Sequence[Path], folder: Path) -> None:
    """Install wheels in a fresh environment, and run the commands of a first hour with it."""
    venv.create(folder / "env", with_pip=True)
    programs = folder / "env" / "bin"
    constraints = ("--constraint", str(ROOT / "constraints.txt"))
    subprocess.run([programs / "pip", "install", "--quiet", *constraints, *wheels], check=True, cwd=folder)
    for command in COMMANDS:
        print(f"$ pitboss {command}", flush=True)
        subprocess.run([programs / "pitboss", *command.split()], check=True, cwd=folder)


def main(words: Sequence[str]) -> None:
    """Build, install, play."""
    wheels = build_wheels(Path(words[0]) if words else ROOT / "dist")
    print(*(wheel.name for wheel in wheels), sep="\n")
    with TemporaryDirectory(prefix="pitboss-wheels-") as folder:
        try_wheels(wheels, Path(folder))


if __name__ == "__main__":
    main(sys.argv[1:])
