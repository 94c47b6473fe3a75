"""A game in play for learners: a value that is copied, and pickled as its seed and its actions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any

from pitboss.game import AnyState
from pitboss.learning.learning_game import LearningGame


class GameWalk:
    """A game that is played letter by letter: `spelling` is its decision, which is None at the end.

    A copy (`copy`, `copy.deepcopy`) is independent, and plays on as this game would. A pickle holds the seed and the
    actions, and is played again where it is loaded.
    """

    __slots__ = ("_chosen", "_seed", "game", "spelling", "state")

    def __init__(self, game: LearningGame, seed: str) -> None:
        """Deal, and play on to the first choice."""
        self.game = game
        self.state: AnyState = game.deal(seed)
        self.spelling = game.find_choice(self.state)
        self._seed = seed
        self._chosen: list[Any] = []  # all actions but the forced ones

    def add(self, letter: int) -> bool:
        """Add a letter to the decision; return whether this chose an action, which is played then.

        Raises:
            ValueError: the letter is not legal.
        """
        assert self.spelling is not None
        action = self.spelling.add(letter)
        if action is None:
            return False
        self.play(action)
        return True

    def play(self, action: Any) -> None:  # noqa: ANN401 - an action of any game
        """Play an action of the seat on turn, and play on to the next choice."""
        self.state.play(action)
        self._chosen.append(action)
        self.spelling = self.game.find_choice(self.state)

    def copy(self) -> GameWalk:
        """Return an independent game that stands where this one stands."""
        twin = GameWalk.__new__(GameWalk)
        twin.game, twin._seed, twin._chosen = self.game, self._seed, self._chosen[:]
        twin.state = self.state.copy()
        twin.spelling = None if self.spelling is None else self.spelling.copy()
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> GameWalk:
        twin = self.copy()
        twin.game = deepcopy(self.game, memo)
        return twin

    def __reduce__(self) -> tuple[Callable[..., GameWalk], tuple[LearningGame, str, Sequence[Any], Sequence[int]]]:
        spelled = () if self.spelling is None else self.spelling.spelled
        return repeat_walk, (self.game, self._seed, self._chosen[:], spelled)


def repeat_walk(game: LearningGame, seed: str, chosen: Sequence[Any], spelled: Sequence[int]) -> GameWalk:
    """Return a game after some actions, with the letters so far of its decision."""
    walk = GameWalk(game, seed)
    for action in chosen:
        walk.play(action)
    spelling = walk.spelling
    while spelling is not None and len(spelling.spelled) < len(spelled):
        spelling.add(spelled[len(spelling.spelled)])
    return walk
