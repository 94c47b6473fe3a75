"""Try the ways in which people install Pitboss: from a folder of wheels, each in a fresh environment.

    python -m tests.ways_in [FOLDER]

FOLDER has the wheels of `python -m tests.wheels`; it is dist/ by default, and built where it is missing. Each way
installs Pitboss, plays a match, adds and removes a plugin with `pitboss install` and `uninstall`, and uninstalls
Pitboss. The ways are pip on each Python from 3.11 to 3.14 that this machine has, `uv tool`, `uvx` and `pipx`. uv and
pipx are installed in an environment of their own. All other packages come from the index that pip and uv are set up
for. The exit status is 1 if a way fails.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
import venv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import pitboss
from tests import ROOT
from tests.wheels import build_wheels

VERSIONS: Final = ("3.11", "3.12", "3.13", "3.14")
WANTED: Final = f"pitboss=={pitboss.__version__}"  # another project has the name on the public index, not the version
MATCH: Final = "match racko house:racko house:random --deals 2 --seed ways"
GAMES: Final = 15
PLUGIN: Final = ROOT / "examples/plugins/pitboss-crazy-eights"
LIMIT_S: Final = 1800  # only a command that hangs takes so long


class Way(NamedTuple):
    """A way to install Pitboss: its commands, and where they put it."""

    name: str
    install: tuple[str, ...]
    command: tuple[str, ...]  # `pitboss`
    uninstall: tuple[str, ...]
    place: Path  # what has to be measured
    keeps_plugins: bool = True


class WayFailed(Exception):
    """A command of a way in has failed, or something is left after it."""


def main(words: Sequence[str]) -> int:
    """Try each way, and print a row for it."""
    dist = (Path(words[0]) if words else ROOT / "dist").resolve()
    if not any(dist.glob("pitboss-*.whl")):
        build_wheels(dist)
    print("| way | seconds to install | MB on the disk | first match |\n|---|---|---|---|", flush=True)
    failed = False
    with TemporaryDirectory(prefix="pitboss-ways-") as folder:
        env = make_environment(Path(folder))
        for way in list_ways(dist, Path(folder)):
            try:
                print(try_way(way, Path(folder), env), flush=True)
            except WayFailed as error:
                failed = True
                print(f"| {way.name} | | | FAILED: {error} |", flush=True)
    for version in VERSIONS:
        if find_python(version) is None:
            print(f"Python {version} is not on this machine: not tried")
    return int(failed)


def make_environment(folder: Path) -> Mapping[str, str]:
    """Return the variables with which uv and pipx keep all that they make in a folder; they are on its PATH."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    places = {"UV_TOOL_DIR": "uv-tools", "UV_TOOL_BIN_DIR": "bin", "UV_CACHE_DIR": "uv-cache", "PIPX_HOME": "pipx"}
    own = {name: str(folder / place) for name, place in places.items()}
    path = os.pathsep.join([str(folder / "bin"), str(folder / "tools/bin"), os.environ["PATH"]])
    return {**kept, **own, "PIPX_BIN_DIR": str(folder / "bin"), "PATH": path, "PYTHONDONTWRITEBYTECODE": "1"}


def list_ways(dist: Path, folder: Path) -> Iterator[Way]:
    """Yield the ways in; those of uv and pipx, once these are installed."""
    for version in VERSIONS:
        if python := find_python(version):
            place = folder / f"env-{version}"
            pip = (str(place / "bin/python"), "-m", "pip")
            yield Way(
                f"pip, Python {version}",
                ("sh", "-c", f"{python} -m venv {place} && {' '.join(pip)} install -q --find-links {dist} {WANTED}"),
                (str(place / "bin/pitboss"),),
                ("sh", "-c", f"{' '.join(pip)} freeze | grep -i ^pitboss | xargs {' '.join(pip)} uninstall -q -y"),
                place,
            )
    tools = folder / "tools"
    venv.create(tools, with_pip=True)
    subprocess.run([tools / "bin/pip", "install", "--quiet", "uv", "pipx"], check=True)
    uv, pipx, found = str(tools / "bin/uv"), str(tools / "bin/pipx"), str(folder / "bin/pitboss")
    yield Way(
        f"uv tool install {WANTED}",
        (uv, "tool", "install", "--quiet", "--find-links", str(dist), "--python", sys.executable, WANTED),
        (found,),
        (uv, "tool", "uninstall", "pitboss"),
        folder / "uv-tools",
    )
    uvx = (uv, "tool", "run", "--quiet", "--find-links", str(dist), "--python", sys.executable, "--from", WANTED)
    yield Way("uvx pitboss", (*uvx, "pitboss", "--version"), (*uvx, "pitboss"), (), folder / "uv-cache", False)
    yield Way(
        f"pipx install {WANTED}",
        (pipx, "install", "--quiet", "--python", sys.executable, f"--pip-args=--find-links {dist}", WANTED),
        (found,),
        (pipx, "uninstall", "pitboss"),
        folder / "pipx",
    )


def find_python(version: str) -> str | None:
    """Return the path of a Python, from the PATH or of pyenv; None if there is none."""
    if path := which(f"python{version}"):
        ran = subprocess.run([path, "-c", "import ensurepip"], capture_output=True, check=False)
        if not ran.returncode:  # a shim of pyenv is there for versions that are not chosen
            return path
    found = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python{version}"))
    return str(found[-1]) if found else None


def try_way(way: Way, folder: Path, env: Mapping[str, str]) -> str:
    """Install, play, add a plugin, remove it, uninstall; return the row of the table.

    Raises:
        WayFailed: a command fails, or says another thing than it should.
    """
    begun = time.perf_counter()
    run(way.install, folder, env)
    seconds = time.perf_counter() - begun
    size = measure_mb(way.place)
    if (found := run((*way.command, "games"), folder, env).count("\n") - 1) != GAMES:
        raise WayFailed(f"{found} games")
    if "Verdict" not in run((*way.command, *MATCH.split()), folder, env):
        raise WayFailed("the match has no verdict")
    for store in folder.glob("*.pitboss*"):
        store.unlink()
    if way.keeps_plugins:
        if "Added: crazy-eights." not in run((*way.command, "install", "-e", str(PLUGIN)), folder, env):
            raise WayFailed("the plugin was not added")
        if "Gone: crazy-eights." not in run((*way.command, "uninstall", "crazy-eights"), folder, env):
            raise WayFailed("the plugin is still there")
        run((*way.command, "plugins", "--check"), folder, env)
        run(way.uninstall, folder, env)
        if Path(way.command[0]).exists():
            raise WayFailed("the command `pitboss` is left after uninstalling")
    return f"| {way.name} | {seconds:.0f} | {size:.0f} | played |"


def run(words: Sequence[str], folder: Path, env: Mapping[str, str]) -> str:
    """Run a command and return what it has printed.

    Raises:
        WayFailed: its status is not 0.
    """
    ran = subprocess.run(
        words,
        cwd=folder,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    if ran.returncode:
        raise WayFailed(
            f"`{' '.join(words)}` ended with status {ran.returncode}: {' '.join(ran.stdout[-500:].split())}"
        )
    return ran.stdout


def measure_mb(place: Path) -> float:
    """Return the size of all files in a folder, hard links counted once."""
    files = {
        one.stat().st_ino: one.stat().st_size for one in place.rglob("*") if one.is_file() and not one.is_symlink()
    }
    return sum(files.values()) / 1e6


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
