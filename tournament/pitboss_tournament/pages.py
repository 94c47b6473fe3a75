"""A recorded game as pages for a person: the deal, and each decision with what came of it, through all eyes or one player's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pitboss.game import AnyGame, AnyState
from pitboss.picture import WIDTH, filled, picture
from pitboss.record import Decision, Record, replayed
from pitboss_tournament.showing import action_text, event_text, fitted


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
        self._faults = {(fault.seat, fault.decision): fault for fault in record.faults if seat in (None, fault.seat)}
        self._asked = [0] * len(record.players)

    def __iter__(self) -> Iterator[Page]:
        """Yield one page after another; decisions that the seat saw nothing of are left out, unless its own turn follows."""
        told = 0
        for number, state in enumerate(replayed(self.record, self.game)):
            events = [f"   {event_text(event)}" for event in state.table.events(self.seat, told)]
            told = len(state.table.log or ())
            lines = [*self._headings(number, bool(events)), *events]
            next_lines = self._next(state)
            if not lines and not next_lines and state.turn is not None:
                continue
            lines += [*picture(state, self.seat, self.record.players, self.width or WIDTH), *next_lines]
            if state.turn is None:
                lines += ["", *_ending(self.record)]
            yield Page(number, "\n".join(fit for line in lines for fit in ([""] if not line else fitted(line, self.width))))

    def _headings(self, number: int, has_events: bool) -> list[str]:
        """Return who decided what; of the others a seat knows what it saw happen, and no more."""
        if number == 0:
            return list(self._early())
        decision = self.record.decisions[number - 1]
        if self._is_own(decision):
            return list(self._decided(number, decision))
        return [f"{number}. {self._player(decision.seat)}"] if has_events else []

    def _is_own(self, decision: Decision) -> bool:
        return self.seat in (None, decision.seat)

    def _player(self, seat: int) -> str:
        return f"seat {seat} ({self.record.players[seat]})"

    def _early(self) -> Iterator[str]:
        """Yield who never came to play."""
        for seat in range(len(self.record.players)):
            if early := self._faults.pop((seat, 0), None):
                yield f"{self._player(seat)} never played. {early.kind}: {early.message}"

    def _decided(self, number: int, decision: Decision) -> Iterator[str]:
        """Yield who decided what, and what it said of it."""
        self._asked[decision.seat] += not decision.forced
        how = "(neutral, after a fault)" if decision.forced else f"[{decision.us / 1000:.1f} ms]"
        yield f"{number}. {self._player(decision.seat)}: {action_text(decision.action)}  {how}"
        if fault := self._faults.pop((decision.seat, self._asked[decision.seat] + decision.forced), None):
            yield f"   {fault.kind}: {fault.message}"
        if decision.note:
            yield f"   note: {' '.join(decision.note.split())}"

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


def _ending(record: Record) -> Iterator[str]:
    outcome, forfeited, players = record.outcome, record.forfeited, record.players
    yield "The game is over."
    for seat in sorted(range(len(players)), key=outcome.places.__getitem__):
        counts = " (forfeited: it counts as last)" if seat in forfeited else ""
        yield f"  {outcome.places[seat]}. seat {seat} ({players[seat]}): {outcome.points[seat]:g} points{counts}"
    for fault in record.faults:
        yield f"  seat {fault.seat} ({players[fault.seat]}) forfeited, {fault.kind}: {fault.message}"
        words = record.last_words.get(fault.seat, "").strip()
        if words:
            yield f"  the end of what seat {fault.seat} wrote to standard error:"
            yield from (f"    {line}" for line in words.splitlines())
