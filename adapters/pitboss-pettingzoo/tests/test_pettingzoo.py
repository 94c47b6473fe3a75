"""PettingZoo's and Gymnasium's own tests, on every installed game of Pitboss at its smallest and largest table."""

from __future__ import annotations

import copy
import pickle
import re
import warnings
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import cloudpickle
import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, render_test, seed_test

from pitboss.errors import ConfigError, OptionError
from pitboss.game import find_sides
from pitboss.learning.learning_game import prepare_game
from pitboss.plugins.registry import Registry
from pitboss_pettingzoo import OneSeatEnv, make_env

TABLES = [
    pytest.param(name, seats, id=f"{name}-{seats}")
    for name, game in Registry().games.items()
    for seats in sorted({game.seats[0], game.seats[-1]})
]
COPIERS: dict[str, Callable[[Any], Any]] = {
    "clone": lambda env: env.clone(),
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
    "cloudpickle": lambda env: cloudpickle.loads(cloudpickle.dumps(env)),
}
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


def play_table(env: Any, seed: int, steps: int = 15) -> list[object]:  # noqa: ANN401 - an environment
    """Step an environment of PettingZoo by random letters; return all that it shows."""
    rng, shown = np.random.default_rng(seed), list[object]()
    for _ in range(steps):
        if not env.agents:
            env.reset()
        observation, *told = env.last()
        mask = observation["action_mask"]
        shown.append(
            (env.agent_selection, observation["observation"].tobytes(), mask.tolist(), dict(env.rewards), told)
        )
        env.step(None if env.terminations[env.agent_selection] else int(rng.choice(np.flatnonzero(mask))))
    return shown


def play_seat(env: Any, seed: int, steps: int = 15) -> list[object]:  # noqa: ANN401 - an environment
    """Step an environment of Gymnasium by random letters; return all that it shows."""
    rng, shown = np.random.default_rng(seed), list[object]()
    for _ in range(steps):
        row, reward, is_over, _, info = env.step(int(rng.choice(np.flatnonzero(env.action_masks()))))
        shown.append((row.tobytes(), reward, is_over, info["seat"], info["action_mask"].tolist()))
        if is_over:
            env.reset()
    return shown


@pytest.mark.parametrize(("make", "play"), [(make_env, play_table), (OneSeatEnv, play_seat)], ids=["table", "seat"])
@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_copy_plays_on_by_itself(name: str, seats: int, make: Any, play: Any) -> None:  # noqa: ANN401
    """A copy shows what the original shows from then on, before `reset` and after it, and changes nothing else."""
    env = make(name, seats)
    twins = [copier(env) for copier in COPIERS.values()]
    for one in [env, *twins]:
        one.reset(seed=3)
    played = [play(twin, 1) for twin in twins]
    assert played == [play(env, 1)] * len(twins)
    twins = [copier(env) for copier in COPIERS.values()]
    played = [play(twin, 2) for twin in twins]
    assert played == [play(env, 2)] * len(twins)
    assert {type(twin) for twin in twins} == {type(env)}


def test_what_is_registered_can_be_copied() -> None:
    """An environment with Gymnasium's own wrappers around it plays on alike in a copy."""
    env = gymnasium.make("pitboss/OneSeat-v0", game="poker", preset="leduc")
    env.reset(seed=1)
    for copier in (COPIERS["deepcopy"], COPIERS["cloudpickle"]):
        twin = copier(env)
        assert play_seat(twin.unwrapped, 1) == play_seat(env.unwrapped.clone(), 1)


@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_environments_run_in_processes(method: str) -> None:
    """Environments in other processes, however these are started, show what they show here."""
    game = prepare_game("racko", preset="short")
    vectors: list[Any] = [
        gymnasium.vector.AsyncVectorEnv([lambda: OneSeatEnv(game)] * 2, context=method),
        gymnasium.vector.SyncVectorEnv([lambda: OneSeatEnv(game)] * 2),
    ]
    shown = []
    for vector in vectors:
        row, info = vector.reset(seed=7)
        lines = [row.tobytes()]
        for _ in range(10):
            row, reward, *_, info = vector.step(info["action_mask"].argmax(axis=1))
            lines.append((row.tobytes(), reward.tolist()))
        vector.close()
        shown.append(lines)
    assert shown[0] == shown[1]


@pytest.mark.parametrize("make", [make_env, OneSeatEnv])
def test_a_prepared_game_is_taken_as_it_is(make: Any) -> None:  # noqa: ANN401
    """It is the game of the environment; what would prepare it otherwise is refused in a sentence."""
    game = prepare_game("racko", 3, preset="short")
    assert make(game).unwrapped.game is game
    with pytest.raises(OptionError, match="seats and reward cannot change a game that is prepared"):
        make(game, seats=2, reward="points")


@pytest.mark.parametrize("seat", [0, 1, np.int64(2)])
def test_the_agent_sits_where_reset_says(seat: int) -> None:
    """For this game alone: the next one is that of the seed."""
    env, same = OneSeatEnv("lucky-maker", 3), OneSeatEnv("lucky-maker", 3)
    for seed in range(4):
        _, info = env.reset(seed=seed, options={"seat": seat})
        assert (info["seat"], env._walk.state.turn.seat) == (seat, seat)  # type: ignore[union-attr]
        same.reset(seed=seed)
        assert env._walk.seed == same._walk.seed  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("make", "options", "message"),
    [
        (OneSeatEnv, {"seat": 2}, "the option seat of reset is 2; it can be 0 or 1"),
        (OneSeatEnv, {"seat": True}, "the option seat of reset is True"),
        (OneSeatEnv, {"seats": 1}, "reset has no option seats; it has seat, the seat of the agent"),
        (make_env, {"seat": 1}, "reset has no option seat: each seat has an agent here"),
    ],
)
def test_wrong_options_of_reset_are_refused(make: Any, options: dict[str, Any], message: str) -> None:  # noqa: ANN401
    """The error says what there is."""
    with pytest.raises(OptionError, match=message):
        make("racko", 2).reset(options=options)


@pytest.mark.parametrize("make", [make_env, OneSeatEnv])
def test_ways_to_render(make: Any, capsys: pytest.CaptureFixture[str]) -> None:  # noqa: ANN401
    """Text is returned or printed; another way is refused with the names of these."""
    with pytest.raises(OptionError, match="render_mode is 'rgb_array'; it can be 'ansi', 'human' or None"):
        make("racko", render_mode="rgb_array")
    env = make("racko", render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    env = make("racko", render_mode="human")
    env.reset(seed=1)
    assert env.render() is None
    assert text in capsys.readouterr().out


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


def test_the_snippets_of_the_readme_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each runs, one after the other, but for those of libraries that are not installed."""
    monkeypatch.chdir(tmp_path)
    text = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
    snippets = re.findall(r"(?:<!-- needs: (\w+) -->\n)?```python\n(.*?)```", text, re.DOTALL)
    assert {needed for needed, _ in snippets} == {"", "sb3_contrib", "supersuit"}
    for needed, snippet in snippets:
        if not needed or find_spec(needed):
            exec(snippet, {})
