"""A game of RLCard as an engine: RLCard draws what chance decides, from a seed.

A seat is shown its state in the game as text, and the array that `Env.get_state` makes of it. In some games one or
both say what the seat on turn may know, whoever is asked for; there a seat is shown them only while it is on turn, as
in RLCard's own loop (`RLCardEngine.on_turn`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from copy import copy, deepcopy
from functools import cached_property
from importlib.metadata import version
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import rlcard

from pitboss import OptionError, Options, Random
from pitboss.foreign.engine import EngineFacts, EngineMove, EngineOutcome, Sight
from pitboss.foreign.parameters import draw_engine_seed, list_changed, make_options, make_plain, write_lines
from pitboss.outcome import Sides, solo_sides

PLAYERS: Final = "game_num_players"
SEATS: Final[Mapping[str, range]] = {  # where the number of players is a setting
    "blackjack": range(2, 8),
    "leduc-holdem": range(2, 3),
    "limit-holdem": range(2, 11),
    "no-limit-holdem": range(2, 11),
}
PARTNERS: Final = {"bridge": ((0, 2), (1, 3))}  # RLCard does not say it
SEED_LIMIT: Final = 1 << 31
DEALS: Final = 8  # in which the states of two seats are compared
NOT_SHOWN: Final = (  # a bot is told what is legal; gin's unknown cards are in the order of the stock
    "legal_actions",
    "actions",
    "action_cards",
    "unknown_cards",
)


class RLCardEngine:
    """A game of RLCard."""

    def __init__(self, env_id: str) -> None:
        """Make the engine of an environment, by the name that `rlcard.make` knows."""
        self.env_id = env_id
        self.name = f"rlcard-{env_id}"
        self.title = f"{env_id.replace('-', ' ').title()} (RLCard)"
        self.version = version("rlcard")
        env = rlcard.make(env_id, {"seed": 0})
        self.seats: Sequence[int] = SEATS.get(env_id, (env.num_players,))
        defaults = dict(getattr(env, "default_game_config", {}))
        defaults.pop(PLAYERS, None)
        self.Options = make_options(self.name, defaults, self.make_env)

    def describe_game(self, seats: int, options: Options) -> EngineFacts:
        """Return the facts of a game with options."""
        env = self.make_env(seats, options)
        shapes = {tuple(map(int, shape)) for shape in env.state_shape}
        return EngineFacts(
            sides=self.find_sides(seats),
            has_chance=True,
            is_open=False,
            moves=int(env.num_actions),
            observation=shapes.pop() if len(shapes) == 1 else None,  # not where seats have observations of their own
            cannot={"worlds": "RLCard deals the cards itself, and cannot be asked for a deal"},
        )

    def find_sides(self, seats: int) -> Sides:
        """Return the seats of each side."""
        return PARTNERS.get(self.env_id, solo_sides(seats))

    def begin(self, seats: int, options: Options, rng: Random) -> RLCardPosition:
        """Begin a game."""
        env = self.make_env(seats, options, draw_engine_seed(rng, SEED_LIMIT))
        env.reset()
        return RLCardPosition(env, self.on_turn)

    def make_env(self, seats: int, options: Options, seed: int = 0) -> Any:  # noqa: ANN401 - RLCard has no types
        """Return an environment that draws from a seed.

        Raises:
            OptionError: RLCard does not allow these options.
        """
        changed = list_changed(options)
        try:
            env = rlcard.make(self.env_id, {**changed, PLAYERS: seats, "seed": seed})
            if changed:
                env.reset()
        except Exception as error:  # noqa: BLE001 - whatever RLCard's code raises
            raise OptionError(
                f"{self.name}: {type(error).__name__}: {' '.join(str(error).split())}", *changed
            ) from None
        return env

    @cached_property
    def on_turn(self) -> ShownOnTurn:
        """What the game tells of the seat on turn, whoever is asked for."""
        env = rlcard.make(self.env_id, {"seed": 0, PLAYERS: self.seats[0]})
        texts, arrays = set[bool](), set[bool]()
        for _ in range(DEALS):
            env.reset()
            first, *others = (show_state(env, seat) for seat in range(env.num_players))
            texts.add(all(first.text == other.text for other in others))
            arrays.add(all(first.data == other.data for other in others))
        return ShownOnTurn(text=False not in texts, array=False not in arrays)


class ShownOnTurn(NamedTuple):
    """What a seat is shown only while it is on turn."""

    text: bool = False
    array: bool = False


class RLCardPosition:
    """A game of RLCard in progress."""

    def __init__(self, env: Any, on_turn: ShownOnTurn) -> None:  # noqa: ANN401 - RLCard has no types
        self.env, self.on_turn = env, on_turn

    def list_turns(self) -> Sequence[int]:
        """Return the seat that decides."""
        return () if self.env.is_over() else (int(self.env.get_player_id()),)

    def list_outcomes(self) -> Sequence[EngineOutcome]:
        """Return (): RLCard draws itself what chance decides."""
        return ()

    def list_moves(self, seat: int) -> Sequence[EngineMove]:
        """Return the legal moves."""
        env = self.env
        return [
            EngineMove(int(number), name_action(env, number)) for number in sorted(env.get_state(seat)["legal_actions"])
        ]

    def play(self, numbers: Sequence[int]) -> None:
        """Make a move."""
        self.env.step(numbers[0])

    def show(self, seat: int) -> Sight:
        """Return what a seat may know."""
        sight = show_state(self.env, seat)
        if tuple(self.list_turns()) == (seat,):
            return sight
        return Sight("" if self.on_turn.text else sight.text, None if self.on_turn.array else sight.data)

    def describe(self) -> str:
        """Return what all seats know, and all that RLCard tells of the position."""
        seats = range(self.env.num_players)
        known = [f"seat {seat}:\n{write_lines(read_fields(self.env, seat))}" for seat in seats]
        with suppress(NotImplementedError, AttributeError):  # not all games have it
            known.append(write_lines(make_plain(self.env.get_perfect_information())))
        return "\n".join(known)

    def count_points(self) -> Sequence[float]:
        """Return the payoffs."""
        return [float(value) for value in self.env.get_payoffs()]

    def copy(self) -> RLCardPosition:
        """Return an independent position."""
        return RLCardPosition(copy_env(self.env), self.on_turn)


def copy_env(env: Any, shared: Mapping[int, Any] = MappingProxyType({})) -> Any:  # noqa: ANN401
    """Return an environment that goes on by itself: the game is copied, without the objects in `shared` (by id)."""
    twin = copy(env)
    twin.game = deepcopy(env.game, {**shared})
    twin.np_random = getattr(twin.game, "np_random", env.np_random)
    twin.action_recorder = env.action_recorder[:]
    return twin


def name_action(env: Any, number: int) -> str:  # noqa: ANN401
    """Return an action as people write it."""
    action = env._decode_action(number)
    return str(write_card(action) if hasattr(action, "get_str") else make_plain(action))


def write_card(card: Any) -> str:  # noqa: ANN401
    """Return a card of mahjong as text."""
    return str(card.get_str())


def read_fields(env: Any, seat: int) -> dict[str, object]:  # noqa: ANN401
    """Return what RLCard's raw observation says to a seat, by name; nothing if it has no names."""
    raw = env.game.get_state(seat)
    if not isinstance(raw, Mapping):
        return {}
    return {str(name): make_plain(write_cards(value)) for name, value in raw.items() if name not in NOT_SHOWN}


def write_cards(value: Any) -> Any:  # noqa: ANN401
    """Return data with cards of mahjong as texts."""
    if isinstance(value, Mapping):
        return {key: write_cards(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [write_cards(one) for one in value]
    return write_card(value) if hasattr(value, "get_str") else value


def read_array(env: Any, seat: int) -> Any:  # noqa: ANN401
    """Return a seat's observation as plain data."""
    try:
        return make_plain(env.get_state(seat)["obs"])
    except UnboundLocalError:  # RLCard 1.2 has none for Dou Dizhu's farmers until the landlord has played
        return None


def show_state(env: Any, seat: int) -> Sight:  # noqa: ANN401
    """Return a seat's observation: as text, its raw observation; as data, the array."""
    return Sight(write_lines(read_fields(env, seat)), read_array(env, seat))
