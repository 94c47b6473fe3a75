"""A walk down the tree of a game: chance nodes for its draws, and decisions letter by letter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from pitboss.game import AnyState
from pitboss.learning.learning_game import LearningGame
from pitboss.learning.spelling import Spelling
from pitboss.simulation.chance import OpenDraw, deal_by_draws, play_by_draws
from pitboss.table.randomness import Random


class SeenChoice(NamedTuple):
    """A letter that a seat chose, and what it saw then."""

    row: memoryview[float]
    letter: int


class TreeWalk:
    """Where a walk has come to: at a chance node (`open_draw`), at a decision (`spelling`), or at the end.

    If `has_recall`, it keeps what each seat saw when it chose a letter.

    With `deals` the first node is a draw of one of `deals` deals, and the tree has no other chance node. A copy
    (`copy.deepcopy`) is independent; a pickle holds the path.
    """

    def __init__(
        self, game: LearningGame, deals: int, remake: Callable[[], TreeWalk], *, has_recall: bool = False
    ) -> None:
        """Stand at the root; `remake` returns a new walk there, and can be pickled."""
        self.game = game
        self.has_recall = has_recall
        self.choices: list[tuple[SeenChoice, ...]] = [()] * game.seats  # by seat: its choices so far
        self.deals = deals
        self.path: list[int] = []
        self.state: AnyState | None = None  # None: before the deal
        self.spelling: Spelling | None = None
        self.open_draw: OpenDraw | None = None
        self.own_actions: list[tuple[Any, ...]] = [()] * game.seats  # by seat: what it has done
        self.told_since = [0] * game.seats  # by seat: the entry of the log from which on it is that of its world
        self._remake = remake
        self._draws: list[int] = []  # the answers so far to what is being dealt or played
        self._played: Any = None  # the action whose chance is open
        if deals:
            self.open_draw = OpenDraw.uniform(deals)
        else:
            self._take(deal_by_draws(game.setup.game, game.seats, game.setup.options, ()))

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.open_draw is None and self.state is not None and self.state.turn is None

    def add(self, number: int) -> None:
        """Take a step: the branch of the draw, or a letter of the decision.

        Raises:
            ValueError: the letter is not legal.
        """
        if self.open_draw is not None:
            self._answer(number)
        else:
            assert self.spelling is not None
            if self.has_recall:
                self._keep_choice(number)
            action = self.spelling.add(number)
            if action is not None:
                self._play(action)
        self.path.append(number)

    def _keep_choice(self, letter: int) -> None:
        """Keep what the seat on turn sees, with the letter that it chooses."""
        assert self.state is not None
        assert self.state.turn is not None
        seat, row = self.state.turn.seat, memoryview(bytearray(4 * self.game.encoder.size)).cast("f")
        self.game.observe(self.state, seat, row, self.spelling)
        self.choices[seat] += (SeenChoice(row, letter),)

    def imagine(self, seat: int, rng: Random) -> TreeWalk:
        """Return this walk in a world that the seat cannot tell from the real one; its path stays the real one.

        What the other seats were told before is not known there.
        """
        assert self.state is not None
        twin = self.__deepcopy__({})
        world = self.state.imagine(seat, rng)
        world.table.continue_log(self.state.table)
        twin.state, twin.told_since = world, [len(world.table.log or ())] * self.game.seats
        twin.told_since[seat] = self.told_since[seat]
        twin.choices = [chosen if at == seat else () for at, chosen in enumerate(self.choices)]
        turn = world.turn
        if turn is not None and turn.seat != seat:
            twin.spelling = Spelling(self.game.alphabet, world.legal())
        return twin

    def __deepcopy__(self, memo: object) -> TreeWalk:
        twin = object.__new__(TreeWalk)
        twin.__dict__.update(self.__dict__)
        if self.state is not None:
            twin.state = self.state.copy()
            twin.state.table.continue_log(self.state.table)
        twin.spelling = None if self.spelling is None else self.spelling.copy()
        twin.path, twin.own_actions, twin._draws = self.path[:], self.own_actions[:], self._draws[:]
        twin.choices = self.choices[:]
        return twin

    def __reduce__(self) -> tuple[Callable[..., TreeWalk], tuple[Callable[[], TreeWalk], Sequence[int]]]:
        return walk_path, (self._remake, self.path)

    def _answer(self, branch: int) -> None:
        """Answer the open draw."""
        game = self.game.setup
        if self.deals:
            self._take(self.game.deal(f"deal {branch}", has_log=True))
            return
        self._draws.append(branch)
        if self.state is None:
            self._take(deal_by_draws(game.game, game.seats, game.options, self._draws))
        else:
            self._take(play_by_draws(self.state, self._played, self._draws))

    def _play(self, action: Any) -> None:  # noqa: ANN401 - an action of any game
        """Do the action of the seat on turn, and all forced ones after it."""
        state = self.state
        assert state is not None
        turn = state.turn
        assert turn is not None
        self.own_actions[turn.seat] += (action,)
        self.spelling, self._played = None, action
        if self.deals:
            state.play(action)
            self._take(state)
        else:
            self._take(play_by_draws(state, action, ()))

    def _take(self, reached: AnyState | OpenDraw) -> None:
        """Go on from a state, or stand at a draw."""
        if isinstance(reached, OpenDraw):
            self.open_draw = reached
            return
        self.open_draw, self.state, self._draws = None, reached, []
        if reached.turn is None:
            return
        spelling = Spelling(self.game.alphabet, reached.legal())
        if spelling.forced is None:
            self.spelling = spelling
        else:
            self._play(spelling.forced)


def walk_path(remake: Callable[[], TreeWalk], path: Sequence[int]) -> TreeWalk:
    """Return a walk along a path."""
    walk = remake()
    for number in path:
        walk.add(number)
    return walk
