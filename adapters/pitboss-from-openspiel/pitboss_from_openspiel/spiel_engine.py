"""A game of OpenSpiel as an engine.

A seat is shown its information state, or its observation where the game has none or where everything is open: a board
says more than the numbers of the moves so far. Parameters of the game are options of the same names.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Final

import pyspiel

from pitboss import OptionError, Options, Random
from pitboss.foreign.engine import EngineFacts, EngineMove, EngineOutcome, Sight
from pitboss.foreign.parameters import draw_engine_seed, list_changed, make_options
from pitboss.outcome import Sides, solo_sides
from pitboss_from_openspiel.probe import find_fault

MOST_SEATS: Final = 10
FRONT: Final = re.compile(  # what is in front of a move and says who moves, or the number of the move
    r"^(?:Player: \d+ Action: |Player \d+ (?=bid)|player=\d+ move=|\[P\d+\]|Pl\d+: |p\d+:|\d+ - |, )"
)
COLOUR: Final = re.compile(r"\x1b\[[0-9;]*m")
WEIGHT_SCALE: Final = 1 << 40  # probabilities are whole numbers of this part
SEED_LIMIT: Final = 1 << 30
FIRST_STEPS: Final = 200  # in which a decision is looked for, to see whether worlds can be sampled there
PARTNERS: Final = dict.fromkeys(("bridge", "euchre", "spades"), ((0, 2), (1, 3)))  # OpenSpiel does not say it
SEED: Final = "rng_seed"
PLAYERS: Final = "players"
DYNAMICS, CHANCE, INFORMATION = pyspiel.GameType.Dynamics, pyspiel.GameType.ChanceMode, pyspiel.GameType.Information
UTILITY: Final = pyspiel.GameType.Utility


def explain_refusal(kind: Any) -> str:  # noqa: ANN401 - pyspiel has no types
    """Return why a game of OpenSpiel is not offered, as a sentence without an end; "" if it is."""
    if kind.short_name.startswith("pitboss"):
        return "it is a game of Pitboss"
    if kind.dynamics == DYNAMICS.MEAN_FIELD:
        return "it is played by a population, not by players"
    if kind.max_num_players < 2:
        return "it is for one player"
    if not kind.default_loadable:
        return "it changes another game, or needs a file"
    if kind.short_name == "pathfinding":
        return "its usual grid is for one player"
    if kind.chance_mode == CHANCE.SAMPLED_STOCHASTIC and SEED not in kind.parameter_specification:
        return "its chance can be neither asked for nor given a seed"
    return ""


class SpielEngine:
    """A game of OpenSpiel."""

    def __init__(self, kind: Any) -> None:  # noqa: ANN401 - pyspiel has no types
        self.kind = kind
        self.name = "spiel-" + re.sub(r"[^a-z0-9]+", "-", kind.short_name.lower())
        self.title = f"{kind.long_name} (OpenSpiel)"
        self.version = getattr(pyspiel, "__version__", "") or "2"
        counts = range(max(2, kind.min_num_players), min(MOST_SEATS, kind.max_num_players) + 1)
        self.seats = [count for count in counts if len(counts) == 1 or _is_played_by(kind, count)]
        self.draws = kind.chance_mode == CHANCE.SAMPLED_STOCHASTIC
        self.load_game = lru_cache(maxsize=64)(self._load_game)
        parameters = kind.parameter_specification.items()
        defaults = {name: value for name, value in parameters if name not in (PLAYERS, SEED)}
        self.Options = make_options(self.name, defaults, self.load_game)

    def describe_game(self, seats: int, options: Options) -> EngineFacts:
        """Return the facts of a game with options.

        Raises:
            OptionError: OpenSpiel does not allow them, or not with that number of seats.
        """
        game = self.load_game(seats, options)
        kind = game.get_type()  # parameters change it: `imp_info` of Goofspiel
        return EngineFacts(
            sides=self.find_sides(seats),
            has_chance=kind.chance_mode != CHANCE.DETERMINISTIC,
            is_open=kind.information != INFORMATION.IMPERFECT_INFORMATION,
            decisions=game.max_game_length() * (seats if kind.dynamics == DYNAMICS.SIMULTANEOUS else 1),
            least=game.min_utility(),
            most=game.max_utility(),
            total=game.utility_sum(),
            moves=game.num_distinct_actions(),
            observation=find_shape(game, find_tensor(kind)),
        )

    def find_sides(self, seats: int) -> Sides:
        """Return the seats of each side."""
        if self.kind.utility == UTILITY.IDENTICAL:
            return (tuple(range(seats)),)
        return PARTNERS.get(self.kind.short_name, solo_sides(seats))

    def begin(self, seats: int, options: Options, rng: Random) -> SpielPosition:
        """Begin a game."""
        if self.draws:
            game = self._load_game(seats, options, draw_engine_seed(rng, SEED_LIMIT))
        else:
            game = self.load_game(seats, options)
        state = game.new_initial_state()
        made = SamplingPosition if self._can_sample(seats, options) else SpielPosition
        kind = game.get_type()
        return made(state, find_sight(kind), find_tensor(kind))

    def _load_game(self, seats: int, options: Options, seed: int | None = None) -> Any:  # noqa: ANN401
        kind, changed = self.kind, list_changed(options)
        given = {**changed, **_give_players(kind, seats)}
        if seed is not None:
            given[SEED] = seed
        elif changed and (fault := find_fault(kind.short_name, given)):
            raise OptionError(f"{self.name}: {fault}", *changed)
        try:
            game = pyspiel.load_game(kind.short_name, given)
        except (pyspiel.SpielError, ValueError, RuntimeError) as error:
            raise OptionError(f"{self.name}: {' '.join(str(error).split())}", *changed) from None
        if game.num_players() != seats:
            raise OptionError(
                f"{self.name} is played by {game.num_players()} players with these options, not by {seats}", "seats"
            )
        return game

    @lru_cache(maxsize=64)  # noqa: B019 - engines live as long as the process
    def _can_sample(self, seats: int, options: Options) -> bool:
        """Return whether the game samples worlds: OpenSpiel tells only when it is asked."""
        game = self.load_game(seats, options)
        if game.get_type().information != INFORMATION.IMPERFECT_INFORMATION:
            return False
        state, rng = game.new_initial_state(), Random("first")
        for _ in range(FIRST_STEPS):
            if state.is_terminal():
                return False
            if not state.is_chance_node():
                break
            state.apply_action(rng.choice(state.chance_outcomes())[0])
        try:
            with silence_stderr():  # OpenSpiel writes its refusal there
                state.resample_from_infostate(0, make_uniform(rng))
        except (pyspiel.SpielError, RuntimeError, AttributeError, NotImplementedError):
            return False
        return True


def _give_players(kind: Any, seats: int) -> dict[str, int]:  # noqa: ANN401
    """Return the parameter for the number of players, where there is one."""
    has_choice = PLAYERS in kind.parameter_specification and kind.min_num_players != kind.max_num_players
    return {PLAYERS: seats} if has_choice else {}


def _is_played_by(kind: Any, seats: int) -> bool:  # noqa: ANN401
    """Return whether `seats` players can play with the defaults: OpenSpiel tells only the least and the most."""
    with silence_stderr():
        try:
            found: int = pyspiel.load_game(kind.short_name, _give_players(kind, seats)).num_players()
        except (pyspiel.SpielError, ValueError, RuntimeError):
            return False
    return found == seats


def make_uniform(rng: Random) -> Callable[[], float]:
    """Return a function that draws numbers in [0, 1)."""
    return lambda: rng.randbelow(1 << 53) / (1 << 53)


@contextmanager
def silence_stderr() -> Iterator[None]:
    """Context manager: what the process writes to standard error during the block is lost."""
    sys.stderr.flush()
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def find_sight(kind: Any) -> str:  # noqa: ANN401
    """Return the method of a state that says what a player may know; "" if only the whole state does."""
    is_open = kind.information != INFORMATION.IMPERFECT_INFORMATION
    if kind.provides_observation_string and (is_open or not kind.provides_information_state_string):
        return "observation_string"
    return "information_state_string" if kind.provides_information_state_string else ""


def strip_colours(text: str) -> str:
    """Return a text without what would colour it on a terminal."""
    return COLOUR.sub("", text) if "\x1b" in text else text


def find_tensor(kind: Any) -> str:  # noqa: ANN401
    """Return the method of a state that says what a player may know as numbers; "" if there is none."""
    if kind.provides_information_state_tensor:
        return "information_state_tensor"
    return "observation_tensor" if kind.provides_observation_tensor else ""


def find_shape(game: Any, tensor: str) -> tuple[int, ...] | None:  # noqa: ANN401
    """Return the shape of the tensors of a game; None if it has none, or not with its parameters."""
    if not tensor:
        return None
    try:
        return tuple(getattr(game, f"{tensor}_shape")())
    except (pyspiel.SpielError, RuntimeError):
        return None


class SpielPosition:
    """A state of OpenSpiel."""

    def __init__(self, state: Any, sight: str, tensor: str) -> None:  # noqa: ANN401
        self.state, self.sight, self.tensor = state, sight, tensor

    def list_turns(self) -> Sequence[int]:
        """Return the seats that decide now."""
        state = self.state
        if state.is_terminal() or state.is_chance_node():
            return ()
        if state.is_simultaneous_node():
            return [seat for seat in range(state.num_players()) if state.legal_actions(seat)]
        return (state.current_player(),)

    def list_outcomes(self) -> Sequence[EngineOutcome]:
        """Return the outcomes of chance that are possible now."""
        if not self.state.is_chance_node():
            return ()
        return [
            EngineOutcome(number, max(1, round(chance * WEIGHT_SCALE)))
            for number, chance in self.state.chance_outcomes()
            if chance > 0
        ]

    def list_moves(self, seat: int) -> Sequence[EngineMove]:
        """Return the legal moves of a seat."""
        state = self.state
        return [
            EngineMove(number, FRONT.sub("", state.action_to_string(seat, number)))
            for number in state.legal_actions(seat)
        ]

    def play(self, numbers: Sequence[int]) -> None:
        """Make moves, or let chance have an outcome."""
        state = self.state
        if state.is_simultaneous_node():
            chosen = dict(zip(self.list_turns(), numbers, strict=True))
            state.apply_actions([chosen.get(seat, 0) for seat in range(state.num_players())])
        else:
            state.apply_action(numbers[0])

    def show(self, seat: int) -> Sight:
        """Return what a seat may know."""
        return Sight(strip_colours(getattr(self.state, self.sight)(seat) if self.sight else str(self.state)))

    def observe(self, seat: int) -> Sequence[float]:
        """Return what a seat may know as numbers: OpenSpiel's tensor, flat."""
        return list(getattr(self.state, self.tensor)(seat)) if self.tensor else ()

    def describe(self) -> str:
        """Return the whole state as text."""
        return strip_colours(str(self.state))

    def count_points(self) -> Sequence[float]:
        """Return the points by seat."""
        return list(self.state.returns())

    def copy(self) -> SpielPosition:
        """Return an independent position."""
        return type(self)(self.state.clone(), self.sight, self.tensor)


class SamplingPosition(SpielPosition):
    """A state that samples worlds itself."""

    def sample_world(self, seat: int, rng: Random) -> SpielPosition:
        """Return a position that the seat cannot tell from this one."""
        state = self.state.resample_from_infostate(seat, make_uniform(rng))
        return type(self)(state, self.sight, self.tensor)
