"""A game as an AEC environment of PettingZoo: all seats are agents, who choose letter by letter."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any, Final, Literal

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from pitboss.errors import OptionError
from pitboss.game import AnyGame, render_state
from pitboss.learning.game_walk import GameWalk
from pitboss.learning.learning_game import LearningGame
from pitboss.learning.rewards import Reward
from pitboss.text import join_words
from pitboss_pettingzoo.game_settings import (
    ILLEGAL_REWARD,
    OBSERVATION_KINDS,
    RENDER_MODES,
    ObservationKind,
    Scale,
    Shaping,
    check_render_mode,
    check_word,
    find_learning_game,
    find_potential,
    make_observation_space,
    scale_rewards,
    write_replay_page,
)

SEED_BITS: Final = 62  # of the seed of a deal
_TESTED_OPTIONS: Final = {"options"}  # PettingZoo's `api_test` gives it, and wants it to be ignored


class TableEnv(AECEnv[str, Any, int | None]):
    """A game at one table. Decisions with one legal action are played by themselves.

    The agents are "seat_0", "seat_1", …. An observation is {"observation": float32, "action_mask": int8}; the mask of
    an agent that is not on turn is all zeros. With `observations="flat"` it is the row alone, and the mask is in the
    infos. Rewards come at the end of the game, and those of `shaping` between decisions.

    A copy (`clone`, `copy.deepcopy`, a pickle) is independent, and plays on as this environment would.
    """

    def __init__(
        self,
        game: LearningGame,
        render_mode: Literal["ansi", "human"] | None = None,
        *,
        shaping: Shaping = None,
        scale: Scale = 1.0,
        observations: ObservationKind = "dict",
    ) -> None:
        """Make the environment of a game.

        Raises:
            OptionError: there is no such way to render, shaping, scale or kind of observations.
        """
        super().__init__()
        self.game, reward_scale = scale_rewards(game, scale)
        self.render_mode = check_render_mode(render_mode)
        self._is_flat = check_word("observations", observations, OBSERVATION_KINDS) == "flat"
        self._potential = find_potential(game, shaping, reward_scale)
        rules = game.setup.game
        self.metadata: dict[str, Any] = {
            "render_modes": [*RENDER_MODES],
            "is_parallelizable": False,
            "reward_scale": reward_scale,
            "name": f"pitboss_{rules.name.replace('-', '_')}_v{rules.version}",
        }
        self.possible_agents = [f"seat_{seat}" for seat in range(game.seats)]
        self.agent_name_mapping = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        letters = len(game.alphabet)
        self.observation_spaces: dict[str, spaces.Space[Any]] = {}
        self.action_spaces: dict[str, spaces.Discrete] = {}
        for agent in self.possible_agents:
            self.observation_spaces[agent] = make_observation_space(game, observations)
            self.action_spaces[agent] = spaces.Discrete(letters)
        self._random = Random()
        self._walk: GameWalk | None = None  # None: before the first reset
        self._ended: GameWalk | None = None  # the last game that has ended
        self._worth: list[float] = []  # by seat: the potential at the last decision

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of an agent's letters."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a game; the deals follow from the last seed that was given.

        Raises:
            OptionError: there are options; `reset` of this environment has none.
        """
        unknown = sorted((options or {}).keys() - _TESTED_OPTIONS)
        if unknown:
            raise OptionError(
                f"reset has no option {join_words(unknown)}: each seat has an agent here; OneSeatEnv has an option seat"
            )
        if seed is not None:
            self._random = Random(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._walk = GameWalk(self.game, f"pettingzoo/{self._random.getrandbits(SEED_BITS)}")
        self._worth = self._find_worth()
        self.agent_selection = self.agents[0]
        self._select_agent()
        self._tell_masks()

    def observe(self, agent: str) -> Any:  # noqa: ANN401 - an array, or a dictionary of two
        """Return what an agent may know."""
        walk = self._walk
        assert walk is not None
        row = np.zeros(self.game.encoder.size, np.float32)
        self.game.observe(walk.state, self.agent_name_mapping[agent], row.data, walk.spelling)
        return row if self._is_flat else {"observation": row, "action_mask": self._find_mask(agent)}

    def step(self, action: int | None) -> None:
        """Add a letter to the decision of the agent on turn."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert self._walk is not None
        assert action is not None
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if self._walk.add(int(action)):
            self._select_agent()
            self._shape_rewards()
        self._tell_masks()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """Return the table as text ("ansi"), or print it ("human"); every card is shown."""
        if self.render_mode is None or self._walk is None:
            return None
        text = "\n".join(render_state(self._walk.state, None, self.possible_agents))
        if self.render_mode == "human":
            print(text, flush=True)
            return None
        return text

    def write_replay(self, file: Path | str) -> None:
        """Write the last game that has ended as a page to be replayed in a browser; long ones as several pages.

        Raises:
            ValueError: no game has ended.
            ConfigError: the page cannot be written.
        """
        write_replay_page(self._ended, self.possible_agents, Path(file))

    def close(self) -> None:
        """Do nothing: a game holds no resources."""

    def clone(self) -> TableEnv:
        """Return an independent environment that stands where this one stands."""
        return deepcopy(self)

    def _select_agent(self) -> None:
        """Select the agent that has a choice next, or end the game."""
        assert self._walk is not None
        turn = self._walk.state.turn
        if turn is not None:
            self.agent_selection = self.possible_agents[turn.seat]
            return
        self.rewards = dict(zip(self.possible_agents, self.game.rewards_of(self._walk.state), strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        self._ended = self._walk

    def _find_mask(self, agent: str) -> NDArray[np.int8]:
        """Return the letters that an agent may choose: none if it is not on turn."""
        assert self._walk is not None
        mask, spelling, turn = np.zeros(len(self.game.alphabet), np.int8), self._walk.spelling, self._walk.state.turn
        if spelling is not None and turn is not None and turn.seat == self.agent_name_mapping[agent]:
            mask[spelling.letters] = 1
        return mask

    def _tell_masks(self) -> None:
        """Write the masks into the infos, if they are not in the observations."""
        if self._is_flat:
            self.infos = {agent: {"action_mask": self._find_mask(agent)} for agent in self.agents}

    def _find_worth(self) -> list[float]:
        """Return the potential of the position, by seat: 0 after the end."""
        assert self._walk is not None
        if self._potential is None or self._walk.spelling is None:
            return [0.0] * self.game.seats
        return [float(one) for one in np.asarray(self._potential(self._walk.state))]

    def _shape_rewards(self) -> None:
        """Add the change of the potential to the rewards."""
        if self._potential is None:
            return
        before, self._worth = self._worth, self._find_worth()
        for agent, old, new in zip(self.possible_agents, before, self._worth, strict=True):
            self.rewards[agent] += new - old


class CheckedTableEnv(wrappers.OrderEnforcingWrapper[str, Any, int | None]):
    """A `TableEnv` with PettingZoo's checks around it."""

    def __init__(self, table: TableEnv) -> None:
        """Put the checks around the environment of a table: an illegal letter ends the game at -1."""
        checked = wrappers.TerminateIllegalWrapper(table, illegal_reward=ILLEGAL_REWARD)
        super().__init__(wrappers.AssertOutOfBoundsWrapper(checked))

    def write_replay(self, file: Path | str) -> None:
        """Write the last game that has ended as a page: see `TableEnv.write_replay`."""
        self.unwrapped.write_replay(file)

    def clone(self) -> CheckedTableEnv:
        """Return an independent environment that stands where this one stands."""
        return deepcopy(self)


def make_env(
    game: LearningGame | AnyGame | str,
    seats: int | None = None,
    options: Mapping[str, object] | None = None,
    preset: str | None = None,
    reward: Reward | str | None = None,
    render_mode: Literal["ansi", "human"] | None = None,
    *,
    shaping: Shaping = None,
    scale: Scale = 1.0,
    observations: ObservationKind = "dict",
) -> CheckedTableEnv:
    """Return a game as an environment with PettingZoo's checks around it: an illegal letter ends the game at -1.

    Raises:
        ConfigError: no such game is installed.
        OptionError: one of the settings is none; or it is given beside a game that is prepared already.
    """
    prepared = find_learning_game(game, seats, options, preset, reward)
    table = TableEnv(prepared, render_mode, shaping=shaping, scale=scale, observations=observations)
    return CheckedTableEnv(table)
