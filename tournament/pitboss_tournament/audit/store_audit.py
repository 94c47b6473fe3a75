"""Audit of a store: the file, every result against its record and the schedule, and optionally every record by replay.

Results and records are redundant: a result follows from its record, and is computed again here. A checksum of each game
shows other changes, and the number of games that each run left shows that games are missing. Replaying the records,
which takes longer, shows that each game can have been played as recorded.
"""

from __future__ import annotations

import sys
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import partial
from math import isclose
from pathlib import Path
from statistics import fmean
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from pitboss.errors import PitbossError
from pitboss.game import AnyGame, Evaluable
from pitboss.loadouts import LOADOUTS, open_loadouts
from pitboss.records import record as records
from pitboss.records.luck_features import Values
from pitboss.records.policy_corrections import weigh_policy
from pitboss.records.record import Decision, Record
from pitboss.text import describe_exception, format_count
from pitboss_tournament.counting.stored_findings import load_kept_findings, load_kept_report, read_report
from pitboss_tournament.counting.tally import make_tally
from pitboss_tournament.plan.paths import PYTHON
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.processes.bot_contents import digest_bot, find_changed_files
from pitboss_tournament.processes.logs import decompress_text
from pitboss_tournament.rounds.round_progress import begin_rounds
from pitboss_tournament.rounds.schedule import deal_seed
from pitboss_tournament.statistics.head_to_head import PackedMeetings, unpack_meetings
from pitboss_tournament.statistics.packed_matrix import PackedMatrix
from pitboss_tournament.statistics.policy_calibration import PolicyCalibration
from pitboss_tournament.statistics.scoring import GameResult, SeatResult, score_game
from pitboss_tournament.statistics.time_histogram import read_times
from pitboss_tournament.store.database import StoreError
from pitboss_tournament.store.header import SHOWN_DIGITS, Header, add_later_options
from pitboss_tournament.store.rows import RecordedRound
from pitboss_tournament.store.store import Store
from pitboss_tournament.text.differences import find_differences, join_differences, join_some

ROUNDING: Final = 1e-6
_UNREADABLE: Final = (PitbossError, msgspec.MsgspecError, zlib.error, UnicodeDecodeError, RecursionError, ValueError)


class StoreProblem(Struct, frozen=True):
    """A problem of a store."""

    game_id: int | None  # None: it is not about one game
    text: str

    def __str__(self) -> str:
        """Return the text with its game."""
        return self.text if self.game_id is None else f"game {self.game_id}: {self.text}"


def find_problems(store: Store, game: AnyGame | None = None) -> Iterator[StoreProblem]:
    """Yield the problems of a store. With its game, every record is replayed."""
    for words in store.find_damage():
        yield StoreProblem(None, f"SQLite finds damage: {words}")
    there: set[int] = set()
    schedule = _ScheduleCheck(store.header, store.rounds.read())
    try:
        yield from _check_count(store)
        yield from _check_tables(store)
        changed = set(store.changed_games())
        players = dict[int, list[str]]()  # of games, if models were asked
        calibrations = defaultdict[int, PolicyCalibration](PolicyCalibration)  # by bot
        asks_models = store.calls.has_any()
        for number, packed_result, packed_record in store.raw_games():
            there.add(number)
            result, record, found = _decode_game(store, packed_result, packed_record)
            if result is not None:
                found += _check_result(store.header, number, result)
            if record is not None and asks_models:
                players[number] = record.players
            if record is not None:
                found += _check_record(store.header, record)
            if result is not None and record is not None:
                found += _check_scoring(store.header, result, record)
            count_draw = None
            if result is not None and record is not None and not found:
                _count_policies(calibrations, result, record)
                count_draw = partial(_count_draw, calibrations, result)
            if result is not None:
                found += schedule.find_problems(number, result, record)
            if number in changed and not found:
                found.append("it is not what was written: its result, its record or a log was changed")
            yield from (StoreProblem(number, what) for what in found)
            if record is not None and game is not None:
                yield from (StoreProblem(number, what) for what in check_replay(record, game, count_draw))
        for entrant, calibration in calibrations.items():
            if fault := calibration.find_fault():
                yield StoreProblem(None, f"{store.header.labels[entrant]} does not draw as it states: {fault}")
        yield from _check_logs(store, there)
        yield from _check_model_calls(store, players)
        yield from _check_kept_standings(store)
    except StoreError as error:
        yield StoreProblem(None, f"what follows cannot be read: {error}")


