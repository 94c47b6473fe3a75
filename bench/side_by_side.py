"""A decision beside a move of fastchess, in one run: engines and bots that think for no time, on one processor.

    python bench/side_by_side.py FASTCHESS [--checkouts FOLDER ...] [--games racko ...] [--deals N] [--runs N]

FASTCHESS is the built program. `--checkouts`: folders of other commits, whose `bench/roundtrip.py` plays, in turn with
this one. One that has an environment of its own (`.venv`) plays in it: its plugins may be installed
in another way. A checkout that lacks a game plays the others. Printed are medians of wall microseconds, and their
ratios to a move of fastchess.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Final

HERE: Final = Path(__file__).resolve().parent
GAMES: Final = ("racko", "rummy", "lucky-maker", "ragamaru", "bridge", "cribbage", "poker", "dou-dizhu")
TIMED_GAMES: Final = 200  # of fastchess
PLAY: Final = """
import sys
from roundtrip import FOLDER, Registry, RunnerSetup, bot_build, time_tournament
bot_build.build(FOLDER, lambda text: None)
cost = time_tournament(Registry().find_game(sys.argv[1]), int(sys.argv[2]), RunnerSetup(1, True, "none"), 1)
print(cost.decision)
"""


def main() -> None:
    """Print a row for fastchess, and one for each checkout and game."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("fastchess", type=Path)
    parser.add_argument("--checkouts", type=Path, nargs="*", default=[])
    parser.add_argument("--games", nargs="+", default=GAMES)
    parser.add_argument("--deals", type=int, default=60)
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    checkouts = [*given.checkouts, HERE.parent]
    played = [(folder, game) for game in given.games for folder in checkouts if has_game(folder, game)]
    moves, decisions = [], {key: list[float]() for key in played}
    with tempfile.TemporaryDirectory() as place:
        engine = Path(place) / "engine"
        subprocess.run(["cc", "-std=c11", "-O2", "-o", engine, HERE / "idle_engine.c"], check=True)
        for _ in range(given.runs):
            moves.append(time_moves(given.fastchess.resolve(), engine, Path(place)))
            for (folder, game), seen in decisions.items():
                seen.append(time_decision(folder, game, given.deals))
    move = median(moves)
    print(f"fastchess, a move: {move:.1f} microseconds")
    for (folder, game), seen in decisions.items():
        print(f"{game:14}{median(seen):8.1f}{median(seen) / move:8.2f}  {folder}")


def has_game(checkout: Path, game: str) -> bool:
    """Whether a checkout has a plugin of the name."""
    return (checkout / "plugins" / game.replace("-", "_")).is_dir()


def time_moves(fastchess: Path, engine: Path, place: Path) -> float:
    """Return the microseconds of a move, from the first to the last."""
    report = place / "report"
    report.unlink(missing_ok=True)
    words = [word for name in "ab" for word in ("-engine", f"cmd={engine}", f"name={name}", f"args={report}")]
    rounds = ["-each", "tc=60+1", "-rounds", str(TIMED_GAMES // 2), "-games", "2", "-concurrency", "1"]
    processor = str(max(os.sched_getaffinity(0)))
    subprocess.run(["taskset", "-c", processor, fastchess, *words, *rounds], cwd=place, check=True, capture_output=True)
    counts, firsts, lasts = zip(*(map(float, line.split()) for line in report.read_text().splitlines()), strict=True)
    microseconds: float = (max(lasts) - min(firsts)) / sum(counts) * 1e6
    return microseconds


def time_decision(checkout: Path, game: str, deals: int) -> float:
    """Return the microseconds of a decision in a checkout."""
    parts = [checkout / name for name in ("core", "engines", "tournament", "house_bots", "bench")]
    path = os.pathsep.join(map(str, [*parts, *sorted((checkout / "plugins").iterdir())]))
    own = checkout.resolve() / ".venv" / "bin" / "python"
    python = own if own.exists() and checkout != HERE.parent else sys.executable
    command = [python, "-c", PLAY, game, str(deals)]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=True)
    return float(done.stdout)


if __name__ == "__main__":
    main()
