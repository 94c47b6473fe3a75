"""The store: one SQLite file per tournament, one durable row per finished game.

`games.result` is the result for the statistics (a `GameResult` as JSON), `games.record` the whole record, compressed,
`games.checksum` a checksum of both and of the game's logs; `run_ends` has the number of games that each run left;
`checksums` has checksums of the other tables;
`logs` has the logs of the games for which they are kept, `voids` the games that a machine error broke off, `luck` the
luck of the draw in games for which it was measured, `machines` where games were played if not on the machine of the
run, `rounds` and `checkpoint` the rounds that overlap and where they were, `kept_standings` the standings of all games,
`league_…` what the league of a store has (`league_tables`), `model_…` the calls of language models (`model_calls`).
Rows are
written in batches and are on the disk when `add` returns: a game with its logs, or neither. The header keeps the
settings of the tournament, so that a resumed run plays the same one.
"""

from __future__ import annotations

import os
import platform
import sqlite3
import weakref
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta
from msgspec.structs import astuple

from pitboss.errors import ConfigError, PitbossError
from pitboss.records.record import Record
from pitboss_tournament.models.calls import CallPlace, CallRow, Spending
from pitboss_tournament.models.choice import AskOutcome
from pitboss_tournament.processes.logs import SeatLog
from pitboss_tournament.statistics.scoring import WITHOUT_TIMES, GameResult, Points
from pitboss_tournament.store import model_calls, schema
from pitboss_tournament.store.database import (
    StoreError,
    copy_database,
    describe_error,
    limit_reading,
    open_database,
    require_file,
    transaction,
    translate_errors,
    write_durably,
)
from pitboss_tournament.store.field_changes import FieldChanges, merge_header
from pitboss_tournament.store.game_changes import delete_games, replace_record
from pitboss_tournament.store.header import Header, find_contradiction
from pitboss_tournament.store.league_tables import add_audit_line
from pitboss_tournament.store.model_calls import BrokenOffCalls
from pitboss_tournament.store.record_packing import RecordPacker, compute_checksum
from pitboss_tournament.store.rows import (
    RecordedRound,
    RunEnd,
    RunStart,
    StoredLog,
    VoidGame,
    pack_round,
    unpack_log,
    unpack_round,
    utc_now,
)
from pitboss_tournament.store.store_lock import acquire_lock
from pitboss_tournament.store.table_checksums import count_lost_checksums, find_broken_seals, seal

ROUNDS_AT_ONCE: Final = 256  # that are read
MAX_ID: Final = 2**63 - 1  # that SQLite can hold


