"""Games for learners beside RLCard's, PettingZoo's and OpenSpiel's, in one run: choices per second of processor time.

    tox -e learning-bench [-- --decisions N --runs N]

Choices are random among the legal ones, and each counts with its observation. Theirs are played in their environments
for learners: RLCard's and PettingZoo's show the player on turn an array and the legal actions, OpenSpiel's shows all
players theirs. Ours are played twice: in a `GameBatch` of 64 games, with observations, masks of legal letters and
seats; and, beside PettingZoo and OpenSpiel, through our adapter in the loop of the other project.
Medians of several runs, in which all take turns. The games are the nearest ones; some are the same.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from math import isnan
from pathlib import Path
from time import process_time
from typing import NamedTuple

import numpy as np

from peers import OwnGame, PeerGame, measure_medians, measure_peer
from pitboss.learning.batch import GameBatch
from pitboss.learning.learning_game import prepare_game

ROWS = 64


class LearningPair(NamedTuple):
    """A game of another project, and the one of ours that is nearest to it."""

    package: str
    theirs: str
    game: str
    seats: int = 2
    preset: str = ""

    @property
    def adapted(self) -> str | None:
        """What ours is called in the other project's loop; None where there is no adapter."""
        if self.package == "pettingzoo":
            return f"pitboss {self.game} {self.seats} {self.preset}".rstrip()
        if self.package == "open_spiel":
            named = f"pitboss_{self.game.replace('-', '_')}"
            return f"{named}(players={self.seats},preset={self.preset},deals={DEALS})"
        return None


DEALS = 1000  # of a game of ours in OpenSpiel: one chance node, as in training on large games
PAIRS = [
    LearningPair("rlcard", "leduc-holdem", "poker", preset="leduc"),
    LearningPair("rlcard", "limit-holdem", "poker", preset="limit"),
    LearningPair("rlcard", "no-limit-holdem", "poker"),
    LearningPair("rlcard", "gin-rummy", "gin-rummy"),
    LearningPair("rlcard", "uno", "ragamaru"),
    LearningPair("rlcard", "doudizhu", "dou-dizhu", 3),
    LearningPair("rlcard", "bridge", "bridge", 4),
    LearningPair("pettingzoo", "leduc_holdem_v4", "poker", preset="leduc"),
    LearningPair("pettingzoo", "texas_holdem_v4", "poker", preset="limit"),
    LearningPair("pettingzoo", "texas_holdem_no_limit_v6", "poker"),
    LearningPair("open_spiel", "leduc_poker", "poker", preset="leduc"),
    LearningPair("open_spiel", "gin_rummy", "gin-rummy"),
    LearningPair("open_spiel", "hearts", "hearts", 4),
    LearningPair("open_spiel", "euchre", "euchre", 4),
]


def main() -> None:
    """Measure what is installed, and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--decisions", type=int, default=20_000, help="for each figure and run")
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    installed = {package for package in {pair.package for pair in PAIRS} if find_spec(package)}
    pairs = [pair for pair in PAIRS if pair.package in installed]
    measures: dict[OwnGame | PeerGame, Callable[[], float]] = {}
    for pair in pairs:
        measures[own_of(pair)] = partial(measure_batch, pair, given.decisions)
        for name in (pair.theirs, pair.adapted):
            if name is not None:
                peer = peer_of(pair, name)
                measures[peer] = partial(measure_peer, Path(sys.executable), peer, given.decisions)
    rates = measure_medians(measures, given.runs)
    print(f"medians of {given.runs} runs of {given.decisions:,} choices, per second of processor time")
    print(f"{'':11}{'theirs':35}{'ours':16}{'a batch':>10}{'times':>7}{'adapter':>10}{'times':>7}")
    for pair in pairs:
        theirs, batch = rates[peer_of(pair, pair.theirs)], rates[own_of(pair)]
        adapted = rates[peer_of(pair, pair.adapted)] if pair.adapted else float("nan")
        named = f"{pair.game} {pair.preset}"
        columns = f"{pair.package:11}{pair.theirs:25}{theirs:>9,.0f} {named:16}{batch:>10,.0f}{batch / theirs:>7.1f}"
        print(columns if isnan(adapted) else f"{columns}{adapted:>10,.0f}{adapted / theirs:>7.1f}")
    for package in sorted({pair.package for pair in PAIRS} - installed):
        print(f"{package} is left out: it is not installed")


def own_of(pair: LearningPair) -> OwnGame:
    """Return what is measured of ours."""
    return OwnGame(pair.game, pair.seats, pair.preset)


def peer_of(pair: LearningPair, name: str) -> PeerGame:
    """Return what is measured in the loop of the other project."""
    return PeerGame(pair.package, name, "view" if pair.package == "rlcard" else "tensor", own_of(pair))


def measure_batch(pair: LearningPair, letters: int) -> float:
    """Return the letters a second of a batch of our game, chosen at random."""
    batch = GameBatch(prepare_game(pair.game, pair.seats, preset=pair.preset or None), ROWS, "bench")
    rng = np.random.default_rng(1)
    began = process_time()
    for _ in range(-(-letters // ROWS)):
        batch.step((rng.random(batch.masks.shape, np.float32) * batch.masks).argmax(axis=1))
    return letters / (process_time() - began)


if __name__ == "__main__":
    main()
