"""The vector environment: Gymnasium's vector API over a `GameBatch`, each row as `OneSeatEnv` plays it."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

from pitboss.errors import OptionError
from pitboss.learning.game_walk import GameWalk
from pitboss.learning.learning_game import prepare_game
from pitboss.plugins.registry import Registry
from pitboss_pettingzoo import OneSeatEnv, OneSeatVectorEnv

TABLES = [
    pytest.param(name, seats, id=f"{name}-{seats}")
    for name, game in Registry().games.items()
    for seats in sorted({game.seats[0], game.seats[-1]})
]


def choose_letters(infos: dict[str, Any], rng: np.random.Generator) -> Any:  # noqa: ANN401 - an array
    """Return a random legal letter for each row."""
    return (rng.random(infos["action_mask"].shape) * infos["action_mask"]).argmax(axis=1)


def show_steps(vector: Any, infos: dict[str, Any], seed: int, steps: int = 15) -> list[object]:  # noqa: ANN401
    """Step by random letters; return all that is shown."""
    rng, shown = np.random.default_rng(seed), list[object]()
    for _ in range(steps):
        rows, rewards, ended, _, infos = vector.step(choose_letters(infos, rng))
        shown.append((rows.tobytes(), rewards.tolist(), ended.tolist(), infos["action_mask"].tobytes(), infos["seat"]))
        shown[-1] = pickle.dumps(shown[-1])
    return shown


@pytest.mark.parametrize("kind", ["flat", "dict"])
@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_the_arrays_lie_in_the_spaces(name: str, seats: int, kind: Any) -> None:  # noqa: ANN401
    """What is shown is as Gymnasium's vector API has it: shapes, types and spaces, over the ends of games too."""
    vector = OneSeatVectorEnv(name, 3, seats, observations=kind)
    assert vector.observation_space == gymnasium.vector.utils.batch_space(vector.single_observation_space, 3)
    assert vector.action_space == gymnasium.vector.utils.batch_space(vector.single_action_space, 3)
    assert vector.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    rng = np.random.default_rng(1)
    observations, infos = vector.reset(seed=1)
    for _ in range(30):
        assert observations in vector.observation_space
        letters = choose_letters(infos, rng)
        assert letters in vector.action_space
        observations, rewards, ended, cut, infos = vector.step(letters)
        assert [array.shape for array in (rewards, ended, cut)] == [(3,)] * 3
        assert [str(array.dtype) for array in (rewards, ended, cut)] == ["float64", "bool", "bool"]
        assert not cut.any()
        assert infos["action_mask"].any(axis=1).all()
        assert infos["_action_mask"].all()


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_the_seed_decides_all_games(name: str, seats: int) -> None:
    """The same seed brings the same, another one something else, and a reset without a seed goes on."""
    runs = []
    for seed in (5, 5, 6):
        vector = OneSeatVectorEnv(name, 3, seats)
        _, infos = vector.reset(seed=seed)
        first = show_steps(vector, infos, 1)
        _, infos = vector.reset()
        runs.append((first, show_steps(vector, infos, 1)))
    assert runs[0] == runs[1]
    assert runs[0] != runs[2]
    assert runs[0][0] != runs[0][1]


def seat_agent(env: OneSeatEnv, seed: str) -> None:
    """Begin a game of an environment by its text of a seed, with the agent at seat 0."""
    env._walk = GameWalk(env.game, seed, has_log=env._opponents.wants_events)
    env._chooser = env._opponents.begin_game(env.game, seed)
    env._seat = 0
    env._is_over = env._go_on(env._walk)
    env._worth = env._find_worth()


@pytest.mark.parametrize("opponents", [None, "house:racko", "house:handicap"])
def test_a_row_is_a_game_of_one_seat(opponents: str | None) -> None:
    """Each row shows what `OneSeatEnv` shows for the same deals and letters: rewards, masks and ends included."""
    game = prepare_game("racko", 2, {"max_rounds": 1, "max_turns": 12}, reward="points")
    settings: dict[str, Any] = {"opponents": opponents, "shaping": 0.5, "discount": 0.9, "scale": "bounds"}
    vector = OneSeatVectorEnv(game, 4, seat=0, **settings)
    rows, infos = vector.reset(seed=2)
    assert vector._batch is not None
    seed = vector._batch._seed
    envs = [OneSeatEnv(game, **settings) for _ in range(4)]
    for number, env in enumerate(envs):
        seat_agent(env, f"{seed}/{number + 1}")
    dealt, ends, rng = 4, 0, np.random.default_rng(1)
    for _ in range(120):
        letters = choose_letters(infos, rng)
        rows, rewards, ended, _, infos = vector.step(letters)
        for row, env in enumerate(envs):
            shown, reward, is_over, _, info = env.step(letters[row])
            assert reward == pytest.approx(rewards[row], abs=1e-6)
            assert is_over == ended[row]
            if is_over:
                assert (infos["final_obs"][row] == shown).all()
                assert (infos["final_info"]["action_mask"][row] == info["action_mask"]).all()
                dealt, ends = dealt + 1, ends + 1
                seat_agent(env, f"{seed}/{dealt}")
            assert (rows[row] == env._observe()).all()
            assert (infos["action_mask"][row] == env.action_masks()).all()
    assert ends > 8