def _check_count(store: Store) -> Iterator[StoreProblem]:
    games, most = store.count_games(), max(store.run_ends(), key=lambda end: end.games, default=None)
    if most is not None and games < most.games:
        yield StoreProblem(
            None, f"games are missing: there are {games:,}, and the run that ended at {most.at} left {most.games:,}"
        )


def _check_tables(store: Store) -> Iterator[StoreProblem]:
    for table in store.changed_tables():
        yield StoreProblem(None, f"the table `{table}` is not what was written: a row was changed, added or removed")
    if lost := store.count_lost_checksums():
        which = "it was" if lost == 1 else "they were"
        yield StoreProblem(
            None, f"{format_count(lost, 'game')} lost the checksum; it is unknown whether {which} changed"
        )


class OtherFiles(Struct, frozen=True):
    """A bot whose files are not those that played."""

    bot: str
    digest: str  # of those that played
    folder: str
    files: list[str]  # that were changed, added or removed; none: the folder is gone

    def __str__(self) -> str:
        """Say it."""
        what = f"the files in {self.folder} are not those that played" if self.files else f"{self.folder} is gone"
        return f"{self.bot}: {what} ({self.digest}){': ' if self.files else ''}{join_some(self.files)}"


def find_other_files(header: Header, beside: Path) -> Iterator[OtherFiles]:
    """Yield the bots that take part whose files are no longer those that played.

    `beside`: the folder of the store. A bot's folder may have been moved together with it, as that of a league is.
    """
    for number in header.rosters[-1].entries:
        entry, label = header.entries[number], header.labels[number]
        if not entry.contents or not entry.folder:
            continue
        folder = _find_moved_folder(Path(entry.folder), beside)
        files: list[str] = []
        if folder.is_dir():
            command = tuple(sys.executable if word == PYTHON else word for word in entry.command)
            now = digest_bot(Entrant(name=entry.name, command=command, folder=folder))
            files = find_changed_files(entry.contents, now)
            if any(now == other.contents for other in header.entries if other.name == entry.name):
                continue
        yield OtherFiles(label, entry.digest[:SHOWN_DIGITS], str(folder), files)


def _find_moved_folder(folder: Path, beside: Path) -> Path:
    """Return a bot's folder; one that is gone as it lies below `beside` by the end of its path, if it is there."""
    if not folder.is_dir():
        for first in range(1, len(folder.parts)):
            if (moved := beside.joinpath(*folder.parts[first:])).is_dir():
                return moved
    return folder


class _ScheduleCheck:
    """The schedule of a tournament: which game each number is.

    It is followed from game to game, as later rounds may depend on the results of earlier ones.
    """

    def __init__(self, header: Header, recorded: Iterable[RecordedRound]) -> None:
        self._header = header
        self._progress = begin_rounds(header, recorded) if header.has_schedule else None
        self._standings = make_tally(header)

    def find_problems(self, number: int, result: GameResult, record: Record | None) -> Iterator[str]:
        """Yield the differences of a game from the scheduled one. Games come in the order of their numbers."""
        if self._progress is None:
            return
        try:
            if not self._progress.advance_to(number, self._standings.list_disqualified):
                return  # from when the tournament was longer
            slot = self._progress.scheduled_game(number)
            self._progress.add_result(replace(result, game_id=number))
            self._standings.add(result)
        except (PitbossError, IndexError) as error:
            self._progress = None
            yield f"the schedule leads no further from here: {error}"
            return
        placed, found = (slot.pairing, slot.deal, slot.rotation), (result.pairing, result.deal, result.rotation)
        if found != placed:
            yield f"its result is of pairing, deal and rotation {found}; by the schedule it is {placed}"
        wanted = deal_seed(self._header, slot)
        if record is not None and record.seed != wanted:
            yield f"its record has the seed {record.seed!r}; by the schedule it is {wanted!r}"


