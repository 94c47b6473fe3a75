"""Instruments filled with what a game shows at one moment: for pages, which draw them, and in lines for a terminal.

Everything is read from public counts, options, and events that the viewer has seen; the viewer's own counts beside.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct

from pitboss.game import (
    AnyGame,
    AnyState,
    PublicCount,
    PublicCounts,
    find_own_counts,
    find_public_counts,
    find_sides,
    render_state,
)
from pitboss.outcome import Sides
from pitboss.rendering.instruments import AimTally, Bidding, BidGrid, Direction, Marks, PotAndCall, TextPicture, Track
from pitboss.rendering.presentation import Speech, find_presentation
from pitboss.table.events import AnyEvent, Deal, Lay, Move, Tell
from pitboss.table.zones import Layout
from pitboss.text import join_words
from pitboss_tournament.text.terminal_text import escape_line

I = TypeVar("I")  # noqa: E741 - a kind of instrument
PICTURE_LINES, PICTURE_WIDTH = 80, 240  # of the text of a game, at most
SIDE_NAMES: Final = ("your side", "their side")  # to a player with a partner


class FilledBidding(Struct, frozen=True, omit_defaults=True):
    """The calls of a bidding that goes on, and the grid for the next one."""

    calls: list[tuple[int, str]]  # [seat, words], the first one first
    rows: list[str] = []  # of the grid
    columns: list[str] = []
    has_grid: bool = False


class TrackLane(Struct, frozen=True):
    """How far a seat or a side has come."""

    seats: list[int]
    score: float
    before: float  # its last step


class FilledTrack(Struct, frozen=True, omit_defaults=True):
    """A race to a number of points."""

    goal: float
    lanes: list[TrackLane]
    is_board: bool = False


class TurnOrder(Struct, frozen=True):
    """Which way the turns go: 1 by rising seats, -1 by falling ones, 0 neither; and who is next."""

    way: int
    next: int


class FilledInstruments(Struct, frozen=True, omit_defaults=True):
    """What a page draws beside cards and counts."""

    bidding: FilledBidding | None = None
    tracks: list[FilledTrack] = []
    order: TurnOrder | None = None
    marks: dict[str, list[str]] = {}  # by the name of a zone: a word for each card, "" for one without
    picture: list[str] = []  # the text of the game, line by line


class InstrumentPanel:
    """Fills the instruments of a game for one viewer: a seat, the number after the last one for a spectator, or None.

    `follow` is told what has happened, each event once; `list_counts` and `fill` read a state.
    """

    def __init__(self, game: AnyGame, layout: Layout, speech: Speech, viewer: int | None) -> None:
        self._game = game
        self._layout = layout
        self._speech = speech
        self._viewer = viewer
        self._presentation = find_presentation(game)
        self._calls: list[tuple[int, str]] = []  # of the bidding
        self._is_bidding = True
        self._steps: dict[tuple[str, int], tuple[float, float]] = {}  # by score and seat: before, and now

    def follow(self, events: Iterable[AnyEvent]) -> None:
        """Take over what the viewer has seen."""
        if (bidding := self._find(Bidding)) is None:
            return
        for event in events:
            self._follow_bidding(bidding, event)

    def _follow_bidding(self, bidding: Bidding, event: AnyEvent) -> None:
        match event:
            case Deal():
                self._calls, self._is_bidding = [], True
            case Tell(event=name, facts=facts):
                template, seat = bidding.calls.get(name), facts.get("seat")
                if self._is_bidding and template is not None and isinstance(seat, int):
                    self._calls.append((seat, self._speech.fill(template, facts)))
                self._is_bidding &= name not in bidding.ends
            case Move(seat=seat) | Lay(seat=seat):
                self._is_bidding &= seat is None
            case _:
                pass

    # ---- counts

    def list_counts(self, state: AnyState) -> PublicCounts | None:
        """Return the counts of a state in the words of the game, with those that instruments add or stand for."""
        counts = find_public_counts(state)
        if counts is None:
            return None
        table, seats = [*self._word_counts(counts.table)], counts.seats
        if self._find(PotAndCall) is not None and (due := _find_due(state, counts)):
            place = next((at + 1 for at, one in enumerate(table) if one.role == "pot"), 0)
            table.insert(place, PublicCount("to call", due))
        if (tally := self._find(AimTally)) is not None:
            table = [*self._count_sides(tally, state, counts), *table]
            seats = [_merge_tally(tally, of) for of in seats]
        for marks in self._find_all(Marks):
            seats = [[one for one in of if one.name != marks.count] for of in seats]
        own = {self._viewer: find_own_counts(state, self._viewer)}
        return PublicCounts(table, [[*self._word_counts([*of, *own.get(seat, ())])] for seat, of in enumerate(seats)])

    def _word_counts(self, counts: Iterable[PublicCount]) -> Iterator[PublicCount]:
        presentation = self._presentation
        for count in counts:
            name = presentation.counts.get(count.name, count.name.replace("_", " "))
            if name and count.role != "aim":
                value = presentation.values.get(count.name, {}).get(str(count.value), count.value)
                yield PublicCount(name, value, count.role)

    def _count_sides(self, tally: AimTally, state: AnyState, counts: PublicCounts) -> Iterator[PublicCount]:
        """Yield the contract with its player, then for each side its tricks, its aim, and the tricks that it lacks."""
        for seat, of in enumerate(counts.seats):
            if tally.contract and (contract := _find_count(of, tally.contract)) is not None:
                words = self._speech.name(seat)
                yield PublicCount(tally.contract, f"{contract.value} by {words}" if contract.value != "" else words)
        sides = self._list_sides(state)
        for number, side in enumerate(sides):
            aims = [aim for seat in side if (aim := _read_number(counts.seats[seat], tally.aim)) is not None]
            made = sum(_read_number(counts.seats[seat], tally.made) or 0 for seat in side)
            is_told = any(_find_count(of, tally.aim) is not None for of in counts.seats)
            if len(side) > 1 and is_told:
                lacks = sum(aims) - made
                more = f", needs {lacks:g} more" if lacks > 0 else f", {-lacks:g} over" if lacks else ""
                value = f"{made:g} of {sum(aims):g}{more}" if aims else made
                yield PublicCount(tally.sides[number] if tally.sides else self._name_side(side), value)

    def _list_sides(self, state: AnyState) -> Sides:
        return find_sides(self._game, self._layout.seats, getattr(state, "options", None))

    def _name_side(self, side: Sequence[int]) -> str:
        if len(side) > 1 and self._viewer is not None and self._viewer < self._layout.seats:
            return SIDE_NAMES[self._viewer not in side]
        return " + ".join(self._speech.name(seat) for seat in side)

    # ---- what is drawn

    def fill(self, state: AnyState) -> FilledInstruments:
        """Return what is drawn of a state. The last step of a lane is that since another call of this method."""
        counts = find_public_counts(state) or PublicCounts((), [()] * self._layout.seats)
        bidding, directions = self._find(Bidding), self._find_all(Direction)
        return FilledInstruments(
            bidding=self._fill_bidding(bidding) if bidding is not None and state.turn is not None else None,
            tracks=[
                track for one in self._find_all(Track) if (track := self._fill_track(one, state, counts)) is not None
            ],
            order=_find_order(counts) if directions else None,
            picture=[*self._list_picture(state)] if self._find(TextPicture) is not None else [],
            marks={
                zone.name: [self._speech.word(marks.count, word) for word in str(told.value).split()]
                for marks in self._find_all(Marks)
                for zone in self._layout.zones
                if zone.owner is not None and zone.name == f"{marks.zone} {zone.owner}"
                if (told := _find_count(counts.seats[zone.owner], marks.count)) is not None
            },
        )

    def _list_picture(self, state: AnyState) -> Iterator[str]:
        """Yield the text of the game for the viewer, line by line."""
        names = [self._speech.name(seat) for seat in range(self._layout.seats)]
        for line in islice(render_state(state, self._viewer, names), PICTURE_LINES):
            yield escape_line(line.rstrip())[:PICTURE_WIDTH]

    def _fill_bidding(self, bidding: Bidding) -> FilledBidding | None:
        if not self._is_bidding:
            return None
        grid = bidding.grid
        return FilledBidding(
            calls=[*self._calls],
            rows=[] if grid is None else [self._speech.word(grid.row, one) for one in grid.rows],
            columns=[] if grid is None else [self._speech.word(grid.column, one) for one in grid.columns],
            has_grid=grid is not None,
        )

    def _fill_track(self, track: Track, state: AnyState, counts: PublicCounts) -> FilledTrack | None:
        goal = getattr(getattr(state, "options", None), track.goal, None)
        if not isinstance(goal, int):
            return None
        lanes = []
        for side in self._list_sides(state):
            score = _read_number(counts.seats[side[0]], track.score)
            if score is None:
                return None
            before, now = self._steps.get((track.score, side[0]), (0.0, 0.0))
            if score != now:
                before, now = self._steps[track.score, side[0]] = now, score
            lanes.append(TrackLane([*side], score, before))
        return FilledTrack(goal, lanes, track.is_board)

    # ---- lines of text

    def tell(self, state: AnyState) -> Iterator[str]:
        """Yield what a terminal says of a state beside the picture of the table: a line for each instrument."""
        counts = find_public_counts(state)
        if counts is None or state.turn is None:
            return
        filled = self.fill(state)
        bidding = self._find(Bidding)
        if filled.bidding is not None and filled.bidding.calls and bidding is not None and not bidding.is_in_picture:
            yield "calls: " + ", ".join(f"{self._speech.name(seat)} {words}" for seat, words in filled.bidding.calls)
        if (tally := self._find(AimTally)) is not None and (told := [*self._tell_tally(tally, state, counts)]):
            yield ", ".join(told)
        if self._find(PotAndCall) is not None and (due := _find_due(state, counts)):
            yield f"{due:,} to call"
        for track in filled.tracks:
            yield f"the game goes to {track.goal:,.10g}" + (self._tell_pegs(track) if track.is_board else "")
        if filled.order is not None:
            way = {1: "turns go to the left", -1: "turns go to the right"}.get(filled.order.way)
            yield ", ".join([*([way] if way else []), f"next: {self._speech.name(filled.order.next)}"])
        for count in self._word_counts(find_own_counts(state, self._viewer)):
            yield tell_count(count)

    def _tell_tally(self, tally: AimTally, state: AnyState, counts: PublicCounts) -> Iterator[str]:
        yield from map(tell_count, self._count_sides(tally, state, counts))
        side = next((one for one in self._list_sides(state) if self._viewer in one), ())
        lacks = _find_lack(counts.seats[side[0]], tally) if len(side) == 1 else None
        if lacks is not None:
            lack = f"{tally.made}: {self._speech.name(side[0])} "
            yield lack + (f"need {lacks:g} more" if lacks > 0 else f"have {-lacks:g} too many" if lacks else "are even")

    def _tell_pegs(self, track: FilledTrack) -> str:
        names = (join_words([self._speech.name(one) for one in lane.seats], "and") for lane in track.lanes)
        return ": " + ", ".join(f"{name} {lane.score:,.10g}" for name, lane in zip(names, track.lanes, strict=True))

    # ---- declared instruments

    def _find_all(self, kind: type[I]) -> list[I]:
        return [one for one in self._presentation.instruments if isinstance(one, kind)]

    def _find(self, kind: type[I]) -> I | None:
        return next(iter(self._find_all(kind)), None)


def price_action(state: AnyState, game: object, action: object) -> str:
    """Return the price of an action that calls a bet, to be added to its words: " 411"; "" for other actions."""
    pot = next((one for one in find_presentation(game).instruments if isinstance(one, PotAndCall)), None)
    if pot is None or msgspec.to_builtins(action).get("do") != pot.call:
        return ""
    counts = find_public_counts(state)
    return "" if counts is None or not (due := _find_due(state, counts)) else f" {due:,}"


def find_grid(game: object) -> BidGrid | None:
    """Return the grid in which the bids of a game stand; None if there is none."""
    declared = find_presentation(game).instruments
    return next((one.grid for one in declared if isinstance(one, Bidding) and one.grid is not None), None)


def find_cell(grid: BidGrid, action: object) -> tuple[int, int] | None:
    """Return row and column of an action in a grid; None if the action does not stand there.

    An action beside the grid has the row below the last one. Without declared columns the column is -1: the next one.
    """
    fields: Mapping[str, Any] = msgspec.to_builtins(action)
    do = str(fields.get("do"))
    if do in grid.beside:
        return max(1, len(grid.rows)), [*grid.beside].index(do)
    if do != grid.action:
        return None
    row = _find_place(fields.get(grid.row), grid.rows, 0)
    column = _find_place(fields.get(grid.column), grid.columns, -1)
    return None if row is None or column is None else (row, column)


def _find_place(value: object, values: Sequence[str | int], default: int) -> int | None:
    """Return the place of a value; None if it is not there, `default` if no values are declared."""
    return next((place for place, one in enumerate(values) if one == value), None) if values else default


def tell_count(count: PublicCount) -> str:
    """Return a count as a sentence has it: its name and its value."""
    return f"{count.name} {count.value:,}" if isinstance(count.value, int) else f"{count.name} {count.value}".strip()


def _find_count(counts: Iterable[PublicCount], name: str) -> PublicCount | None:
    return next((one for one in counts if one.name == name), None)


def _read_number(counts: Iterable[PublicCount], name: str) -> float | None:
    """Return a count as a number, also where the game tells it as a text; None if there is none."""
    count = _find_count(counts, name)
    value = None if count is None else count.value
    return (int(value) if value.isdecimal() else None) if isinstance(value, str) else value


def _find_lack(counts: Iterable[PublicCount], tally: AimTally) -> float | None:
    """Return how much a seat lacks of its aim; None if it has none."""
    counts = [*counts]
    aim, made = _read_number(counts, tally.aim), _read_number(counts, tally.made)
    return None if aim is None else aim - (made or 0)


def _merge_tally(tally: AimTally, counts: Sequence[PublicCount]) -> list[PublicCount]:
    """Return the counts of a seat, with its tricks and its aim as one count: "tricks 1 of 3"."""
    aim, made = _find_count(counts, tally.aim), _find_count(counts, tally.made)
    if aim is None or made is None or aim.role == "aim":
        return [*counts]
    of = f"{made.value} of {aim.value}" if _read_number(counts, tally.aim) is not None else f"{made.value}, {aim.value}"
    return [one._replace(value=of) if one is made else one for one in counts if one is not aim]


def _find_due(state: AnyState, counts: PublicCounts) -> int:
    """Return what the seat on turn has to pay to call, at most what it has left; 0 if it can check."""
    if state.turn is None:
        return 0
    bets = [sum(int(one.value) for one in of if one.role == "bet") for of in counts.seats]
    stacks = [int(one.value) for one in counts.seats[state.turn.seat] if one.role == "stack"]
    due = max(bets) - bets[state.turn.seat]
    return min([due, *stacks])


def _find_order(counts: PublicCounts) -> TurnOrder | None:
    """Return which way the turns go, from the count that has the seats as their turns come."""
    told = next((one for one in counts.table if one.role == "order"), None)
    order = [int(seat) for seat in str(told.value).split()] if told is not None else []
    if len(order) < 2:
        return None
    steps = {(after - seat) % len(order) for seat, after in pairwise(order)}
    way = 0 if len(order) < 3 else 1 if steps == {1} else -1 if steps == {len(order) - 1} else 0
    return TurnOrder(way, order[1])
