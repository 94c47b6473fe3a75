"""What the random player of the house does in games whose actions are not all listed: now and then an open one.

The state proposes open actions, so that the game is tracked; where it cannot be, a listed action is played.
"""

from __future__ import annotations

from typing import Any

import msgspec

from pitboss import Random
from pitboss.bot import Question
from pitboss.inference.state_tracker import StateTracker
from pitboss.open_actions import find_open_choices
from pitboss.protocol.messages import Decide, Hello, Start
from pitboss.simulation.random_play import OPEN_SHARE


class OpenPlayer:
    """Draws open actions for one process; it is told each line of the runner."""

    def __init__(self, hello: bytes) -> None:
        self._hello = msgspec.json.decode(hello, type=Hello)
        self._tracker = StateTracker()
        self._start: Start | None = None
        self._rng = Random("")

    def begin(self, start: bytes) -> None:
        """Begin a game."""
        self._start = msgspec.json.decode(start, type=Start)
        self._rng = Random(f"{self._start.seed}/open")

    def propose(self, line: bytes) -> Any:  # noqa: ANN401 - an action as plain data
        """Return the open action to answer a question with; None: answer with a listed one."""
        decide = msgspec.json.decode(line, type=Decide)
        assert self._start is not None
        state = self._tracker.update(
            Question(
                legal=list(decide.legal),
                view=decide.view,
                events=msgspec.to_builtins(decide.events),
                seat=decide.seat,
                phase=decide.phase,
                decision_ms=decide.clock.decision_ms,
                game_ms=decide.clock.game_ms,
                hello=self._hello,
                start=self._start,
            )
        )
        if state is None or not decide.open or self._rng.randbelow(OPEN_SHARE):
            return None
        proposed = find_open_choices(state).propose(self._rng)
        return msgspec.to_builtins(self._rng.choice(proposed)) if proposed else None
