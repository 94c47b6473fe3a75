"""Games for learners beside RLCard's, in one run: choices per second of processor time, each with its observation.

    python bench/learning.py [--venv FOLDER] [--decisions N] [--runs N]

RLCard is installed from the package index into an environment of its own, which is kept for the next time; ours run in
this process. Medians of several runs, in which all take turns. Choices are random among the legal ones. RLCard's
environment shows the player on turn an array of numbers and the legal actions; a `GameBatch` of 64 games has the
observation, the mask of legal letters and the seat of each. The games are the nearest ones, not the same.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import process_time
from typing import NamedTuple

import numpy as np

from peers import CACHE, OwnGame, PeerGame, is_installed, measure_medians, measure_peer
from pitboss.learning.batch import GameBatch
from pitboss.learning.learning_game import prepare_game

ROWS = 64


class LearningPair(NamedTuple):
    """A game of RLCard's, and the one of ours that is nearest to it."""

    theirs: str
    game: str
    preset: str | None


PAIRS = [
    LearningPair("leduc-holdem", "poker", "leduc"),
    LearningPair("limit-holdem", "poker", "limit"),
    LearningPair("no-limit-holdem", "poker", None),
    LearningPair("gin-rummy", "gin-rummy", None),
    LearningPair("uno", "ragamaru", None),
]


def main() -> None:
    """Install RLCard, measure, and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--venv", type=Path, default=CACHE / "pitboss-peers", help="where RLCard is installed")
    parser.add_argument("--decisions", type=int, default=20_000, help="for each figure and run")
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    if not is_installed(given.venv, "rlcard"):
        return
    python = given.venv / "bin" / "python"
    own = {pair: OwnGame(pair.game, 2, pair.preset or "") for pair in PAIRS}
    peers = {pair: PeerGame("rlcard", pair.theirs, "view", own[pair]) for pair in PAIRS}
    measures: dict[OwnGame | PeerGame, Callable[[], float]] = {}
    for pair in PAIRS:
        measures[own[pair]] = partial(measure_batch, pair, given.decisions)
        measures[peers[pair]] = partial(measure_peer, python, peers[pair], given.decisions)
    rates = measure_medians(measures, given.runs)
    print(f"medians of {given.runs} runs of {given.decisions:,} choices, per second of processor time")
    print(f"{'RLCard':17}{'':>9}   {'Pitboss':17}{'numbers':>9}{'':>9}{'times':>7}")
    for pair in PAIRS:
        theirs, ours = rates[peers[pair]], rates[own[pair]]
        name = f"{pair.game} {pair.preset or ''}"
        size = prepare_game(pair.game, 2, preset=pair.preset).encoder.size
        print(f"{pair.theirs:17}{theirs:>9,.0f}   {name:17}{size:>9}{ours:>9,.0f}{ours / theirs:>7.1f}")


def measure_batch(pair: LearningPair, letters: int) -> float:
    """Return the letters a second of a batch of our game, chosen at random."""
    batch = GameBatch(prepare_game(pair.game, 2, preset=pair.preset), ROWS, "bench")
    rng = np.random.default_rng(1)
    began = process_time()
    for _ in range(-(-letters // ROWS)):
        batch.step((rng.random(batch.masks.shape, np.float32) * batch.masks).argmax(axis=1))
    return letters / (process_time() - began)


if __name__ == "__main__":
    main()
