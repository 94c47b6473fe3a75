"""A game as an AEC environment of PettingZoo: all seats are agents, who choose letter by letter."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Final, Literal

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from pitboss.game import AnyGame, AnyState, render_state
from pitboss.learning.learning_game import LearningGame, prepare_game
from pitboss.learning.rewards import Reward
from pitboss.learning.spelling import Spelling

ILLEGAL_REWARD: Final = -1.0
SEED_BITS: Final = 62  # of the seed of a deal


class TableEnv(AECEnv[str, dict[str, NDArray[Any]], int | None]):
    """A game at one table. Decisions with one legal action are played by themselves.

    The agents are "seat_0", "seat_1", …. An observation is {"observation": float32, "action_mask": int8}; the mask of
    an agent that is not on turn is all zeros. Rewards come at the end of the game.
    """

    def __init__(self, game: LearningGame, render_mode: Literal["ansi", "human"] | None = None) -> None:
        super().__init__()
        self.game = game
        self.render_mode = render_mode
        rules = game.setup.game
        self.metadata: dict[str, Any] = {
            "render_modes": ["ansi", "human"],
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
        self._state: AnyState | None = None
        self._spelling: Spelling | None = None

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of an agent's letters."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a game; the deals follow from the last seed that was given."""
        if seed is not None:
            self._random = Random(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._state = self.game.deal(f"pettingzoo/{self._random.getrandbits(SEED_BITS)}")
        self.agent_selection = self.agents[0]
        self._go_on()

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """Return what an agent may know."""
        assert self._state is not None
        return observe(self.game, self._state, self.agent_name_mapping[agent], self._spelling)

    def step(self, action: int | None) -> None:
        """Add a letter to the decision of the agent on turn."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert self._state is not None
        assert self._spelling is not None
        assert action is not None
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        chosen = self._spelling.add(int(action))
        if chosen is not None:
            self._state.play(chosen)
            self._go_on()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """Return the table as text ("ansi"), or print it ("human"); every card is shown."""
        if self.render_mode is None or self._state is None:
            return None
        text = "\n".join(render_state(self._state, None, self.possible_agents))
        if self.render_mode == "human":
            print(text, flush=True)
            return None
        return text

    def close(self) -> None:
        """Do nothing: a game holds no resources."""

    def _go_on(self) -> None:
        """Select the agent that has a choice next, or end the game."""
        assert self._state is not None
        self._spelling = self.game.find_choice(self._state)
        turn = self._state.turn
        if turn is not None:
            self.agent_selection = self.possible_agents[turn.seat]
            return
        self.rewards = dict(zip(self.possible_agents, self.game.rewards_of(self._state), strict=True))
        self.terminations = dict.fromkeys(self.agents, True)


def make_env(
    game: AnyGame | str,
    seats: int | None = None,
    options: Mapping[str, object] | None = None,
    preset: str | None = None,
    reward: Reward | str | None = None,
    render_mode: Literal["ansi", "human"] | None = None,
) -> AECEnv[str, dict[str, NDArray[Any]], int | None]:
    """Return a game as an environment with PettingZoo's checks around it: an illegal letter ends the game at -1.

    Raises:
        ConfigError: no such game is installed.
        OptionError: there is no such preset, option, number of seats or reward.
    """
    table = TableEnv(prepare_game(game, seats, options, preset, reward), render_mode)
    checked = wrappers.TerminateIllegalWrapper(table, illegal_reward=ILLEGAL_REWARD)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(checked))


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
