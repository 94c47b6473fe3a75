"""Playouts: how far and how a sampled world is played on where the tree ends, and its randomness.

In a game that evaluates its states (`Evaluable`) each player takes the best of a few actions by one step ahead, for
about a turn. In any other game everybody plays at random, to the end of the round if that is not too far.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import inf
from random import Random as Quick
from struct import unpack
from typing import Any, Final

from pitboss import AnyState, Random
from pitboss.action_range import sample_actions
from pitboss_house_bots.evaluation import GainEvaluator

SAMPLED_ACTIONS: Final = 16  # actions, of those that are legal
EVALUATED_TURNS: Final = 1  # from the question on, before a position is judged
STOPPABLE_DECISIONS: Final = 60  # from the question on, where a position can be valued before the end
MAX_PLAYOUT_DECISIONS: Final = 2000  # decisions, where it cannot


class SimulationRandom(Random):
    """Random stream for simulated games: ten times as fast as `Random`, not reproducible across versions.

    `copy` and `spawn` return the same stream. `is_redealt` is set once the whole deck is shuffled: a new round has
    begun.
    """

    __slots__ = ("_cards", "_quick", "is_redealt")

    def __init__(self, quick: Quick, cards: int) -> None:
        super().__init__("")
        self._quick = quick
        self._cards = cards
        self.is_redealt = False

    def copy(self) -> SimulationRandom:
        """Return the same: a copy that looks ahead a step is thrown away."""
        return self

    def spawn(self, name: str) -> SimulationRandom:
        """Return the same."""
        return self

    def draw_words(self, count: int) -> tuple[int, ...]:
        """Draw `count` numbers, each uniform in 0 .. 2**64 - 1."""
        return unpack(f"<{count}Q", self._quick.randbytes(8 * count))

    def randbelow(self, limit: int) -> int:
        """Draw a number in 0 .. limit - 1."""
        return int(self._quick.random() * limit)

    def shuffle(self, items: list[int], settled: int | None = None) -> None:
        """Put the items into a random order, in place; with `settled` only the last `settled` items."""
        self.is_redealt = self.is_redealt or len(items) == self._cards
        draw = self._quick.getrandbits
        for last, bits in shuffle_steps(len(items))[
            :settled
        ]:  # `random.shuffle`, written out: worlds spend their time here
            at = draw(bits)
            while at > last:
                at = draw(bits)
            items[last], items[at] = items[at], items[last]


@cache
def shuffle_steps(count: int) -> tuple[tuple[int, int], ...]:
    """Return for each step of a shuffle the last place that is open, and the bits that hold any place up to there."""
    return tuple((last, (last + 1).bit_length()) for last in range(count - 1, 0, -1))


class PlayoutHorizon:
    """Depth limit of one simulation, counted from the root decision.

    It covers tree and playout together, so that all actions are followed equally far and their values compare.
    """

    __slots__ = ("_decisions", "_future", "_seat", "_stops", "_turns")

    def __init__(self, world: AnyState, future: SimulationRandom, valuer: GainEvaluator) -> None:
        self._future = future
        self._stops = valuer.can_stop
        self._seat = world.turn[0] if world.turn else -1
        self._decisions = STOPPABLE_DECISIONS if valuer.can_stop else MAX_PLAYOUT_DECISIONS
        self._turns = EVALUATED_TURNS if valuer.can_evaluate else self._decisions

    def advance(self, world: AnyState) -> bool:
        """Count a decision; return False when the horizon is reached."""
        turn = world.turn
        if turn is None or (self._future.is_redealt and self._stops) or not self._decisions:
            return False
        self._decisions -= 1
        if turn[0] != self._seat:
            self._seat = turn[0]
            self._turns -= 1
        return self._turns > 0


class PlayoutPolicy:
    """The way to play on, for one search."""

    def __init__(self, valuer: GainEvaluator, quick: Quick) -> None:
        self._valuer = valuer
        self._quick = quick
        self._choose = self.greedy_action if valuer.can_evaluate else self.random_action

    def play(self, world: AnyState, horizon: PlayoutHorizon) -> None:
        """Play to the horizon."""
        choose = self._choose
        while horizon.advance(world):
            legal = sample_actions(world.legal())
            world.play(legal[0] if len(legal) == 1 else choose(world, legal))

    def random_action(self, world: AnyState, legal: Sequence[Any]) -> Any:  # noqa: ANN401 - actions of any game
        """Return any action."""
        return legal[int(self._quick.random() * len(legal))]

    def greedy_action(self, world: AnyState, legal: Sequence[Any]) -> Any:  # noqa: ANN401
        """Return the action that the seat on turn evaluates best after one step, of SAMPLED_ACTIONS at most."""
        assert world.turn is not None
        seat, ahead = world.turn[0], self._valuer.leads
        best, highest = legal[0], -inf
        for action in legal if len(legal) <= SAMPLED_ACTIONS else self._quick.sample(legal, SAMPLED_ACTIONS):
            after = world.copy()
            after.play(action)
            value = ahead(after)[seat]
            if value > highest:
                best, highest = action, value
        return best