class Store:
    """An open store. One thread at a time may use it."""

    def __init__(self, path: Path, cpu_s: float | None = None) -> None:
        """Open a store that exists; what is read of it takes at most `cpu_s` seconds of computing, if that is given.

        Raises:
            ConfigError: there is no such file, or it is not a store of this version.
            StoreError: it cannot be read.
        """
        require_file(path)
        self.path = path
        self.notes: list[str] = []  # who joined and left when it was opened for a run
        self._lock: int | None = None
        with translate_errors(path, "opened as a store"):
            self._db = open_database(path)
        weakref.finalize(self, self._db.close)  # for whoever only looks into a store, and drops it
        try:
            if cpu_s is not None:
                limit_reading(self._db, cpu_s)
            self.header = self._read_header()
            self.packer = RecordPacker(self._read_dictionary())
        except PitbossError:
            self._db.close()
            raise

    @classmethod
    def for_run(cls, path: Path, header: Header, changes: FieldChanges | None = None) -> Store:
        """Open the store of a tournament, creating it if necessary; its bots may differ by `changes`.

        Raises:
            ConfigError: the file holds another tournament, is no store, or another run has it open; or bots of it are
                not those that played in it.
            StoreError: it cannot be read or written.
        """
        store = cls.open_to_write(path, header)
        try:
            store._adopt_header(header, changes)
        except PitbossError:
            store.close()
            raise
        return store

    @classmethod
    def open_to_write(cls, path: Path, header: Header) -> Store:
        """Open the store of a tournament, whatever is in it; create it with this header if necessary.

        Raises:
            ConfigError: the file is no store, or another run has it open.
            StoreError: it cannot be read or written.
        """
        if path.exists():
            require_file(path)
        lock = acquire_lock(path)  # before SQLite, which would wait for the other run's writing
        try:
            schema.create_if_empty(path, header)
            schema.migrate_file(path)
            store = cls(path)
        except PitbossError:
            os.close(lock)
            raise
        store._lock = lock
        try:
            with store._translate_errors("written"):
                store._db.execute("pragma journal_mode = wal")  # others can read meanwhile
        except PitbossError:
            store.close()
            raise
        return store

    def close(self) -> None:
        """Close the file."""
        self._db.close()
        if self._lock is not None:
            os.close(self._lock)  # not before: SQLite's own locks on the file would go with it
            self._lock = None

    def add(
        self, games: Iterable[tuple[GameResult, bytes, Sequence[SeatLog]]], machines: Mapping[int, str] = {}
    ) -> None:
        """Write finished games with their packed records and kept logs; durable on return.

        A game that is already stored is left unchanged. `machines` says of games, by number, on which other machine
        they were played.

        Raises:
            StoreError: they cannot be written, or the file is gone.
        """
        self.check_file()
        rows, logs = [], []
        for result, record, said in games:
            number, packed = result.game_id, msgspec.json.encode(result).decode()
            of_game = sorted((log.seat, log.errors, log.wire) for log in said)
            rows.append((number, packed, record, compute_checksum(number, packed, record, of_game)))
            logs += [(number, *log, number) for log in of_game]
        with self._writing():
            if machines:
                self._db.execute(schema.MACHINES_TABLE)
                self._db.executemany(
                    "insert or ignore into machines select ?, ? where not exists (select 1 from games where id = ?)",
                    [(number, machine, number) for number, machine in machines.items()],
                )
            self._db.executemany(
                "insert or ignore into logs select ?, ?, ?, ? where not exists (select 1 from games where id = ?)", logs
            )
            self._db.executemany("insert or ignore into games values (?, ?, ?, ?)", rows)

    def add_voids(self, voids: Iterable[VoidGame]) -> None:
        """Write void games; durable on return."""
        with self._writing():
            self._db.executemany("insert into voids values (?, ?, ?, ?)", [astuple(void) for void in voids])
            seal(self._db, "voids")

    def add_model_calls(self, rows: Iterable[CallRow]) -> None:
        """Write calls of models; durable on return."""
        with self._writing():
            model_calls.add_calls(self._db, rows)

    def copy_model_calls(self, other: Store, games: Mapping[int, int], bots: Mapping[str, str], free: int) -> int:
        """Copy the calls of models of another store, of games and bots by their numbers and names here.

        Games that are not among them get numbers from `free` on; the next free one is returned.

        Raises:
            StoreError: a bot was asked that does not take part there.
        """
        if not other.has_model_calls():
            return free
        with other._translate_errors("read"):
            strangers = [bot for bot in model_calls.list_asking(other._db) if bot not in bots]
        if strangers:
            raise StoreError(
                f"{other.path} has calls of a language model by {strangers[0]!r}, which does not take part"
            )
        with self._writing():
            return model_calls.copy_calls(self._db, other._db, games, bots, free)

    def find_damaged_calls(self) -> Iterator[tuple[CallPlace, str, str]]:
        """Yield each call of a model by its place and bot, and why it cannot be read; "" if it can."""
        if self.has_model_calls():
            with self._translate_errors("read"):
                yield from model_calls.find_damaged_calls(self._db)

    def read_model_calls(self, game: int) -> list[CallRow]:
        """Return the calls of models in a game, those of each decision in the order of asking.

        Where a game was broken off and begun anew, the last ones count.
        """
        with self._translate_errors("read"):
            if not self.has_model_calls():
                return []
            found = {row.place: row for row in model_calls.read_calls(self._db, "game = ?", game)}
        return [found[place] for place in sorted(found)]

    def find_call(self, place: CallPlace, digest: str) -> CallRow | None:
        """Return the answered call of a model at a place by the digest of its request; None if there is none."""
        with self._translate_errors("read"):
            if not self.has_model_calls():
                return None
            where = f"game = ? and seat = ? and decision = ? and ask = ? and digest = ? and {model_calls.IS_ANSWERED}"
            return next(model_calls.read_calls(self._db, where, *place, digest), None)

    def read_broken_off_calls(self) -> BrokenOffCalls:
        """Return the calls of games that are not stored, from which they are carried on."""
        with self._translate_errors("read"):
            if not self.has_model_calls():
                return BrokenOffCalls(())
            return BrokenOffCalls(model_calls.read_calls(self._db, "game not in (select id from games)"))

    def read_reusable_calls(self, models: Iterable[str]) -> list[CallRow]:
        """Return the answered calls of models of these names."""
        with self._translate_errors("read"):
            if not self.has_model_calls():
                return []
            where = f"model = ? and outcome != 'own' and {model_calls.IS_ANSWERED}"
            return [row for model in models for row in model_calls.read_calls(self._db, where, model)]

    def has_model_calls(self) -> bool:
        """Return whether models were asked in this tournament."""
        return schema.has_table(self._db, "model_calls")

    def sum_spending(self) -> dict[str, Spending]:
        """Return what the calls of models have cost, by the names of bots in records."""
        with self._translate_errors("read"):
            return model_calls.sum_spending(self._db) if self.has_model_calls() else {}

    def count_ask_outcomes(self) -> dict[str, dict[AskOutcome, int]]:
        """Return how often the asks of models came to what, by the names of bots in records."""
        with self._translate_errors("read"):
            return model_calls.count_ask_outcomes(self._db) if self.has_model_calls() else {}

    def add_rounds(self, rounds: Iterable[RecordedRound]) -> None:
        """Write rounds that overlap, before their games; durable on return."""
        with self._writing():
            for statement in schema.OVERLAP_TABLES:
                self._db.execute(statement)
            self._db.executemany("insert into rounds values (?, ?, ?, ?, ?, ?)", map(pack_round, rounds))

    def recorded_rounds(self, after: int = 0) -> Iterator[RecordedRound]:
        """Yield the rounds that overlap, those after a number; none of a tournament whose rounds do not."""
        with self._translate_errors("read"):
            if not schema.has_table(self._db, "rounds"):
                return
        while True:
            with self._translate_errors("read"):  # a cursor that stays open would be in the way of who writes
                rows = self._db.execute(
                    "select * from rounds where number > ? order by number limit ?", (after, ROUNDS_AT_ONCE)
                ).fetchall()
                opened = [unpack_round(row) for row in rows]
            yield from opened
            if not opened:
                return
            after = opened[-1].number

    def last_round(self) -> int:
        """Return the number of the last round that is recorded; 0 if none is."""
        with self._translate_errors("read"):
            if not schema.has_table(self._db, "rounds"):
                return 0
            [(last,)] = self._db.execute("select coalesce(max(number), 0) from rounds")
            return int(last)

    def write_checkpoint(self, head: bytes, parts: Mapping[int, bytes]) -> None:
        """Keep where the tournament is: a head, and those of the parts, numbered from 1, that are new or have changed.

        Durable on return.
        """
        with self._writing():
            for statement in schema.OVERLAP_TABLES:
                self._db.execute(statement)
            self._db.executemany("insert or replace into checkpoint values (?, ?)", [(0, head), *parts.items()])

    def checkpoint(self) -> list[bytes]:
        """Return the head and the parts of what was kept; nothing if nothing is."""
        with self._translate_errors("read"):
            if not schema.has_table(self._db, "checkpoint"):
                return []
            return [bytes(row[0]) for row in self._db.execute("select content from checkpoint order by part")]

    def machines(self) -> dict[int, str]:
        """Return on which other machine games were played, by number."""
        with self._translate_errors("read"):
            if not schema.has_table(self._db, "machines"):
                return {}
            return dict(self._db.execute("select game, machine from machines order by game"))

    def remove_games(self, voids: Sequence[VoidGame]) -> None:
        """Remove games, which are void, and the end of the tournament, if it is recorded; durable on return."""
        with self._writing():
            delete_games(self._db, voids)

    def rejudge(
        self, header: Header, records: Iterable[tuple[int, bytes]], voids: Sequence[VoidGame], note: Sequence[str]
    ) -> None:
        """Write a header of another version of the game, the records of the games by it, and remove void games.

        `note`: who, what and about for the audit trail of the league whose store this is. All of it or nothing is
        written; durable on return.
        """
        with self._writing():
            for number, record in records:
                replace_record(self._db, number, record)
            delete_games(self._db, voids)
            schema.write_header(self._db, header)
            seal(self._db, "tournament", "entries", "rosters")
            add_audit_line(self._db, *note)
        self.header = header

    def check_file(self) -> None:
        """Check that the file of a run is still where it was: what is written into a deleted file is lost.

        Raises:
            StoreError: the file has been deleted, moved or replaced.
        """
        if self._lock is None:
            return
        try:
            is_there = os.path.samestat(self.path.stat(), os.fstat(self._lock))
        except OSError:
            is_there = False
        if not is_there:
            raise StoreError(
                f"{self.path}: the store was deleted, moved or replaced during the run; the games of this run are not "
                "in a file of this name"
            )

    def count_games(self) -> int:
        """Return the number of games."""
        [(games,)] = self._select("select count(*) from games")
        return int(games)

    def game_ids(self) -> Iterator[int]:
        """Yield the numbers of all games, ascending."""
        for (number,) in self._select("select id from games order by id"):
            yield number

    def results(self, with_times: bool = True, first: int = 0) -> Iterator[GameResult]:
        """Yield the result of each game, by number, from game `first` on.

        Decoding without times takes a third of the time.
        """
        rows = self._select("select id, result from games where id >= ? order by id", first)
        return self._decode_results(rows, GameResult if with_times else WITHOUT_TIMES)

    def latest_results(self, before: int | None = None) -> Iterator[GameResult]:
        """Yield the result of each game, the highest number first, of those below `before` if it is given."""
        end = MAX_ID if before is None else before
        rows = self._select("select id, result from games where id < ? order by id desc", end)
        return self._decode_results(rows, WITHOUT_TIMES)

    def records(self) -> Iterator[tuple[int, Record]]:
        """Yield all games with their numbers."""
        for number, _, record in self.raw_games():
            with translate_errors(self.path, "read", number):
                unpacked = self.packer.unpack(record)
            yield number, unpacked

    def seeds(self) -> Iterator[str]:
        """Yield the seed of each game, by number; quicker than to decode the records."""
        for number, record in self._select("select id, record from games order by id"):
            with translate_errors(self.path, "read", number):
                seed = self.packer.unpack_seed(record)
            yield seed

    def raw_games(self) -> Iterator[tuple[int, str, bytes]]:
        """Yield all games undecoded: number, result, packed record."""
        return self._select("select id, result, record from games order by id")

    def changed_games(self) -> Iterator[int]:
        """Yield the numbers of the games that are not what was written, by their checksums, ascending."""
        for number, result, record, checksum in self._select("select * from games order by id"):
            logs = self._select("select seat, errors, wire from logs where game = ? order by seat", number)
            if checksum is not None and checksum != compute_checksum(number, result, record, logs):
                yield number

    def changed_tables(self) -> list[str]:
        """Return the tables beside that of the games that are not what was written, by their checksums."""
        with self._translate_errors("read"):
            return [*find_broken_seals(self._db)]

    def count_lost_checksums(self) -> int:
        """Return how many games have lost the checksum that they were written with."""
        with self._translate_errors("read"):
            return count_lost_checksums(self._db)

    def raw_logs(self) -> Iterator[tuple[int, int, bytes, bytes]]:
        """Yield all logs undecoded: game, seat, packed standard error, packed wire."""
        return self._select("select game, seat, errors, wire from logs order by game, seat")

    def record(self, number: int) -> Record:
        """Return one game.

        Raises:
            ConfigError: there is no such game.
        """
        with translate_errors(self.path, "read", number):
            rows = list(self._select("select record from games where id = ?", min(number, MAX_ID)))
            if not rows:
                raise ConfigError(f"{self.path}: there is no game {number}; {self._describe_games(number)}")
            return self.packer.unpack(rows[0][0])

    def logs(self, number: int) -> list[StoredLog]:
        """Return the kept logs of a game, by seat."""
        with translate_errors(self.path, "read", number):
            rows = self._select("select seat, errors, wire from logs where game = ? order by seat", number)
            return [unpack_log(*row) for row in rows]

    def all_logs(self) -> Iterator[tuple[int, StoredLog]]:
        """Yield all kept logs with the numbers of their games."""
        for number, seat, errors, wire in self.raw_logs():
            with translate_errors(self.path, "read", number):
                log = unpack_log(seat, errors, wire)
            yield number, log

    def add_luck(self, luck: Iterable[tuple[int, Sequence[float]]]) -> None:
        """Keep the luck of the draw in some games, by seat (`pitboss.records.luck`); durable on return."""
        rows = [(number, msgspec.json.encode(seats).decode()) for number, seats in luck]
        with self._writing():
            self._db.execute(schema.LUCK_TABLE)
            self._db.executemany("insert or replace into luck values (?, ?)", rows)
            seal(self._db, "luck")

    def luck(self) -> dict[int, list[float]]:
        """Return the luck of the draw by game and seat, of the games for which it is kept."""
        with self._translate_errors("read"):
            if not schema.has_table(self._db, "luck"):
                return {}
            seats = self.header.seats
            decode = msgspec.json.Decoder(Annotated[list[Points], Meta(min_length=seats, max_length=seats)]).decode
            return {number: decode(luck) for number, luck in self._select("select game, seats from luck")}

    def keep_standings(self, standings: bytes, report: bytes | None = None) -> None:
        """Keep standings, and what a report tells beside them, encoded, until a game or the header changes."""
        with self._writing():
            for statement in schema.KEPT_STANDINGS:
                self._db.execute(statement)
            self._db.execute("delete from kept_standings")
            rows = [(schema.STANDINGS_ROW, standings), *([] if report is None else [(schema.REPORT_ROW, report)])]
            self._db.executemany("insert into kept_standings (rowid, standings) values (?, ?)", rows)

    def kept_standings(self) -> bytes | None:
        """Return the standings that were kept, encoded; None if there are none."""
        return self._read_kept(schema.STANDINGS_ROW)

    def kept_report(self) -> bytes | None:
        """Return what was kept for a report, encoded; None if there is nothing."""
        return self._read_kept(schema.REPORT_ROW)

    def _read_kept(self, number: int) -> bytes | None:
        with self._translate_errors("read"):
            if not schema.has_table(self._db, "kept_standings"):
                return None
            rows = self._db.execute("select standings from kept_standings where rowid = ?", (number,))
            return next((bytes(row[0]) for row in rows), None)

    def voids(self) -> list[VoidGame]:
        """Return the void games, the earliest first."""
        return [VoidGame(*row) for row in self._select("select game, at, cause, message from voids order by rowid")]

    def void_causes(self) -> Counter[str]:
        """Return the numbers of void games by cause."""
        return Counter(dict(self._select("select cause, count(*) from voids group by cause")))

    def begin_run(self, played: int, total: int | None) -> None:
        """Record that a run begins now; durable on return."""
        with self._writing():
            run = RunStart(
                utc_now(), played, total, self.header.pitboss_version, platform.python_version(), platform.platform()
            )
            self._db.execute("insert into runs values (?, ?, ?, ?, ?, ?)", astuple(run))
            seal(self._db, "runs")
        with self._translate_errors("written"):
            self._db.execute("pragma wal_checkpoint")  # so that a copy of the file alone says that a run was going on

    def runs(self) -> list[RunStart]:
        """Return the runs so far, the earliest first."""
        return [RunStart(*row) for row in self._select("select * from runs order by rowid")]

    def record_run_end(self) -> None:
        """Record that a run ends now, and how many games there are; durable on return."""
        with self._writing():
            self._db.execute("insert into run_ends select ?, count(*) from games", (utc_now(),))
            seal(self._db, "run_ends")

    def run_ends(self) -> list[RunEnd]:
        """Return the ends of runs, the earliest first; none is known of a run that was killed."""
        return [RunEnd(*row) for row in self._select("select at, games from run_ends order by rowid")]

    def unended_run(self) -> RunStart | None:
        """Return the last run if it has not ended: it is going on, was killed, or its end is in a file of SQLite's."""
        last, ends = next(reversed(self.runs()), None), self.run_ends()
        return last if last and not (ends and ends[-1].at >= last.began) else None

    def record_end(self, reason: str) -> None:
        """Record why the tournament ended early; durable on return."""
        with self._writing():
            self._db.execute("insert into ends values (?, ?)", (utc_now(), reason))
            seal(self._db, "ends")

    def end_reason(self) -> str | None:
        """Return why the tournament ended early, as last recorded; None if it did not."""
        return next((str(why) for (why,) in self._select("select why from ends order by rowid desc limit 1")), None)

    def find_damage(self) -> list[str]:
        """Return the damage that SQLite finds in the file, in its words."""
        try:
            found = [str(row[0]) for row in self._db.execute("pragma integrity_check")]
        except sqlite3.Error as error:
            return [describe_error(error)]
        return [] if found == ["ok"] else found

    def _decode_results(self, rows: Iterable[tuple[int, str]], kind: type[GameResult]) -> Iterator[GameResult]:
        decode = msgspec.json.Decoder(kind).decode
        is_of_this_tournament = self.header.has_result
        for number, row in rows:
            try:
                result = decode(row)
            except Exception:  # translated only then: a context for each game took as long as its decoding
                with translate_errors(self.path, "read", number):
                    raise
            if result.game_id != number or not is_of_this_tournament(result):
                raise StoreError(f"{self.path}: game {number} cannot be read: its result is of another tournament")
            yield result

    def _select(self, statement: str, *values: object) -> Iterator[tuple[Any, ...]]:
        with self._translate_errors("read"):
            for row in self._db.execute(statement, values):  # noqa: UP028 - it would close the cursor, too late
                yield row

    def _describe_games(self, number: int) -> str:
        """Return which games there are, for an error about a game that is not stored."""
        first, last = self._db.execute(
            "select (select min(id) from games), (select max(id) from games)"  # both at once would read all rows
        ).fetchone()
        if first is None:
            return "it holds no game yet"
        if not first < number < last:
            return f"its games are numbered {first} to {last}"
        before, after = (
            self._db.execute(f"select {which}(id) from games where id {than} ?", (number,)).fetchone()[0]
            for which, than in (("max", "<"), ("min", ">"))
        )
        return f"it has not been played; the nearest are {before} and {after}"

    def _read_header(self) -> Header:
        with self._translate_errors("read"):
            must_change = schema.needs_migration(self._db, self.path)
            schema.check_objects(self._db, self.path)
            if must_change:
                self._db = copy_database(self._db)  # a reader changes nothing in the file
                weakref.finalize(self, self._db.close)
                with transaction(self._db):
                    schema.migrate(self._db)
                self._db.execute("pragma query_only = on")
            header = schema.read_header(self._db)
            if header is None:
                raise StoreError(f"{self.path}: cannot be read: the table `tournament` is empty")
        if wrong := find_contradiction(header):
            raise StoreError(f"{self.path}: cannot be read: {wrong}")
        return header

    def _read_dictionary(self) -> bytes:
        with self._translate_errors("read"):
            row = self._db.execute("select bytes from dictionary").fetchone()
        if row is None:
            raise StoreError(f"{self.path}: cannot be read: the table `dictionary` is empty")
        return bytes(row[0])

    def change_header(self, header: Header) -> None:
        """Write a header in place of the one that there is; durable on return."""
        if self.header != header:
            with self._writing():
                schema.write_header(self._db, header)
                seal(self._db, "tournament", "entries", "rosters")
            self.header = header

    def _adopt_header(self, header: Header, changes: FieldChanges | None) -> None:
        """Check that the store is of this tournament, and write what may change."""
        try:
            merged, self.notes = merge_header(self, header, changes)
        except ConfigError as error:
            raise ConfigError(f"{self.path}: {error}") from None
        self.change_header(merged)

    def _translate_errors(self, action: str) -> AbstractContextManager[None]:
        return translate_errors(self.path, action)

    def _writing(self) -> AbstractContextManager[None]:
        return write_durably(self._db, self.path, self.count_games)
