"""The decisions of a game that cost their players most, as the game evaluates its states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from pitboss.game import AnyState, Evaluable
from pitboss.records.luck import measure_luck

CANDIDATES: Final = 6  # decisions with the largest fall, of which the luck is measured


class CostOfDecision(NamedTuple):
    """What a decision cost its player."""

    points: float  # by which it stood worse beside the mean of all seats, less the bad luck of what was drawn
    number: int  # of the decision


class _Fall(NamedTuple):
    """A decision after which its player stood worse than before."""

    points: float
    number: int
    before: AnyState  # a copy
    action: object


class CostlyDecisions:
    """The falls of a game so far; states that cannot be evaluated have none."""

    def __init__(self, seed: str) -> None:
        """Luck is measured with redraws that follow from `seed`."""
        self._seed = seed
        self._falls: list[_Fall] = []

    def add(self, number: int, before: AnyState, action: object, after: AnyState) -> None:
        """Take over a decision; `before` is a copy of the state in which it was made."""
        if not (isinstance(before, Evaluable) and isinstance(after, Evaluable)) or after.turn is None:
            return
        assert before.turn is not None
        seat = before.turn.seat
        fall = _lead_of(seat, before.evaluate()) - _lead_of(seat, after.evaluate())
        if fall > 0:
            self._falls.append(_Fall(fall, number, before, action))
            self._falls.sort(key=lambda one: (-one.points, one.number))
            del self._falls[CANDIDATES:]

    def list_costs(self) -> list[CostOfDecision]:
        """Return the decisions that cost most, the worst first; of equal ones the earlier first."""
        costs = [CostOfDecision(fall.points + self._luck_of(fall), fall.number) for fall in self._falls]
        return sorted([cost for cost in costs if cost.points > 0], key=lambda cost: (-cost.points, cost.number))

    def find(self) -> int | None:
        """Return the number of the decision that cost most; None if none did."""
        return next((cost.number for cost in self.list_costs()), None)

    def _luck_of(self, fall: _Fall) -> float:
        """Return what chance gave the player then, compared with the others; bad luck is negative."""
        assert fall.before.turn is not None
        luck = measure_luck(fall.before, fall.action, f"cost/{self._seed}/{fall.number}")
        return 0.0 if luck is None else _lead_of(fall.before.turn.seat, luck)


def _lead_of(seat: int, values: Sequence[float]) -> float:
    """Return how far a seat is ahead of the mean."""
    return values[seat] - sum(values) / len(values)
