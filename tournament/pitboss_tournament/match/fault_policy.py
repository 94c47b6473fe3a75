"""The fault policy: what a fault costs the seat in this game. No I/O."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pitboss.errors import FloodedLine, MalformedLine, OutOfTurn
from pitboss.protocol.faults import ClockName, FaultKind, FaultVerdict
from pitboss.records.record import Incident
from pitboss_tournament.plan.plan import FaultRules

PROTOCOL_FAULTS: Final[dict[type[Exception], FaultKind]] = {
    MalformedLine: "malformed",
    FloodedLine: "flooded",
    OutOfTurn: "out_of_turn",
}


class BotFaulted(Exception):
    """A bot has done wrong. The seat turns it into an `Incident`; it never reaches the match."""

    def __init__(self, kind: FaultKind, message: str, clock: ClockName | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.clock = clock


class FaultPolicy:
    """Counts the substituted decisions of one seat in one game."""

    def __init__(self, rules: FaultRules) -> None:
        self._rules = rules
        self._substitutions = 0

    def restore(self, incidents: Sequence[Incident]) -> None:
        """Begin a game, after these incidents of the seat if it was broken off."""
        self._substitutions = sum(not incident.fault.is_forfeit for incident in incidents)

    def judge(self, kind: FaultKind, question_number: int) -> FaultVerdict:
        """Return what a fault costs, and count it. Without a process or a question there is nothing to substitute."""
        may_go_on = self._rules.policy == "substitute" and question_number > 0 and kind != "never_started"
        if not may_go_on or self._substitutions >= self._rules.substitutions:
            return "forfeit"
        self._substitutions += 1
        return "substitute"


def ends_process(kind: FaultKind, verdict: FaultVerdict) -> bool:
    """Tell whether a fault ends the bot's process. A substituted illegal choice keeps to the protocol and does not."""
    return kind != "illegal" or verdict == "forfeit"
