"""Many games at once, as numpy arrays: a row is a game in which a seat has to choose a letter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pitboss.game import AnyState, Evaluable, find_sides
from pitboss.learning.batch_rows import BatchRows, ShownRow
from pitboss.learning.learning_game import LearningGame
from pitboss.learning.rewards import subtract_opponents
from pitboss.learning.spelling import Spelling
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

    __slots__ = ("learner", "spelling", "state", "worth")

    def __init__(self, state: AnyState, learner: int) -> None:
        self.state = state
        self.learner = learner  # its seat, where one seat learns
        self.spelling: Spelling | None = None
        self.worth: NDArray[np.float32] | None = None  # by seat: the potential at the last decision


class GameBatch:
    """Games that are stepped together: `observations`, `masks` and `seats` have a row for each game.

    All seats learn (self-play), or one of each game, and `opponents` choose for the others. The learner sits at each
    seat equally often. With `shaping` a reward is added between decisions: so much times the change of the game's own
    evaluation, in points, of the seat less the mean of its opponents (potential-based: the best play stays the best).
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
        self._letter_places = self.masks.reshape(-1)
        self._first_letters = np.arange(rows) * len(game.alphabet)
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
            assert game.spelling
            action = game.spelling.add(letter)
            if action is None:
                self._rows.add_letters(row, game.spelling.spelled)
            else:
                moved.append(row)
                game.state.play(action)
                is_over = not self._advance(game)
                if self._shaping:
                    rewards[row] = self._shape(game)
                if is_over:
                    final = self.game.rewards_of(game.state)
                    rewards[row] += final
                    ended[row] = True
                    self.finished.append((game.learner, final))
                    self._games[row] = self._begin()
        self._show(moved)
        return BatchStep(rewards, ended)

    def _begin(self) -> _BatchGame:
        """Return the next game in which a learner has a choice, at its first one."""
        while True:
            self._dealt += 1
            state = self.game.deal(f"{self._seed}/{self._dealt}")
            game = _BatchGame(state, self._learners.randbelow(self.game.seats))
            if self._advance(game):
                if self._shaping:
                    self._shape(game)
                return game

    def _advance(self, game: _BatchGame) -> bool:
        """Play on until a learner has a choice, which is `game.spelling` then; False at the end."""
        state, opponents = game.state, self._opponents
        while True:
            game.spelling = self.game.find_choice(state)
            turn = state.turn
            if turn is None or opponents is None or turn.seat == game.learner:
                return turn is not None
            state.play(opponents(state, state.legal()))

    def _shape(self, game: _BatchGame) -> NDArray[np.float32]:
        """Return, by seat, the change of the potential, which is 0 after the end."""
        worth = np.zeros(self.game.seats, np.float32)
        if game.spelling is not None:
            leads = subtract_opponents(game.state.evaluate(), self._sides)  # type: ignore[attr-defined]
            worth = self._shaping * np.asarray(leads, np.float32)
        change = worth if game.worth is None else worth - game.worth
        game.worth = worth
        return change

    def _show(self, moved: Iterable[int]) -> None:
        """Write the masks, and seats and observations of the games in which something has happened."""
        shown = []
        for row in moved:
            spelling, turn = self._games[row].spelling, self._games[row].state.turn
            assert spelling and turn
            self.seats[row] = turn.seat
            shown.append(ShownRow(row, self._games[row].state, turn, spelling.spelled))
        self._rows.write(shown)
        letters = [game.spelling.letters for game in self._games if game.spelling]
        starts = np.repeat(self._first_letters, [*map(len, letters)])
        self.masks.fill(False)
        self._letter_places[starts + np.array([*chain.from_iterable(letters)])] = True
