"""The games of OpenSpiel for learners: its actions and its tensors are their numbers."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

from pitboss import Random
from pitboss.foreign.engine_state import EngineState
from pitboss.learning.action_fields import UnboundedAction
from pitboss.learning.batch import GameBatch
from pitboss.learning.learning_game import prepare_game
from pitboss.testing import check_game
from pitboss_from_openspiel.plugin import pitboss_games

GAMES = {game.name: game for game in pitboss_games()}
POKER = ["spiel-kuhn-poker", "spiel-leduc-poker"]


@pytest.mark.parametrize("name", [*POKER, "spiel-tic-tac-toe", "spiel-goofspiel", "spiel-liars-dice"])
def test_letters_and_rows_are_those_of_openspiel(name: str) -> None:
    """At every decision of a random game the letters are OpenSpiel's legal actions, the row is its tensor."""
    game = prepare_game(GAMES[name])
    row = memoryview(bytearray(4 * game.encoder.size)).cast("f")
    state, rng = game.deal("s"), Random("letters")
    decisions = 0
    while (spelling := game.find_choice(state)) is not None:
        assert isinstance(state, EngineState) and state.turn is not None
        spiel: Any = state.engine_position
        seat = state.turn.seat
        game.observe(state, seat, row, spelling)
        assert spelling.letters == spiel.state.legal_actions(seat)
        assert [*row] == pytest.approx(getattr(spiel.state, spiel.tensor)(seat))
        state.play(spelling.add(rng.choice(spelling.letters)))
        decisions += 1
    assert decisions > 1
    assert len(game.rewards_of(state)) == game.seats


@pytest.mark.parametrize("name", POKER)
def test_a_batch_of_poker(name: str) -> None:
    """Many games are played at once by random letters, to their ends; what everybody wins sums to nothing."""
    batch = GameBatch(prepare_game(GAMES[name], reward="points"), 8, "batch")
    rng = Random("letters")
    for _ in range(60):
        batch.step([rng.choice(mask.nonzero()[0].tolist()) for mask in batch.masks])

    assert len(batch.finished) > 16
    assert all(sum(rewards) == 0 for _, rewards in batch.finished)
    assert batch.observations.any(axis=1).all()


@pytest.mark.parametrize("name", POKER)
def test_the_suite_looks_at_the_numbers(name: str) -> None:
    """The tensors of OpenSpiel are the same in all worlds of a seat, and its actions lead back to the moves."""
    outcomes = {one.name: one.outcome for one in check_game(GAMES[name], seats=[2], presets=[], games=1).checks}

    assert outcomes["actions-can-be-numbered"] == "passed"
    assert outcomes["actions-are-spelled-apart"] == outcomes["learners-see-nothing-hidden"] == "passed"


def test_a_game_without_tensors_says_so() -> None:
    """A game that gives no tensor is refused to learners with the reason."""
    without = [
        name for name, game in GAMES.items() if game.find_facts(game.seats[0], game.Options()).observation is None
    ]
    assert without
    for name in without:
        with pytest.raises(UnboundedAction, match="the engine gives no observations as numbers"):
            prepare_game(GAMES[name])


def test_environments_take_the_games() -> None:
    """PettingZoo's and Gymnasium's own tests pass on the environments of a game of OpenSpiel."""
    pitboss_pettingzoo = pytest.importorskip("pitboss_pettingzoo")
    api_test, check_env = (
        pytest.importorskip(module).__dict__[name]
        for module, name in (("pettingzoo.test", "api_test"), ("gymnasium.utils.env_checker", "check_env"))
    )
    for name in POKER:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            api_test(pitboss_pettingzoo.make_env(name), num_cycles=100)
            check_env(pitboss_pettingzoo.OneSeatEnv(name), skip_render_check=True)
