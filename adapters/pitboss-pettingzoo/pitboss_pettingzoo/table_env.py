"""A game as an AEC environment of PettingZoo: all seats are agents, who choose letter by letter."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from random import Random
from typing import Any, Final, Literal

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from pitboss.errors import OptionError
from pitboss.game import AnyGame, AnyState, render_state
from pitboss.learning.game_walk import GameWalk
from pitboss.learning.learning_game import LearningGame, prepare_game
from pitboss.learning.rewards import Reward
from pitboss.learning.spelling import Spelling
from pitboss.text import join_words

RENDER_MODES: Final = ("ansi", "human")
ILLEGAL_REWARD: Final = -1.0
SEED_BITS: Final = 62  # of the seed of a deal
_TESTED_OPTIONS: Final = {"options"}  # PettingZoo's `api_test` gives it, and wants it to be ignored


class TableEnv(AECEnv[str, dict[str, NDArray[Any]], int | None]):
    """A game at one table. Decisions with one legal action are played by themselves.

    The agents are "seat_0", "seat_1", …. An observation is {"observation": float32, "action_mask": int8}; the mask of
    an agent that is not on turn is all zeros. Rewards come at the end of the game.

    A copy (`clone`, `copy.deepcopy`, a pickle) is independent, and plays on as this environment would.
    """

    def __init__(self, game: LearningGame, render_mode: Literal["ansi", "human"] | None = None) -> None:
        """Make the environment of a game.

        Raises:
            OptionError: there is no such way to render.
        """
        super().__init__()
        self.game = game
        self.render_mode = check_render_mode(render_mode)
        rules = game.setup.game
        self.metadata: dict[str, Any] = {
            "render_modes": [*RENDER_MODES],
            "is_parallelizable": False,
            "name": f"pitboss_{rules.name.replace('-', '_')}_v{rules.version}",
        }
        self.possible_agents = [f"seat_{seat}" for seat in range(game.seats)]
        self.agent_name_mapping = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        letters = len(game.alphabet)
        self.observation_spaces: dict[str, spaces.Dict] = {}
        self.action_spaces: dict[str, spaces.Discrete] = {}
        for agent in self.possible_agents:
            self.observation_spaces[agent] = make_observation_space(game)
            self.action_spaces[agent] = spaces.Discrete(letters)
        self._random = Random()
        self._walk: GameWalk | None = None  # None: before the first reset

    def observation_space(self, agent: str) -> spaces.Dict:
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
        self.agent_selection = self.agents[0]
        self._select_agent()

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """Return what an agent may know."""
        assert self._walk is not None
        return observe(self.game, self._walk.state, self.agent_name_mapping[agent], self._walk.spelling)

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


class CheckedTableEnv(wrappers.OrderEnforcingWrapper[str, dict[str, NDArray[Any]], int | None]):
    """A `TableEnv` with PettingZoo's checks around it."""

    def __init__(self, table: TableEnv) -> None:
        """Put the checks around the environment of a table: an illegal letter ends the game at -1."""
        checked = wrappers.TerminateIllegalWrapper(table, illegal_reward=ILLEGAL_REWARD)
        super().__init__(wrappers.AssertOutOfBoundsWrapper(checked))

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
) -> CheckedTableEnv:
    """Return a game as an environment with PettingZoo's checks around it: an illegal letter ends the game at -1.

    Raises:
        ConfigError: no such game is installed.
        OptionError: there is no such preset, option, number of seats, reward or way to render; or one of them is given
            beside a game that is prepared already.
    """
    return CheckedTableEnv(TableEnv(find_learning_game(game, seats, options, preset, reward), render_mode))


def find_learning_game(
    game: LearningGame | AnyGame | str,
    seats: int | None,
    options: Mapping[str, object] | None,
    preset: str | None,
    reward: Reward | str | None,
) -> LearningGame:
    """Return a prepared game as it is, another one prepared.

    Raises:
        ConfigError: no such game is installed.
        OptionError: there is no such preset, option, number of seats or reward; or one of them is given beside a game
            that is prepared already.
    """
    if not isinstance(game, LearningGame):
        return prepare_game(game, seats, options, preset, reward)
    settings = {"seats": seats, "options": options, "preset": preset, "reward": reward}
    given = [name for name, value in settings.items() if value is not None]
    if given:
        raise OptionError(
            f"{join_words(given, 'and')} cannot change a game that is prepared: give them to prepare_game", *given
        )
    return game


def check_render_mode(mode: Any) -> Any:  # noqa: ANN401 - whatever a caller gives
    """Return a way to render, or None.

    Raises:
        OptionError: there is no such way.
    """
    if mode is not None and mode not in RENDER_MODES:
        raise OptionError(f"render_mode is {mode!r}; it can be {join_words(map(repr, [*RENDER_MODES, None]))}")
    return mode


def make_observation_space(game: LearningGame) -> spaces.Dict:
    """Return the space of what a seat is shown."""
    return spaces.Dict(
        {
            "observation": spaces.Box(-1.0, 1.0, (game.encoder.size,), np.float32),
            "action_mask": spaces.Box(0, 1, (len(game.alphabet),), np.int8),
        }
    )


def observe(game: LearningGame, state: AnyState, seat: int, spelling: Spelling | None) -> dict[str, NDArray[Any]]:
    """Return what a seat is shown, with the letters that it may choose: none if it is not on turn."""
    row = np.zeros(game.encoder.size, np.float32)
    game.observe(state, seat, row.data, spelling)
    mask = np.zeros(len(game.alphabet), np.int8)
    turn = state.turn
    if spelling is not None and turn is not None and turn.seat == seat:
        mask[spelling.letters] = 1
    return {"observation": row, "action_mask": mask}
