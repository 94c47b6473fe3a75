"""Many games at once, as numpy arrays: a row is a game in which a seat has to choose a letter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import deepcopy
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pitboss.game import Evaluable, find_sides
from pitboss.learning.batch_rows import BatchRows, ShownRow
from pitboss.learning.game_walk import GameWalk
from pitboss.learning.learning_game import LearningGame
from pitboss.learning.rewards import subtract_opponents
from pitboss.simulation.random_play import ActionChooser
from pitboss.table.randomness import Random

if TYPE_CHECKING:
    from numpy.typing import NDArray


class BatchStep(NamedTuple):
    """What a step of all games brought. A game that has ended is followed by the next one in its row."""

    rewards: NDArray[np.float32]  # by row, by seat: since the last step
    ended: NDArray[np.bool_]  # by row


class _BatchGame:
    """One of the games of a batch."""

    __slots__ = ("learner", "walk", "worth")

    def __init__(self, walk: GameWalk, learner: int) -> None:
        self.walk = walk
        self.learner = learner  # its seat, where one seat learns
        self.worth: NDArray[np.float32] | None = None  # by seat: the potential at the last decision


class GameBatch:
    """Games that are stepped together: `observations`, `masks` and `seats` have a row for each game.

    All seats learn (self-play), or one of each game, and `opponents` choose for the others. The learner sits at each
    seat equally often. With `shaping` a reward is added between decisions: so much times the change of the game's own
    evaluation, in points, of the seat less the mean of its opponents (potential-based: the best play stays the best).

    A copy (`clone`, `copy.deepcopy`, a pickle) is independent, and plays on as this batch would. So do opponents that
    are objects; a function is the same one in a copy.
    """

    def __init__(
        self,
        game: LearningGame,
        rows: int,
        seed: str = "",
        opponents: ActionChooser | None = None,
        shaping: float = 0.0,
    ) -> None:
        """Begin `rows` games; the deals follow from the seed.

        Raises:
            ValueError: the game has no evaluation to shape rewards with.
        """
        self.game = game
        self._rows = BatchRows(game.encoder, rows)
        self.observations = self._rows.array
        self.masks = np.zeros((rows, len(game.alphabet)), np.bool_)
        self.seats = np.zeros(rows, np.int64)
        self.finished: list[tuple[int, list[float]]] = []  # of each finished game: the learner's seat, the rewards
        self._find_places()
        self._seed = seed
        self._dealt = 0
        self._opponents = opponents
        self._shaping = shaping
        self._sides = find_sides(game.setup.game, game.seats, game.setup.options)
        self._learners = Random(f"{seed}/learners")
        if shaping and not isinstance(game.deal("shaping"), Evaluable):
            raise ValueError(f"{game.setup.game.name} has no evaluation to shape rewards with")
        self._games = [self._begin() for _ in range(rows)]
        self._show(range(rows))

    def step(self, letters: Sequence[int]) -> BatchStep:
        """Add a letter to the decision of each row; `masks` says which are legal.

        Raises:
            ValueError: a letter is not legal.
        """
        rows = len(self._games)
        rewards = np.zeros((rows, self.game.seats), np.float32)
        ended = np.zeros(rows, np.bool_)
        moved = []  # the rows in which an action was played
        for row, letter in enumerate(np.asarray(letters).tolist()):
            game = self._games[row]
            spelling = game.walk.spelling
            assert spelling
            if not game.walk.add(letter):
                self._rows.add_letters(row, spelling.spelled)
            else:
                moved.append(row)
                is_over = not self._advance(game)
                if self._shaping:
                    rewards[row] = self._shape(game)
                if is_over:
                    final = self.game.rewards_of(game.walk.state)
                    rewards[row] += final
                    ended[row] = True
                    self.finished.append((game.learner, final))
                    self._games[row] = self._begin()
        self._show(moved)
        return BatchStep(rewards, ended)

    def clone(self) -> GameBatch:
        """Return an independent batch that stands where this one stands."""
        return deepcopy(self)

    def __getstate__(self) -> dict[str, Any]:
        remade = ("_rows", "_letter_places", "_first_letters")  # they have views of the arrays
        return {name: value for name, value in self.__dict__.items() if name not in remade}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._rows = BatchRows(self.game.encoder, len(self._games))
        self._rows.array[:] = self.observations
        self.observations = self._rows.array
        self._find_places()

    def _find_places(self) -> None:
        """Find where the letters of each row begin in the masks of all."""
        self._letter_places = self.masks.reshape(-1)
        self._first_letters = np.arange(len(self.masks)) * len(self.game.alphabet)

    def _begin(self) -> _BatchGame:
        """Return the next game in which a learner has a choice, at its first one."""
        while True:
            self._dealt += 1
            walk = GameWalk(self.game, f"{self._seed}/{self._dealt}")
            game = _BatchGame(walk, self._learners.randbelow(self.game.seats))
            if self._advance(game):
                if self._shaping:
                    self._shape(game)
                return game

    def _advance(self, game: _BatchGame) -> bool:
        """Play on until a learner has a choice; False at the end."""
        walk, opponents = game.walk, self._opponents
        state = walk.state
        while True:
            turn = state.turn
            if turn is None or opponents is None or turn.seat == game.learner:
                return turn is not None
            walk.play(opponents(state, state.legal()))

    def _shape(self, game: _BatchGame) -> NDArray[np.float32]:
        """Return, by seat, the change of the potential, which is 0 after the end."""
        worth = np.zeros(self.game.seats, np.float32)
        if game.walk.spelling is not None:
            leads = subtract_opponents(game.walk.state.evaluate(), self._sides)  # type: ignore[attr-defined]
            worth = self._shaping * np.asarray(leads, np.float32)
        change = worth if game.worth is None else worth - game.worth
        game.worth = worth
        return change

    def _show(self, moved: Iterable[int]) -> None:
        """Write the masks, and seats and observations of the games in which something has happened."""
        shown = []
        for row in moved:
            walk = self._games[row].walk
            spelling, turn = walk.spelling, walk.state.turn
            assert spelling and turn
            self.seats[row] = turn.seat
            shown.append(ShownRow(row, walk.state, turn, spelling.spelled))
        self._rows.write(shown)
        letters = [game.walk.spelling.letters for game in self._games if game.walk.spelling]
        starts = np.repeat(self._first_letters, [*map(len, letters)])
        self.masks.fill(False)
        self._letter_places[starts + np.array([*chain.from_iterable(letters)])] = True
