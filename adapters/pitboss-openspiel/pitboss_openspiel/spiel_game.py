"""A game of Pitboss as `pyspiel.Game`, `pyspiel.State` and an observer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import Any, ClassVar, Final, NamedTuple

import msgspec
import numpy as np
import pyspiel
from numpy.typing import NDArray

from pitboss.errors import OptionError
from pitboss.foreign_input import InputRefused, read_json
from pitboss.game import AnyGame, find_game_bounds, find_sides, resolve_options
from pitboss.learning.learning_game import LearningGame, prepare_game
from pitboss.learning.rewards import reward_points, reward_wins
from pitboss.table.randomness import Random
from pitboss_openspiel.tree_walk import TreeWalk

PARAMETERS: Final[Mapping[str, Any]] = {"players": 0, "preset": "", "options": "", "reward": "", "deals": 0}
LONGEST_GAME: Final = 1_000_000  # letters, where the game does not say how long it may last
MAX_LETTERS: Final = 20  # of a decision that is spelled, on average
MAX_RECALL: Final = 1 << 14  # numbers of an information state tensor: a game that needs more has none
MAX_LOT: Final = 64  # branches of a lot or roll


def register_game(game: AnyGame) -> str:
    """Register a game with OpenSpiel; return its name there: `pitboss_lucky_maker`."""
    name = f"pitboss_{game.name.replace('-', '_')}"
    own = type(f"SpielGame_{name}", (SpielGame,), {"registered_name": name, "rules": game})
    seats = game.seats[0]
    utility = _find_utility(game, seats, resolve_options(game, seats), is_zero_sum=True)
    pyspiel.register_game(_make_type(name, game, game.seats, utility, has_recall=True), own)
    return name


class SpielGame(pyspiel.Game):
    """A game with its parameters: see the README. Each game of Pitboss has a class of its own."""

    registered_name: ClassVar[str]
    rules: ClassVar[AnyGame]

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        """Prepare a game.

        Raises:
            OptionError: a parameter is none, or there is no such preset, option, number of seats, reward or deals.
        """
        given, game = {**PARAMETERS, **(params or {})}, self.rules
        self.learning = _prepare(game.name, *(given[key] for key in PARAMETERS if key != "deals"))
        self.deals = int(given["deals"])
        if self.deals < 0:
            raise OptionError(f"deals is 0 or more, not {self.deals}", "deals")
        self._remake = partial(_start_walk, game.name, *(given[key] for key in PARAMETERS))
        self.recalled = _count_recalled(self.learning)
        bounds, seats = _find_reward_bounds(self.learning), self.learning.seats
        utility = _find_utility(game, seats, self.learning.setup.options, is_zero_sum=bounds.total == 0)
        kind = _make_type(self.registered_name, game, [seats], utility, has_recall=self.recalled is not None)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.learning.alphabet),
            max_chance_outcomes=max(self.deals, _count_branches(self.learning)),
            num_players=seats,
            min_utility=bounds.least,
            max_utility=bounds.most,
            utility_sum=bounds.total,
            max_game_length=bounds.letters,
        )
        super().__init__(kind, info, dict(params or {}))

    def new_initial_state(self, *_: object) -> SpielState:
        """Return the state before the deal."""
        return SpielState(self, self._remake())

    def max_chance_nodes_in_history(self) -> int:
        """Return a number of chance nodes that no game exceeds."""
        return LONGEST_GAME

    def make_py_observer(
        self,
        iig_obs_type: Any = None,  # noqa: ANN401 - `pyspiel.IIGObservationType`
        params: Mapping[str, Any] | None = None,
    ) -> SpielObserver:
        """Return an observer."""
        if params:
            raise OptionError(f"observers of Pitboss have no parameters, not {dict(params)}")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return SpielObserver(self.learning, has_recall=bool(kind.perfect_recall), recalled=self.recalled)


class SpielState(pyspiel.State):
    """A state of a game: a node of its tree."""

    def __init__(self, game: SpielGame, walk: TreeWalk) -> None:
        super().__init__(game)
        self.walk = walk

    def current_player(self) -> int:
        """Return the player that has to choose: a seat, chance, or none."""
        if self.walk.open_draw is not None:
            return int(pyspiel.PlayerId.CHANCE)
        turn = self.walk.state.turn if self.walk.state is not None else None
        return int(pyspiel.PlayerId.TERMINAL) if turn is None else turn.seat

    def is_terminal(self) -> bool:
        """Tell whether the game is over."""
        return self.walk.is_over

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the branches of the draw with their probabilities."""
        draw = self.walk.open_draw
        assert draw is not None
        return [(branch, float(share)) for branch, share in enumerate(draw.probabilities) if share]

    def returns(self) -> list[float]:
        """Return the reward of each seat; 0 before the end."""
        state, game = self.walk.state, self.walk.game
        return game.rewards_of(state) if self.walk.is_over and state is not None else [0.0] * game.seats

    def resample_from_infostate(self, player: int, sampler: Any) -> SpielState:  # noqa: ANN401 - returns 0 to 1
        """Return a random state of the player's information set; its history and serialization are this one's."""
        twin: SpielState = self.clone()
        twin.walk = self.walk.imagine(player, Random(f"world {sampler()!r}"))
        return twin

    def _legal_actions(self, player: int) -> list[int]:
        spelling = self.walk.spelling
        return spelling.letters if spelling is not None and player == self.current_player() else []

    def _apply_action(self, action: int) -> None:
        self.walk.add(int(action))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"branch {action}"
        return self.walk.game.alphabet.letters[action]

    def __str__(self) -> str:
        return " ".join(map(str, self.walk.path)) or "the root"


