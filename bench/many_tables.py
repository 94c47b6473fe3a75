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

NETWORK_BOT: Final = """
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
THOUGHTLESS_BOT: Final = """
from pitboss.bot import run

run(choose_many=lambda questions: [0] * len(questions))
"""
MEASURED_BOTS: Final = {"network": NETWORK_BOT, "no thinking": THOUGHTLESS_BOT}
MATCH_PROGRAM: Final = "import sys; from pitboss_tournament.cli import main; sys.argv[0] = 'pitboss'; main()"


class TablesSpeed(NamedTuple):
    """Games a second: by the wall, and of processor time."""

    wall: float
    processor: float


def measure_tables(folder: Path, bot: str, tables: int, deals: int) -> TablesSpeed:
    """Play a match of a bot against itself on one processor, and return its speed."""
    program = folder / "bot.py"
    program.write_text(MEASURED_BOTS[bot])
    words = [f"{sys.executable} {program}"] * 2
    store = folder / f"{time.monotonic_ns()}.pitboss"
    settings = [f"tables_per_bot={tables}", "workers=1", "sandbox=none", "games_at_once=1"]
    command = [
        sys.executable,
        "-c",
        MATCH_PROGRAM,
        "match",
        "racko",
        *words,
        "-o",
        "max_rounds=1",
        "--deals",
        str(deals),
    ]
    command += ["--store", str(store), *[word for one in settings for word in ("-s", one)]]
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    began, before = time.perf_counter(), os.times()
    subprocess.run(command, env={**os.environ, **threads}, check=True, capture_output=True)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return TablesSpeed(2 * deals / (time.perf_counter() - began), 2 * deals / spent)


def main() -> None:
    """Print the table."""
    tables, runs = (*map(int, sys.argv[1:]), *(64, 5)[len(sys.argv) - 1 :])
    with tempfile.TemporaryDirectory() as folder:
        for bot in MEASURED_BOTS:
            found: dict[int, list[TablesSpeed]] = {1: [], tables: []}
            for _ in range(runs):
                for count, speeds in found.items():
                    speeds.append(measure_tables(Path(folder), bot, count, 128))
            for name in TablesSpeed._fields:
                one, many = (median(getattr(speed, name) for speed in speeds) for speeds in found.values())
                ratio = f"{many / one:.2f} times"
                print(f"{bot}, {name}: {one:.1f} games a second at one table, {many:.1f} at {tables}: {ratio}")


if __name__ == "__main__":
    main()
