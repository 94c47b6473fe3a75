"""Track the state of a game from one seat's observations, for Python bots that search.

    from pitboss.bot import Question, run
    from pitboss.inference.state_tracker import StateTracker

    tracker = StateTracker()

    def choose(question: Question) -> int:
        state = tracker.update(question)
        ...

    run(choose, want="both")

Call `update` at every question.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import msgspec
from msgspec import UNSET

from pitboss.bot import Question
from pitboss.game import AnyGame, AnyState, resolve_options
from pitboss.inference.reconstruction import HistoryReconstruction, Reconstructible, Reconstruction
from pitboss.inference.scripted_random import RandomScript
from pitboss.inference.step_budget import STEPS_PER_SECOND, StepBudget
from pitboss.loadouts import LOADOUTS
from pitboss.plugins.registry import load_played_game
from pitboss.protocol.messages import Start
from pitboss.table.events import AnyEvent
from pitboss.table.randomness import Random

TIME_SHARE: Final = 0.25  # of the decision time
MAX_CHECKPOINTS: Final = 32


class StateTracker:
    """Rebuilds the state of each game that a bot plays, from the events that its seat observed."""

    def __init__(self, game: AnyGame | None = None) -> None:
        self._game = game
        self._start: Start | None = None
        self._events: list[AnyEvent] = []  # of the whole game
        self._checkpoints: list[tuple[AnyState, int]] = []  # states at earlier decisions, with the events explained
        self._script = RandomScript()
        self._attempts = 0

    def update(self, question: Question, seconds: float | None = None) -> AnyState | None:
        """Return a state consistent with every event that the seat has observed; cards it has not seen are sampled.

        `imagine` on it samples further worlds from the same information set. The caller owns the state. Returns None if
        the search found none within about `seconds` (default: a quarter of the decision time); the next question may
        succeed. Time is counted in search steps, so that the same game gives the same result.

        Raises:
            ValueError: the question carries no events (the bot was not run with `want="both"`).
            ConfigError: no game of this name is installed.
        """
        limit = seconds if seconds is not None else question.decision_ms * TIME_SHARE / 1000
        budget = StepBudget(round(limit * STEPS_PER_SECOND))
        if question.start != self._start:
            self._start, self._events, self._checkpoints, self._attempts = question.start, [], [], 0
            self._game = self._game or load_played_game(question.hello.game)
        self._events += msgspec.convert(question.events, list[AnyEvent])
        if not self._events:
            raise ValueError('the question has no events; call run(choose, want="both")')
        reconstruction, state = self._reconstruct(question, budget)
        if state is None:
            return None
        if not reconstruction.is_ahead:  # else what the others have chosen is a guess, told only later
            self._add_checkpoint(state)
        return state.copy()

    def _reconstruct(self, question: Question, budget: StepBudget) -> tuple[Reconstruction, AnyState | None]:
        """Reconstruct from the last checkpoint, or from 2, 4, 8 … back (later samples may be wrong), or the deal."""
        back = 1
        while back <= len(self._checkpoints):
            before, matched = self._checkpoints[-back]
            with budget.half() as part:
                reconstruction = self._make_reconstruction(question, self._events[matched:], part)
                state = reconstruction.reconstruct_from(before)
            if state is not None:
                del self._checkpoints[len(self._checkpoints) - back + 1 :]
                return reconstruction, state
            back *= 2
        self._checkpoints = []
        reconstruction = self._make_reconstruction(question, self._events, budget)
        return reconstruction, reconstruction.reconstruct_from_deal()

    def _add_checkpoint(self, state: AnyState) -> None:
        """Keep a state to go back to; of more than MAX_CHECKPOINTS, drop every other one of the older half."""
        self._checkpoints.append((state, len(self._events)))
        if len(self._checkpoints) > MAX_CHECKPOINTS:
            del self._checkpoints[: MAX_CHECKPOINTS // 2 : 2]

    def _make_reconstruction(self, question: Question, events: list[AnyEvent], budget: StepBudget) -> Reconstruction:
        self._attempts += 1
        rng = Random(f"{question.start.seed}/following/{self._attempts}")
        matches_observation = partial(_matches_observation, question)
        game, seats = self._game, question.hello.seats
        assert game
        told = {} if question.start.loadouts is UNSET else {LOADOUTS: question.start.loadouts}
        options = resolve_options(game, seats, overrides={**question.hello.options, **told})
        if isinstance(game, Reconstructible):
            return game.make_reconstruction(seats, options, question.seat, events, matches_observation, rng, budget)
        return HistoryReconstruction(
            partial(game.deal, seats, options), question.seat, events, matches_observation, self._script, rng, budget
        )


def _matches_observation(question: Question, state: AnyState, shown: AnyState) -> bool:
    """Whether turn and legal actions of `state`, and the view of `shown`, equal those of the question."""
    turn = state.turn
    if turn is None or turn != (question.seat, question.phase) or _to_wire(state.legal()) != question.legal:
        return False
    return question.view is None or _to_wire(shown.view(question.seat)) == question.view


def _to_wire(value: object) -> Any:  # noqa: ANN401 - plain data
    return msgspec.json.decode(msgspec.json.encode(value))
