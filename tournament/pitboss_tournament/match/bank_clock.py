"""The bank clock: how long a seat may take for its next decision, and what is left of its time for the game. No I/O."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pitboss.protocol.faults import ClockName
from pitboss.protocol.messages import Clock, TimeLeft
from pitboss.records.record import Decision, Incident


class QuestionLimit(NamedTuple):
    """The time limit of one question."""

    us: int
    clock: ClockName  # the clock that sets the limit
    time_left: TimeLeft  # as the bot is told


class BankClock:
    """The time a seat has left in one game."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._unbanked_limit = QuestionLimit(clock.decision_ms * 1000, "decision", TimeLeft(clock.decision_ms))
        self.restore((), ())

    def restore(self, decisions: Sequence[Decision], incidents: Sequence[Incident]) -> None:
        """Begin a game with a full bank, less what these decisions of the seat have taken if it was broken off."""
        game_ms = self._clock.game_ms
        self._bank_us = None if game_ms is None else game_ms * 1000  # None: the game has no limit
        incident_us = {incident.fault.decision: incident.us for incident in incidents}
        for number, decision in enumerate(decisions, 1):
            self.charge(incident_us.get(number, decision.us))

    def next_limit(self) -> QuestionLimit:
        """Return the limit of the next question: the time for a decision, or the bank if that holds less."""
        decision_ms, bank_us = self._clock.decision_ms, self._bank_us
        if bank_us is None:
            return self._unbanked_limit
        left = TimeLeft(decision_ms, bank_us // 1000)
        if bank_us < decision_ms * 1000:
            return QuestionLimit(bank_us, "game", left)
        return QuestionLimit(decision_ms * 1000, "decision", left)

    def charge(self, us: int) -> None:
        """Take the microseconds of a question off the bank, and add the increment."""
        if self._bank_us is not None:
            self._bank_us = max(0, self._bank_us - us) + self._clock.increment_ms * 1000
