"""Settings of the environments: shaped and scaled rewards, kinds of observations, replay pages."""

from __future__ import annotations

import base64
import json
import re
import warnings
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from pitboss.errors import OptionError
from pitboss.game import find_game_bounds
from pitboss.learning.batch import EvaluationPotential
from pitboss.learning.learning_game import prepare_game
from pitboss.plugins.registry import Registry
from pitboss_pettingzoo import OneSeatEnv, OneSeatVectorEnv, make_env

TABLES = [
    pytest.param(name, seats, id=f"{name}-{seats}")
    for name, game in Registry().games.items()
    for seats in sorted({game.seats[0], game.seats[-1]})
]
SHORT = {"max_rounds": 1, "max_turns": 12}  # of Rack-O


def play_out(env: OneSeatEnv, seed: int) -> tuple[int, list[float]]:
    """Play a game by random letters; return the agent's seat and the rewards."""
    _, info = env.reset(seed=seed)
    rng, rewards, is_over = np.random.default_rng(seed), list[float](), False
    while not is_over:
        _, reward, is_over, _, _ = env.step(rng.choice(np.flatnonzero(env.action_masks())))
        rewards.append(reward)
    return info["seat"], rewards


def count_own_cards(state: Any) -> list[float]:  # noqa: ANN401 - of any game
    """Return a potential of our own: something that changes in a game."""
    return [float(seat + len(state.table.log or ()) + state.evaluate()[seat]) for seat in range(2)]


@pytest.mark.parametrize("discount", [1.0, 0.9])
@pytest.mark.parametrize("scale", [1.0, 0.25])
@pytest.mark.parametrize("shaping", ["evaluation", 0.5, count_own_cards])
def test_shaping_changes_no_policys_rank(shaping: Any, scale: float, discount: float) -> None:  # noqa: ANN401
    """The discounted return of a game is that without shaping, less the potential of the first decision.

    That one depends on no policy of the agent: so shaping keeps the order of all policies (Ng et al. 1999).
    """
    game = prepare_game("racko", 2, SHORT, reward="points")
    plain = OneSeatEnv(game, scale=scale)
    shaped = OneSeatEnv(game, shaping=shaping, discount=discount, scale=scale)
    for seed in range(4):
        seat, rewards = play_out(shaped, seed)
        assert len({round(one, 6) for one in rewards[:-1]}) > 1
        same_seat, plain_rewards = play_out(plain, seed)
        assert (same_seat, len(plain_rewards)) == (seat, len(rewards))
        shaped.reset(seed=seed)
        assert shaped._walk is not None
        own = EvaluationPotential(game, 0.5 if shaping == 0.5 else 1.0) if not callable(shaping) else shaping
        first = scale * own(shaped._walk.state)[seat]
        factors = discount ** np.arange(len(rewards))
        assert factors @ np.array(rewards) == pytest.approx(factors @ np.array(plain_rewards) - first, abs=1e-5)


@pytest.mark.parametrize("name", Registry().games)
def test_every_game_can_be_shaped(name: str) -> None:
    """The evaluation of each game of the house brings rewards between decisions, in both environments of one seat."""
    vector, rng = OneSeatVectorEnv(name, 4, shaping="evaluation", opponents=f"house:{name}"), np.random.default_rng(1)
    _, infos = vector.reset(seed=1)
    between = list[float]()
    for _ in range(40):
        _, rewards, ended, _, infos = vector.step(
            (rng.random(infos["action_mask"].shape) * infos["action_mask"]).argmax(1)
        )
        between += rewards[~ended].tolist()
    assert np.isfinite(between).all()
    assert np.count_nonzero(between) > 5
    env = OneSeatEnv(name, shaping="evaluation")
    env.reset(seed=1)
    assert np.isfinite([env.step(rng.choice(np.flatnonzero(env.action_masks())))[1] for _ in range(2)]).all()


