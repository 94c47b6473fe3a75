"""Chance events of an action: every outcome with its probability, for exact solvers and for search (expectimax).

`enumerate_outcomes` returns them all; `deal_by_draws` and `play_by_draws` take the draws one by one from outside, as
the chance nodes of a game tree. Lots, rolls and shuffles are enumerated. Cards that lie hidden on the table are no
chance event of the action: which they may be is a question for worlds (`State.imagine`).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final, NamedTuple, TypeVar

from pitboss.errors import TableError
from pitboss.game import AnyGame, AnyState
from pitboss.table.randomness import Random

T = TypeVar("T")

MAX_OUTCOMES: Final = 10_000


class ChanceOutcome(NamedTuple):
    """One outcome of an action."""

    probability: Fraction
    state: AnyState


def enumerate_outcomes(state: AnyState, action: Any, limit: int = MAX_OUTCOMES) -> list[ChanceOutcome]:  # noqa: ANN401
    """Return the state after an action for each outcome of its chance events; the probabilities add up to 1.

    Without a chance event there is one outcome. Outcomes that lead to equal tables are not put together. The state
    stays as it is; a future stream of the outcomes is an ordinary one.

    Raises:
        IllegalAction: the action is not legal.
        TableError: there are more than `limit` outcomes, or the game draws what cannot be enumerated.
    """
    found: list[ChanceOutcome] = []
    open_paths: list[tuple[int, ...]] = [()]
    while open_paths:
        if len(found) == limit:
            raise TableError(f"{action!r} has more than {limit:,} outcomes of chance")
        path = open_paths.pop()
        draws = _Draws(path)
        twin = state.copy()
        seeds = [(stream_holder, stream_holder.rng.seed) for stream_holder in _stream_holders(twin)]
        for stream_holder, seed in seeds:
            stream_holder.rng = _BranchingRandom(seed, draws)
        twin.play(action)
        for stream_holder, seed in seeds:
            stream_holder.rng = Random(f"{seed}/outcome {len(found)}")
        found.append(ChanceOutcome(draws.probability, twin))
        for number in range(len(draws.counts) - 1, len(path) - 1, -1):
            taken = (*path, *[0] * (number - len(path)))
            open_paths += [(*taken, other) for other in range(draws.counts[number] - 1, 0, -1)]
    return found


class OpenDraw(NamedTuple):
    """A draw of chance that is still to be answered: with the number of a branch."""

    probabilities: tuple[Fraction, ...]  # by branch

    @classmethod
    def uniform(cls, branches: int) -> OpenDraw:
        """Return a draw of one of `branches` equally likely branches."""
        return cls((Fraction(1, branches),) * branches)


def deal_by_draws(game: AnyGame, seats: int, options: Any, draws: Sequence[int]) -> AnyState | OpenDraw:  # noqa: ANN401
    """Begin a game whose chance is answered by `draws`; return its state, or the next draw if there are too few.

    Raises:
        TableError: the game draws what cannot be enumerated.
    """
    try:
        return game.deal(seats, options, _BranchingRandom("draws", _Draws(draws, is_complete=False)))
    except _DrawMissing as missing:
        return missing.draw


def play_by_draws(state: AnyState, action: Any, draws: Sequence[int]) -> AnyState | OpenDraw:  # noqa: ANN401
    """Return the state after an action whose chance is answered by `draws`, or the next draw if there are too few.

    The state stays as it is; the new one goes on writing its log.

    Raises:
        IllegalAction: the action is not legal.
        TableError: the game draws what cannot be enumerated.
    """
    twin = state.copy()
    twin.table.continue_log(state.table)
    answered = _Draws(draws, is_complete=False)
    for stream_holder in _stream_holders(twin):
        stream_holder.rng = _BranchingRandom("draws", answered)
    try:
        twin.play(action)
    except _DrawMissing as missing:
        return missing.draw
    return twin


def _stream_holders(state: AnyState) -> list[Any]:
    """Return the state and its table, as far as they have a stream."""
    return [one for one in (state.table, state) if isinstance(getattr(one, "rng", None), Random)]


class _DrawMissing(Exception):
    """The path ends before this draw."""

    def __init__(self, draw: OpenDraw) -> None:
        super().__init__()
        self.draw = draw


class _Draws:
    """The draws of one play: the branches of a path, and from its end on the first branch of each.

    If the path is not complete, the first draw after it with several branches raises `_DrawMissing`; draws with one
    branch are not in the path then.
    """

    def __init__(self, path: Sequence[int], *, is_complete: bool = True) -> None:
        self.path = path
        self.is_complete = is_complete
        self.counts: list[int] = []  # the number of branches at each draw
        self.probability = Fraction(1)

    def choose_branch(self, weights: Sequence[int]) -> int:
        """Return the branch that is taken at the next draw; branches are as likely as their weights."""
        number = len(self.counts)
        if not self.is_complete:
            if len(weights) == 1:
                return 0
            if number == len(self.path):
                raise _DrawMissing(OpenDraw(tuple(Fraction(weight, sum(weights)) for weight in weights)))
        branch = self.path[number] if number < len(self.path) else 0
        self.counts.append(len(weights))
        self.probability *= Fraction(weights[branch], sum(weights))
        return branch


class _BranchingRandom(Random):
    """A stream that takes the branches of a path. All its substreams share the path."""

    __slots__ = ("_path_draws",)

    def __init__(self, seed: str, path_draws: _Draws, draws: int = 0) -> None:
        super().__init__(seed, draws)
        self._path_draws = path_draws

    def copy(self) -> _BranchingRandom:
        """Return a stream that goes on with the same path."""
        return _BranchingRandom(self.seed, self._path_draws, self.draws)

    def spawn(self, name: str) -> _BranchingRandom:
        """Return a stream that goes on with the same path."""
        return _BranchingRandom(f"{self.seed}/{name}", self._path_draws)

    def draw_words(self, count: int) -> tuple[int, ...]:
        """Refuse: there are too many.

        Raises:
            TableError: always.
        """
        raise TableError("random words have too many values to be enumerated; use lots, rolls and shuffles")

    def randbelow(self, limit: int) -> int:
        """Return the number of this branch."""
        if limit < 1:
            raise ValueError(f"randbelow({limit!r}): the limit must be at least 1")
        return self._path_draws.choose_branch((1,) * limit)

    def draw_outcomes(self, outcomes: Sequence[T], weights: Sequence[int], count: int) -> list[T]:
        """Return the outcomes of this branch; those that cannot occur have none."""
        possible = [place for place, weight in enumerate(weights) if weight]
        shares = [weights[place] for place in possible]
        return [outcomes[possible[self._path_draws.choose_branch(shares)]] for _ in range(count)]

    def shuffle(self, items: list[int], settled: int | None = None) -> None:
        """Put the items into the order of this branch."""
        count = len(items)
        open_places = 0 if settled is None else max(0, count - settled)
        for left in range(count, max(1, open_places), -1):
            at = self._path_draws.choose_branch((1,) * left)
            items[at], items[left - 1] = items[left - 1], items[at]
