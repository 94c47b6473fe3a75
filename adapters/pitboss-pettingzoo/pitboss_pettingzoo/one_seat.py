"""One seat of a game as an environment of Gymnasium; given players sit at the others."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, ClassVar, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from pitboss.action_range import draw_action
from pitboss.errors import OptionError
from pitboss.game import AnyGame, AnyState, render_state
from pitboss.learning.game_walk import GameWalk
from pitboss.learning.learning_game import LearningGame
from pitboss.learning.rewards import Reward
from pitboss.simulation.random_play import ActionChooser
from pitboss.text import join_words
from pitboss_pettingzoo.table_env import ILLEGAL_REWARD, RENDER_MODES, check_render_mode, find_learning_game


class OneSeatEnv(gymnasium.Env[NDArray[np.float32], np.int64]):
    """A game of which the agent plays one seat, another one at random in each game.

    `opponents` returns the action of the others, of a state and its legal actions; by default they choose at random.
    The legal letters are in `info["action_mask"]` and, as MaskablePPO wants them, in `action_masks()`. An
    illegal letter ends the game with the reward -1, and `info["illegal"]` is true.

    A copy (`clone`, `copy.deepcopy`, a pickle) is independent, and plays on as this environment would. So do opponents
    that are objects; a function is the same one in a copy.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": [*RENDER_MODES], "render_fps": 1}

    def __init__(
        self,
        game: LearningGame | AnyGame | str,
        seats: int | None = None,
        options: Mapping[str, object] | None = None,
        preset: str | None = None,
        reward: Reward | str | None = None,
        opponents: ActionChooser | None = None,
        render_mode: Literal["ansi", "human"] | None = None,
    ) -> None:
        """Prepare a game.

        Raises:
            ConfigError: no such game is installed.
            OptionError: there is no such preset, option, number of seats, reward or way to render; or one of them is
                given beside a game that is prepared already.
        """
        self.game = find_learning_game(game, seats, options, preset, reward)
        self.render_mode = check_render_mode(render_mode)
        self.observation_space = spaces.Box(-1.0, 1.0, (self.game.encoder.size,), np.float32)
        self.action_space: spaces.Discrete = spaces.Discrete(len(self.game.alphabet))
        self._opponents = opponents
        self._seat = 0
        self._walk: GameWalk | None = None  # None: before the first reset
        self._is_over = True

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin a game, at the first choice of the agent; the deals follow from the last seed that was given.

        `options` may have the agent's `seat`, for this game alone: the seed deals the same cards.

        Raises:
            OptionError: there is no such option or seat.
        """
        given = self._read_seat(options or {})
        super().reset(seed=seed)
        while True:
            drawn = int(self.np_random.integers(self.game.seats))
            self._seat = drawn if given is None else given
            self._walk = GameWalk(self.game, f"gymnasium/{self.np_random.integers(1 << 62)}")
            self._is_over = self._go_on(self._walk)
            if not self._is_over:
                break
        if self.render_mode == "human":
            self.render()
        return self._observe(), self._info()

    def step(self, action: np.int64) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Add a letter to the decision of the agent; the reward comes at the end of the game.

        Raises:
            ValueError: no game is in progress.
        """
        walk = self._walk
        if self._is_over or walk is None or walk.spelling is None:
            raise ValueError("no game is in progress: call reset()")
        if action not in walk.spelling.letters:
            self._is_over = True
            return self._observe(), ILLEGAL_REWARD, True, False, {**self._info(), "illegal": True}
        if walk.add(int(action)):
            self._is_over = self._go_on(walk)
        reward = self.game.rewards_of(walk.state)[self._seat] if self._is_over else 0.0
        if self.render_mode == "human":
            self.render()
        return self._observe(), reward, self._is_over, False, self._info()

    def clone(self) -> OneSeatEnv:
        """Return an independent environment that stands where this one stands."""
        return deepcopy(self)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which letters are legal; all of them after the end of a game."""
        mask = np.zeros(len(self.game.alphabet), np.bool_)
        spelling = self._walk.spelling if self._walk is not None and not self._is_over else None
        mask[spelling.letters if spelling is not None else slice(None)] = True
        return mask

    def render(self) -> str | None:
        """Return the table as the agent sees it, as lines of text ("ansi"), or print it ("human")."""
        if self.render_mode is None or self._walk is None:
            return None
        names = ["agent" if seat == self._seat else f"player {seat}" for seat in range(self.game.seats)]
        text = "\n".join(render_state(self._walk.state, self._seat, names))
        if self.render_mode == "human":
            print(text, flush=True)
            return None
        return text

    def _read_seat(self, options: Mapping[str, Any]) -> int | None:
        """Return the seat that the options of `reset` give the agent; None if they give none."""
        unknown = sorted(map(str, options.keys() - {"seat"}))
        if unknown:
            raise OptionError(
                f"reset has no option {join_words(unknown)}; it has seat, the seat of the agent", *unknown
            )
        seat = options.get("seat")
        seats = range(self.game.seats)
        if seat is None:
            return None
        if isinstance(seat, bool) or not isinstance(seat, int | np.integer) or seat not in seats:
            raise OptionError(f"the option seat of reset is {seat!r}; it can be {join_words(seats)}", "seat")
        return int(seat)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks().astype(np.int8), "seat": self._seat}

    def _observe(self) -> NDArray[np.float32]:
        assert self._walk is not None
        row = np.zeros(self.game.encoder.size, np.float32)
        self.game.observe(self._walk.state, self._seat, row.data, None if self._is_over else self._walk.spelling)
        return row

    def _go_on(self, walk: GameWalk) -> bool:
        """Play on until the agent has a choice; return whether the game has ended before."""
        while (turn := walk.state.turn) is not None and turn.seat != self._seat:
            walk.play(self._choose(walk.state))
        return turn is None

    def _choose(self, state: AnyState) -> Any:  # noqa: ANN401 - an action of any game
        legal = state.legal()
        if self._opponents is not None:
            return self._opponents(state, legal)
        return draw_action(
            legal[int(self.np_random.integers(len(legal)))], lambda limit: int(self.np_random.integers(limit))
        )