def test_shaped_rewards_of_a_table() -> None:
    """Each agent's rewards of a game add up to its result less the potential of the first decision."""
    env = make_env("racko", 2, SHORT, reward="points", shaping="evaluation", scale=0.5)
    env.reset(seed=1)
    table = env.unwrapped
    first = 0.5 * EvaluationPotential(table.game, 1.0)(table._walk.state)
    total, between, rng = dict.fromkeys(env.possible_agents, 0.0), 0, np.random.default_rng(1)
    for agent in env.agent_iter():
        observation, reward, terminated, _, _ = env.last()
        total[agent] += reward
        between += reward != 0 and not terminated
        env.step(None if terminated else int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    results = table.game.rewards_of(table._walk.state)
    assert [*total.values()] == pytest.approx([result - one for result, one in zip(results, first, strict=True)])
    assert between > 3


@pytest.mark.parametrize("name", Registry().games)
def test_points_are_scaled_by_their_bounds(name: str) -> None:
    """The scale is told in the metadata, and the points that the game can bring lie between -1 and 1 with it."""
    game = prepare_game(name, reward="points")
    setup = game.setup
    bounds = find_game_bounds(setup.game, setup.seats, setup.options)
    if bounds is None:
        with pytest.raises(OptionError, match=f"{name} does not say how many points there can be: give a number"):
            OneSeatEnv(game, scale="bounds")
        return
    for make in (OneSeatEnv, make_env, OneSeatVectorEnv):
        env: Any = make(game, scale="bounds")
        assert env.metadata["reward_scale"] * max(-bounds.least, bounds.most) == pytest.approx(1.0)
    assert "reward_scale" not in OneSeatEnv.metadata
    assert OneSeatEnv(name, reward="wins", scale="bounds").metadata["reward_scale"] == 1.0


def test_a_scale_multiplies_the_rewards() -> None:
    """In all environments, and the game that was given keeps its own."""
    game = prepare_game("racko", 2, SHORT, reward="points")
    for seed in range(3):
        seat, rewards = play_out(OneSeatEnv(game), seed)
        assert rewards[-1] != 0
        same_seat, scaled = play_out(OneSeatEnv(game, scale=0.01), seed)
        assert same_seat == seat
        assert scaled == pytest.approx([0.01 * one for one in rewards])


@pytest.mark.parametrize("make", [OneSeatEnv, OneSeatVectorEnv, make_env])
@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"scale": 0}, "scale is 0; it can be a number above 0, or 'bounds'"),
        ({"scale": "auto"}, "scale is 'auto'; it can be"),
        ({"scale": "bounds", "reward": lambda outcome: [0.0, 0.0]}, "a reward of your own has none that are known"),
        ({"shaping": "points"}, "shaping is 'points'; it can be a number, 'evaluation', or a function of a state"),
        ({"observations": "tensor"}, "observations is 'tensor'; it can be 'flat' or 'dict'"),
    ],
)
def test_wrong_settings_are_refused(make: Any, settings: dict[str, Any], message: str) -> None:  # noqa: ANN401
    """The error says what there is."""
    with pytest.raises(OptionError, match=message):
        make("racko", **settings)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_pettingzoos_own_tests_of_flat_observations(name: str, seats: int) -> None:
    """`api_test` and `seed_test` pass with rows as observations, without a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        api_test(make_env(name, seats, observations="flat"), num_cycles=100)
        seed_test(lambda: make_env(name, seats, observations="flat"), num_cycles=100)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_gymnasiums_own_test_of_dictionaries(name: str, seats: int) -> None:
    """`check_env` passes with dictionaries of a row and a mask as observations."""
    check_env(OneSeatEnv(name, seats, observations="dict"), skip_render_check=True)


def test_both_kinds_show_the_same() -> None:
    """A flat observation is the row of the dictionary, and the mask is that of the infos."""
    flat, both = make_env("racko", 2, observations="flat"), make_env("racko", 2)
    flat.reset(seed=1)
    both.reset(seed=1)
    for _ in range(30):
        row, *_, info = flat.last()
        observation, *_ = both.last()
        assert (row == observation["observation"]).all()
        assert (info["action_mask"] == observation["action_mask"]).all()
        for agent in both.agents:
            assert (flat.infos[agent]["action_mask"] == both.observe(agent)["action_mask"]).all()
        letter = int(np.flatnonzero(info["action_mask"])[-1])
        flat.step(letter)
        both.step(letter)


def read_page(file: Path) -> dict[str, Any]:
    """Return what a replay page shows."""
    [block] = re.findall(r'id="replay-data">([^<]*)<', file.read_text(encoding="utf-8"))
    shown: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(block)))
    return shown


@pytest.mark.parametrize(("name", "options"), [("racko", SHORT), ("poker", {"hands": 2}), ("fireworks", {})])
def test_a_replay_page(name: str, options: dict[str, Any], tmp_path: Path) -> None:
    """The last game that ended is written as a page with its players, also once the next one has begun."""
    env = OneSeatEnv(name, 2, options, seat=1)
    with pytest.raises(ValueError, match="no game has ended yet"):
        env.write_replay(tmp_path / "game.html")
    play_out(env, 1)
    env.write_replay(tmp_path / "game.html")
    page = read_page(tmp_path / "game.html")
    env.reset(seed=2)
    env.write_replay(str(tmp_path / "game.html"))
    assert read_page(tmp_path / "game.html") == page
    assert page["players"] == ["player 0", "agent"]
    assert [one.name for one in tmp_path.iterdir()] == ["game.html"]


def test_a_replay_page_of_a_table(tmp_path: Path) -> None:
    """The environment of all seats writes its games too."""
    env = make_env("racko", 2, SHORT)
    env.reset(seed=1)
    for _ in env.agent_iter():
        observation, _, terminated, _, _ = env.last()
        env.step(None if terminated else int(observation["action_mask"].argmax()))
    env.write_replay(tmp_path / "game.html")
    assert read_page(tmp_path / "game.html")["players"] == ["seat_0", "seat_1"]


def test_the_decisions_of_a_replay_are_those_of_the_game() -> None:
    """Played again from its seed, forced decisions included, they lead to the same outcome."""
    for name in Registry().games:
        env = OneSeatEnv(name, options={"hands": 1} if name == "poker" else None)
        play_out(env, 3)
        assert env._ended is not None
        walk = env._ended[0]
        state = env.game.deal(walk.seed)
        for seat, action in walk.list_decisions():
            assert state.turn is not None
            assert state.turn.seat == seat
            state.play(action)
        assert state.turn is None
        assert state.outcome() == walk.state.outcome()
