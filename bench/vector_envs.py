"""Many games for one agent in Gymnasium's vector environments: our `OneSeatVectorEnv` beside theirs, in one run.

    python bench/vector_envs.py [--rows N] [--steps N] [--runs N]

Theirs (`SyncVectorEnv`) steps our `OneSeatEnv` game by game, in the same mode of autoreset. Choices are random among
the legal ones, and so are those of the opponents. Medians of several runs, in which both take turns, in choices per
second of processor time; `tox -e learning-bench` runs it after `bench/learning.py`.
"""

from __future__ import annotations

import argparse
from statistics import median
from time import process_time
from typing import Any

import gymnasium
import numpy as np

from pitboss.learning.learning_game import LearningGame, prepare_game
from pitboss_pettingzoo import OneSeatEnv, OneSeatVectorEnv

TABLES = [
    ("poker", "kuhn"),
    ("poker", "leduc"),
    ("racko", "short"),
    ("lucky-maker", None),
    ("ragamaru", None),
    ("fireworks", None),
    ("gin-rummy", None),
    ("dou-dizhu", None),
    ("hearts", None),
]


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=int, default=64, help="games at once")
    parser.add_argument("--steps", type=int, default=100, help="of all games, for each figure and run")
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()
    print(f"medians of {given.runs} runs of {given.steps} steps of {given.rows} games: choices per processor second")
    print(f"{'':24}{'SyncVectorEnv':>15}{'ours':>10}{'times':>7}")
    for name, preset in TABLES:
        game = prepare_game(name, preset=preset)
        pairs = []
        for _ in range(given.runs):
            vectors = make_theirs(game, given.rows), OneSeatVectorEnv(game, given.rows)
            pairs.append([measure(vector, given.steps) for vector in vectors])
        theirs, ours = (median(rates) for rates in zip(*pairs, strict=True))
        print(f"{name} {preset or '':{23 - len(name)}}{theirs:>15,.0f}{ours:>10,.0f}{ours / theirs:>7.1f}")


def make_theirs(game: LearningGame, rows: int) -> Any:  # noqa: ANN401 - an environment
    """Return their vector environment over ours of one seat."""
    return gymnasium.vector.SyncVectorEnv([lambda: OneSeatEnv(game)] * rows, autoreset_mode="SameStep")


def measure(vector: Any, steps: int) -> float:  # noqa: ANN401
    """Return the choices a second of a vector environment."""
    rng = np.random.default_rng(1)
    _, infos = vector.reset(seed=1)
    began = process_time()
    for _ in range(steps):
        masks = infos["action_mask"]
        *_, infos = vector.step((rng.random(masks.shape, np.float32) * masks).argmax(axis=1))
    return float(steps * vector.num_envs / (process_time() - began))


if __name__ == "__main__":
    main()
