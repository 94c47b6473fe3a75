"""Secrets: what is hidden on a table and is no card: rolled dice, chosen numbers, bids, commitments.

Each has a place, made by the layout, and what lies there now: its values, who knows them, and how to redraw
them. So views, events, sampled worlds and replays treat it as they treat cards.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple, TypeAlias

from pitboss.table.randomness import Random

Scalar: TypeAlias = bool | int | float | str | None


class Secret(int):
    """A place for secret values. It *is* its index in `Layout.secrets` and in the `secrets` of every table."""

    name: str
    owner: int | None
    viewers: int  # mask of the seats that see what is rolled or chosen there

    def __repr__(self) -> str:
        return f"<secret {self.name}>"


class SecretValue(NamedTuple):
    """What lies at a place: values of one kind, each drawn or chosen by itself."""

    values: tuple[Scalar, ...] = ()
    known_by: int = 0  # mask of the seats that know the values
    outcomes: tuple[Scalar, ...] = ()  # what each value may be, as far as the rules say
    weights: tuple[int, ...] = ()  # of the outcomes: how often each is drawn
    allowed: frozenset[Scalar] | None = None  # the outcomes that everybody knows to be left; None: all of them
    chance_index: int = -1  # the index of the first value's lot in the table's chance events; -1: none was recorded

    def restrict(self, allowed: Collection[Scalar]) -> SecretValue:
        """Return this with only those outcomes left that are in `allowed` too."""
        left = frozenset(allowed)
        return self._replace(allowed=left if self.allowed is None else left & self.allowed)

    def redraw(self, rng: Random, only: int | None = None) -> SecretValue:
        """Return a copy with all values, or the value at one place, redrawn among the outcomes that are left."""
        left = [
            (outcome, weight)
            for outcome, weight in zip(self.outcomes, self.weights, strict=True)
            if self.allowed is None or outcome in self.allowed
        ]
        outcomes, weights = zip(*left, strict=True)
        values = rng.draw_outcomes(outcomes, weights, len(self.values) if only is None else 1)
        if only is not None:
            values = [*self.values[:only], *values, *self.values[only + 1 :]]
        return self._replace(values=tuple(values))

    def lots(self) -> Iterable[int]:
        """Return a lot below the sum of the weights for each value, as `Random.draw_outcomes` would draw it."""
        first_lots = [0, *accumulate(self.weights)]
        return [first_lots[self.outcomes.index(value)] for value in self.values]


class SecretFact(NamedTuple):
    """A fact about the values of some secrets, in their order, which every seat knows by the rules."""

    holds: Callable[[Sequence[Sequence[Scalar]]], bool]
    secrets: tuple[Secret, ...]

    def is_true(self, held: Sequence[SecretValue]) -> bool:
        """Return whether it holds for the values of a table."""
        return self.holds([held[secret].values for secret in self.secrets])
