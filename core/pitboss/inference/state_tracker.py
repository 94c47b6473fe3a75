"""State tracker: a game as a state, rebuilt from what one seat was told. For bots in Python that look ahead.

    from pitboss.bot import Question, run
    from pitboss.inference.state_tracker import StateTracker

    tracker = StateTracker()

    def choose(question: Question) -> int:
        state = tracker.update(question)
        ...

    run(choose, want="both")

Call `update` at every decision: what happened since the last one is explained, and kept.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

import msgspec

from pitboss.game import resolve_options
from pitboss.inference.reconstruction import HistoryReconstruction
from pitboss.inference.scripted_random import RandomScript
from pitboss.inference.step_budget import STEPS_PER_SECOND, StepBudget
from pitboss.plugins import Registry
from pitboss.table.events import AnyEvent
from pitboss.table.randomness import Random

if TYPE_CHECKING:
    from pitboss.bot import Question
    from pitboss.game import AnyGame, AnyState
    from pitboss.protocol.messages import Start

TIME_SHARE: Final = 0.25  # of the time for a decision
MAX_CHECKPOINTS: Final = 32  # states

_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode


class StateTracker:
    """The games that a bot plays, one after another, each followed from its seat."""

    def __init__(self, game: AnyGame | None = None) -> None:
        self._game = game
        self._start: Start | None = None
        self._events: list[AnyEvent] = []  # of the whole game
        self._checkpoints: list[tuple[AnyState, int]] = []  # states at earlier decisions, with the events until then
        self._script = RandomScript()
        self._attempts = 0

    def update(self, question: Question, seconds: float | None = None) -> AnyState | None:
        """Return the game at a decision as a state: all that the seat knows is so, and all else is as it may be.

        `imagine` of it draws from the worlds that the seat cannot tell from the real one. It is yours to play in. None: no explanation was found for what
        has happened, in about so many `seconds` (by default a quarter of the time for the decision; they are counted in steps, not by a clock, so
        that a bot plays the same game again); the next decision may have one. Call it at every decision.

        Raises:
            ValueError: there are no events to follow; `run` was not told to want them.
        """
        limit = seconds if seconds is not None else question.decision_ms * TIME_SHARE / 1000
        patience = StepBudget(round(limit * STEPS_PER_SECOND))
        if question.start != self._start:
            self._start, self._events, self._checkpoints, self._attempts = question.start, [], [], 0
            self._game = self._game or find_installed_game(question.hello.game)
        events = msgspec.convert(question.events, list[AnyEvent])
        self._events += events
        if not self._events:
            raise ValueError('a game is followed by its events: let the bot say run(choose, want="both")')
        state = self._reconstruct(question, patience)
        if state is None:
            return None
        self._add_checkpoint(state)
        return state.copy()

    def _reconstruct(self, question: Question, budget: StepBudget) -> AnyState | None:
        """Explain what has happened since the last decision; if that cannot be, since an earlier one: what was imagined since then may be wrong."""
        back = 1
        while back <= len(self._checkpoints):
            before, told = self._checkpoints[-back]
            part = budget.split_half()
            state = self._make_reconstruction(question, self._events[told:], part).reconstruct_from(before)
            budget.return_rest(part)
            if state is not None:
                del self._checkpoints[len(self._checkpoints) - back + 1 :]
                return state
            back *= 2
        self._checkpoints = []
        return self._reconstruct_from_deal(question, budget)

    def _add_checkpoint(self, state: AnyState) -> None:
        """Keep a state to go back to: of the older ones ever fewer."""
        self._checkpoints.append((state, len(self._events)))
        if len(self._checkpoints) > MAX_CHECKPOINTS:
            del self._checkpoints[: MAX_CHECKPOINTS // 2 : 2]

    def _reconstruct_from_deal(self, question: Question, budget: StepBudget) -> AnyState | None:
        """Explain the whole game."""
        game, seats = self._game, question.hello.seats
        assert game
        options = resolve_options(game, seats, overrides=question.hello.options)
        return self._make_reconstruction(question, self._events, budget).reconstruct_from_deal(
            lambda rng: game.deal(seats, options, rng)
        )

    def _make_reconstruction(
        self, question: Question, events: list[AnyEvent], budget: StepBudget
    ) -> HistoryReconstruction:
        self._attempts += 1
        rng = Random(f"{question.start.seed}/following/{self._attempts}")

        def matches_observation(state: AnyState) -> bool:
            return _matches_observation(state, question)

        return HistoryReconstruction(question.seat, events, matches_observation, self._script, rng, budget)


def _matches_observation(state: AnyState, question: Question) -> bool:
    """Tell whether a state looks to the seat as the wire says."""
    turn = state.turn
    if turn is None or turn != (question.seat, question.phase) or _to_wire(state.legal()) != question.legal:
        return False
    return question.view is None or _to_wire(state.view(question.seat)) == question.view


def _to_wire(value: object) -> Any:  # noqa: ANN401 - plain data
    return _decode(_encode(value))


@cache
def find_installed_game(name: str) -> AnyGame:
    """Return an installed game.

    Raises:
        ConfigError: no such game is installed.
    """
    return Registry().find_game(name)
