"""A table whose people sit at browsers: their seats, and the journal that makes frames of the match for each.

A page is offered each legal action in words, with the cards, the slot, the zones and the seat that a click must hit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from math import inf
from time import perf_counter
from typing import Any, Final, Literal

import msgspec
import trio
from msgspec import inspect

from pitboss.action_range import RANGE_TYPES, ActionRange, find_entry, lowest_action
from pitboss.errors import PitbossError
from pitboss.game import AnyGame, AnyState, FaceDescriber
from pitboss.loadouts import place_loadouts
from pitboss.open_actions import NOTHING_OPEN, OpenAction, OpenChoices, read_open_action, word_of
from pitboss.options import find_seat_fields, strip_metadata
from pitboss.protocol.faults import Fault
from pitboss.protocol.messages import Clock, End
from pitboss.records.record import Decision, Incident
from pitboss.rendering.appearance import find_looks, word_faces
from pitboss.rendering.presentation import find_presentation, word_phase
from pitboss.table.events import AnyEvent, LogEntry
from pitboss.table.randomness import Random
from pitboss.table.zones import Layout, Zone
from pitboss_tournament.match.bot_seat import BankClock
from pitboss_tournament.match.fault_policy import FaultPolicy
from pitboss_tournament.match.plugin_calls import PluginCalls
from pitboss_tournament.match.seat import Answer
from pitboss_tournament.play.browser.play_messages import ActionForm, FormField, OfferedAction, OpenQuestion
from pitboss_tournament.play.journal import JournalEntry
from pitboss_tournament.play.narration import Narrator
from pitboss_tournament.play.person_seat import PersonSeat, TakenBack
from pitboss_tournament.play.play_session import NewTable
from pitboss_tournament.text.instrument_panel import find_cell, find_grid, price_action
from pitboss_tournament.text.schema_text import allowed_text, description_text, struct_types
from pitboss_tournament.text.terminal_text import escape_line, word_action
from pitboss_tournament.web.live_game import LiveGame
from pitboss_tournament.web.replay_page import describe_results

MS: Final = 1000  # microseconds
TAKE_BACK: Final = object()  # in place of an action

TRIED_ACTIONS: Final = 400  # actions of a question; of more only the fields tell what they mean
SEAT_FIELDS: Final = ("seat", "player", "target")
CARD_VERBS: Final = ("move", "lay", "swap")


class BrowserPerson(PersonSeat):
    """A person in a seat."""

    def __init__(
        self,
        table: NewTable,
        seat: int,
        clock: Clock | None,
        change: Callable[[], None],
        finish: Callable[[End], None],
    ) -> None:
        """`change` is called when pages have to show something else, `finish` with the result of the game.

        With a `clock` its time for a game and the increment count; without one the person takes their time.
        """
        super().__init__(table.game, table.entrants[seat], seat, table.advisers.get(seat))
        self.question: OpenQuestion | None = None
        self._clock = clock
        self._change = change
        self._finish = finish
        self._bank = None if clock is None else BankClock(clock)
        self._policy = FaultPolicy(table.plan.faults)
        self._question_number = 0
        self._began = 0.0  # when the question was put
        self._legal: Sequence[Any] = ()
        self._beside = NOTHING_OPEN
        self._advised_action: Any = None  # of the open question, if its `advised` is set
        self._chosen, self._choices = trio.open_memory_channel[Any](1)
        self._words: Mapping[str, str] = {}  # for faces
        self._names = table.names

    @property
    def left_ms(self) -> int | None:
        """What is left of the time for the game; None if there is no clock."""
        if self._bank is None:
            return None
        spent = 0.0 if self.question is None else perf_counter() - self._began
        return max(0, self._bank.next_limit().us // MS - round(spent * MS))

    # ---- the page

    def choose(self, question: int, index: int, number: int | None) -> None:
        """Answer a question; `number` is that of a range.

        An answer to a question that is not open any more changes nothing, nor does one that is not offered.
        """
        if self.question is None or question != self.question.number or not 0 <= index < len(self._legal):
            return
        entry = self._legal[index]
        is_range = type(entry) in RANGE_TYPES
        if is_range and (number is None or entry.action_with(number) not in entry):
            return
        with suppress(trio.WouldBlock):  # the first one counts
            self._chosen.send_nowait(entry.action_with(number) if is_range else entry)

    def fill_in(self, question: int, action: Mapping[str, Any]) -> None:
        """Answer a question with an open action; one that cannot be played is refused on the page, with the reason."""
        put = self.question
        if put is None or put.number != question:
            return
        try:
            found, why = read_open_action(action, self._beside)
        except PitbossError as error:
            found, why = None, str(error)
        if found is None:
            self._show(msgspec.structs.replace(put, refused=escape_line(why or "this is not open now")))
            return
        with suppress(trio.WouldBlock):  # the first one counts
            self._chosen.send_nowait(found)

    def call_off(self) -> None:
        """End the open question: what was played last is taken back."""
        with suppress(trio.WouldBlock):
            self._chosen.send_nowait(TAKE_BACK)

    async def ask_adviser(self, question: int) -> None:
        """Ask the adviser about the open question, and show what it says."""
        put = self.question
        if put is None or put.number != question or put.is_advising or self.adviser is None:
            return
        self._show(msgspec.structs.replace(put, is_advising=True, advice=""))
        legal, told = self._legal, put
        try:
            answer = await self._ask(self.adviser, put.phase, legal)
            action = self._advised_action = answer.action
            advice = f"{self.adviser.name} would choose: {word_action(self._game, action, self._words, self._names)}"
            if answer.note:
                advice += f". Why: {escape_line(answer.note)}"
            told = msgspec.structs.replace(
                put, advised=find_entry(action, legal), advised_number=_find_number(action, legal), advice=advice
            )
        except PitbossError as error:
            told = msgspec.structs.replace(put, advice=escape_line(str(error)))
        finally:  # the page that asked may have been closed
            if self.question is not None and self.question.number == question:
                self._show(told)

    # ---- the seat

    def resume(self, decisions: Sequence[Decision], incidents: Sequence[Incident]) -> None:
        """Restore question number, substitutions and clock of a game that was broken off."""
        self._question_number = len(decisions)
        self._policy.restore(incidents)
        if self._bank is not None:
            self._bank.restore(decisions, incidents)

    async def decide(
        self,
        phase: str,
        legal: Sequence[Any],
        view: object,
        events: list[AnyEvent],
        together: Sequence[int] = (),
        beside: OpenChoices = NOTHING_OPEN,
    ) -> Answer | Incident:
        """Wait until the person has chosen on a page, or the time is over.

        Raises:
            TakenBack: somebody at the table takes back what was played last.
        """
        assert self._state is not None
        self._question_number += 1
        self.note_question()
        self._legal, self._beside = legal, beside
        self._chosen, self._choices = trio.open_memory_channel[Any](1)
        action: Any = None
        self._began = perf_counter()
        with PluginCalls(self._game, lambda: f"in what the actions of seat {self._seat} mean"):
            self._words = word_faces(find_looks(self._game, self._state.table.layout.deck))
            offered = offer_actions(self._game, legal, self._find_own_turn(), self._seat, self._words, self._names)
        seconds = inf if self._bank is None else self._bank.next_limit().us / 1e6
        forms = [make_form(kind) for kind in beside.kinds]
        self._show(OpenQuestion(self._question_number, word_phase(self._game, phase), offered, forms=forms))
        try:
            with trio.move_on_after(seconds):
                action = await self._choices.receive()
            if action is TAKE_BACK:
                raise TakenBack
            us = round((perf_counter() - self._began) * 1e6)
            note = self._advice_note()
        finally:
            self.question = None
        if self._bank is not None:
            self._bank.charge(us)
        self._change()
        return self._make_late(us) if action is None else Answer(action, us, 0, note)

    async def end(self, end: End) -> None:
        """Show the result."""
        self._finish(end)

    # ---- within

    def _find_own_turn(self) -> AnyState:
        """Return the state in which this seat decides: as it may be shown or, where another decides first, as it is."""
        shown = self._moment
        if shown is not None and shown.turn is not None and shown.turn.seat == self._seat:
            return shown
        assert self._state is not None
        return self._state

    def _show(self, question: OpenQuestion) -> None:
        self.question = question
        self._change()

    def _advice_note(self) -> str | None:
        asked = self.question
        if asked is None or asked.advised is None or self.adviser is None:
            return None
        return self.adviser.note(self._advised_action)

    def _make_late(self, us: int) -> Incident:
        assert self._clock is not None and self._clock.game_ms is not None
        fault = Fault(
            kind="late",
            seat=self._seat,
            decision=self._question_number,
            message=f"nothing was chosen within the time for the game, {self._clock.game_ms / MS:g} s",
            clock="game",
            verdict=self._policy.judge("late", self._question_number),
        )
        return Incident(fault=fault, us=us)


class BrowserTable:
    """The journal of a match: writes it to the disk, and sequences it for each person and for spectators."""

    def __init__(self, table: NewTable, clock: Clock | None, change: Callable[[], None]) -> None:
        self.people = {seat: BrowserPerson(table, seat, clock, change, self._finish) for seat in table.people}
        self.notices: list[str] = []
        self.places: list[int] = []
        self.results: list[str] = []
        self.title = f"{table.game.title}: game {table.scheduled.game_id}"
        self.names = table.names
        self.spectator = len(self.names)  # as a viewer
        self._table = table
        self._change = change
        self._is_taken_back = False
        with PluginCalls(table.game, lambda: f"at the deal of {table.seed!r}"):
            brought = [entrant.loadout_content for entrant in table.entrants]
            options = place_loadouts(table.game, table.plan.options, brought)
            self.live = LiveGame(table.game, options, self.names, table.seed, [*table.people, self.spectator])
        self.about = describe_cards(table.game, self.live.layout)
        self.goal = list(find_presentation(table.game).goal)
        if table.unfinished is not None:
            for incident in table.unfinished.past.incidents:
                self._take_incident(incident)
            for decision in table.unfinished.past.decisions:
                self.live.add(decision)

    # ---- the journal of the match

    def show_state(self, state: AnyState, log_end: int) -> None:
        """Hand the state to the people, for their advisers."""
        for person in self.people.values():
            person.keep_state(state)
        self._change()

    def record_decision(self, decision: Decision) -> None:
        """Journal a decision and sequence it.

        Raises:
            TakenBack: it is another player's, and a person has taken back what it answers.
        """
        self._close_taking_back()
        self._table.journal.write(JournalEntry(decision=decision))
        self.live.add(decision)
        if decision.seat in self.people:
            self.people[decision.seat].note_decision()

    def take_back(self, seat: int) -> None:
        """Take back the last decision of a person, if that can be: at once or, while a bot thinks, before it plays."""
        if not self.people[seat].can_take_back:
            return
        asked = [person for person in self.people.values() if person.question is not None]
        self._is_taken_back = not asked
        for person in asked:
            person.call_off()

    def _close_taking_back(self) -> None:
        """Raise TakenBack if a person has asked for it in time: the decision is about to be answered."""
        if self._is_taken_back:
            raise TakenBack
        for person in self.people.values():
            person.can_take_back = False

    def record_incident(self, incident: Incident) -> None:
        """Journal a fault and announce it.

        Raises:
            TakenBack: as for a decision.
        """
        self._close_taking_back()
        self._table.journal.write(JournalEntry(incident=incident))
        self._take_incident(incident)
        self._change()

    def _finish(self, end: End) -> None:
        for person in self.people.values():
            person.can_take_back = False
        self.places, self.results = end.places, describe_results(end.places, end.points)
        self._change()

    def _take_incident(self, incident: Incident) -> None:
        self.live.add_fault(incident.fault)
        self.notices.append(escape_line(Narrator(self.spectator, self.names).describe_fault(incident)))


def make_form(kind: type[OpenAction]) -> ActionForm:
    """Return what a person fills in to do an action of a kind."""
    [struct] = struct_types(inspect.type_info(kind))
    meaning = " ".join((kind.__doc__ or "").split("\n\n")[0].split())
    return ActionForm(word=word_of(kind), meaning=meaning, fields=[_make_field(field) for field in struct.fields])


def _make_field(field: inspect.Field) -> FormField:
    plain = strip_metadata(field.type)
    least = most = None
    choices: list[Any] = []
    kind: Literal["number", "flag", "choice", "text", "json"] = "json"
    match plain:
        case inspect.IntType():
            kind, least, most = "number", plain.ge, plain.le
        case inspect.BoolType():
            kind = "flag"
        case inspect.LiteralType(values=values):
            kind, choices = "choice", list(values)
        case inspect.StrType():
            kind = "text"
    return FormField(
        name=field.encode_name,
        kind=kind,
        allowed=allowed_text(field.type),
        meaning=description_text(field.type),
        least=least,
        most=most,
        choices=choices,
    )


def describe_cards(game: AnyGame, layout: Layout) -> dict[str, str]:
    """Return what each card is, by face, where the game tells."""
    if not isinstance(game, FaceDescriber):
        return {}
    with PluginCalls(game, lambda: "in the descriptions of the cards"):
        return {str(face): told for face in dict.fromkeys(layout.deck.faces) if (told := game.describe_face(face))}


def _find_number(action: object, legal: Sequence[Any]) -> int | None:
    """Return the number of an action that is in a range; None if it is not."""
    number = find_entry(action, legal)
    entry = None if number is None else legal[number]
    return getattr(action, entry.ranged_field) if isinstance(entry, ActionRange) else None


def offer_actions(
    game: object,
    legal: Sequence[Any],
    state: AnyState,
    seat: int,
    words: Mapping[str, str],
    names: Sequence[str] = (),
) -> list[OfferedAction]:
    """Return the legal actions of a seat that decides in `state`, of which it reads what the seat may know.

    `words` are those for faces, `names` the players by seat.
    """
    layout = state.table.layout
    world = state.imagine(seat, Random("offer")) if len(legal) <= TRIED_ACTIONS else None
    offered = []
    for action in legal:
        touched = [] if world is None else find_touched_zones(world, action, seat)
        offer = offer_action(game, action, layout, words, touched, names)
        offered.append(msgspec.structs.replace(offer, text=offer.text + price_action(state, game, action)))
    return offered


def offer_action(
    game: object,
    action: Any,  # noqa: ANN401 - any game's action
    layout: Layout,
    words: Mapping[str, str],
    touched: Sequence[str] = (),
    names: Sequence[str] = (),
) -> OfferedAction:
    """Return an action for a page: what its fields name, and the zones that it touches; `words` for faces.

    Actions that the game wants to stand together as buttons touch no zone.
    """
    cards: list[str] = []
    zones: list[str] = []
    seats: list[int] = []
    slot = None
    known = {zone.name for zone in layout.zones}
    faces = set(layout.deck.faces)
    bounds = action.bounds if isinstance(action, ActionRange) else None
    told = msgspec.to_builtins(action)
    if told.get("do") in find_presentation(game).buttons:
        touched = []
    seat_fields = frozenset[str]() if bounds is not None else find_seat_fields(type(action))
    for key, value in told.items():
        parts = list(_flatten(value))
        if key == "slot" and isinstance(value, int):
            slot = value
        elif (key in SEAT_FIELDS or key in seat_fields) and isinstance(value, int):
            seats.append(value)
        elif key in ("card", "cards") or all(isinstance(part, str) and part in faces for part in parts):
            cards += [str(part) for part in parts if part in faces]
        else:
            zones += [name for name in (value, f"{key} {value}") if name in known]
    grid = find_grid(game)
    return OfferedAction(
        text=escape_line(word_action(game, action, words, names)),
        cards=cards,
        slot=slot,
        zones=list(dict.fromkeys([*zones, *touched])),
        seats=seats,
        bounds=bounds,
        cell=None if grid is None or bounds is not None else find_cell(grid, action),
    )


def _flatten(value: object) -> Iterator[Any]:
    """Yield what a field of an action holds, the members of its lists one by one."""
    if isinstance(value, list | tuple):
        for part in value:
            yield from _flatten(part)
    else:
        yield value


def find_touched_zones(world: AnyState, action: object, seat: int) -> list[str]:
    """Return where the first cards that an action moves in a world come from and go to, beside what the seat holds.

    A card that goes into a slot is named by the slot: where the other one goes is no part of the choice.
    """
    trial = world.copy()
    log: list[LogEntry] = []
    trial.table.log = log
    trial.play(lowest_action(action))
    entry = next((entry for entry in log if entry.verb in CARD_VERBS), None)
    ends = [] if entry is None else _list_ends(entry)
    if any(zone.owner not in (None, seat) for zone in ends):
        return []  # cards of another: what follows from the action, not what it takes
    return [zone.name for zone in ends if not _is_held_by(zone, seat)]


def _list_ends(entry: LogEntry) -> list[Zone]:
    ends = [entry.source] if entry.verb == "swap" else [entry.source, entry.target]
    return [zone for zone in ends if zone is not None]


def _is_held_by(zone: Zone, seat: int) -> bool:
    """Whether a zone is a hand of the seat: no other sees its cards, or the seat itself does not."""
    return zone.owner == seat and (zone.viewers == 1 << seat or not zone.viewers >> seat & 1)
