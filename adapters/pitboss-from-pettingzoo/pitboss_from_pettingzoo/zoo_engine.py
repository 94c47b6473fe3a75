"""An environment of PettingZoo (AEC) as an engine: its agents are the seats, its masks say what is legal.

A seat is shown its observation, without the mask: as data, and as a picture where everything is open. Rewards are added
up. A position is copied with the attributes of its environment; where such a copy goes on differently, which is tried
out once (`ZooEngine.can_copy`), the moves are made again from the seed.
"""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Mapping, Sequence
from copy import deepcopy
from functools import cached_property
from typing import Any, Final

import pettingzoo
from gymnasium.spaces import Dict, Discrete, Space
from pettingzoo.utils import BaseWrapper

from pitboss import OptionError, Options, Random
from pitboss.foreign.engine import EngineFacts, EngineMove, EngineOutcome, Sight
from pitboss.foreign.parameters import draw_engine_seed, list_changed, make_options, make_plain, write_lines
from pitboss.outcome import solo_sides
from pitboss_from_pettingzoo.zoo_words import ZooTraits, find_traits, keep_go_size

SEED_LIMIT: Final = 1 << 31
TRIED_MOVES: Final = 60  # with which copies are tried out
FAULTY_PARAMETERS: Final = ("random_start_player",)  # of Hanabi, which then says that another agent is on turn
FOR_SCREENS: Final = ("render_mode", "screen_height", "screen_scaling")
OWN_FAMILY: Final = "pitboss"  # the games of Pitboss, which pitboss-pettingzoo registers
SCREENS: Final = {  # by the family of an environment: why it is no game at a table
    "atari": "it is a video game",
    "butterfly": "it is a video game",
    "magent": "it is a battle of hundreds of agents",
    "mpe": "its agents move in a plane",
    "sisl": "its agents move in a plane",
}


def explain_refusal(env_id: str) -> str:
    """Return why an environment is not offered, as a sentence without an end; "" if it is."""
    family = env_id.partition("/")[0]
    if family in SCREENS:
        return SCREENS[family]
    if family == OWN_FAMILY:
        return "it is a game of Pitboss"
    try:
        env = load_env(env_id)
    except Exception as error:  # noqa: BLE001 - whatever a package of others raises, as one that it needs is missing
        return f"it does not load: {' '.join(str(error.__cause__ or error).split())}"
    if len(env.possible_agents) < 2:
        return "it is for one player"
    spaces = [env.action_space(agent) for agent in env.possible_agents]
    return "" if all(isinstance(space, Discrete) for space in spaces) else "its actions cannot be listed"


