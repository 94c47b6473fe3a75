"""One seat of a game as an environment of Gymnasium; given players sit at the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from pitboss.action_range import draw_action
from pitboss.game import AnyGame, AnyState, render_state
from pitboss.learning.learning_game import LearningGame, prepare_game
from pitboss.learning.rewards import Reward
from pitboss.learning.spelling import Spelling
from pitboss.simulation.random_play import ActionChooser
from pitboss_pettingzoo.table_env import ILLEGAL_REWARD


class OneSeatEnv(gymnasium.Env[NDArray[np.float32], np.int64]):
    """A game of which the agent plays one seat, another one at random in each game.

    `opponents` returns the action of the others, of a state and its legal actions; by default they choose at random.
    The legal letters are in `info["action_mask"]` and, as MaskablePPO wants them, in `action_masks()`. An
    illegal letter ends the game with the reward -1, and `info["illegal"]` is true.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"]}

    def __init__(
        self,
        game: LearningGame | AnyGame | str,
        seats: int | None = None,
        options: Mapping[str, object] | None = None,
        preset: str | None = None,
        reward: Reward | str | None = None,
        opponents: ActionChooser | None = None,
        render_mode: Literal["ansi"] | None = None,
    ) -> None:
        """Prepare a game.

        Raises:
            ConfigError: no such game is installed.
            OptionError: there is no such preset, option, number of seats or reward.
        """
        self.game = game if isinstance(game, LearningGame) else prepare_game(game, seats, options, preset, reward)
        self.render_mode = render_mode
        self.observation_space = spaces.Box(-1.0, 1.0, (self.game.encoder.size,), np.float32)
        self.action_space: spaces.Discrete = spaces.Discrete(len(self.game.alphabet))
        self._opponents = opponents
        self._seat = 0
        self._state: AnyState | None = None
        self._spelling: Spelling | None = None

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin a game, at the first choice of the agent; the deals follow from the last seed that was given."""
        super().reset(seed=seed)
        while True:
            self._seat = int(self.np_random.integers(self.game.seats))
            self._state = self.game.deal(f"gymnasium/{self.np_random.integers(1 << 62)}")
            self._go_on()
            if self._spelling is not None:
                return self._observe(), self._info()

    def step(self, action: np.int64) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Add a letter to the decision of the agent; the reward comes at the end of the game.

        Raises:
            ValueError: no game is in progress.
        """
        if self._spelling is None or self._state is None:
            raise ValueError("no game is in progress: call reset()")
        if action not in self._spelling.letters:
            self._spelling = None
            return self._observe(), ILLEGAL_REWARD, True, False, {**self._info(), "illegal": True}
        chosen = self._spelling.add(int(action))
        if chosen is not None:
            self._state.play(chosen)
            self._go_on()
        is_over = self._spelling is None
        reward = self.game.rewards_of(self._state)[self._seat] if is_over else 0.0
        return self._observe(), reward, is_over, False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which letters are legal; all of them after the end of a game."""
        mask = np.zeros(len(self.game.alphabet), np.bool_)
        mask[self._spelling.letters if self._spelling is not None else slice(None)] = True
        return mask

    def render(self) -> str | None:
        """Return the table as the agent sees it, as lines of text."""
        if self.render_mode != "ansi" or self._state is None:
            return None
        names = ["agent" if seat == self._seat else f"player {seat}" for seat in range(self.game.seats)]
        return "\n".join(render_state(self._state, self._seat, names))

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks().astype(np.int8), "seat": self._seat}

    def _observe(self) -> NDArray[np.float32]:
        assert self._state is not None
        row = np.zeros(self.game.encoder.size, np.float32)
        self.game.observe(self._state, self._seat, row.data, self._spelling)
        return row

    def _go_on(self) -> None:
        """Play on until the agent has a choice, or to the end."""
        state = self._state
        assert state is not None
        while True:
            self._spelling = self.game.find_choice(state)
            turn = state.turn
            if turn is None or turn.seat == self._seat:
                return
            state.play(self._choose(state))

    def _choose(self, state: AnyState) -> Any:  # noqa: ANN401 - an action of any game
        legal = state.legal()
        if self._opponents is not None:
            return self._opponents(state, legal)
        return draw_action(
            legal[int(self.np_random.integers(len(legal)))], lambda limit: int(self.np_random.integers(limit))
        )