class SpielObserver:
    """What a seat sees, as a tensor with named pieces and as a string.

    With perfect recall there follow, for each letter that the seat chose, what it saw then and the letter; without a
    bound of their number (`recalled` is None) there is no tensor.
    """

    def __init__(self, game: LearningGame, *, has_recall: bool, recalled: int | None) -> None:
        self._has_recall = has_recall
        self._game = game
        self.tensor: NDArray[np.float32] | None = None
        self.dict: dict[str, NDArray[np.float32]] = {}
        if has_recall and recalled is None:
            return
        size, count = game.encoder.size, recalled if has_recall and recalled else 0
        self._width = size + len(game.alphabet)
        self.tensor = np.zeros(size + count * self._width, np.float32)
        self._now, self._past = self.tensor[:size], self.tensor[size:].reshape(count, self._width)
        self.dict = {part.name: self._now[part.start : part.stop].reshape(part.shape) for part in game.encoder.parts}
        if count:
            self.dict["earlier choices"] = self._past

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what a seat sees into `tensor`, of which the pieces of `dict` are views."""
        walk, size = state.walk, self._game.encoder.size
        if self.tensor is None:
            return
        self.tensor.fill(0)
        if walk.state is None:
            return
        self._game.observe(walk.state, player, self._now.data, walk.spelling)
        for row, choice in zip(self._past, walk.choices[player], strict=False):
            row[:size] = choice.row
            row[size + choice.letter] = 1.0

    def string_from(self, state: SpielState, player: int) -> str:
        """Return what a seat sees; with perfect recall all that it was told since the deal, and what it did."""
        walk = state.walk
        if walk.state is None:
            return f"seat {player}"
        turn = walk.state.turn
        is_own = walk.spelling is not None and turn is not None and turn.seat == player
        spelled = walk.spelling.spelled if walk.spelling is not None and is_own else ()
        since = walk.told_since[player]
        if self._has_recall and not since:
            told: list[Any] = [walk.state.table.events(player), walk.own_actions[player], spelled]
        elif self._has_recall:
            letters = walk.spelling.letters if walk.spelling is not None and is_own else ()
            told = [walk.state.view(player), walk.state.table.events(player, since), spelled, letters]
        else:
            told = [walk.state.view(player), turn.phase if turn is not None and is_own else None, spelled]
        return f"seat {player} {msgspec.json.encode(told).decode()}"


class RewardBounds(NamedTuple):
    """The bounds of a game in rewards and letters."""

    least: float
    most: float
    total: float | None  # of all seats; None: not always the same
    letters: int


def _find_reward_bounds(learning: LearningGame) -> RewardBounds:
    """Return the bounds of a game.

    Raises:
        OptionError: the reward is points, and the game does not say how many there can be.
    """
    setup = learning.setup
    bounds = find_game_bounds(setup.game, setup.seats, setup.options)
    decisions = bounds.decisions if bounds is not None else None
    width = 1 if learning.alphabet.has_single_letters else MAX_LETTERS
    letters = LONGEST_GAME if decisions is None else min(LONGEST_GAME, decisions * width)
    if learning.reward is not reward_points:
        return RewardBounds(-1, 1, 0 if learning.reward is reward_wins else None, letters)
    if bounds is None:
        raise OptionError(f"{setup.game.name} does not say how many points there can be; reward is wins or places")
    most = max(abs(bounds.least), abs(bounds.most))
    return RewardBounds(-most, most, bounds.total, letters)


def _find_utility(game: AnyGame, seats: int, options: object, *, is_zero_sum: bool) -> Any:  # noqa: ANN401
    """Return the kind of a game's rewards: where all seats are one side, each has the same."""
    if len(find_sides(game, seats, options)) == 1:
        return pyspiel.GameType.Utility.IDENTICAL
    return pyspiel.GameType.Utility.ZERO_SUM if is_zero_sum else pyspiel.GameType.Utility.GENERAL_SUM