def _decode_game(
    store: Store, packed_result: str, packed_record: bytes
) -> tuple[GameResult | None, Record | None, list[str]]:
    """Return the result and record of a game, None for what cannot be read, and the errors."""
    result, record, errors = None, None, []
    try:
        result = msgspec.json.decode(packed_result, type=GameResult)
    except _UNREADABLE as error:
        errors.append(f"its result cannot be read: {error}")
    try:
        record = store.packer.unpack(packed_record)
    except _UNREADABLE as error:
        errors.append(f"its record cannot be read: {error}")
    return result, record, errors


def _count_policies(calibrations: Mapping[int, PolicyCalibration], result: GameResult, record: Record) -> None:
    """Count the policies of each bot of a game."""
    entrants = [seat.entrant for seat in result.seats]
    for decision in record.decisions:
        if decision.policy is not None and decision.seat < len(entrants):
            calibrations[entrants[decision.seat]].add(decision.policy, decision.action)


def _check_result(header: Header, number: int, result: GameResult) -> Iterator[str]:
    if result.game_id != number:
        yield f"its result is that of game {result.game_id}"
    if len(result.seats) != header.seats:
        yield f"its result has {len(result.seats)} seats, and there are {header.seats} at a table"
    entrants = [seat.entrant for seat in result.seats]
    if strangers := [entrant for entrant in entrants if not 0 <= entrant < len(header.bots)]:
        yield f"its result names bot {strangers[0]}; there are {len(header.bots)}, from 0"
    if len(set(entrants)) < len(entrants):
        yield "its result has one bot in two seats"


def _check_loadouts(header: Header, record: Record) -> Iterator[str]:
    """Yield a sentence for each seat whose loadout in a record is not the one that its bot brings."""
    brought = {name: entry.own.loadout for name, entry in zip(header.bots, header.entries, strict=True)}
    loadouts = record.options.get(LOADOUTS) if isinstance(record.options, dict) else None
    for seat, name in enumerate(record.players):
        if (own := brought.get(name)) is None:
            continue
        found = loadouts[seat] if isinstance(loadouts, list) and seat < len(loadouts) else None
        if found != own.content:
            yield f"its record has another loadout in seat {seat} than {own.name!r}, which {name} brings"


def _check_record(header: Header, record: Record) -> Iterator[str]:
    for key in ("game", "game_version", "options"):
        was, found = getattr(header, key), getattr(record, key)
        if key == "options":
            yield from _check_loadouts(header, record)
            found = open_loadouts(found)
        if found != was and not (key == "options" and add_later_options(header, found) == was):
            yield f"its record is of another tournament: {join_differences(list(find_differences(was, found, key)))}"


def _check_scoring(header: Header, result: GameResult, record: Record) -> Iterator[str]:
    """Yield the differences between result and record."""
    entrants = tuple(seat.entrant for seat in result.seats)
    names = [header.bots[entrant] if 0 <= entrant < len(header.bots) else "?" for entrant in entrants]
    if names != record.players:
        yield f"its record has {', '.join(record.players)} at the table, its result {', '.join(names)}"
        return
    try:
        again = score_game(record, entrants)
    except (IndexError, ValueError, StopIteration) as error:
        yield f"its record cannot be scored: {error!r}"
        return
    for seat, (was, now) in enumerate(zip(result.seats, again, strict=True)):
        if found := list(find_differences(_plain_result(was), _plain_result(now))):
            yield f"its result is not what its record says: at seat {seat} {join_differences(found)}"


def _plain_result(result: SeatResult) -> dict[str, object]:
    """Return a result as plain data, with its times as a histogram, as early stores have them."""
    return {**asdict(result), "think": read_times(result.think)}


