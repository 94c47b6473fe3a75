"""One seat of a game as an environment of Gymnasium; given players sit at the others."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any, ClassVar, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from pitboss.errors import OptionError
from pitboss.game import AnyGame, render_state
from pitboss.learning.game_walk import GameWalk
from pitboss.learning.learning_game import LearningGame
from pitboss.learning.rewards import Reward
from pitboss.simulation.random_play import ActionChooser
from pitboss.text import join_words
from pitboss_pettingzoo.game_settings import (
    ILLEGAL_REWARD,
    OBSERVATION_KINDS,
    RENDER_MODES,
    ObservationKind,
    Scale,
    Shaping,
    check_render_mode,
    check_seat,
    check_word,
    find_learning_game,
    find_potential,
    make_observation_space,
    scale_rewards,
    write_replay_page,
)
from pitboss_pettingzoo.opponents import Opponents, find_opponents


class OneSeatEnv(gymnasium.Env[Any, np.int64]):
    """A game of which the agent plays one seat: `seat`, or another one at random in each game.

    `opponents` play at the others: see `find_opponents`; by default they choose at random. An observation is a row;
    with `observations="dict"` it is {"observation": float32, "action_mask": int8}. The legal letters are in
    `info["action_mask"]` and, as MaskablePPO wants them, in `action_masks()`. An illegal letter ends the game with the
    reward -1, and `info["illegal"]` is true.

    The reward of a game comes at its end, multiplied by `scale`, which `metadata["reward_scale"]` tells as a number.
    With `shaping` each letter has the change of a potential (see `find_potential`), which is 0 after the end: the
    policies that are best stay so, if `discount` is that of the learner.

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
        opponents: Opponents = None,
        render_mode: Literal["ansi", "human"] | None = None,
        *,
        seat: int | None = None,
        shaping: Shaping = None,
        discount: float = 1.0,
        scale: Scale = 1.0,
        observations: ObservationKind = "flat",
    ) -> None:
        """Prepare a game.

        Raises:
            ConfigError: no such game is installed.
            OptionError: one of the settings is none; or it is given beside a game that is prepared already.
        """
        given = find_learning_game(game, seats, options, preset, reward)
        self.game, reward_scale = scale_rewards(given, scale)
        self.metadata = {**type(self).metadata, "reward_scale": reward_scale}  # type: ignore[misc] # of this environment
        self.render_mode = check_render_mode(render_mode)
        self._is_flat = check_word("observations", observations, OBSERVATION_KINDS) == "flat"
        self.observation_space = make_observation_space(self.game, observations)
        self.action_space: spaces.Discrete = spaces.Discrete(len(self.game.alphabet))
        self._opponents = find_opponents(opponents, self.game)
        self._given_seat = check_seat(self.game, seat, "seat")
        self._potential, self._discount = find_potential(given, shaping, reward_scale), discount
        self._worth = 0.0  # the potential at the last letter
        self._seat = 0
        self._walk: GameWalk | None = None  # None: before the first reset
        self._chooser: ActionChooser | None = None
        self._is_over = True
        self._ended: tuple[GameWalk, int] | None = None  # the last game that has ended, and the agent's seat

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
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
            game_seed = f"gymnasium/{self.np_random.integers(1 << 62)}"
            walk = self._walk = GameWalk(self.game, game_seed, has_log=self._opponents.wants_events)
            self._chooser = self._opponents.begin_game(self.game, game_seed)
            self._is_over = self._go_on(walk)
            if not self._is_over:
                break
        self._worth = self._find_worth()
        if self.render_mode == "human":
            self.render()
        return self._observe(), self._info()

    def step(self, action: np.int64) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Add a letter to the decision of the agent; the reward of the game comes at its end.

        Raises:
            ValueError: no game is in progress.
        """
        walk = self._walk
        if self._is_over or walk is None or walk.spelling is None:
            raise ValueError("no game is in progress: call reset()")
        is_legal = action in walk.spelling.letters
        if not is_legal:
            self._is_over = True
        elif walk.add(int(action)):
            self._is_over = self._go_on(walk)
        reward = 0.0 if is_legal else ILLEGAL_REWARD
        if is_legal and self._is_over:
            reward = self.game.rewards_of(walk.state)[self._seat]
            self._ended = walk, self._seat
        if self._potential is not None:
            before, self._worth = self._worth, self._find_worth()
            reward += self._discount * self._worth - before
        if self.render_mode == "human":
            self.render()
        return self._observe(), reward, self._is_over, False, self._info() | ({} if is_legal else {"illegal": True})

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
        text = "\n".join(render_state(self._walk.state, self._seat, self._name_players(self._seat)))
        if self.render_mode == "human":
            print(text, flush=True)
            return None
        return text

    def write_replay(self, file: Path | str) -> None:
        """Write the last game that has ended as a page to be replayed in a browser; long ones as several pages.

        Raises:
            ValueError: no game has ended; one that an illegal letter broke off does not count.
            ConfigError: the page cannot be written.
        """
        walk, seat = self._ended or (None, 0)
        write_replay_page(walk, self._name_players(seat), Path(file))

    def _name_players(self, agent: int) -> list[str]:
        return ["agent" if seat == agent else f"player {seat}" for seat in range(self.game.seats)]

    def _read_seat(self, options: Mapping[str, Any]) -> int | None:
        """Return the seat that the options of `reset` give the agent, or else the environment; None if neither does."""
        unknown = sorted(map(str, options.keys() - {"seat"}))
        if unknown:
            raise OptionError(
                f"reset has no option {join_words(unknown)}; it has seat, the seat of the agent", *unknown
            )
        given = check_seat(self.game, options.get("seat"), "the option seat of reset")
        return self._given_seat if given is None else given

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks().astype(np.int8), "seat": self._seat}

    def _observe(self) -> Any:  # noqa: ANN401 - an array, or a dictionary of two
        assert self._walk is not None
        row = np.zeros(self.game.encoder.size, np.float32)
        self.game.observe(self._walk.state, self._seat, row.data, None if self._is_over else self._walk.spelling)
        return row if self._is_flat else {"observation": row, "action_mask": self.action_masks().astype(np.int8)}

    def _find_worth(self) -> float:
        """Return the potential of the position for the agent: 0 after the end."""
        if self._potential is None or self._is_over:
            return 0.0
        assert self._walk is not None
        return float(np.asarray(self._potential(self._walk.state))[self._seat])

    def _go_on(self, walk: GameWalk) -> bool:
        """Play on until the agent has a choice; return whether the game has ended before."""
        assert self._chooser is not None
        while (turn := walk.state.turn) is not None and turn.seat != self._seat:
            walk.play(self._chooser(walk.state, walk.state.legal()))
        return turn is None
