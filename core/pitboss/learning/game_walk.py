"""A game in play for learners: a value that is copied, and pickled as its seed and its actions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import partial
from typing import Any

from pitboss.game import AnyState
from pitboss.learning.learning_game import LearningGame
from pitboss.table.turns import Turn


class GameWalk:
    """A game that is played letter by letter: `spelling` is its decision, which is None at the end.

    A copy (`copy`, `copy.deepcopy`) is independent, and plays on as this game would. A pickle holds the seed and the
    actions, and is played again where it is loaded; so is a copy of a game with a log.
    """

    __slots__ = ("_chosen", "_has_log", "game", "seed", "spelling", "state")

    def __init__(self, game: LearningGame, seed: str, *, has_log: bool = False) -> None:
        """Deal, and play on to the first choice. Only a game with a log can be asked for its events."""
        self.game = game
        self.seed = seed
        self._has_log = has_log
        self.state: AnyState = game.deal(seed, has_log=has_log)
        self.spelling = game.find_choice(self.state)
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
        spelled = () if self.spelling is None else self.spelling.spelled
        if self._has_log:
            return repeat_walk(self.game, self.seed, self._chosen, spelled, has_log=True)
        twin = GameWalk.__new__(GameWalk)
        twin.game, twin.seed, twin._chosen, twin._has_log = self.game, self.seed, self._chosen[:], False
        twin.state = self.state.copy()
        twin.spelling = None if self.spelling is None else self.spelling.copy()
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> GameWalk:
        twin = self.copy()
        twin.game = deepcopy(self.game, memo)
        return twin

    def list_decisions(self) -> list[tuple[int, Any]]:
        """Return the seat and the action of each decision so far, forced ones included; the game is played again."""
        again: Any = _RecordedState(self.game.deal(self.seed))
        for action in self._chosen:
            self.game.find_choice(again)
            again.play(action)
        self.game.find_choice(again)
        decisions: list[tuple[int, Any]] = again.decisions
        return decisions

    def __reduce__(self) -> tuple[Callable[..., GameWalk], tuple[LearningGame, str, Sequence[Any], Sequence[int]]]:
        spelled = () if self.spelling is None else self.spelling.spelled
        return partial(repeat_walk, has_log=self._has_log), (self.game, self.seed, self._chosen[:], spelled)


class _RecordedState:
    """A state that notes who plays what, as far as `LearningGame.find_choice` needs one."""

    def __init__(self, state: AnyState) -> None:
        self._state = state
        self.legal = state.legal
        self.decisions: list[tuple[int, Any]] = []

    @property
    def turn(self) -> Turn | None:
        return self._state.turn

    def play(self, action: Any) -> None:  # noqa: ANN401 - an action of any game
        assert self._state.turn is not None
        self.decisions.append((self._state.turn.seat, action))
        self._state.play(action)


def repeat_walk(
    game: LearningGame, seed: str, chosen: Sequence[Any], spelled: Sequence[int], *, has_log: bool = False
) -> GameWalk:
    """Return a game after some actions, with the letters so far of its decision."""
    walk = GameWalk(game, seed, has_log=has_log)
    for action in chosen:
        walk.play(action)
    spelling = walk.spelling
    while spelling is not None and len(spelling.spelled) < len(spelled):
        spelling.add(spelled[len(spelling.spelled)])
    return walk