class ZooEngine:
    """An environment of PettingZoo."""

    def __init__(self, env_id: str) -> None:
        """Make the engine of an environment, by the name that `pettingzoo.make` knows."""
        self.env_id = env_id
        self.traits: ZooTraits = find_traits(env_id)
        family, _, rest = env_id.rpartition("/")
        short = rest.rpartition("-v")[0] or rest
        words = short if family == "classic" else f"{family} {short}"
        self.name = "zoo-" + re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")
        self.title = f"{words.replace('_', ' ').title()} (PettingZoo)"
        self.version = f"{pettingzoo.__version__} {rest}"
        env = load_env(env_id)
        self.seats: Sequence[int] = (
            self.traits.players[1] if self.traits.players is not None else (len(env.possible_agents),)
        )
        self.is_drawn_as_text = "ansi" in env.metadata.get("render_modes", ())
        hidden = (
            *FOR_SCREENS,
            *FAULTY_PARAMETERS,
            *([self.traits.players[0]] if self.traits.players is not None else ()),
        )
        given = inspect.signature(type(env)).parameters.values()
        defaults = {one.name: one.default for one in given if one.name not in hidden}
        self.Options = make_options(self.name, defaults, self.make_env)

    def describe_game(self, seats: int, options: Options) -> EngineFacts:
        """Return the facts of a game with options."""
        env, traits = self.make_env(seats, options), self.traits
        return EngineFacts(
            sides=(tuple(range(seats)),) if "hanabi" in self.env_id else solo_sides(seats),
            has_chance=traits.draws,
            is_open=traits.is_open,
            total=traits.total,
            moves=max(int(env.action_space(agent).n) for agent in env.possible_agents),
            observation=find_shape(env),
            cannot={"worlds": traits.no_worlds} if traits.no_worlds else {},
        )

    def begin(self, seats: int, options: Options, rng: Random) -> ZooPosition:
        """Begin a game."""
        return ZooPosition(self, seats, options, draw_engine_seed(rng, SEED_LIMIT) if self.traits.draws else 0)

    def make_env(self, seats: int, options: Options) -> Any:  # noqa: ANN401 - environments have types of their own
        """Return an environment without its wrappers.

        Raises:
            OptionError: PettingZoo does not allow these options, or not with that number of seats.
        """
        changed = list_changed(options)
        given = dict(changed)
        if self.traits.players is not None:
            given[self.traits.players[0]] = seats
        if self.is_drawn_as_text:
            given["render_mode"] = "ansi"
        try:
            env = load_env(self.env_id, **given)
            if changed:
                env.reset(seed=0)
        except Exception as error:  # noqa: BLE001 - whatever the environment's code raises
            raise OptionError(
                f"{self.name}: {type(error).__name__}: {' '.join(str(error).split())}", *changed
            ) from None
        return env

    @cached_property
    def can_copy(self) -> bool:
        """Whether copies of an environment's attributes go on as the environment does, on moves at random."""
        try:
            return self._try_copies()
        except Exception:  # noqa: BLE001 - whatever cannot be copied in a package of others
            return False

    def _try_copies(self) -> bool:
        seats = self.seats[0]
        position, rng = ZooPosition(self, seats, self.Options(), 1), Random("copies")
        for _ in range(TRIED_MOVES):
            if not (turns := position.list_turns()):
                break
            twin = position.copy_attributes()
            shown = describe_all(twin, seats)
            move = rng.choice(position.list_moves(turns[0])).number
            position.play([move])
            if describe_all(twin, seats) != shown:
                return False  # they share something
            twin.play([move])
            if describe_all(twin, seats) != describe_all(position, seats):
                return False
        return True


def describe_all(position: ZooPosition, seats: int) -> object:
    """Return what can be compared of two positions."""
    turns = position.list_turns()
    moves = [position.list_moves(seat) for seat in turns]
    return [position.show(seat) for seat in range(seats)], turns, moves, position.points


