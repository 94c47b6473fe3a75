"""Games a second of a bot at many tables, beside the same bot with one game at a time; both in turn, in one run.

    python -m bench.many_tables [TABLES] [RUNS]

Runner and bots share one processor, as a worker of a tournament and its bots do: every processor has a worker. The
game is Rack-O, whose decisions cost the runner least. Three bots play the same games at one table and at many: a
network of two layers of 512 × 512 in numpy, one of sixteen such layers, and a bot that does not think. Speeds are those
beyond what a match of one deal takes, in which everything has to start. The medians of the runs are printed, by the
wall and by processor time, which a busy machine disturbs less.

A network alone, without a game, is measured beside them: by how much it answers TABLES questions quicker than one after
the other is the most that many tables can bring, however little the runner costs.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

DEALS: Final = 64
ALONE_SECONDS: Final = 1.0

NETWORK: Final = """
import numpy as np

rng = np.random.default_rng(1)
layers = [rng.standard_normal((512, 512), dtype=np.float32) / 16 for _ in range(LAYERS)]
last = rng.standard_normal((512, 64), dtype=np.float32)
inputs = rng.standard_normal((256, 512), dtype=np.float32)

def evaluate(numbers):
    rows = inputs[numbers]
    for layer in layers:
        rows = np.maximum(rows @ layer, 0)
    return rows @ last
"""
BOT: Final = """
from random import Random
from pitboss.bot import run

luck = {}

def begin(hello, start):
    luck[start.table or 0] = Random(start.seed)

def choose_many(questions):
    drawn = [luck[question.table].randrange(256) for question in questions]
    return [CHOICE for number, value, question in zip(drawn, EVALUATED, questions)]

run(choose_many=choose_many, on_start=begin)
"""
NETWORK_BOT: Final = NETWORK + BOT.replace("EVALUATED", "evaluate(drawn)").replace(
    "CHOICE", "int(value[: len(question.legal)].argmax())"
)
MEASURED_BOTS: Final = {
    "2 layers": NETWORK_BOT.replace("LAYERS", "2"),
    "16 layers": NETWORK_BOT.replace("LAYERS", "16"),
    "no thinking": BOT.replace("EVALUATED", "drawn").replace("CHOICE", "number % len(question.legal)"),
}
ALONE_PROGRAM: Final = """
import sys, time
for size in (1, int(sys.argv[1])):
    rounds, began = 0, time.process_time()
    while (spent := time.process_time() - began) < float(sys.argv[2]):
        evaluate([number % 256 for number in range(rounds, rounds + size)])
        rounds += 1
    print(rounds * size / spent)
"""
MATCH_PROGRAM: Final = "import sys; from pitboss_tournament.cli import main; sys.argv[0] = 'pitboss'; main()"


class Spent(NamedTuple):
    """Seconds that a match took: by the wall, and of processor time."""

    wall: float
    processor: float


def time_match(folder: Path, program: str, tables: int, deals: int) -> Spent:
    """Play a match of a bot against itself, and return what it took."""
    path = folder / "bot.py"
    path.write_text(program)
    store = folder / f"{time.monotonic_ns()}.pitboss"
    settings = [f"tables_per_bot={tables}", "workers=1", "sandbox=none", "games_at_once=1"]
    command = [sys.executable, "-c", MATCH_PROGRAM, "match", "racko", *[f"{sys.executable} {path}"] * 2]
    command += ["-o", "max_rounds=1", "--seed", "tables", "--deals", str(deals)]
    command += ["--store", str(store), *[word for one in settings for word in ("-s", one)]]
    began, before = time.perf_counter(), os.times()
    subprocess.run(command, check=True, capture_output=True)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return Spent(time.perf_counter() - began, spent)


def measure_speed(folder: Path, program: str, tables: int) -> Spent:
    """Return the games a second of a bot, by each of the two times, beyond what a match of one deal takes."""
    whole, start = (time_match(folder, program, tables, deals) for deals in (DEALS, 1))
    return Spent(*(2 * (DEALS - 1) / (one - other) for one, other in zip(whole, start, strict=True)))


def measure_alone(layers: int, tables: int) -> list[float]:
    """Return the questions a second of a network alone, one after the other and all at once."""
    program = NETWORK.replace("LAYERS", str(layers)) + ALONE_PROGRAM
    command = [sys.executable, "-c", program, str(tables), str(ALONE_SECONDS)]
    return [*map(float, subprocess.run(command, check=True, capture_output=True, text=True).stdout.split())]


def format_row(name: str, unit: str, runs: Sequence[Sequence[float]], tables: int) -> str:
    """Return a line with the medians of the runs: one after the other, all at once, and their ratio."""
    one, many = (median(speeds) for speeds in zip(*runs, strict=True))
    return f"{name}: {one:,.1f} {unit} a second at one table, {many:,.1f} at {tables}: {many / one:.2f} times"


def main() -> None:
    """Print the table."""
    tables, runs = (*map(int, sys.argv[1:]), *(64, 3)[len(sys.argv) - 1 :])
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))
    with tempfile.TemporaryDirectory() as folder:
        for bot, program in MEASURED_BOTS.items():
            alone, speeds = list[list[float]](), defaultdict[str, list[list[float]]](list)
            for _ in range(runs):
                if "layers" in bot:
                    alone.append(measure_alone(int(bot.split()[0]), tables))
                played = [measure_speed(Path(folder), program, count) for count in (1, tables)]
                for name, pair in zip(Spent._fields, zip(*played, strict=True), strict=True):
                    speeds[name].append([*pair])
            if alone:
                print(format_row(f"{bot}, the network alone", "questions", alone, tables), flush=True)
            for name, rows in speeds.items():
                print(format_row(f"{bot}, {name}", "games", rows, tables), flush=True)


if __name__ == "__main__":
    main()
