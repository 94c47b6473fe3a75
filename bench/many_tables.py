"""Games a second of a bot at many tables, beside the same bot with one game at a time; both in turn, in one run.

    python -m bench.many_tables [TABLES] [RUNS]

Two bots: a network (two layers of 512 in numpy, on one thread), and one that does not think. The medians of the runs
are printed, with processor time, which a busy machine disturbs less, and the ratio of each.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

NETWORK: Final = """
import numpy as np
from pitboss.bot import run

rng = np.random.default_rng(1)
first, second, last = (rng.standard_normal(shape, dtype=np.float32) for shape in ((512, 512), (512, 512), (512, 64)))
inputs = rng.standard_normal((256, 512), dtype=np.float32)

def choose_many(questions):
    rows = inputs[[hash(question.start.seed) % 256 for question in questions]]
    values = np.maximum(np.maximum(rows @ first, 0) @ second, 0) @ last
    return [int(value[: len(question.legal)].argmax()) for value, question in zip(values, questions)]

run(choose_many=choose_many)
"""
IDLE: Final = """
from pitboss.bot import run

run(choose_many=lambda questions: [0] * len(questions))
"""
BOTS: Final = {"network": NETWORK, "no thinking": IDLE}
MATCH: Final = "import sys; from pitboss_tournament.cli import main; sys.argv[0] = 'pitboss'; main()"


class Speed(NamedTuple):
    """Games a second: by the wall, and of processor time."""

    wall: float
    processor: float


def measure_match(folder: Path, bot: str, tables: int, deals: int) -> Speed:
    """Play a match of a bot against itself on one processor, and return its speed."""
    program = folder / "bot.py"
    program.write_text(BOTS[bot])
    words = [f"{sys.executable} {program}"] * 2
    store = folder / f"{time.monotonic_ns()}.pitboss"
    settings = [f"tables_per_bot={tables}", "workers=1", "sandbox=none", "games_at_once=1"]
    command = [sys.executable, "-c", MATCH, "match", "racko", *words, "-o", "max_rounds=1", "--deals", str(deals)]
    command += ["--store", str(store), *[word for one in settings for word in ("-s", one)]]
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    began, before = time.perf_counter(), os.times()
    subprocess.run(command, env={**os.environ, **threads}, check=True, capture_output=True)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return Speed(2 * deals / (time.perf_counter() - began), 2 * deals / spent)


def main() -> None:
    """Print the table."""
    tables, runs = (*map(int, sys.argv[1:]), *(64, 5)[len(sys.argv) - 1 :])
    with tempfile.TemporaryDirectory() as folder:
        for bot in BOTS:
            found: dict[int, list[Speed]] = {1: [], tables: []}
            for _ in range(runs):
                for count, speeds in found.items():
                    speeds.append(measure_match(Path(folder), bot, count, 128))
            for name in Speed._fields:
                one, many = (median(getattr(speed, name) for speed in speeds) for speeds in found.values())
                print(
                    f"{bot}, {name}: {one:.1f} games a second at one table, {many:.1f} at {tables}: {many / one:.2f} times"
                )


if __name__ == "__main__":
    main()
