"""Opponents: who plays at the seats that do not learn. `find_opponents` makes them of what a caller gives."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from pitboss.action_range import lowest_action
from pitboss.errors import OptionError
from pitboss.game import AnyState
from pitboss.learning.batch import GameOpponents
from pitboss.learning.learning_game import LearningGame
from pitboss.learning.spelling import Spelling
from pitboss.plugins.registry import Registry
from pitboss.simulation.random_play import ActionChooser, choose_from_words
from pitboss.table.randomness import Random
from pitboss.text import join_words

LetterFunction: TypeAlias = Callable[[NDArray[np.float32], NDArray[np.int8]], Any]  # of a row and a mask: a letter
OneOpponent: TypeAlias = "str | os.PathLike[str] | ActionChooser | GameOpponents | None"
Opponents: TypeAlias = "OneOpponent | Sequence[OneOpponent]"

BOT_FILE: Final = "bot.py"
HOUSE_PACKAGE: Final = "pitboss_house_bots"


def find_opponents(given: Opponents, game: LearningGame) -> GameOpponents:
    """Return the players of the other seats.

    * None: they choose at random among the legal actions.
    * "house:racko", "house:search?worlds=16&ms=60000": a bot of the house, in this process.
    * A folder: the bot in Python that its bot.py runs, in this process. It is trusted as any code that is imported.
    * A `FrozenPolicy`: what a seat is shown decides.
    * A function from a state and its legal actions to one of these; it sees all cards.
    * A list of these (a pool): in each game each seat draws one, by the seed.

    Raises:
        OptionError: there are no such opponents of this game, or the list is empty.
    """
    if given is None or given == "house:random":
        return RandomPlayers()
    if given == "house:first":
        return ChosenFunction(choose_first)
    if isinstance(given, str | os.PathLike):
        return _find_bot(os.fspath(given), game)
    if hasattr(given, "begin_game"):
        return cast("GameOpponents", given)
    if callable(given):
        return ChosenFunction(given)
    if not isinstance(given, Sequence):
        raise OptionError(
            f"opponents is {given!r}; they are the name of a bot, a folder, a function, a FrozenPolicy, or a list",
            "opponents",
        )
    if not given:
        raise OptionError("the list of opponents is empty", "opponents")
    return OpponentPool([find_opponents(one, game) for one in given])


class RandomPlayers:
    """Players who choose at random among the legal actions."""

    wants_events = False

    def begin_game(self, game: LearningGame, seed: str) -> ActionChooser:
        """Return what chooses in one game."""
        return choose_from_words(f"{seed}/opponents")


class ChosenFunction:
    """Players who choose by a function of the state and the legal actions."""

    wants_events = False

    def __init__(self, choose: ActionChooser) -> None:
        self._choose = choose

    def begin_game(self, game: LearningGame, seed: str) -> ActionChooser:
        """Return the function."""
        return self._choose


def choose_first(state: AnyState, legal: Sequence[Any]) -> Any:  # noqa: ANN401 - an action of any game
    """Return the first legal action."""
    return lowest_action(legal[0])


class FrozenPolicy:
    """Players who choose by a policy: a function from an observation and the mask of the legal letters to a letter.

    They see what the learner would see at their seats. Copies share the policy.
    """

    wants_events = False

    def __init__(self, choose_letter: LetterFunction) -> None:
        self.choose_letter = choose_letter

    def begin_game(self, game: LearningGame, seed: str) -> ActionChooser:
        """Return what chooses in one game."""
        return _PolicyChooser(self, game)

    def __deepcopy__(self, memo: object) -> FrozenPolicy:
        return self


class _PolicyChooser:
    """Spells actions by the letters that a policy chooses."""

    def __init__(self, policy: FrozenPolicy, game: LearningGame) -> None:
        self._policy = policy
        self._game = game

    def __call__(self, state: AnyState, legal: Sequence[Any]) -> Any:  # noqa: ANN401 - an action of any game
        game, spelling = self._game, Spelling(self._game.alphabet, legal)
        assert state.turn is not None
        action = spelling.forced
        while action is None:
            row = np.zeros(game.encoder.size, np.float32)
            game.observe(state, state.turn.seat, row.data, spelling)
            mask = np.zeros(len(game.alphabet), np.int8)
            mask[spelling.letters] = 1
            action = spelling.add(int(self._policy.choose_letter(row, mask)))
        return action


class OpponentPool:
    """Opponents of which each seat draws one in each game."""

    def __init__(self, pool: Sequence[GameOpponents]) -> None:
        self._pool = pool
        self.wants_events = any(one.wants_events for one in pool)

    def begin_game(self, game: LearningGame, seed: str) -> ActionChooser:
        """Return what chooses in one game: who it is follows from the seed."""
        rng = Random(f"{seed}/pool")
        return _DrawnPlayers(game, seed, [rng.choice(self._pool) for _ in range(game.seats)])


class _DrawnPlayers:
    """Asks for each seat the players that it has drawn."""

    def __init__(self, game: LearningGame, seed: str, drawn: Sequence[GameOpponents]) -> None:
        self._game, self._seed, self._drawn = game, seed, drawn
        self._choosers: dict[int, ActionChooser] = {}

    def __call__(self, state: AnyState, legal: Sequence[Any]) -> Any:  # noqa: ANN401 - an action of any game
        assert state.turn is not None
        seat = state.turn.seat
        if seat not in self._choosers:
            self._choosers[seat] = self._drawn[seat].begin_game(self._game, f"{self._seed}/{seat}")
        return self._choosers[seat](state, legal)


def _find_bot(named: str, game: LearningGame) -> GameOpponents:
    """Return a bot by its name, or one in a folder."""
    rules = game.setup.game.name
    bots = Registry().bots
    name = named.partition("?")[0]
    folder = Path(named)
    if name not in bots and not folder.is_dir():
        fitting = [name for name, bot in bots.items() if bot.games is None or rules in bot.games]
        raise OptionError(
            f"opponents is {named!r}: there is no such bot and no such folder; bots for {rules}: {join_words(fitting)}",
            "opponents",
        )
    try:
        # here: the adapter works without the bots of the house
        from pitboss_pettingzoo.local_bots import FolderBots, HouseBots  # noqa: PLC0415
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] != HOUSE_PACKAGE:
            raise
        raise OptionError(
            f"opponents is {named!r}, but {HOUSE_PACKAGE} is not installed, by which bots play in this process: "
            "install pitboss, or give a FrozenPolicy or a function",
            "opponents",
        ) from None
    return HouseBots(named, game) if name in bots else FolderBots(folder, game)
