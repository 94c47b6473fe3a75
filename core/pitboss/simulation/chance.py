"""Chance events of an action: every outcome with its probability, for exact solvers and for search (expectimax).

Lots, rolls and shuffles are enumerated. Cards that lie hidden on the table are no chance event of the action: which
they may be is a question for worlds (`State.imagine`).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final, NamedTuple, TypeVar

from pitboss.errors import TableError
from pitboss.game import AnyState
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
        streams = [holder for holder in (twin.table, twin) if isinstance(getattr(holder, "rng", None), Random)]
        for holder in streams:
            holder.rng = _BranchingRandom(holder.rng.seed, draws)  # type: ignore[union-attr]
        twin.play(action)
        for holder in streams:
            holder.rng = Random(f"{holder.rng.seed}/outcome {len(found)}")  # type: ignore[union-attr]
        found.append(ChanceOutcome(draws.probability, twin))
        for number in range(len(draws.counts) - 1, len(path) - 1, -1):
            taken = (*path, *[0] * (number - len(path)))
            open_paths += [(*taken, other) for other in range(draws.counts[number] - 1, 0, -1)]
    return found


class _Draws:
    """The draws of one play: the branches of a path, and from its end on the first branch of each."""

    def __init__(self, path: Sequence[int]) -> None:
        self.path = path
        self.counts: list[int] = []  # the number of branches at each draw
        self.probability = Fraction(1)

    def choose_branch(self, weights: Sequence[int]) -> int:
        """Return the branch that is taken at the next draw; branches are as likely as their weights."""
        number = len(self.counts)
        branch = self.path[number] if number < len(self.path) else 0
        self.counts.append(len(weights))
        self.probability *= Fraction(weights[branch], sum(weights))
        return branch


class _BranchingRandom(Random):
    """A stream that takes the branches of a path. All streams that come of it share the path."""

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
