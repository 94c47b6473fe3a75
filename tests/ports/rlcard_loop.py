"""RLCard's own loop of Leduc poker, with its rules changed to those of Pitboss's preset leduc."""

from __future__ import annotations

from typing import Any

import numpy as np
import rlcard
from rlcard import models
from rlcard.games.leducholdem import Game

from tests.ports.pair_result import ChipsPerHand, summarize_hands


class ObservedArray(np.ndarray):
    """An array with `tostring`, which RLCard 1.2 calls and NumPy has had no more since 2.3."""

    def tostring(self) -> bytes:
        """Return the bytes."""
        return self.tobytes()


class LeducWithAntes(Game):  # type: ignore[misc]
    """RLCard's Leduc with antes of 1 in the place of blinds; who was first before the flop is first after it."""

    def init_game(self) -> Any:  # noqa: ANN401 - as in RLCard
        """Deal."""
        super().init_game()
        self.first: int = self.game_pointer
        for player in self.players:
            player.in_chips = 1
        self.round.start_new_round(self.first, raised=[0, 0])
        return self.get_state(self.first), self.first

    def step(self, action: str) -> Any:  # noqa: ANN401
        """Do an action."""
        rounds = self.round_counter
        state, player = super().step(action)
        if self.round_counter == rounds or self.is_over():
            return state, player
        self.game_pointer = self.first
        self.round.start_new_round(self.first)
        return self.get_state(self.first), self.first


class CheckingAgent:
    """An agent that checks where RLCard would let it fold for nothing."""

    def __init__(self, model: str) -> None:
        self.agent = models.load(model).agents[0]
        self.use_raw = True

    def eval_step(self, state: dict[str, Any]) -> tuple[str, Any]:
        """Return the action."""
        state["obs"] = state["obs"].view(ObservedArray)
        action, _ = self.agent.eval_step(state)
        word = action if isinstance(action, str) else ("call", "raise", "fold", "check")[action]
        return "check" if word == "fold" and "check" in state["raw_legal_actions"] else word, None


def play_rlcard(first: str, second: str, hands: int) -> ChipsPerHand:
    """Return what a model wins against another in RLCard's loop, which draws by lot who is first."""
    np.random.seed(0)
    env = rlcard.make("leduc-holdem", config={"seed": 0})
    env.game = LeducWithAntes()
    env.game.np_random = env.np_random
    env.set_agents([CheckingAgent(first), CheckingAgent(second)])
    return summarize_hands([env.run()[1][0] * env.game.big_blind for _ in range(hands)])
