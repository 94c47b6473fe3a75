"""A recorded game as one page for a browser: sequence, decisions and outcome, with the viewer in the file."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from itertools import islice
from math import ceil
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from pitboss.errors import PitbossError, ReplayDiffers
from pitboss.game import AnyGame, AnyState, Evaluable, PublicCount
from pitboss.options import convert_value
from pitboss.outcome import Outcome
from pitboss.protocol.faults import Fault
from pitboss.records.costly_decisions import CostlyDecisions
from pitboss.records.frames import Frame, FrameMaker, FrameSequence
from pitboss.records.record import Decision, Record, adopt_version, replay_states
from pitboss.rendering.appearance import find_looks, word_faces
from pitboss.rendering.presentation import find_presentation
from pitboss.table.events import AnyEvent, Move, Tell
from pitboss.table.secrets import Secret
from pitboss.table.zones import Zone
from pitboss.text import format_count
from pitboss_tournament.html.elements import Markup, el
from pitboss_tournament.html.page_parts import read_style
from pitboss_tournament.models.calls import CallRow
from pitboss_tournament.results.fault_evidence import fault_text
from pitboss_tournament.results.model_calls import call_title, list_asks
from pitboss_tournament.statistics.scoring import apply_forfeits
from pitboss_tournament.text.event_text import YOU, EventDescriber
from pitboss_tournament.text.instrument_panel import FilledInstruments, InstrumentPanel
from pitboss_tournament.text.terminal_text import escape_line, escape_lines, value_text, word_action
from pitboss_tournament.web.script_bundle import bundle_script, hash_source
from pitboss_tournament.web.static import STATIC

PART_DECISIONS: Final = 2_500  # of a page; a longer game has several
LONGEST_SAYING: Final = 10_000  # characters of a model's answer: its end
ORDINALS: Final = ("1st", "2nd", "3rd", "{}th")  # of places; the last one for all others
SEEN_CLAUSES: Final = 3  # of a move of another seat


class FilledSheet(Struct, frozen=True):
    """The score sheet of a part of the game that has ended."""

    title: str
    columns: list[str]
    rows: list[list[str]]  # by seat
    lines: list[str]  # how it came to this


class PageFrame(Struct, frozen=True, omit_defaults=True):
    """A frame of a sequence with its event in words."""

    decision: int
    says: str
    zones: dict[int, list[int]] = {}
    faces: dict[int, Any] = {}
    known: dict[int, int] = {}
    secrets: dict[int, Any] = {}
    table_counts: list[PublicCount] | None = None
    seat_counts: dict[int, list[PublicCount]] = {}
    instruments: FilledInstruments | None = None  # None: as before
    sheet: FilledSheet | None = None


class ModelSaying(Struct, frozen=True, omit_defaults=True):
    """What a language model answered when a bot asked it at a decision."""

    title: str  # which model, what the answer came to, and what it cost
    text: str = ""  # the answer, or the end of a long one


class PageDecision(Struct, frozen=True, omit_defaults=True):
    """A decision as the viewer of a sequence may know it; without a seat if the viewer saw nothing."""

    seat: int | None = None
    text: str | None = None  # another seat's: what the viewer saw; None: nothing that this seat did
    us: int | None = None  # thinking time
    note: str = ""
    fault: str = ""
    answers: list[ModelSaying] = []  # of the language model that the bot asked
    errors: str = ""  # the end of what the bot had written to standard error, if it failed
    values: list[float] | None = None  # the evaluation of the state then, by seat; for who sees all
    hand: int | None = None  # the seat whose card was played, if that is another one: a dummy's


class PageSequence(FrameSequence, frozen=True):
    """A sequence whose frames have words."""

    frames: list[PageFrame]  # type: ignore[assignment]


class ReplayData(Struct, frozen=True):
    """What the page of a game is made of."""

    title: str
    subtitle: str
    players: list[str]
    sequence: PageSequence
    decisions: list[PageDecision]
    places: list[int]  # by seat; none while the game goes on
    results: list[str]  # by seat; none while the game goes on
    before: int = 0  # decisions of the game before those of this page
    previous: str = ""  # the address of the page with the decisions before, if there is one
    next: str = ""  # the address of the page with the decisions after, if there is one
    costliest: int | None = None  # the decision of this page that cost its player most, less the luck of the draw


class PageFrameMaker:
    """Makes the frames and decisions of a page for one viewer, while a game is played or replayed."""

    def __init__(
        self,
        game: AnyGame,
        state: AnyState,
        players: Sequence[str],
        viewer: int | None,
        calls: Sequence[CallRow] = (),
    ) -> None:
        """Begin with the deal; `players` are the names by seat, `calls` those of language models in the game."""
        layout = state.table.layout
        self._game = game
        self._players = players
        self._faces = word_faces(find_looks(game, layout.deck))
        places: list[Zone | Secret] = [*layout.zones, *layout.secrets]
        self._owners = {zone.name: zone.owner for zone in layout.zones}
        self._presentation = find_presentation(game)
        self._describer = EventDescriber(players, places, None, self._faces, self._presentation)
        self._sheet_lines = {line for sheet in self._presentation.sheets.values() for line in sheet.lines}
        self._sheet_events: list[Tell] = []  # that are lines of the next sheet
        self._viewer = viewer
        self._calls = calls
        self._maker = FrameMaker(layout, viewer)
        self._panel = InstrumentPanel(game, layout, self._describer.speech, viewer)
        self._instruments = FilledInstruments()  # that are in frames
        self._questions = [0] * layout.seats
        self._faults: dict[tuple[int, int], Fault] = {}  # by seat and its question
        self._errors: dict[tuple[int, int], str] = {}  # by seat and its question
        self.before = 0  # decisions that are not among those kept
        self.frames: list[PageFrame] = []
        self.decisions: list[PageDecision] = []
        self._follow(state, 0, None)

    def add_fault(self, fault: Fault, errors: str = "") -> None:
        """Take over a fault, and the end of standard error; it belongs to a decision that is still to be added."""
        self._faults[fault.seat, fault.decision] = fault
        self._errors[fault.seat, fault.decision] = "\n".join(escape_lines(errors)) if errors.strip() else ""

    def add(self, decision: Decision, state: AnyState) -> None:
        """Take over a decision and the state after it.

        Raises:
            TableError: the log does not tell where the cards lie.
        """
        seat = decision.seat
        self._questions[seat] += 1
        seen = self._follow(state, self.before + len(self.decisions) + 1, seat)
        other = self._find_hand(seat, seen)
        if self._viewer not in (None, seat):
            told = PageDecision(seat, self._tell_seen(seat, other, seen), hand=other) if seen else PageDecision()
            self.decisions.append(told)
            return
        fault = self._faults.get((seat, self._questions[seat]))
        self.decisions.append(
            PageDecision(
                seat=seat,
                text=escape_line(word_action(self._game, decision.action, self._faces, self._players))
                + (" (neutral)" if decision.forced else ""),
                us=None if decision.forced else decision.us,
                note=escape_line(" ".join((decision.note or "").split())),
                fault="" if fault is None else escape_line(fault_text(fault)),
                answers=[_tell_answer(call) for call in list_asks(self._calls, seat, self._questions[seat])],
                errors=self._errors.get((seat, self._questions[seat]), ""),
                values=self._evaluate(state),
                hand=other,
            )
        )

    def begin_part(self) -> None:
        """Forget the frames and decisions so far; the next page begins with the table as it is."""
        self.before += len(self.decisions)
        self.frames = [self._cut_whole(self.before)]
        self.decisions = []

    def whole_table(self, title: str) -> ReplayData:
        """Return a page with the table as it is now alone."""
        page = self.page(title, None)
        frame = self._cut_whole(self.before + len(self.decisions))
        return replace(page, sequence=replace(page.sequence, frames=[frame]), decisions=[])

    def _cut_whole(self, decision: int) -> PageFrame:
        return replace(self._word_frame(self._maker.cut_whole(decision), None), instruments=self._instruments)

    def show_hands(self) -> PageFrame:
        """Return a frame with the cards of all seats face up; it is not one of those kept."""
        frame = self._maker.show_hands(self.before + len(self.decisions))
        return PageFrame(frame.decision, "", zones=frame.zones, faces=frame.faces, secrets=frame.secrets)

    def page(self, title: str, outcome: Outcome | None) -> ReplayData:
        """Return what a page is made of so far; without an official outcome the game goes on."""
        names = [escape_line(name) for name in self._players]
        sequence = self._maker.sequence([], self._game)
        count = format_count(len(self.decisions), "decision")
        if self.before or len(self.decisions) == PART_DECISIONS:
            count = f"decisions {self.before + 1:,} to {self.before + len(self.decisions):,}"
        return ReplayData(
            title=title,
            subtitle=" · ".join(
                [", ".join(names), *([] if outcome is None else [count]), *self._describe_viewer(names, outcome)]
            ),
            players=names,
            sequence=PageSequence(
                viewer=sequence.viewer,
                seats=sequence.seats,
                looks=sequence.looks,
                order=sequence.order,
                zones=sequence.zones,
                secrets=sequence.secrets,
                frames=self.frames,
            ),
            decisions=self.decisions,
            places=[] if outcome is None else list(outcome.places),
            results=[] if outcome is None else describe_results(outcome.places, outcome.points),
            before=self.before,
        )

    def _describe_viewer(self, names: Sequence[str], outcome: Outcome | None) -> Iterator[str]:
        """Yield who sees the table so; nothing for a player, who sees the game while it goes on."""
        if self._viewer is None:
            yield "every card"
        elif self._viewer == len(names):
            yield "as a spectator"
        elif outcome is not None:
            name = names[self._viewer]
            yield f"as {'you' if name == YOU else name} saw it"

    def _evaluate(self, state: AnyState) -> list[float] | None:
        if self._viewer is not None or state.turn is None or not isinstance(state, Evaluable):
            return None
        return [float(f"{value:.3g}") for value in state.evaluate()]

    def _follow(self, state: AnyState, number: int, seat: int | None) -> list[Frame]:
        """Add what this decision of `seat` has brought (0: the deal); return what the viewer has seen."""
        frames = [
            frame
            for frame in self._maker.follow(state.table, number, self._panel.list_counts(state))
            if frame.event is None or frame.event.event not in self._presentation.unspoken
        ]
        self.frames += [self._word_frame(frame, seat) for frame in frames]
        self._panel.follow(frame.event for frame in frames if frame.event is not None)
        if (filled := self._panel.fill(state)) != self._instruments:
            if not frames:
                self.frames.append(PageFrame(number, ""))
            self._instruments = filled
            self.frames[-1] = replace(self.frames[-1], instruments=filled)
        return frames

    def _find_hand(self, seat: int, frames: Sequence[Frame]) -> int | None:
        """Return the other seat from whose cards a seat has played in these frames; None if there is none."""
        first = next((frame.event for frame in frames if isinstance(frame.event, Move)), None)
        return first.seat if first is not None and first.seat == self._owners.get(first.source) != seat else None

    def _tell_seen(self, seat: int, hand: int | None, frames: Sequence[Frame]) -> str | None:
        """Return in a few words what a seat did in these frames, with cards of its own or of the seat `hand`.

        None: nothing was seen.
        """
        events = [frame.event for frame in frames if frame.event is not None]
        own = [event for event in events if self._describer.find_actor(event) in {seat, seat if hand is None else hand}]
        told = [words for event in own if (words := self._describer.describe_briefly(event))]
        return escape_line("; ".join(told[:SEEN_CLAUSES])) or None

    def _word_frame(self, frame: Frame, seat: int | None) -> PageFrame:
        gathered = "all cards are gathered" if frame.zones else ""
        return PageFrame(
            decision=frame.decision,
            says=gathered if frame.event is None else escape_line(self._describer.describe_for(seat, frame.event)),
            zones=frame.zones,
            faces=frame.faces,
            known=frame.known,
            secrets=frame.secrets,
            table_counts=frame.table_counts,
            seat_counts=frame.seat_counts,
            sheet=self._fill_sheet(frame.event),
        )

    def _fill_sheet(self, event: AnyEvent | None) -> FilledSheet | None:
        """Return the score sheet of the part of the game that an event has ended; None if it has ended none."""
        if not isinstance(event, Tell):
            return None
        sheet = self._presentation.sheets.get(event.event)
        if sheet is None:
            if event.event in self._sheet_lines:
                self._sheet_events.append(event)
            return None
        told, self._sheet_events = self._sheet_events, []
        columns = {
            heading: fact for heading, name in sheet.columns.items() if isinstance(fact := event.facts.get(name), list)
        }
        return FilledSheet(
            title=escape_line(self._describer.speech.fill(sheet.title, event.facts)),
            columns=list(columns),
            rows=[[_word_points(value) for value in row] for row in zip(*columns.values(), strict=True)],
            lines=[escape_line(self._describer.describe_for(None, one)) for one in told if one.event in sheet.lines],
        )


def _word_points(value: object) -> str:
    return f"{value:,}" if isinstance(value, int | float) and not isinstance(value, bool) else value_text(value)


def _tell_answer(call: CallRow) -> ModelSaying:
    text = call.reply.text.strip()
    cut = f"…{text[-LONGEST_SAYING:]}" if len(text) > LONGEST_SAYING else text
    return ModelSaying(escape_line(call_title(call)), "\n".join(escape_lines(cut)) if cut else "")


def describe_results(places: Sequence[int], points: Sequence[float]) -> list[str]:
    """Return place and points of each seat in words."""
    return [
        f"{ORDINALS[min(place, len(ORDINALS)) - 1].format(place)}, {won:,.10g} {'point' if won == 1 else 'points'}"
        for place, won in zip(places, points, strict=True)
    ]


def count_parts(record: Record) -> int:
    """Return how many pages a game has."""
    return max(1, ceil(len(record.decisions) / PART_DECISIONS))


def make_replay_parts(
    record: Record,
    game: AnyGame,
    game_id: int,
    viewer: int | None = None,
    address: Callable[[int], str] = str,
    calls: Sequence[CallRow] = (),
) -> Iterator[ReplayData]:
    """Yield the data of a game's pages: for a seat what it knew, and nothing that would tell the deal.

    `address` returns where a page will be, by its number. Only the decisions of one page are kept in memory. `calls`:
    those of language models in the game, whose answers stand at their decisions.

    A record of another version of the game is replayed by the rules of the installed one; the title says so.

    Raises:
        RecordError, ReplayDiffers: see `replay_states`.
    """
    adopted, note = adopt_version(record, game)
    try:
        for data in _make_parts(adopted, game, game_id, viewer, address, calls):
            yield replace(data, title=f"{data.title} ({note})") if note else data
    except ReplayDiffers as error:
        if note:
            raise ReplayDiffers(f"{error}; {note}") from None
        raise


def _make_parts(
    record: Record,
    game: AnyGame,
    game_id: int,
    viewer: int | None,
    address: Callable[[int], str],
    calls: Sequence[CallRow],
) -> Iterator[ReplayData]:
    states = replay_states(record, game)
    state = next(states)
    maker = PageFrameMaker(game, state, record.players, viewer, calls)
    for incident in record.incidents:
        maker.add_fault(incident.fault, incident.last_words)
    title, outcome = f"{game.title}: game {game_id}", None
    if record.broken is UNSET:
        outcome = apply_forfeits(record.outcome, record.forfeited_seats)
    else:
        title += f", broken off: {record.broken.why}"
    last = count_parts(record) - 1
    for part in range(last + 1):
        decisions = record.decisions[part * PART_DECISIONS : (part + 1) * PART_DECISIONS]
        costly = CostlyDecisions(record.seed)
        for number, decision in enumerate(decisions, maker.before + 1):
            before = state.copy() if viewer is None and not decision.forced else None
            state = next(states)
            maker.add(decision, state)
            if before is not None:
                action = convert_value(decision.action, game.Action, game.name, ReplayDiffers)
                costly.add(number, before, action, state)
        yield replace(
            maker.page(title, outcome),
            costliest=costly.find(),
            previous=address(part - 1) if part else "",
            next=address(part + 1) if part < last else "",
        )
        maker.begin_part()
    for _ in states:
        pass  # whether the outcome is the recorded one


def make_replay_data(
    record: Record,
    game: AnyGame,
    game_id: int,
    viewer: int | None = None,
    part: int = 0,
    address: Callable[[int], str] = str,
    calls: Sequence[CallRow] = (),
) -> ReplayData:
    """Return the data of one page of a game (`make_replay_parts`).

    Raises:
        PitbossError: there is no such page. Others: as `make_replay_parts`.
    """
    if not 0 <= part < count_parts(record):
        raise PitbossError(f"there is no part {part}; the game has parts 0 to {count_parts(record) - 1}")
    parts = make_replay_parts(record, game, game_id, viewer, address, calls)
    found = next(islice(parts, part, None))
    if part == count_parts(record) - 1:
        for _ in parts:
            pass
    return found


def render_replay(data: ReplayData) -> str:
    """Return a page that needs no other file and no network, and runs no script but the viewer's.

    The data are compressed (zlib, base64): a page of a long game is a seventh as large.
    """
    style = read_style("tokens.css") + (STATIC / "table.css").read_text("utf-8")
    script = bundle_script("replay_file.js")
    policy = f"default-src 'none'; script-src {hash_source(script)}; style-src {hash_source(style)}"
    block = base64.b64encode(zlib.compress(msgspec.json.encode(data), level=9)).decode()
    return "<!doctype html>\n" + el(
        "html",
        el(
            "head",
            el("meta", charset="utf-8"),
            el("meta", http_equiv="Content-Security-Policy", content=policy),
            el("meta", name="viewport", content="width=device-width, initial-scale=1"),
            el("title", data.title),
            el("style", Markup(style)),
        ),
        el(
            "body",
            el("div", el("noscript", el("p", "The replay needs JavaScript.")), id="replay"),
            el("script", Markup(block), type="text/plain", id="replay-data"),
            el("script", Markup(script), type="module"),
        ),
        lang="en",
    )


def write_replay_pages(
    record: Record,
    game: AnyGame,
    game_id: int,
    page: Path,
    write: Callable[[Path], AbstractContextManager[Path]],
    viewer: int | None = None,
    calls: Sequence[CallRow] = (),
) -> None:
    """Write a game as a page or, if it is long, as several: "game.html", "game-2.html", …, each with links to the next.

    `write` returns where a file is written, before it takes its place.

    Raises:
        RecordError, ReplayDiffers: see `replay_states`.
    """

    def name_page(part: int) -> str:
        return f"{page.stem}-{part + 1}{page.suffix}" if part else page.name

    for part, data in enumerate(make_replay_parts(record, game, game_id, viewer, name_page, calls)):
        with write(page.with_name(name_page(part))) as file:
            file.write_text(render_replay(data), encoding="utf-8", newline="\n")
