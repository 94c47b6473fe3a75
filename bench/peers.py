"""Random play-outs of OpenSpiel, RLCard and the installed games of ours, in one run: how many decisions a second.

    python bench/peers.py [--venv FOLDER] [--decisions N] [--runs N]

The others are installed from the package index into an environment of their own, which is kept for the next time; ours
run in this process. Seconds are those of the processor. Medians of several runs, in which all take turns, so that a
drift of the machine's speed meets each. A decision counts with its complete legal list; "view" adds what the player on
turn is shown, "json" the same as JSON. The last columns are ours that is nearest to it, at as many seats and shown as
much, and how many times as fast it is. The games are not the same: it is the order of magnitude that counts.
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

from pitboss.plugins.registry import Registry
from playouts import measure_speed

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
PEER_SCRIPT = Path(__file__).with_name("peer_games.py")


class OwnGame(NamedTuple):
    """A game of ours with a number of seats; `how` as in `playouts.measure_speed`."""

    game: str
    seats: int
    how: str


class PeerGame(NamedTuple):
    """A game of another project, what is counted (see `peer_games`), and the game of ours that is nearest to it."""

    package: str
    game: str
    counted: str
    near: OwnGame


HOW = {"legal": "bare", "view": "view", "json": "json"}
MODULES = {"open_spiel": "pyspiel", "rlcard": "rlcard"}
NEAREST = {
    ("open_spiel", "bridge", "legal"): ("bridge", 4),
    ("open_spiel", "cribbage", "legal view"): ("cribbage", 2),
    ("open_spiel", "dou_dizhu", "legal view"): ("dou-dizhu", 3),
    ("open_spiel", "crazy_eights", "legal"): ("eights", 5),
    ("open_spiel", "euchre", "legal"): ("euchre", 4),
    ("open_spiel", "gin_rummy", "legal view json"): ("gin-rummy", 2),
    ("open_spiel", "hanabi", "legal"): ("fireworks", 2),
    ("open_spiel", "hearts", "legal"): ("hearts", 4),
    ("open_spiel", "oh_hell", "legal"): ("oh-hell", 3),
    ("open_spiel", "spades", "legal"): ("spades", 4),
    ("rlcard", "bridge", "view"): ("bridge", 4),
    ("rlcard", "doudizhu", "view"): ("dou-dizhu", 3),
    ("rlcard", "gin-rummy", "legal view"): ("gin-rummy", 2),
    ("rlcard", "uno", "legal view"): ("ragamaru", 2),
    ("open_spiel", "no-limit-holdem", "legal view"): ("poker", 2),
    ("open_spiel", "holdem-5-actions", "legal view"): ("poker", 2),
    ("rlcard", "no-limit-holdem", "legal view"): ("poker", 2),
}
PEER_GAMES = [
    PeerGame(package, game, counted, OwnGame(*near, HOW[counted]))
    for (package, game, all_counted), near in NEAREST.items()
    for counted in all_counted.split()
]


def main() -> None:
    """Install what can be installed, measure, and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--venv",
        type=Path,
        default=CACHE / "pitboss-peers",
        help="where the others are installed (default: %(default)s)",
    )
    parser.add_argument("--decisions", type=int, default=20_000, help="for each figure and run")
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    python = given.venv / "bin" / "python"
    installed = [package for package in MODULES if is_installed(given.venv, package)]
    theirs = [subject for subject in PEER_GAMES if subject.package in installed]
    measures: dict[OwnGame | PeerGame, Callable[[], float]] = {
        one: partial(measure_speed, Registry().find_game(one.game), one.seats, given.decisions, one.how)
        for one in list_own_games()
    }
    measures |= {one: partial(measure_peer, python, one, given.decisions) for one in theirs}
    figures = measure_medians(measures, given.runs)
    print(f"medians of {given.runs} runs of {given.decisions:,} decisions")
    print(f"{'whose':14}{'game':17}{'counted':9}{'a second':>10}   ours nearest to it")
    print("\n".join(table_lines(figures)))


def list_own_games() -> list[OwnGame]:
    """Return our games with their seats: as they are compared with a project's, else the fewest that can play."""
    games = Registry().games
    near = [subject.near for subject in PEER_GAMES]
    alone = [OwnGame(name, game.seats[0], how) for name, game in games.items() for how in ("bare", "view")]
    compared = {one.game for one in near}
    return sorted({one for one in near if one.game in games} | {one for one in alone if one.game not in compared})


def is_installed(folder: Path, package: str) -> bool:
    """Install a package in the environment unless it is there; print why if that is not possible."""
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


def measure_medians(
    measures: dict[OwnGame | PeerGame, Callable[[], float]], runs: int
) -> dict[OwnGame | PeerGame, float]:
    """Return the medians of several rounds, in each of which all are measured once."""
    seen: dict[OwnGame | PeerGame, list[float]] = {one: [] for one in measures}
    for _ in range(runs):
        for one, measure in measures.items():
            seen[one].append(measure())
    return {one: median(rates) for one, rates in seen.items()}


def measure_peer(python: Path, game: PeerGame, decisions: int) -> float:
    """Return the decisions a second of another project's game; not a number if it fails."""
    words = [str(python), str(PEER_SCRIPT), *game[:3], str(decisions)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"{game.package} {game.game} failed: {last_line(done.stderr)}")
        return float("nan")
    return float(done.stdout)


def table_lines(figures: dict[OwnGame | PeerGame, float]) -> Iterator[str]:
    """Yield the table."""
    for subject, rate in figures.items():
        if isinstance(subject, OwnGame):
            counted = "legal" if subject.how == "bare" else subject.how
            yield table_line("pitboss", subject.game, counted, rate, f"at {subject.seats} seats")
        else:
            yield table_line(*subject[:3], rate, compare(subject.near, figures.get(subject.near), rate))


def table_line(whose: str, game: str, counted: str, rate: float, remark: str) -> str:
    """Return one line of the table."""
    return f"{whose:14}{game:17}{counted:9}{'failed' if isnan(rate) else format(rate, ',.0f'):>10}   {remark}".rstrip()


def compare(near: OwnGame, ours: float | None, rate: float) -> str:
    """Return how many times as fast ours is."""
    if isnan(rate):
        return ""
    return f"{near.game} {ours / rate:.1f} times" if ours else f"{near.game} is not installed"


def last_line(text: str) -> str:
    """Return the last line of a program's standard error."""
    return (text.strip().splitlines() or ["it does not say why"])[-1]


if __name__ == "__main__":
    main()