def _count_recalled(learning: LearningGame) -> int | None:
    """Return how many letters a seat can have chosen; None if too many for a tensor, or any number."""
    setup = learning.setup
    bounds = find_game_bounds(setup.game, setup.seats, setup.options)
    if bounds is None or bounds.decisions is None:
        return None
    letters = bounds.decisions * (1 if learning.alphabet.has_single_letters else MAX_LETTERS)
    size = learning.encoder.size + letters * (learning.encoder.size + len(learning.alphabet))
    return letters if size <= MAX_RECALL else None


def _make_type(
    name: str,
    game: AnyGame,
    seats: Sequence[int],
    utility: Any,  # noqa: ANN401
    *,
    has_recall: bool,
) -> Any:  # noqa: ANN401
    return pyspiel.GameType(
        short_name=name,
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(seats),
        min_num_players=min(seats),
        provides_information_state_string=True,
        provides_information_state_tensor=has_recall,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=dict(PARAMETERS),
    )


def _count_branches(learning: LearningGame) -> int:
    """Return a number of branches that no draw exceeds: a shuffle draws one of the cards, a lot one of the seats."""
    return max(len(learning.deal("branches").table.layout.deck), learning.seats, MAX_LOT)


@cache
def _prepare(name: str, players: int, preset: str, options: str, reward: str) -> LearningGame:
    changes = dict(_read_option(option) for option in options.split(";") if option)
    return prepare_game(name, players or None, changes, preset or None, reward or None)


def _read_option(option: str) -> tuple[str, Any]:
    """Return the key and the value of "key:value"; a value is JSON, or else a text."""
    key, colon, text = option.partition(":")
    if not colon:
        raise OptionError(
            f"the option {option!r} has no value; expected 'key:value', several with ';' between", "options"
        )
    try:
        return key.strip(), read_json(text, object)
    except InputRefused:
        return key.strip(), text.strip()


def _start_walk(name: str, players: int, preset: str, options: str, reward: str, deals: int) -> TreeWalk:
    """Return a walk at the root; walks of one game share what does not change."""
    remake = partial(_start_walk, name, players, preset, options, reward, deals)
    learning = _prepare(name, players, preset, options, reward)
    return TreeWalk(learning, deals, remake, has_recall=_count_recalled(learning) is not None)
