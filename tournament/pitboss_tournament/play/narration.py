"""Events of a table in words, as observed from a person's seat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from pitboss.protocol.faults import FaultKind, FaultVerdict
from pitboss.records.record import Incident
from pitboss.rendering.presentation import SILENT, Presentation
from pitboss.table.events import AnyEvent
from pitboss.table.secrets import Secret
from pitboss.table.zones import Zone
from pitboss_tournament.text.event_text import YOU, EventDescriber

_FAULT_CLAUSES: Final[dict[FaultKind, str]] = {
    "never_started": "could not be started",
    "late": "did not answer in time",
    "crashed": "crashed",
    "ended_early": "ended without an answer",
    "out_of_memory": "took more memory than it may",
    "illegal": "chose what is not legal",
    "malformed": "wrote a line that is no message",
    "flooded": "wrote a line that is too long",
    "out_of_turn": "spoke without being asked",
}
_VERDICT_CLAUSES: Final[dict[FaultVerdict, str]] = {
    "substitute": "the neutral action is played in its place this time",
    "forfeit": "it has forfeited the game, and the neutral action is played for it to the end",
}


class Narrator:
    """Describes events to the person in a seat, in the words of a game; `names` are the players by seat."""

    def __init__(self, seat: int, names: Sequence[str], presentation: Presentation = SILENT) -> None:
        self._seat = seat
        self._names = names
        self._presentation = presentation

    def narrate(self, events: Iterable[AnyEvent], places: Iterable[Zone | Secret]) -> Iterator[str]:
        """Yield one sentence for each run of events with the same actor; `places` are the zones and secrets."""
        describer = EventDescriber(self._names, places, self._seat, presentation=self._presentation)
        for actor, run in groupby(describer.select_told(events), describer.find_actor):
            clauses = [describer.describe(event, actor) for event in run]
            counted = [(clause, len(list(same))) for clause, same in groupby(clauses)]
            told = "; ".join(clause if times == 1 else f"{clause} ({times} times)" for clause, times in counted)
            yield f"{self.player_name(actor)}: {told}." if actor is not None else f"{told[:1].upper()}{told[1:]}."

    def describe_fault(self, incident: Incident) -> str:
        """Return a bot's fault and the verdict as a sentence that reveals no cards."""
        fault = incident.fault
        return f"Fault: {self.player_name(fault.seat)} {_FAULT_CLAUSES[fault.kind]}; {_VERDICT_CLAUSES[fault.verdict]}."

    def player_name(self, seat: int) -> str:
        """Return the name of the player in a seat, "You" for the person."""
        return YOU if seat == self._seat else self._names[seat]
