"""The games of RLCard for learners: its actions and its arrays are their numbers."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss import Random
from pitboss.foreign.engine_state import EngineState, read_numbers
from pitboss.learning.action_fields import UnboundedAction
from pitboss.learning.learning_game import prepare_game
from pitboss_from_rlcard.plugin import pitboss_games

GAMES = {game.name: game for game in pitboss_games()}
MOST_DECISIONS = 30


@pytest.mark.parametrize("name", ["rlcard-leduc-holdem", "rlcard-uno", "rlcard-bridge", "rlcard-blackjack"])
def test_letters_and_rows_are_those_of_rlcard(name: str) -> None:
    """At each decision of a random game the letters are the numbers of the legal actions, and the row is the array."""
    game = prepare_game(GAMES[name])
    row = memoryview(bytearray(4 * game.encoder.size)).cast("f")
    rng, decisions, has_numbers = Random("letters"), 0, False
    for seed in ("a", "b", "c"):
        state = game.deal(seed)
        while decisions < MOST_DECISIONS and (spelling := game.find_choice(state)) is not None:
            assert isinstance(state, EngineState) and state.turn is not None
            position: Any = state.engine_position
            seat = state.turn.seat
            game.observe(state, seat, row, spelling)
            assert spelling.letters == sorted(move.number for move in position.list_moves(seat))
            assert [*row] == pytest.approx(read_numbers(position.show(seat).data, game.encoder.size))
            has_numbers |= any(row)
            state.play(spelling.add(rng.choice(spelling.letters)))
            decisions += 1
    assert decisions > 2
    assert has_numbers


def test_a_game_with_arrays_of_several_lengths_says_so() -> None:
    """A game whose seats have observations of several shapes is refused to learners with the reason."""
    with pytest.raises(UnboundedAction, match="the engine gives no observations as numbers"):
        prepare_game(GAMES["rlcard-doudizhu"])