def _count_draw(
    calibrations: Mapping[int, PolicyCalibration], result: GameResult, decision: Decision, values: Sequence[Values]
) -> None:
    """Count what a bot drew from its policy; `values` are those of its actions, by seat."""
    assert decision.policy is not None
    leads = [of_seat[decision.seat] - fmean(of_seat) for of_seat in values]
    calibrations[result.seats[decision.seat].entrant].add_values(decision.policy, leads, decision.action)


def check_replay(
    record: Record, game: AnyGame, count_draw: Callable[[Decision, Sequence[Values]], None] | None = None
) -> Iterator[str]:
    """Yield what is wrong with a record by the rules of its game, in words; nothing if it replays.

    `count_draw` is told of each decision with a policy what its actions are worth, if the game can evaluate them.
    """
    try:
        for number, state in enumerate(records.replay_states(record, game)):
            if count_draw is not None and number < len(record.decisions) and isinstance(state, Evaluable):
                decision = record.decisions[number]
                values = weigh_policy(state, decision, game, f"decision {number + 1}")
                if values is not None:
                    count_draw(decision, values)
    except PitbossError as error:
        yield f"its record does not replay: {error}"
    except Exception as error:  # noqa: BLE001 - the border to a plugin's code, which meets a record that may be damaged
        yield f"its record does not replay: {describe_exception(error)}"


def _check_kept_standings(store: Store) -> Iterator[StoreProblem]:
    """Compare what the store keeps of standings and for a report, if it would be used, with what its games tell."""
    kept, report = load_kept_findings(store), load_kept_report(store)
    if kept is None:
        return
    found = read_report(store)
    if not _are_equal(kept, found.dump()):
        yield StoreProblem(None, "the standings that it keeps are not those of its games")
    if report is not None and not _are_equal(report, found.dump_report()):
        yield StoreProblem(None, "what it keeps for a report is not what its games tell")


def _are_equal(one: object, other: object) -> bool:
    """Whether two values are equal, up to the rounding of numbers."""
    if isinstance(one, PackedMatrix) and isinstance(other, PackedMatrix):
        return _are_equal(one.to_rows(), other.to_rows())
    if isinstance(one, PackedMeetings) and isinstance(other, PackedMeetings):
        return _are_equal(unpack_meetings(one), unpack_meetings(other))
    if isinstance(one, Struct) and isinstance(other, Struct):
        return _are_equal(asdict(one), asdict(other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_are_equal(value, other[key]) for key, value in one.items())
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(_are_equal, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return isclose(one, other, rel_tol=ROUNDING, abs_tol=ROUNDING)
    return one == other


def _check_model_calls(store: Store, players: Mapping[int, Sequence[str]]) -> Iterator[StoreProblem]:
    """Check that each call of a language model can be read, and is of who sat there. `players`: of games, by seat."""
    for place, bot, error in store.calls.find_damaged():
        call = f"the call of a language model at seat {place.seat}, decision {place.decision} ({place.ask})"
        if bot not in store.header.bots:
            yield StoreProblem(place.game_id, f"{call} is by {bot!r}, which does not take part")
        elif (seated := players.get(place.game_id)) and seated[place.seat : place.seat + 1] != [bot]:
            yield StoreProblem(place.game_id, f"{call} is by {bot!r}, which does not sit there")
        if error:
            yield StoreProblem(place.game_id, f"{call} cannot be read: {error}")


def _check_logs(store: Store, there: Set[int]) -> Iterator[StoreProblem]:
    for number, seat, errors, wire in store.raw_logs():
        if number not in there:
            yield StoreProblem(number, f"there is a log of seat {seat}, and no such game")
        elif not 0 <= seat < store.header.seats:
            yield StoreProblem(number, f"there is a log of seat {seat}, and {store.header.seats} are at a table")
        try:
            decompress_text(errors), decompress_text(wire)
        except _UNREADABLE as error:
            yield StoreProblem(number, f"the log of seat {seat} cannot be read: {error}")
