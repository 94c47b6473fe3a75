"""Build the wheels and sdists of Pitboss and its games, install them in a fresh environment, and play there, outside
the checkout.

    python -m tests.wheels [FOLDER]

They are left in FOLDER, by default in dist/. Each wheel is built from the sdist. The exit status is not 0 if anything
fails.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import venv
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from pitboss import __version__
from tests import ROOT

SOURCES: Final = (
    ROOT,
    ROOT / "distribution",
    *sorted(path.parent for place in ("plugins", "adapters") for path in ROOT.glob(f"{place}/*/pyproject.toml")),
)
COMMANDS: Final = (
    "games",
    "new bot python first --game racko",
    "match racko first house:racko --deals 2 -o max_rounds=1 --seed wheels --store wheels.pitboss",
    "standings wheels.pitboss",
    "report wheels.pitboss --output report.html",
    "replay wheels.pitboss --check",
)


def build_wheels(folder: Path) -> list[Path]:
    """Build the sdists and, from them, the wheels into an empty folder; return the wheels."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for source in SOURCES:
        run_hatchling(source, "sdist", folder)
    with TemporaryDirectory(prefix="pitboss-sdists-") as unpacked:
        for sdist in sorted(folder.glob("*.tar.gz")):
            with tarfile.open(sdist) as archive:
                archive.extractall(unpacked, filter="data")
            run_hatchling(Path(unpacked, sdist.name.removesuffix(".tar.gz")), "wheel", folder)
    return sorted(folder.glob("*.whl"))


def run_hatchling(source: Path, target: str, folder: Path) -> None:
    """Build one target of a project, as pip would, by the hatchling of this environment."""
    words = (sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", str(folder))
    subprocess.run(words, check=True, cwd=source, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def try_wheels(dist: Path, folder: Path) -> None:
    """Install Pitboss with all games in a fresh environment, and run the commands of a first hour with it."""
    venv.create(folder / "env", with_pip=True)
    programs = folder / "env" / "bin"
    constraints = ("--constraint", str(ROOT / "constraints.txt"))
    words = ("--find-links", str(dist), f"pitboss=={__version__}")
    subprocess.run([programs / "pip", "install", "--quiet", *constraints, *words], check=True, cwd=folder)
    for command in COMMANDS:
        print(f"$ pitboss {command}", flush=True)
        subprocess.run([programs / "pitboss", *command.split()], check=True, cwd=folder)


def main(words: Sequence[str]) -> None:
    """Build, install, play."""
    dist = (Path(words[0]) if words else ROOT / "dist").resolve()
    print(*(wheel.name for wheel in build_wheels(dist)), sep="\n")
    with TemporaryDirectory(prefix="pitboss-wheels-") as folder:
        try_wheels(dist, Path(folder))


if __name__ == "__main__":
    main(sys.argv[1:])
