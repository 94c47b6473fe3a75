"""PettingZoo's and Gymnasium's own tests, on every installed game of Pitboss at its smallest and largest table."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, render_test, seed_test

from pitboss.errors import ConfigError
from pitboss.game import find_sides
from pitboss.plugins.registry import Registry
from pitboss_pettingzoo import OneSeatEnv, make_env

TABLES = [
    pytest.param(name, seats, id=f"{name}-{seats}")
    for name, game in Registry().games.items()
    for seats in sorted({game.seats[0], game.seats[-1]})
]
CYCLES = 150
KNOWN_WARNINGS = {  # of `api_test`, for every environment whose observations are a dictionary with a mask
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
    "Observation is not a NumPy array",
}


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_pettingzoos_own_tests(name: str, seats: int) -> None:
    """`api_test`, `seed_test` and `render_test` pass, without a warning but those that a mask brings."""
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        api_test(make_env(name, seats), num_cycles=CYCLES)
        seed_test(lambda: make_env(name, seats), num_cycles=CYCLES)
        render_test(lambda render_mode: make_env(name, seats, render_mode=render_mode))
    assert {str(one.message) for one in warned} <= KNOWN_WARNINGS


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_gymnasiums_own_test(name: str, seats: int) -> None:
    """`check_env` passes."""
    env = gymnasium.make("pitboss/OneSeat-v0", game=name, seats=seats).unwrapped
    check_env(env, skip_render_check=True)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_rewards_of_a_game(name: str, seats: int) -> None:
    """Games of agents that choose at random end, and nobody acts out of turn.

    Who wins takes from the others; in a cooperative game all have the same.
    """
    env = make_env(name, seats, options={"hands": 1} if name == "poker" else None)
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for steps, agent in enumerate(env.agent_iter(1_000_000)):
        observation, reward, terminated, truncated, _ = env.last()
        total[agent] += reward
        if terminated or truncated:
            env.step(None)
            continue
        assert observation is not None
        for other in env.agents:
            assert env.observe(other)["action_mask"].any() == (other == agent) or steps % 50
        env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    assert not env.agents
    setup = env.unwrapped.game.setup
    is_cooperative = len(find_sides(setup.game, seats, setup.options)) == 1
    assert len(set(total.values())) == 1 if is_cooperative else sum(total.values()) == pytest.approx(0)


def test_an_illegal_letter_ends_the_game() -> None:
    """The agent has -1 in both environments."""
    env: Any = OneSeatEnv("racko")
    _, info = env.reset(seed=1)
    _, reward, terminated, _, info = env.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
    assert (reward, terminated, info["illegal"]) == (-1.0, True, True)
    with pytest.raises(ValueError, match="call reset"):
        env.step(0)


def test_given_opponents_play() -> None:
    """The others choose as they are told; each seat is the agent's in some games."""
    asked = []

    def choose_first(state: Any, legal: Any) -> Any:  # noqa: ANN401 - of any game
        asked.append(state.turn.seat)
        return legal[0]

    env: Any = OneSeatEnv("lucky-maker", options={"games": 1}, opponents=choose_first)
    seats = set()
    for number in range(12):
        _, info = env.reset(seed=number)
        seats.add(info["seat"])
        asked.clear()
        is_over = False
        while not is_over:
            _, _, is_over, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        assert info["seat"] not in asked
        assert asked
    assert seats == {0, 1, 2}


def test_unknown_games_are_refused() -> None:
    """The error names what there is."""
    with pytest.raises(ConfigError, match="no game 'rack-o' is installed"):
        make_env("rack-o")


def test_the_snippets_of_the_readme_run() -> None:
    """Each, one after the other."""
    text = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
    for snippet in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(snippet, {})
