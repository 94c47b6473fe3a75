"""How far a world is played on, and how, where the tree ends.

In a game that can judge a position (`Judged`) each player takes what looks best at once, among a few actions, and the turn need not come far. In another one everybody plays at random,
to the end of the round if that is not too far.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from random import Random as Quick
from typing import Any, Final

from pitboss import AnyState
from pitboss_house_bots.future import Future
from pitboss_house_bots.valuing import Valuer

LOOKED_AT: Final = 16  # actions, of those that are legal
TURNS: Final = 1  # from the question on, before a position is judged
DECISIONS: Final = 60  # from the question on, where a position can be valued before the end
PATIENCE: Final = 2000  # decisions, where it cannot


class Journey:
    """How far a world has come from the question. All actions must be followed equally far, whether the tree or a play-out follows them: else their worths tell how far, not how good."""

    __slots__ = ("_decisions", "_future", "_seat", "_stops", "_turns")

    def __init__(self, world: AnyState, future: Future, valuer: Valuer) -> None:
        self._future = future
        self._stops = valuer.can_stop
        self._seat = world.turn[0] if world.turn else -1
        self._decisions = DECISIONS if valuer.can_stop else PATIENCE
        self._turns = TURNS if valuer.is_judged else self._decisions

    def goes_on(self, world: AnyState) -> bool:
        """Tell whether there is to be another decision; it is counted."""
        turn = world.turn
        if turn is None or (self._future.is_dealt and self._stops) or not self._decisions:
            return False
        self._decisions -= 1
        if turn[0] != self._seat:
            self._seat = turn[0]
            self._turns -= 1
        return self._turns > 0


class Playout:
    """The way to play on, for one search."""

    def __init__(self, valuer: Valuer, quick: Quick) -> None:
        self._valuer = valuer
        self._quick = quick
        self._choose = self.best_now if valuer.is_judged else self.any_of

    def play(self, world: AnyState, journey: Journey) -> None:
        """Play until something can be said of how it went."""
        choose = self._choose
        while journey.goes_on(world):
            legal = world.legal()
            world.play(legal[0] if len(legal) == 1 else choose(world, legal))

    def any_of(self, world: AnyState, legal: Sequence[Any]) -> Any:  # noqa: ANN401 - actions of any game
        """Return any action."""
        return legal[int(self._quick.random() * len(legal))]

    def best_now(self, world: AnyState, legal: Sequence[Any]) -> Any:  # noqa: ANN401
        """Return what puts the seat on turn furthest ahead at once; with many actions the best of some."""
        assert world.turn is not None
        seat, ahead = world.turn[0], self._valuer.ahead
        best, highest = legal[0], -inf
        for action in legal if len(legal) <= LOOKED_AT else self._quick.sample(legal, LOOKED_AT):
            after = world.copy()
            after.play(action)
            value = ahead(after)[seat]
            if value > highest:
                best, highest = action, value
        return best
