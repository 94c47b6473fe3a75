"""A game ready for learning, at one table with its options: its alphabet, its observations and its rewards."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from typing import Any, Final

import msgspec

from pitboss.action_range import RANGE_TYPES
from pitboss.errors import ConfigError, OptionError
from pitboss.game import AnyGame, AnyState, find_sides, resolve_options
from pitboss.learning.given_numbers import GivenAlphabet, make_numbers
from pitboss.learning.observation import ENCODING
from pitboss.learning.rewards import REWARDS, Reward, reward_wins
from pitboss.learning.spelling import Spelling
from pitboss.plugins.registry import Registry
from pitboss.simulation.game_setup import GameSetup, OptionVariant
from pitboss.simulation.random_play import choose_from_words, play_decisions
from pitboss.text import join_words

SAMPLE_GAMES: Final = 12  # in which the phases of a game are met that does not declare them
SAMPLE_DECISIONS: Final = 3_000
MAX_SHORT_LIST: Final = 4  # actions of a legal list that is worth keeping
MAX_KEPT_LISTS: Final = 1 << 12


class LearningGame:
    """A game at one table, as learners see it.

    A copy shares what does not change. A pickle holds the game, its table and its reward, by their names; the numbers
    are made again where the pickle is loaded, and are the same ones there.
    """

    def __init__(self, setup: GameSetup, reward: Reward = reward_wins) -> None:
        """Prepare the game of a setup.

        Raises:
            UnboundedAction: the actions of the game cannot be numbered.
        """
        self.setup = setup
        self.seats = setup.seats
        self.reward = reward
        sample = self.deal("sample")
        self._short_lists: dict[tuple[Any, ...], Spelling] = {}
        self.phases = tuple(getattr(setup.game, "phases", ())) or tuple(sorted(self._meet_phases()))
        made = make_numbers(setup.game, setup.seats, setup.options, sample, self.phases)
        self.alphabet, self.encoder = made

    @property
    def fingerprint(self) -> str:
        """A digest of all that the numbers mean: a model that was trained with another one cannot be used."""
        game, parts = self.setup.game, [f"{part.name} {part.shape}" for part in self.encoder.parts]
        given, usual = self.setup.options, resolve_options(game, self.seats)
        changed = {  # so that an option which is added to a game changes nothing for models that are there
            name: value for name in given.__struct_fields__ if (value := getattr(given, name)) != getattr(usual, name)
        }
        meaning = [ENCODING, game.name, game.version, self.seats, changed, self.alphabet.digest, parts, self.phases]
        return blake2b(msgspec.json.encode(meaning), digest_size=8).hexdigest()

    def deal(self, seed: str, *, has_log: bool = False) -> AnyState:
        """Begin a game. Without a log it is quicker, and its events cannot be asked for."""
        state = self.setup.deal(seed)
        if not has_log:
            state.table.stop_logging()
        return state

    def find_choice(self, state: AnyState) -> Spelling | None:
        """Play on until a seat has a choice of two actions or more, and return its decision; None at the end."""
        while state.turn is not None:
            legal = state.legal()
            if len(legal) == 1 and type(legal[0]) not in RANGE_TYPES:
                state.play(legal[0])
                continue
            spelling = self._spell(legal)
            forced = spelling.forced
            if forced is None:
                return spelling
            state.play(forced)
        return None

    def _spell(self, legal: Sequence[Any]) -> Spelling:
        """Return the spelling of a legal list; short lists recur, and are spelled once."""
        if len(legal) > MAX_SHORT_LIST or isinstance(self.alphabet, GivenAlphabet):
            return Spelling(self.alphabet, legal)
        key = tuple(legal)
        spelling = self._short_lists.get(key)
        if spelling is None:
            spelling = Spelling(self.alphabet, legal)
            if len(self._short_lists) >= MAX_KEPT_LISTS:
                return spelling
            self._short_lists[key] = spelling
        return spelling.copy()

    def observe(self, state: AnyState, seat: int, row: memoryview[Any], spelling: Spelling | None = None) -> None:
        """Write into `row` what a seat knows: with its own decision, as far as it is spelled.

        The row is a flat memoryview of `encoder.size` float32 numbers: `array.data` of an array of numpy.

        Raises:
            ValueError: the row has another size or other numbers.
        """
        turn = state.turn
        is_own = spelling is not None and turn is not None and turn.seat == seat
        self.encoder.write(state, seat, row, spelling.spelled if spelling is not None and is_own else ())

    def rewards_of(self, state: AnyState) -> list[float]:
        """Return the rewards of a game that is over, by seat."""
        return [*self.reward(state.outcome())]

    def __deepcopy__(self, memo: object) -> LearningGame:
        twin = LearningGame.__new__(LearningGame)
        twin.__dict__.update(self.__dict__)
        return twin

    def __reduce__(self) -> tuple[Callable[..., LearningGame], tuple[Any, ...]]:
        setup = self.setup
        variant = (setup.variant.preset, dict(setup.variant.changes))
        return _restore_game, (setup.game, setup.seats, setup.options, variant, self.reward, self.fingerprint)

    def _meet_phases(self) -> set[str]:
        """Return the phases of some random games."""
        seeds = [f"phases {number}" for number in range(SAMPLE_GAMES)]
        games = [play_decisions(self.deal(seed), choose_from_words(seed), SAMPLE_DECISIONS) for seed in seeds]
        return {turn.phase for game in games for turn, _ in game}


def prepare_game(
    game: AnyGame | str,
    seats: int | None = None,
    options: Mapping[str, object] | None = None,
    preset: str | None = None,
    reward: Reward | str | None = None,
) -> LearningGame:
    """Return a game for learning, by default for its smallest number of seats.

    `reward` may be a name in `REWARDS`. By default it is "wins", or "points" where all seats are one side: nobody wins.

    Raises:
        ConfigError: no such game is installed.
        OptionError: there is no such preset, option, number of seats or reward.
        UnboundedAction: the actions of the game cannot be numbered.
    """
    if isinstance(game, str):
        game = Registry().find_game(game)
    count = game.seats[0] if seats is None else seats
    variant = OptionVariant(preset, options or {})
    setup = GameSetup(game, count, resolve_options(game, count, preset, options), variant)
    if reward is None:
        reward = "points" if len(find_sides(game, count, setup.options)) == 1 else "wins"
    if isinstance(reward, str):
        if reward not in REWARDS:
            raise OptionError(f"there is no reward {reward!r}; there are {join_words(REWARDS)}", "reward")
        reward = REWARDS[reward]
    return LearningGame(setup, reward)


def _restore_game(
    game: AnyGame,
    seats: int,
    options: Any,  # noqa: ANN401 - the game's own
    variant: tuple[str | None, Mapping[str, object]],
    reward: Reward,
    fingerprint: str,
) -> LearningGame:
    """Return the game of a pickle.

    Raises:
        ConfigError: it has other numbers here than where it was pickled.
    """
    made = LearningGame(GameSetup(game, seats, options, OptionVariant(*variant)), reward)
    if made.fingerprint != fingerprint:
        raise ConfigError(
            f"this pickle is of {game.name} with the fingerprint {fingerprint}; {game.name} {game.version} is "
            f"installed here, with the fingerprint {made.fingerprint}: load it with the version that made it"
        )
    return made