def load_env(env_id: str, **given: Any) -> Any:  # noqa: ANN401
    """Return an environment without its wrappers, as moves are checked here; what it warns of is not for players."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        env = pettingzoo.make("aec", env_id, **given)
    while isinstance(env, BaseWrapper):
        env = env.env
    return env


def find_shape(env: Any) -> tuple[int, ...] | None:  # noqa: ANN401
    """Return the shape of the observations of an environment; None if its agents have several, or one without."""
    shapes = set[tuple[int, ...] | None]()
    for agent in env.possible_agents:
        space = env.observation_space(agent)
        space = space.spaces.get("observation", space) if isinstance(space, Dict) else space
        shapes.add(() if isinstance(space, Discrete) else space.shape)
    return shapes.pop() if len(shapes) == 1 else None


class ZooPosition:
    """A game of an environment in progress."""

    def __init__(self, engine: ZooEngine, seats: int, options: Options, seed: int, steps: Sequence[int] = ()) -> None:
        """Begin a game, and make some moves."""
        self.engine, self.seats, self.options, self.seed = engine, seats, options, seed
        self.env = engine.make_env(seats, options)
        self.env.reset(seed=seed)
        self.steps: list[int] = []
        self.points = [0.0] * seats
        self.last_sights: list[Sight] = [Sight()] * seats  # of seats that have left the game, and at the end
        for number in steps:
            self.play([number])

    def list_turns(self) -> Sequence[int]:
        """Return the seat that decides; the environment asks one after another."""
        return (self._find_seat(self.env.agent_selection),) if self.env.agents else ()

    def list_outcomes(self) -> Sequence[EngineOutcome]:
        """Return (): the environment draws itself what chance decides."""
        return ()

    def list_moves(self, seat: int) -> Sequence[EngineMove]:
        """Return the actions that the mask allows; all, if there is no mask."""
        keep_go_size(self.env)
        agent = self.env.possible_agents[seat]
        mask = self._find_mask(agent)
        space = self.env.action_space(agent)
        numbers = range(int(space.n)) if mask is None else mask.nonzero()[0].tolist()
        name = self.engine.traits.name_move
        return [EngineMove(number, name(self.env, seat, number)) for number in numbers]

    def play(self, numbers: Sequence[int]) -> None:
        """Make a move; then take those off the table for whom the game is over."""
        keep_go_size(self.env)
        self._step(numbers[0])
        self.steps.append(numbers[0])
        env = self.env
        if any(env.terminations.values()) or any(env.truncations.values()):
            self.last_sights = [self._observe(seat) for seat in range(self.seats)]
        while env.agents and (env.terminations[env.agent_selection] or env.truncations[env.agent_selection]):
            self._step(None)

    def show(self, seat: int) -> Sight:
        """Return what a seat may know."""
        return self._observe(seat)

    def describe(self) -> str:
        """Return the whole position, as far as the environment tells it."""
        if picture := self._draw():
            return picture
        shown = {f"seat {seat}": str(self.show(seat).data) for seat in range(self.seats)}
        return write_lines({"moves": self.steps, "seed": self.seed, **shown})

    def count_points(self) -> Sequence[float]:
        """Return the sum of each seat's rewards."""
        return self.points[:]

    def copy(self) -> ZooPosition:
        """Return an independent position."""
        if self.engine.can_copy:
            return self.copy_attributes()
        return ZooPosition(self.engine, self.seats, self.options, self.seed, self.steps)

    def copy_attributes(self) -> ZooPosition:
        """Return a position whose environment has copies of the attributes: many envs begin again in `deepcopy`."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.steps, twin.points = self.steps[:], self.points[:]
        twin.env = object.__new__(type(self.env))
        twin.env.__dict__.update(deepcopy(self.env.__dict__, _share_spaces(self.env)))
        return twin

    def _step(self, number: int | None) -> None:
        """Let the agent that is asked act; its rewards since it last acted are added up."""
        env = self.env
        agent = env.agent_selection
        self.points[self._find_seat(agent)] += float(env._cumulative_rewards[agent])
        env.step(number)

    def _find_seat(self, agent: str) -> int:
        return int(self.env.possible_agents.index(agent))

    def _find_mask(self, agent: str) -> Any:  # noqa: ANN401
        seen = self.env.observe(agent)
        if isinstance(seen, Mapping) and "action_mask" in seen:
            return seen["action_mask"]
        return self.env.infos.get(agent, {}).get("action_mask")

    def _observe(self, seat: int) -> Sight:
        keep_go_size(self.env)
        agent = self.env.possible_agents[seat]
        if agent not in self.env.agents:
            return self.last_sights[seat]
        seen = self.env.observe(agent)
        if isinstance(seen, Mapping):
            seen = seen.get("observation", {**seen, "action_mask": None})
        return Sight(self._draw() if self.engine.traits.is_open else "", make_plain(seen))

    def _draw(self) -> str:
        """Return the whole position as a picture; "" if there is none."""
        keep_go_size(self.env)
        if self.engine.traits.picture is not None:
            return self.engine.traits.picture(self.env)
        return str(self.env.render()) if self.engine.is_drawn_as_text else ""


def _share_spaces(env: Any) -> dict[int, Any]:  # noqa: ANN401
    """Return the memory of a copy that shares the spaces of an environment."""
    shared: dict[int, Any] = {}
    for value in env.__dict__.values():
        if isinstance(value, Space) or (
            isinstance(value, Mapping) and value and all(isinstance(one, Space) for one in value.values())
        ):
            shared[id(value)] = value
    return shared
