"""Replay of a recorded game as pages of text: the deal, and each decision, as all or as one player saw it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from msgspec import UNSET

from pitboss.game import AnyGame, AnyState, render_state
from pitboss.records.record import Decision, Incident, Record, replay_states
from pitboss.rendering.presentation import Speech, find_presentation, word_phase
from pitboss.rendering.table_text import DEFAULT_WIDTH
from pitboss.table.secrets import Secret
from pitboss.table.table import Table
from pitboss.table.zones import Zone
from pitboss_tournament.models.calls import CallRow
from pitboss_tournament.results.fault_evidence import evidence_lines, fault_text, legal_lines
from pitboss_tournament.results.model_calls import list_asks, model_answer_lines
from pitboss_tournament.statistics.scoring import apply_forfeits
from pitboss_tournament.text.event_text import EventDescriber
from pitboss_tournament.text.instrument_panel import InstrumentPanel
from pitboss_tournament.text.terminal_text import AS_PRINTED, set_behind_margin, word_action, wrap_text

TURN_MARK: Final = "> "  # before the player on turn, or blanks
DEEP_INDENT: Final = " " * 8  # of a line that goes on with the one above it


class ReplayPage(NamedTuple):
    """What a decision did, the table after it, and what follows, in lines; number 0 is the deal."""

    decision: int
    heading: Sequence[str]
    table: Sequence[str]
    next: Sequence[str]
    has_fault: bool = False

    @property
    def text(self) -> str:
        """The page with the whole table."""
        return "\n".join([*self.heading, *self.table, *self.next])

    def changes(self, shown: ReplayPage) -> str:
        """Return the page with those entries of the table that differ from the page `shown` by more than the mark."""
        known = {_unmark(entry) for entry in _split_entries(shown.table)}
        changed = [line for entry in _split_entries(self.table) if _unmark(entry) not in known for line in entry]
        return "\n".join([*self.heading, *changed, *self.next])


class ReplayPages:
    """The pages of one game, each with the whole table.

    With a `seat` they show what that seat knew: its own decisions, and the events of others that it saw. Pictures are
    at most `width` wide; text is wrapped only if a width is given.
    """

    def __init__(
        self,
        record: Record,
        game: AnyGame,
        seat: int | None = None,
        *,
        width: int | None = None,
        with_legal: bool = False,
        calls: Sequence[CallRow] = (),
    ) -> None:
        """Show also the `calls` of language models in the game."""
        self.record = record
        self.game = game
        self.seat = seat
        self.width = width
        self.with_legal = with_legal
        self._incidents = {(one.fault.seat, one.fault.decision): one for one in record.incidents}
        self._calls = calls
        self._question_counts = [0] * len(record.players)
        self._fault_decisions: dict[tuple[int, int], int] = {}  # by seat and question: the decision of the game

    def __iter__(self) -> Iterator[ReplayPage]:
        """Yield the pages.

        For a seat, decisions of which it saw nothing are skipped unless its own turn follows.
        """
        told = 0
        legal: Sequence[Any] = ()
        panel: InstrumentPanel | None = None
        for number, state in enumerate(replay_states(self.record, self.game)):
            if panel is None:
                speech = Speech(find_presentation(self.game), AS_PRINTED, self.record.players)
                panel = InstrumentPanel(self.game, state.table.layout, speech, self.seat)
            panel.follow(state.table.events(self.seat, told))
            events = self._event_lines(number, state.table, told)
            told = len(state.table.log or ())
            heading = [*self._heading_lines(number, bool(events), legal), *events]
            legal = tuple(state.legal()) if self._is_next_substituted(number) else ()
            next_lines = ["", *self._outcome_lines()] if state.turn is None else self._turn_lines(state)
            if self.record.broken is not UNSET and number == len(self.record.decisions):
                next_lines = ["", f"The game was broken off here: {self.record.broken.why}"]
            if not heading and not next_lines:
                continue
            table = [
                *render_state(state, self.seat, self.record.players, self.width or DEFAULT_WIDTH),
                *(f"  {line}" for line in panel.tell(state)),
            ]
            has_fault = number in self._fault_decisions.values()
            yield ReplayPage(number, self._wrap(heading), self._wrap(table), self._wrap(next_lines), has_fault)

    def _wrap(self, lines: Sequence[str]) -> list[str]:
        return [fit for line in lines for fit in (wrap_text(line, self.width) if line else [""])]

    def _event_lines(self, number: int, table: Table, told: int) -> list[str]:
        """Return the events of a decision that the viewer saw."""
        places: list[Zone | Secret] = [*table.layout.zones, *table.layout.secrets]
        describer = EventDescriber(self.record.players, places, presentation=find_presentation(self.game))
        seat = self.record.decisions[number - 1].seat if number else None
        return [
            f"   {describer.describe_for(seat, event)}"
            for event in describer.select_told(table.events(self.seat, told))
        ]

    def _is_next_substituted(self, number: int) -> bool:
        return number < len(self.record.decisions) and self.record.decisions[number].forced

    def _heading_lines(self, number: int, has_events: bool, legal: Sequence[Any]) -> list[str]:
        """Return the heading of a decision.

        For another seat's decision it has only the player's name, and only if an event was visible.
        """
        if number == 0:
            return list(self._start_fault_lines())
        decision = self.record.decisions[number - 1]
        incident = self._count_question(number, decision.seat)
        if self._is_own(decision):
            return list(self._decision_lines(number, decision, incident, legal))
        return [f"{number}. {self._player_text(decision.seat)}"] if has_events else []

    def _count_question(self, number: int, seat: int) -> Incident | None:
        """Count a question to a seat, asked for decision `number`; return the incident at this question, if any."""
        self._question_counts[seat] += 1
        place = (seat, self._question_counts[seat])
        if place in self._incidents:
            self._fault_decisions[place] = number
        return self._incidents.get(place)

    def _is_own(self, decision: Decision) -> bool:
        return self.seat in (None, decision.seat)

    def _player_text(self, seat: int) -> str:
        return f"seat {seat} ({self.record.players[seat]})"

    def _start_fault_lines(self) -> Iterator[str]:
        """Yield faults before the first question."""
        for seat in range(len(self.record.players)):
            early = self._incidents.get((seat, 0))
            if early is not None and self.seat in (None, seat):
                yield f"{self._player_text(seat)} never played."
                yield from evidence_lines(early, (), self.width)

    def _decision_lines(
        self, number: int, decision: Decision, incident: Incident | None, legal: Sequence[Any]
    ) -> Iterator[str]:
        """Yield a heading with player and action, and the evidence of a fault and the note of the bot, if any."""
        remark = _decision_remark(decision, incident)
        told = word_action(self.game, decision.action, names=self.record.players)
        yield f"{number}. {self._player_text(decision.seat)}: {told}  {remark}"
        if incident is not None:
            yield from evidence_lines(incident, legal, self.width)
        question = self._question_counts[decision.seat]
        yield from model_answer_lines(list_asks(self._calls, decision.seat, question), self.width)
        if decision.note:
            yield from set_behind_margin(" ".join(decision.note.split()), "       | ", self.width, first="   note: ")

    def _turn_lines(self, state: AnyState) -> list[str]:
        """Return whose turn it is and the legal actions, if the viewer knows them."""
        turn = state.turn
        if turn is None or self.seat not in (None, turn.seat):
            return []
        legal = state.legal()
        lines = [f"  to play: {self._player_text(turn.seat)}, {word_phase(self.game, turn.phase)}, {len(legal)} legal"]
        if self.with_legal:
            lines += legal_lines(legal, "    ", self.width)
        return lines

    def _outcome_lines(self) -> Iterator[str]:
        forfeited = self.record.forfeited_seats
        outcome = apply_forfeits(self.record.outcome, forfeited)
        yield "The game is over."
        for seat in sorted(range(len(outcome.places)), key=lambda seat: (seat in forfeited, outcome.places[seat])):
            place = "last, as it forfeited:" if seat in forfeited else f"{outcome.places[seat]}."
            yield f"  {place} {self._player_text(seat)}: {outcome.points[seat]:g} points"
        for fault in self.record.faults:
            at = self._fault_decisions.get((fault.seat, fault.decision))
            where = "before its first decision" if at is None else f"decision {at}"
            yield f"  {self._player_text(fault.seat)}, {where}: {fault_text(fault)}"


def _decision_remark(decision: Decision, incident: Incident | None) -> str:
    """Return a remark in brackets: thinking time, or why the neutral action was played."""
    if not decision.forced:
        return f"[{decision.us / 1000:.1f} ms]"
    if incident is None:
        return "(neutral: it has forfeited before)"
    return "(neutral: it forfeits here)" if incident.fault.is_forfeit else "(neutral: substituted)"


def _split_entries(table: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the lines of a table with those that belong below them: which are indented deeply."""
    entry: list[str] = []
    for line in table:
        if entry and not line.startswith(DEEP_INDENT):
            yield entry
            entry = []
        entry.append(line)
    yield entry


def _unmark(entry: Sequence[str]) -> str:
    return "\n".join(entry).lstrip(TURN_MARK)
