"""Integrity: whether a store is whole, and each game in it is what it should be.

Results and records are two tellings of a game: a result follows from its record, and is worked out again here. Replaying the records, which takes longer, shows that each game can have been played so.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Set
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pitboss import record as records
from pitboss.errors import PitbossError
from pitboss.game import AnyGame
from pitboss.record import Record
from pitboss_tournament.playing.course import Course
from pitboss_tournament.playing.schedule import deal_seed
from pitboss_tournament.processes.logs import unpacked
from pitboss_tournament.results.differences import differences, told
from pitboss_tournament.results.header import Header
from pitboss_tournament.results.scoring import GameResult, scored
from pitboss_tournament.results.standings import Tally
from pitboss_tournament.results.store import Store, StoreError

_UNREADABLE: Final = (PitbossError, msgspec.MsgspecError, zlib.error, UnicodeDecodeError, RecursionError, ValueError)


class Problem(Struct, frozen=True):
    """Something that is not as it should be."""

    game_id: int | None  # None: it is not about one game
    what: str

    def __str__(self) -> str:
        """Say it."""
        return self.what if self.game_id is None else f"game {self.game_id}: {self.what}"


def problems(store: Store, game: AnyGame | None = None) -> Iterator[Problem]:
    """Yield what is wrong with a store. With its game, every record is replayed."""
    for words in store.damage():
        yield Problem(None, f"SQLite finds damage: {words}")
    there: set[int] = set()
    schedule = _Schedule(store.header)
    try:
        for number, packed_result, packed_record in store.raw_games():
            there.add(number)
            result, record, found = _read(packed_result, packed_record)
            for what in [
                *found,
                *_wrong_with(store.header, number, result, record),
                *schedule.wrong_with(number, result, record),
            ]:
                yield Problem(number, what)
            if record is not None and game is not None:
                yield from (Problem(number, what) for what in _wrong_with_replay(record, game))
        yield from _wrong_with_logs(store, there)
    except StoreError as wrong:
        yield Problem(None, f"what follows cannot be read: {wrong}")


class _Schedule:
    """The schedule of a tournament: which game each number is. It is followed from game to game, as what is played in later rounds may depend on earlier ones."""

    def __init__(self, header: Header) -> None:
        self._header = header
        self._course: Course | None = Course(header)
        self._tally = Tally(header.bots, header.block_games or header.seats, header.faults.disqualify_after)

    def wrong_with(self, number: int, result: GameResult | None, record: Record | None) -> Iterator[str]:
        """Yield in what a game differs from the one of its number. The games come in the order of their numbers."""
        if self._course is None or result is None:
            return
        try:
            if not self._course.reach(number, self._tally.out):
                return  # from when the tournament was longer
            slot = self._course.slot(number)
            self._course.add(replace(result, game_id=number))
            self._tally.add(result)
        except (PitbossError, IndexError) as wrong:
            self._course = None
            yield f"the schedule leads no further from here: {wrong}"
            return
        placed, found = (slot.pairing, slot.deal, slot.rotation), (result.pairing, result.deal, result.rotation)
        if found != placed:
            yield f"its result is of pairing, deal and rotation {found}; by the schedule it is {placed}"
        wanted = deal_seed(self._header, slot)
        if record is not None and record.seed != wanted:
            yield f"its record has the seed {record.seed!r}; by the schedule it is {wanted!r}"


def _read(packed_result: str, packed_record: bytes) -> tuple[GameResult | None, Record | None, list[str]]:
    """Return a game's result and record, None for what cannot be read, and why it cannot."""
    result, record, wrongs = None, None, []
    try:
        result = msgspec.json.decode(packed_result, type=GameResult)
    except _UNREADABLE as wrong:
        wrongs.append(f"its result cannot be read: {wrong}")
    try:
        record = records.read(unpacked(packed_record))
    except _UNREADABLE as wrong:
        wrongs.append(f"its record cannot be read: {wrong}")
    return result, record, wrongs


def _wrong_with(header: Header, number: int, result: GameResult | None, record: Record | None) -> Iterator[str]:
    """Yield what is wrong with one game."""
    if result is not None:
        yield from _wrong_with_result(header, number, result)
    if record is not None:
        yield from _wrong_with_record(header, record)
    if result is not None and record is not None:
        yield from _disagreement(header, result, record)


def _wrong_with_result(header: Header, number: int, result: GameResult) -> Iterator[str]:
    if result.game_id != number:
        yield f"its result is that of game {result.game_id}"
    if len(result.seats) != header.seats:
        yield f"its result has {len(result.seats)} seats, and there are {header.seats} at a table"
    entrants = [seat.entrant for seat in result.seats]
    if strangers := [entrant for entrant in entrants if not 0 <= entrant < len(header.bots)]:
        yield f"its result names bot {strangers[0]}; there are {len(header.bots)}, from 0"
    if len(set(entrants)) < len(entrants):
        yield "its result has one bot in two seats"


def _wrong_with_record(header: Header, record: Record) -> Iterator[str]:
    for key in ("game", "game_version", "options"):
        was, found = getattr(header, key), getattr(record, key)
        if found != was:
            yield f"its record is of another tournament: {told(list(differences(was, found, key)))}"


def _disagreement(header: Header, result: GameResult, record: Record) -> Iterator[str]:
    """Yield where result and record do not tell the same."""
    entrants = tuple(seat.entrant for seat in result.seats)
    names = [header.bots[entrant] if 0 <= entrant < len(header.bots) else "?" for entrant in entrants]
    if names != record.players:
        yield f"its record has {', '.join(record.players)} at the table, its result {', '.join(names)}"
        return
    try:
        again = scored(record, entrants)
    except (IndexError, ValueError, StopIteration) as wrong:
        yield f"its record cannot be scored: {wrong!r}"
        return
    for seat, (was, now) in enumerate(zip(result.seats, again, strict=True)):
        if was != now:
            found = list(differences(_plain(was), _plain(now)))
            yield f"its result is not what its record says: at seat {seat} {told(found)}"


def _wrong_with_replay(record: Record, game: AnyGame) -> Iterator[str]:
    try:
        records.compared(record, game)
    except PitbossError as wrong:
        yield f"its record does not replay: {wrong}"
    except Exception as wrong:  # noqa: BLE001 - the border to a plugin's code, which meets a record that may be damaged
        yield f"its record does not replay: {type(wrong).__name__}: {wrong}"


def _wrong_with_logs(store: Store, there: Set[int]) -> Iterator[Problem]:
    for number, seat, errors, wire in store.raw_logs():
        if number not in there:
            yield Problem(number, f"there is a log of seat {seat}, and no such game")
        elif not 0 <= seat < store.header.seats:
            yield Problem(number, f"there is a log of seat {seat}, and {store.header.seats} are at a table")
        try:
            unpacked(errors), unpacked(wire)
        except _UNREADABLE as wrong:
            yield Problem(number, f"the log of seat {seat} cannot be read: {wrong}")


def _plain(seat: Any) -> dict[str, Any]:  # noqa: ANN401 - a struct
    return {name: getattr(seat, name) for name in seat.__struct_fields__}
