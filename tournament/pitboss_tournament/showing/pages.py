"""A recorded game as pages for a person: the deal, and each decision with what came of it, through all eyes or one player's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from pitboss.game import AnyGame, AnyState
from pitboss.picture import WIDTH, filled, picture
from pitboss.record import Decision, Incident, Record, replayed
from pitboss_tournament.showing.evidence import VERDICTS, evidence
from pitboss_tournament.showing.words import action_text, event_text, fitted, harmless, quoted


class Page(NamedTuple):
    """The table after a decision; 0 is the deal."""

    decision: int
    text: str


class Pages:
    """The pages of one game. With a `seat` they show what that seat knew: its own decisions, and the events of the others' that it saw.

    Pictures are at most `width` wide; text is cut there only if a width is given.
    """

    def __init__(
        self, record: Record, game: AnyGame, seat: int | None = None, *, width: int | None = None, with_legal: bool = False
    ) -> None:
        self.record = record
        self.game = game
        self.seat = seat
        self.width = width
        self.with_legal = with_legal
        self._incidents = {(one.fault.seat, one.fault.decision): one for one in record.incidents}
        self._asked = [0] * len(record.players)
        self._wrong_at: dict[tuple[int, int], int] = {}  # by seat and question: the decision of the game

    def __iter__(self) -> Iterator[Page]:
        """Yield one page after another; decisions that the seat saw nothing of are left out, unless its own turn follows."""
        told = 0
        legal: Sequence[Any] = ()
        for number, state in enumerate(replayed(self.record, self.game)):
            events = [f"   {event_text(event)}" for event in state.table.events(self.seat, told)]
            told = len(state.table.log or ())
            lines = [*self._headings(number, bool(events), legal), *events]
            legal = tuple(state.legal()) if self._is_forced_next(number) else ()
            next_lines = self._next(state)
            if not lines and not next_lines and state.turn is not None:
                continue
            lines += [*picture(state, self.seat, self.record.players, self.width or WIDTH), *next_lines]
            if state.turn is None:
                lines += ["", *self._ending()]
            yield Page(number, "\n".join(fit for line in lines for fit in ([""] if not line else fitted(line, self.width))))

    def _is_forced_next(self, number: int) -> bool:
        return number < len(self.record.decisions) and self.record.decisions[number].forced

    def _headings(self, number: int, has_events: bool, legal: Sequence[Any]) -> list[str]:
        """Return who decided what; of the others a seat knows what it saw happen, and no more."""
        if number == 0:
            return list(self._early())
        decision = self.record.decisions[number - 1]
        incident = self._incident_at(number, decision.seat)
        if self._is_own(decision):
            return list(self._decided(number, decision, incident, legal))
        return [f"{number}. {self._player(decision.seat)}"] if has_events else []

    def _incident_at(self, number: int, seat: int) -> Incident | None:
        """Count a decision of a seat; return what the bot did wrong there."""
        self._asked[seat] += 1
        place = (seat, self._asked[seat])
        if place in self._incidents:
            self._wrong_at[place] = number
        return self._incidents.get(place)

    def _is_own(self, decision: Decision) -> bool:
        return self.seat in (None, decision.seat)

    def _player(self, seat: int) -> str:
        return f"seat {seat} ({self.record.players[seat]})"

    def _early(self) -> Iterator[str]:
        """Yield who never came to play."""
        for seat in range(len(self.record.players)):
            early = self._incidents.get((seat, 0))
            if early is not None and self.seat in (None, seat):
                yield f"{self._player(seat)} never played."
                yield from evidence(early, (), self.width)

    def _decided(self, number: int, decision: Decision, incident: Incident | None, legal: Sequence[Any]) -> Iterator[str]:
        """Yield who decided what, and what it said of it, or what it did wrong."""
        yield f"{number}. {self._player(decision.seat)}: {action_text(decision.action)}  {_manner(decision, incident)}"
        if incident is not None:
            yield from evidence(incident, legal, self.width)
        if decision.note:
            yield from quoted(" ".join(decision.note.split()), "       | ", self.width, first="   note: ")

    def _next(self, state: AnyState) -> list[str]:
        """Return who is to play and what is legal, if the onlooker knows it."""
        turn = state.turn
        if turn is None or self.seat not in (None, turn.seat):
            return []
        legal = state.legal()
        lines = [f"  to play: {self._player(turn.seat)}, {turn.phase}, {len(legal)} legal"]
        if self.with_legal:
            said = [f"{index}: {action_text(action)}" for index, action in enumerate(legal)]
            lines += [f"    {line}" for line in filled(said, "   ", (self.width or WIDTH) - 4)]
        return lines

    def _ending(self) -> Iterator[str]:
        outcome, forfeited = self.record.outcome, self.record.forfeited
        yield "The game is over."
        for seat in sorted(range(len(self.record.players)), key=outcome.places.__getitem__):
            counts = " (forfeited: it counts as last)" if seat in forfeited else ""
            yield f"  {outcome.places[seat]}. {self._player(seat)}: {outcome.points[seat]:g} points{counts}"
        for fault in self.record.faults:
            at = self._wrong_at.get((fault.seat, fault.decision))
            where = "before its first decision" if at is None else f"decision {at}"
            yield f"  {self._player(fault.seat)}, {where}: {VERDICTS[fault.verdict]}, {fault.kind}: {harmless(fault.message)}"


def _manner(decision: Decision, incident: Incident | None) -> str:
    """Say how it came to a decision."""
    if not decision.forced:
        return f"[{decision.us / 1000:.1f} ms]"
    if incident is None:
        return "(neutral: it has forfeited before)"
    return "(neutral: substituted)" if incident.fault.verdict == "substitute" else "(neutral: it forfeits here)"