def test_the_infos_are_those_of_gymnasiums_own_vectors() -> None:
    """At the ends of games the infos have the keys, shapes and types that `SyncVectorEnv` makes."""
    game = prepare_game("poker", preset="leduc", options={"hands": 1})
    same_step = gymnasium.vector.SyncVectorEnv([lambda: OneSeatEnv(game)] * 2, autoreset_mode=AutoresetMode.SAME_STEP)

    def describe(value: Any) -> object:  # noqa: ANN401 - arrays and dictionaries of them
        if isinstance(value, dict):
            return {key: describe(one) for key, one in value.items()}
        return value.shape, value.dtype

    met = []
    for vector in (same_step, OneSeatVectorEnv(game, 2)):
        _, infos = vector.reset(seed=1)
        rng, found = np.random.default_rng(1), {}
        for _ in range(20):
            *_, infos = vector.step(choose_letters(infos, rng))
            found[str(sorted(infos))] = describe(infos)
        met.append(found)
    assert met[0] == met[1]
    assert len(met[0]) == 2


def test_gymnasiums_wrappers_of_vectors() -> None:
    """Gymnasium's wrappers count the games, and make lists of the infos."""
    vector = gymnasium.make_vec("pitboss/OneSeat-v0", 4, game="poker", preset="kuhn", reward="points")
    own: Any = vector.unwrapped
    assert type(own).__name__ == "OneSeatVectorEnv"
    counted = RecordEpisodeStatistics(vector)
    listed = DictInfoToList(counted)
    _, infos = listed.reset(seed=1)
    rng, lengths = np.random.default_rng(1), []
    for _ in range(300):
        letters = [rng.choice(np.flatnonzero(info["action_mask"])) for info in infos]
        *_, infos = listed.step(np.array(letters))
        lengths += [info["episode"]["l"] for info in infos if "episode" in info]
    assert len(lengths) == own._batch._dealt - 4 > 10


def test_an_illegal_letter_ends_the_game_of_its_row() -> None:
    """The agent has -1, the next game begins, and the other rows go on; a letter that there is not is illegal too."""
    vector = OneSeatVectorEnv("racko", 3, preset="short", shaping=1.0)
    _, infos = vector.reset(seed=1)
    assert vector._batch is not None
    worth = [game.worth[game.learner] for game in vector._batch._games if game.worth is not None]
    letters = infos["action_mask"].argmax(axis=1)
    letters[0] = infos["action_mask"][0].argmin()
    letters[2] = 1_000
    _, rewards, ended, _, infos = vector.step(letters)
    assert ended.tolist() == [True, False, True]
    assert rewards[[0, 2]].tolist() == pytest.approx([-1 - worth[0], -1 - worth[2]])
    assert infos["final_info"]["illegal"].tolist() == [True, False, True]
    assert infos["action_mask"].any(axis=1).all()
    assert vector._batch.finished == []


@pytest.mark.parametrize("opponents", [None, "house:fireworks", ["house:fireworks-literal", "house:random"]])
def test_a_copy_of_a_vector_plays_on_by_itself(opponents: Any) -> None:  # noqa: ANN401
    """A copy shows what the original shows from then on, opponents with a memory included."""
    vector = OneSeatVectorEnv("fireworks", 3, opponents=opponents)
    _, infos = vector.reset(seed=1)
    for part in range(3):
        twins = [vector.clone(), copy.deepcopy(vector), pickle.loads(pickle.dumps(vector))]
        played = [show_steps(twin, infos, part) for twin in twins]
        assert played == [show_steps(vector, infos, part)] * 3
        *_, infos = vector.step(vector._batch.masks.argmax(axis=1))  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: OneSeatVectorEnv("racko", 0), "num_envs is 0; it can be 1 or more"),
        (lambda: OneSeatVectorEnv("racko", 2, seat=2), "seat is 2; it can be 0 or 1"),
        (lambda: OneSeatVectorEnv("racko", 2).reset(options={"seat": 1}), "reset has no option seat: all games begin"),
    ],
)
def test_wrong_settings_of_a_vector_are_refused(call: Any, message: str) -> None:  # noqa: ANN401
    """The error says what there is."""
    with pytest.raises(OptionError, match=message):
        call()


def test_wrong_steps_of_a_vector_are_refused() -> None:
    """There has to be a reset before, and a letter for each row."""
    vector = OneSeatVectorEnv("racko", 2)
    with pytest.raises(ValueError, match="call reset"):
        vector.step([0, 0])
    vector.reset(seed=1)
    with pytest.raises(ValueError, match=r"the actions have the shape \(3,\); expected \(2,\)"):
        vector.step([0, 0, 0])
