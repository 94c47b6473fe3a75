"""Many games at once, as numpy arrays: a row is a game in which a seat has to choose a letter."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeAlias

import numpy as np

from pitboss.game import AnyState, Evaluable, find_sides
from pitboss.learning.batch_fields import ShownRow
from pitboss.learning.batch_rows import BatchRows
from pitboss.learning.game_walk import GameWalk
from pitboss.learning.learning_game import LearningGame
from pitboss.learning.rewards import subtract_opponents
from pitboss.simulation.random_play import ActionChooser
from pitboss.table.randomness import Random

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

Potential: TypeAlias = "Callable[[AnyState], ArrayLike]"  # of a game that is not over: what it is worth, by seat

GIVEN_UP: Final = -1  # in place of a letter: the game of this row is given up, and the next one begins


class GameOpponents(Protocol):
    """Players that follow each game from its beginning."""

    wants_events: bool  # whether they have to be told of events: games have a log then, which takes time

    def begin_game(self, game: LearningGame, seed: str) -> ActionChooser:
        """Return what chooses for all seats but the learner's in one game; its luck follows from the seed.

        A game is copied and pickled with it.
        """


class EvaluationPotential:
    """A potential: `weight` times the game's evaluation of a seat, less the mean of its opponents', in points."""

    def __init__(self, game: LearningGame, weight: float) -> None:
        """Take the evaluation of a game.

        Raises:
            ValueError: the game has none.
        """
        if not isinstance(game.deal("shaping"), Evaluable):
            raise ValueError(f"{game.setup.game.name} has no evaluation to shape rewards with")
        self.weight = weight
        self._sides = find_sides(game.setup.game, game.seats, game.setup.options)

    def __call__(self, state: AnyState) -> NDArray[np.float32]:
        """Return the potential of a state, by seat."""
        leads = subtract_opponents(state.evaluate(), self._sides)  # type: ignore[attr-defined]
        return self.weight * np.asarray(leads, np.float32)


class BatchStep(NamedTuple):
    """What a step of all games brought. A game that has ended is followed by the next one in its row."""

    rewards: NDArray[np.float32]  # by row, by seat: since the last step
    ended: NDArray[np.bool_]  # by row


class _BatchGame:
    """One of the games of a batch."""

    __slots__ = ("learner", "opponents", "walk", "worth")

    def __init__(self, walk: GameWalk, learner: int, opponents: ActionChooser | None) -> None:
        self.walk = walk
        self.learner = learner  # its seat, where one seat learns
        self.opponents = opponents
        self.worth: NDArray[np.float32] | None = None  # by seat: the potential at the last decision


class GameBatch:
    """Games that are stepped together: `observations`, `masks` and `seats` have a row for each game.

    All seats learn (self-play), or one of each game, and `opponents` choose for the others: a function, or players that
    follow each game (`GameOpponents`). The learner sits at each seat equally often, or always at `seat`.

    With `shaping` a reward is added between decisions: the change of a potential, which is 0 after the end. A number is
    the weight of the game's own evaluation (`EvaluationPotential`). The best play stays the best (potential-based
    shaping). Where one seat learns and discounts what comes after a letter, that holds for the same `discount` here.

    A copy (`clone`, `copy.deepcopy`, a pickle) is independent, and plays on as this batch would. So do opponents that
    are objects; a function is the same one in a copy.
    """

    def __init__(
        self,
        game: LearningGame,
        rows: int,
        seed: str = "",
        opponents: ActionChooser | GameOpponents | None = None,
        shaping: float | Potential = 0.0,
        *,
        seat: int | None = None,
        discount: float = 1.0,
    ) -> None:
        """Begin `rows` games; the deals follow from the seed.

        Raises:
            ValueError: the game has no evaluation to shape rewards with; there is a discount, and all seats learn; or
                the table has no such seat.
        """
        if opponents is None and discount != 1.0:
            raise ValueError("rewards are shaped without a discount where all seats learn")
        if seat is not None and not 0 <= seat < game.seats:
            raise ValueError(f"seat is {seat}; it can be 0 to {game.seats - 1}")
        self.game = game
        self._rows = BatchRows(game.encoder, rows)
        self.observations = self._rows.array
        self.masks = np.zeros((rows, len(game.alphabet)), np.bool_)
        self.seats = np.zeros(rows, np.int64)
        self.finished: list[tuple[int, list[float]]] = []  # of each finished game: the learner's seat, the rewards
        self.last_walks: dict[int, tuple[int, GameWalk]] = {}  # by row: learner's seat and game that ended in this step
        self._find_places()
        self._seed = seed
        self._dealt = 0
        self._opponents = opponents
        self._seat = seat
        self._discount = discount
        self._potential: Potential | None
        if isinstance(shaping, int | float):
            self._potential = EvaluationPotential(game, shaping) if shaping else None
        else:
            self._potential = shaping
        self._learners = Random(f"{seed}/learners")
        self._games = [self._begin() for _ in range(rows)]
        self._show(range(rows))

    def step(self, letters: Sequence[int]) -> BatchStep:
        """Add a letter to the decision of each row; `masks` says which are legal. `GIVEN_UP` ends a game unfinished.

        Raises:
            ValueError: a letter is not legal.
        """
        rows = len(self._games)
        rewards = np.zeros((rows, self.game.seats), np.float32)
        ended = np.zeros(rows, np.bool_)
        moved = []  # the rows in which an action was played
        self.last_walks = {}
        for row, letter in enumerate(np.asarray(letters).tolist()):
            game = self._games[row]
            spelling = game.walk.spelling
            assert spelling
            is_given_up = letter == GIVEN_UP
            if not is_given_up and not game.walk.add(letter):
                self._rows.add_letters(row, spelling.spelled)
                if self._discount != 1.0 and game.worth is not None:
                    rewards[row] = (self._discount - 1.0) * game.worth
                continue
            moved.append(row)
            is_over = is_given_up or not self._advance(game)
            if self._potential is not None:
                rewards[row] = self._shape(game, is_over=is_over)
            if is_over:
                ended[row] = True
                self.last_walks[row] = game.learner, game.walk
                if not is_given_up:
                    final = self.game.rewards_of(game.walk.state)
                    rewards[row] += final
                    self.finished.append((game.learner, final))
                self._games[row] = self._begin()
        self._show(moved)
        return BatchStep(rewards, ended)

    def clone(self) -> GameBatch:
        """Return an independent batch that stands where this one stands."""
        return deepcopy(self)

    def __getstate__(self) -> dict[str, Any]:
        remade = ("_rows", "_letter_places", "_first_letters")  # they have views of the arrays
        return {name: value for name, value in self.__dict__.items() if name not in remade} | {"last_walks": {}}

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
            seed, choose = f"{self._seed}/{self._dealt}", self._opponents
            drawn = self._learners.randbelow(self.game.seats)
            walk = GameWalk(self.game, seed, has_log=getattr(choose, "wants_events", False))
            if choose is not None and hasattr(choose, "begin_game"):
                choose = choose.begin_game(self.game, seed)
            game = _BatchGame(walk, drawn if self._seat is None else self._seat, choose)
            if self._advance(game):
                if self._potential is not None:
                    self._shape(game, is_over=False)
                return game

    def _advance(self, game: _BatchGame) -> bool:
        """Play on until a learner has a choice; False at the end."""
        walk, opponents = game.walk, game.opponents
        state = walk.state
        while True:
            turn = state.turn
            if turn is None or opponents is None or turn.seat == game.learner:
                return turn is not None
            walk.play(opponents(state, state.legal()))

    def _shape(self, game: _BatchGame, *, is_over: bool) -> NDArray[np.float32]:
        """Return, by seat, the change of the potential."""
        worth = np.zeros(self.game.seats, np.float32)
        if not is_over:
            assert self._potential is not None
            worth = np.asarray(self._potential(game.walk.state), np.float32)
        change = worth if game.worth is None else np.float32(self._discount) * worth - game.worth
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
