"""Stable-Baselines3 and SuperSuit on the environments, where they are installed (`tox -e learning-libraries`)."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pitboss.learning.learning_game import prepare_game
from pitboss_pettingzoo import FrozenPolicy, OneSeatEnv, make_env


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_maskable_ppo_learns_in_processes(method: str, tmp_path: Path) -> None:
    """MaskablePPO learns some thousand letters in `SubprocVecEnv`, beats who it was before, and comes back from a file.

    Each environment has opponents of the house in its process.
    """
    sb3 = pytest.importorskip("sb3_contrib")
    vectors = pytest.importorskip("stable_baselines3.common.vec_env")
    pytest.importorskip("torch").set_num_threads(1)  # small layers: threads take longer to meet than to compute
    game = prepare_game("poker", preset="leduc", reward="points")
    pool = ["house:poker-equilibrium", "house:random"]

    def make() -> OneSeatEnv:
        return OneSeatEnv(game, scale="bounds", opponents=pool)

    vector = vectors.SubprocVecEnv([make] * 2, start_method=method)
    model = sb3.MaskablePPO("MlpPolicy", vector, n_steps=512, seed=1, device="cpu")
    model.learn(4_096)
    vector.close()
    assert model.num_timesteps == 4_096
    model.save(tmp_path / "model.zip")
    again = sb3.MaskablePPO.load(tmp_path / "model.zip", device="cpu")

    def choose(row: Any, mask: Any) -> Any:  # noqa: ANN401 - arrays
        return again.predict(row, action_masks=mask, deterministic=True)[0]

    def play(opponents: Any, choose_own: Any) -> float:  # noqa: ANN401
        env, total, games = OneSeatEnv(game, opponents=opponents), 0.0, 40
        for seed in range(games):
            row, info = env.reset(seed=seed)
            is_over = False
            while not is_over:
                row, reward, is_over, _, info = env.step(np.int64(choose_own(row, info["action_mask"])))
                total += reward
        return total / games

    rng = np.random.default_rng(1)
    assert play("house:random", choose) > play("house:random", lambda row, mask: rng.choice(np.flatnonzero(mask)))
    assert play(FrozenPolicy(choose), choose) < play("house:random", choose)


def run_program(*words: str, cwd: Path) -> str:
    """Run a program with this Python; return what it prints."""
    ran = subprocess.run([sys.executable, *words], cwd=cwd, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_a_zip_of_maskable_ppo_plays_as_a_bot(tmp_path: Path) -> None:
    """What MaskablePPO has learned of Kuhn poker plays a match as a bot of `pitboss new bot python-torch`.

    It makes no fault, the notes of its decisions have probabilities, and it is ahead of random play.
    """
    sb3 = pytest.importorskip("sb3_contrib")
    pytest.importorskip("torch").set_num_threads(1)
    env = OneSeatEnv("poker", preset="kuhn", reward="points", scale="bounds")
    model = sb3.MaskablePPO("MlpPolicy", env, n_steps=512, seed=1, device="cpu")
    model.learn(4_096)
    model.save(tmp_path / "trained.zip")
    pitboss = ("-m", "pitboss_tournament.cli")
    run_program(*pitboss, "new", "bot", "python-torch", "net", cwd=tmp_path)
    run_program("net/put_model.py", "trained.zip", "poker", "--preset", "kuhn", cwd=tmp_path)
    words = ("--preset", "kuhn", "--deals", "20", "--seed", "zip", "--store", "games.pitboss", "--json")
    said = run_program(*pitboss, "match", "poker", "net", "house:random", *words, cwd=tmp_path)
    own, random = sorted(json.loads(said.splitlines()[-1])["standings"], key=lambda bot: bot["name"] != "net")
    assert (own["name"], own["faults"], random["faults"]) == ("net", {}, {})
    assert own["points"]["mean"] > 0 > random["points"]["mean"]
    records = run_program(*pitboss, "export", "games.pitboss", cwd=tmp_path)
    assert re.search(r'"note":"\w+[^"]* \d+%', records)


WRAPPERS = {
    "frame_stack_v1": (3,),
    "dtype_v0": (np.float64,),
    "normalize_obs_v0": (),
    "clip_reward_v0": (),
    "delay_observations_v0": (1,),
    "nan_random_v0": (),
    "agent_indicator_v0": (),
    "pad_observations_v0": (),
    "pad_action_space_v0": (),
}
OF_TABLES = ("agent_indicator_v0", "pad_observations_v0", "pad_action_space_v0")  # not for Gymnasium


@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_wrappers_of_supersuit(wrapper: str) -> None:
    """A wrapper takes the environment of all seats, with rows as observations, and that of one seat."""
    supersuit: Any = pytest.importorskip("supersuit")
    wrap, more = getattr(supersuit, wrapper), WRAPPERS[wrapper]
    table = wrap(make_env("racko", 2, {"max_rounds": 1, "max_turns": 10}, observations="flat"), *more)
    table.reset(seed=1)
    ended = 0
    for agent in table.agent_iter():
        observation, _, terminated, truncated, info = table.last()
        assert observation in table.observation_space(agent) or wrapper in ("nan_random_v0", "normalize_obs_v0")
        ended += terminated
        table.step(None if terminated or truncated else int(np.flatnonzero(info["action_mask"])[-1]))
    assert ended == 2
    if wrapper in OF_TABLES:
        return
    seat = wrap(OneSeatEnv("racko", 2, {"max_rounds": 1, "max_turns": 10}), *more)
    observation, info = seat.reset(seed=1)
    is_over = False
    while not is_over:
        observation, _, is_over, _, info = seat.step(int(np.flatnonzero(info["action_mask"])[-1]))
    assert observation.shape == seat.observation_space.shape
