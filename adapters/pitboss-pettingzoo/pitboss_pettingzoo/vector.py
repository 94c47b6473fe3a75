"""Many games at once as a vector environment of Gymnasium: the agent plays one seat of each."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from pitboss.errors import OptionError
from pitboss.game import AnyGame
from pitboss.learning.batch import GIVEN_UP, GameBatch
from pitboss.learning.game_walk import GameWalk
from pitboss.learning.learning_game import LearningGame
from pitboss.learning.rewards import Reward
from pitboss.text import join_words
from pitboss_pettingzoo.game_settings import (
    ILLEGAL_REWARD,
    OBSERVATION_KINDS,
    ObservationKind,
    Scale,
    Shaping,
    check_seat,
    check_word,
    find_learning_game,
    find_potential,
    make_observation_space,
    scale_rewards,
)
from pitboss_pettingzoo.opponents import Opponents, find_opponents


class OneSeatVectorEnv(VectorEnv[Any, NDArray[np.int64], NDArray[Any]]):
    """`OneSeatEnv` for many games, which are stepped together in a `GameBatch`.

    A game that has ended is followed by the next one in the same step (`AutoresetMode.SAME_STEP`): `final_obs` and
    `final_info` of the infos have its end. `action_mask` of the infos has the legal letters of each row, and `seat` the
    agent's seat. The seed decides the games of all rows.

    A copy (`clone`, `copy.deepcopy`, a pickle) is independent, and plays on as this environment would.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self,
        game: LearningGame | AnyGame | str,
        num_envs: int = 64,
        seats: int | None = None,
        options: Mapping[str, object] | None = None,
        preset: str | None = None,
        reward: Reward | str | None = None,
        opponents: Opponents = None,
        *,
        seat: int | None = None,
        shaping: Shaping = None,
        discount: float = 1.0,
        scale: Scale = 1.0,
        observations: ObservationKind = "flat",
    ) -> None:
        """Prepare `num_envs` games; all else is as for `OneSeatEnv`.

        Raises:
            ConfigError: no such game is installed.
            OptionError: one of the settings is none; or it is given beside a game that is prepared already.
        """
        if num_envs < 1:
            raise OptionError(f"num_envs is {num_envs!r}; it can be 1 or more", "num_envs")
        given = find_learning_game(game, seats, options, preset, reward)
        self.game, reward_scale = scale_rewards(given, scale)
        self.metadata = {**type(self).metadata, "reward_scale": reward_scale}  # type: ignore[misc] # of this environment
        self.num_envs = num_envs
        self._is_flat = check_word("observations", observations, OBSERVATION_KINDS) == "flat"
        self.single_observation_space = make_observation_space(self.game, observations)
        self.single_action_space: spaces.Discrete = spaces.Discrete(len(self.game.alphabet))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._opponents = find_opponents(opponents, self.game)
        self._given_seat = check_seat(self.game, seat, "seat")
        self._potential, self._discount = find_potential(given, shaping, reward_scale), discount
        self._batch: GameBatch | None = None  # None: before the first reset

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin all games, each at the first choice of the agent; they follow from the last seed that was given.

        Raises:
            OptionError: there are options; `reset` of this environment has none.
        """
        if options:
            raise OptionError(
                f"reset has no option {join_words(sorted(map(str, options)))}: all games begin, with the seat that the "
                "environment was given",
                *map(str, options),
            )
        super().reset(seed=seed)
        self._batch = GameBatch(
            self.game,
            self.num_envs,
            f"gymnasium/{self.np_random.integers(1 << 62)}",
            self._opponents,
            0.0 if self._potential is None else self._potential,
            seat=self._given_seat,
            discount=self._discount,
        )
        return self._observe(self._batch), self._inform(self._batch)

    def step(
        self, actions: ArrayLike
    ) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Add a letter to the decision of each row.

        Raises:
            ValueError: no games are in progress, or there is not one letter for each row.
        """
        batch = self._batch
        if batch is None:
            raise ValueError("no games are in progress: call reset()")
        letters = np.asarray(actions)
        if letters.shape != (self.num_envs,):
            raise ValueError(f"the actions have the shape {letters.shape}; expected ({self.num_envs},)")
        rows, seats = np.arange(self.num_envs), batch.seats.copy()
        is_known = (letters >= 0) & (letters < len(self.game.alphabet))
        is_legal = is_known & batch.masks[rows, np.where(is_known, letters, 0)]
        brought = batch.step(np.where(is_legal, letters, GIVEN_UP).tolist())
        rewards = brought.rewards[rows, seats].astype(np.float64)
        rewards[~is_legal] += ILLEGAL_REWARD
        infos = self._inform(batch)
        for row, (seat, walk) in batch.last_walks.items():
            self._add_info(infos, self._show_end(seat, walk, is_legal=bool(is_legal[row])), row)
        return self._observe(batch), rewards, brought.ended, np.zeros(self.num_envs, np.bool_), infos

    def clone(self) -> OneSeatVectorEnv:
        """Return an independent environment that stands where this one stands."""
        return deepcopy(self)

    def _observe(self, batch: GameBatch) -> Any:  # noqa: ANN401 - an array, or a dictionary of two
        rows = batch.observations.copy()
        return rows if self._is_flat else {"observation": rows, "action_mask": batch.masks.astype(np.int8)}

    def _inform(self, batch: GameBatch) -> dict[str, Any]:
        everywhere = np.ones(self.num_envs, np.bool_)
        return {
            "action_mask": batch.masks.astype(np.int8),
            "_action_mask": everywhere,
            "seat": batch.seats.copy(),
            "_seat": everywhere.copy(),
        }

    def _show_end(self, seat: int, walk: GameWalk, *, is_legal: bool) -> dict[str, Any]:
        """Return what is told of a game that has ended: the same as in `OneSeatEnv`."""
        row, mask = np.zeros(self.game.encoder.size, np.float32), np.ones(len(self.game.alphabet), np.int8)
        self.game.observe(walk.state, seat, row.data)
        info = {"action_mask": mask, "seat": seat} | ({} if is_legal else {"illegal": True})
        return {"final_obs": row if self._is_flat else {"observation": row, "action_mask": mask}, "final_info": info}
