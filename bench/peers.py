"""Random play-outs of OpenSpiel, RLCard and the installed games of ours, in one run: how many decisions a second.

    python bench/peers.py [--venv FOLDER] [--decisions N] [--runs N]

The others are installed from the package index into an environment of their own, which is kept for the next time; ours run in this process.
Medians of several runs, in which all take turns, so that a drift of the machine's speed meets each. A decision counts with its complete legal list;
"view" adds what the player on turn is shown, "json" the same as JSON. The last columns are ours that is nearest to it, at as many seats and shown as much, and
how many times as fast it is. The games are not the same: it is the order of magnitude that counts.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import venv
from collections.abc import Callable, Iterator
from functools import partial
from math import isnan
from pathlib import Path
from statistics import median
from typing import NamedTuple

from pitboss.plugins import Registry
from playouts import speed

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
THEIRS = Path(__file__).with_name("peer_games.py")


class Ours(NamedTuple):
    """A game of ours at so many seats; `how` as in `playouts.speed`."""

    game: str
    seats: int
    how: str


class Theirs(NamedTuple):
    """A game of another project, what is counted (see `peer_games`), and the game of ours that is nearest to it."""

    package: str
    game: str
    counted: str
    near: Ours


HOW = {"legal": "bare", "view": "view", "json": "json"}
MODULES = {"open_spiel": "pyspiel", "rlcard": "rlcard"}
NEAREST = {
    ("open_spiel", "gin_rummy", "legal view json"): ("rummy", 2),
    ("open_spiel", "hearts", "legal"): ("lucky-maker", 4),
    ("rlcard", "gin-rummy", "legal view"): ("rummy", 2),
    ("rlcard", "uno", "legal view"): ("ragamaru", 2),
}
SUBJECTS = [
    Theirs(package, game, counted, Ours(*near, HOW[counted]))
    for (package, game, all_counted), near in NEAREST.items()
    for counted in all_counted.split()
]


def main() -> None:
    """Install what can be installed, measure, and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--venv", type=Path, default=CACHE / "pitboss-peers", help="where the others are installed (default: %(default)s)"
    )
    parser.add_argument("--decisions", type=int, default=20_000, help="for each figure and run")
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    python = given.venv / "bin" / "python"
    installed = [package for package in MODULES if is_installed(given.venv, package)]
    theirs = [subject for subject in SUBJECTS if subject.package in installed]
    measures: dict[Ours | Theirs, Callable[[], float]] = {one: partial(played_here, one, given.decisions) for one in ours()}
    measures |= {one: partial(played_there, python, one, given.decisions) for one in theirs}
    figures = taken(measures, given.runs)
    print(f"medians of {given.runs} runs of {given.decisions:,} decisions")
    print(f"{'whose':14}{'game':14}{'counted':9}{'a second':>10}   ours nearest to it")
    print("\n".join(lines(figures)))


def ours() -> list[Ours]:
    """Return the installed games of ours: those that are near to another project's as they are compared, others with their fewest players."""
    games = Registry().games
    near = [subject.near for subject in SUBJECTS]
    alone = [Ours(name, game.seats[0], how) for name, game in games.items() for how in ("bare", "view")]
    compared = {one.game for one in near}
    return sorted({one for one in near if one.game in games} | {one for one in alone if one.game not in compared})


def is_installed(folder: Path, package: str) -> bool:
    """Install a package in the environment, if it is not there yet; say so if that cannot be done here."""
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
    use = [str(python), "-c", f"import {MODULES[package]}"]
    if subprocess.run(use, capture_output=True, check=False).returncode == 0:
        return True
    print(f"installing {package} in {folder}", file=sys.stderr)
    for step in ([str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", package], use):
        done = subprocess.run(step, capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"{package} is left out, it cannot be installed here: {last_line(done.stderr)}")
            return False
    return True


def taken(measures: dict[Ours | Theirs, Callable[[], float]], runs: int) -> dict[Ours | Theirs, float]:
    """Return the medians; all are measured once, then all again."""
    seen: dict[Ours | Theirs, list[float]] = {one: [] for one in measures}
    for _ in range(runs):
        for one, measure in measures.items():
            seen[one].append(measure())
    return {one: median(rates) for one, rates in seen.items()}


def played_here(subject: Ours, decisions: int) -> float:
    """Return the decisions a second of a game of ours."""
    return speed(Registry().game(subject.game), subject.seats, decisions, subject.how)


def played_there(python: Path, subject: Theirs, decisions: int) -> float:
    """Return the decisions a second of another project's game; not a number if it fails."""
    words = [str(python), str(THEIRS), *subject[:3], str(decisions)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"{subject.package} {subject.game} failed: {last_line(done.stderr)}")
        return float("nan")
    return float(done.stdout)


def lines(figures: dict[Ours | Theirs, float]) -> Iterator[str]:
    """Yield the table."""
    for subject, rate in figures.items():
        if isinstance(subject, Ours):
            counted = "legal" if subject.how == "bare" else subject.how
            yield line("pitboss", subject.game, counted, rate, f"at {subject.seats} seats")
        else:
            yield line(*subject[:3], rate, beside(subject.near, figures.get(subject.near), rate))


def line(whose: str, game: str, counted: str, rate: float, remark: str) -> str:
    """Return one line of the table."""
    return f"{whose:14}{game:14}{counted:9}{'failed' if isnan(rate) else format(rate, ',.0f'):>10}   {remark}".rstrip()


def beside(near: Ours, ours: float | None, rate: float) -> str:
    """Return how many times as fast ours is."""
    if isnan(rate):
        return ""
    return f"{near.game} {ours / rate:.1f} times" if ours else f"{near.game} is not installed"


def last_line(text: str) -> str:
    """Return the last line of what a program complained."""
    return (text.strip().splitlines() or ["it does not say why"])[-1]


if __name__ == "__main__":
    main()
