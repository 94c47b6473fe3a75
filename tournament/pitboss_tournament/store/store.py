"""The store: one SQLite file per tournament, one durable row per finished game.

`games.result` is the result for the statistics (a `GameResult` as JSON), `games.record` the whole record, compressed,
`games.checksum` a checksum of both and of the game's logs; `logs` has the logs of the games for which they are kept,
`voids` the games that a machine error broke off, `machines` where games were played if not on the machine of the run,
`run_ends` the number of games that each run left, `checksums` checksums of the tables beside that of the games. Rounds
that overlap have two tables, made with the first round: the rounds as they were opened, and where the tournament was at
some moment. What else a store has is the subject of a module each: calls of language models (`model_calls`), luck,
standings and a report's figures (`kept_results`). The tables of a league are in the `schema`.

Rows are written in batches and are on the disk when `add` returns: a game with its logs, or neither. The header keeps
the settings of the tournament, so that a resumed run plays the same one.
"""

from __future__ import annotations

import os
import platform
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import astuple

from pitboss.errors import ConfigError, PitbossError
from pitboss.records.record import Record
from pitboss_tournament.plan.plan import SandboxLevel
from pitboss_tournament.processes.logs import SeatLog
from pitboss_tournament.statistics.scoring import WITHOUT_TIMES, GameResult
from pitboss_tournament.store import schema
from pitboss_tournament.store.database import (
    StoreError,
    check_name_length,
    describe_error,
    require_file,
    translate_errors,
)
from pitboss_tournament.store.field_changes import FieldChanges, merge_header
from pitboss_tournament.store.header import Header, find_contradiction
from pitboss_tournament.store.kept_results import KeptResults
from pitboss_tournament.store.model_calls import StoredCalls
from pitboss_tournament.store.record_packing import RecordPacker, compute_checksum
from pitboss_tournament.store.rows import (
    RecordedRound,
    RunEnd,
    RunStart,
    StoredLog,
    TournamentEnd,
    VoidGame,
    unpack_log,
    utc_now,
)
from pitboss_tournament.store.store_file import StoreFile
from pitboss_tournament.store.store_lock import acquire_lock
from pitboss_tournament.store.table_checksums import count_lost_checksums, find_broken_seals, seal

MAX_ID: Final = 2**63 - 1  # that SQLite can hold

ROUNDS_AT_ONCE: Final = 256  # that are read


def read_last_level(path: Path) -> SandboxLevel | None:
    """Return the level of the sandbox in the last run of a store; None if there is none, or nothing was played."""
    try:
        with closing(Store(path)) as store:
            return store.header.sandbox if store.runs() or store.count_games() else None
    except PitbossError:  # whoever opens it for a run says so
        return None


class Store:
    """An open store. One thread at a time may use it."""

    def __init__(self, path: Path, cpu_s: float | None = None) -> None:
        """Open a store that exists; reading takes at most `cpu_s` seconds of computing, if that is given.

        Raises:
            ConfigError: there is no such file, or it is not a store of this version.
            StoreError: it cannot be read.
        """
        self.path = path
        self.notes: list[str] = []  # who joined and left when it was opened for a run
        self._file = StoreFile(path, cpu_s)
        self._db = self._file.db
        try:
            self.header = self._read_header()
            self.packer = RecordPacker(self._read_dictionary())
        except PitbossError:
            self._file.close()
            raise
        self.rounds = StoredRounds(self._file)
        self.calls = StoredCalls(self._file)
        self.kept = KeptResults(self._file, self.header.seats)

    @classmethod
    def for_run(cls, path: Path, header: Header, changes: FieldChanges | None = None) -> Store:
        """Open the store of a tournament, creating it if necessary; its bots may differ by `changes`.

        Raises:
            ConfigError: the file holds another tournament, is no store, or another run has it open; or its bots are
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
            ConfigError: the file is no store, its name is too long, or another run has it open.
            StoreError: it cannot be read or written.
        """
        if not (is_new := not path.exists()):
            require_file(path)
        check_name_length(path)
        lock = acquire_lock(path)  # before SQLite, which would wait for the other run's writing
        try:
            schema.create_if_empty(path, header)
            schema.migrate_file(path)
            store = cls(path)
        except PitbossError:
            if is_new and not os.fstat(lock).st_size:  # there was no room for it
                path.unlink(missing_ok=True)
            os.close(lock)
            raise
        store._file.lock = lock
        try:
            with translate_errors(path, "written"):
                store._file.db.execute("pragma journal_mode = wal")  # others can read meanwhile
        except PitbossError:
            store.close()
            raise
        return store

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def check_file(self) -> None:
        """Check that the file of a run is still where it was: what is written into a deleted file is lost.

        Raises:
            StoreError: the file has been deleted, moved or replaced.
        """
        self._file.check_place()

    def count_games(self) -> int:
        """Return the number of games."""
        return self._file.count_games()

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
        with self._file.writing():
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
        with self._file.writing():
            self._db.executemany("insert into voids values (?, ?, ?, ?)", [astuple(void) for void in voids])
            seal(self._db, "voids")

    def machines(self) -> dict[int, str]:
        """Return on which other machine games were played, by number."""
        if not self._file.has_table("machines"):
            return {}
        return dict(self._file.select("select game, machine from machines order by game"))

    def remove_games(self, voids: Sequence[VoidGame]) -> None:
        """Remove games, which are void, and the end of the tournament, if it is recorded; durable on return."""
        with self._file.writing():
            delete_games(self._db, voids)

    def rejudge(
        self,
        header: Header,
        records: Iterable[tuple[int, bytes]],
        voids: Sequence[VoidGame],
        note: Sequence[str] | None = None,
    ) -> None:
        """Write a header of another version of the game, the records of the games by it, and remove void games.

        `note`: who, what and about for the audit trail, if this is the store of a league. Everything or nothing is
        written; durable on return.
        """
        with self._file.writing():
            for number, record in records:
                replace_record(self._db, number, record)
            delete_games(self._db, voids)
            schema.write_header(self._db, header)
            seal(self._db, "tournament", "entries", "rosters")
            if note is not None:
                schema.add_audit_line(self._db, *note)
        self.header = header

    def game_ids(self, first: int = 0) -> Iterator[int]:
        """Yield the numbers of all games from `first` on, ascending."""
        for (number,) in self._file.select("select id from games where id >= ? order by id", first):
            yield number

    def choose_game(self) -> int:
        """Return the number of the first game with a fault; without any fault, of the first game.

        Raises:
            ConfigError: there is no game.
        """
        first = next(self.game_ids(), None)
        if first is None:
            raise ConfigError(f"{self.path}: there is no game yet")
        results = self.results(with_times=False)
        return next(
            (one.game_id for one in results if any(seat.fault or seat.substituted for seat in one.seats)), first
        )

    def results(self, with_times: bool = True, first: int = 0) -> Iterator[GameResult]:
        """Yield the result of each game, by number, from game `first` on.

        Decoding without times takes a third of the time.
        """
        rows = self._file.select("select id, result from games where id >= ? order by id", first)
        return self._decode_results(rows, GameResult if with_times else WITHOUT_TIMES)

    def latest_results(self, before: int | None = None) -> Iterator[GameResult]:
        """Yield the result of each game, the highest number first, of those below `before` if it is given."""
        end = MAX_ID if before is None else before
        rows = self._file.select("select id, result from games where id < ? order by id desc", end)
        return self._decode_results(rows, WITHOUT_TIMES)

    def records(self) -> Iterator[tuple[int, Record]]:
        """Yield all games with their numbers."""
        for number, _, record in self.raw_games():
            with self._file.reading(number):
                unpacked = self.packer.unpack(record)
            yield number, unpacked

    def seeds(self) -> Iterator[str]:
        """Yield the seed of each game, by number; quicker than to decode the records."""
        for number, record in self._file.select("select id, record from games order by id"):
            try:
                seed = self.packer.unpack_seed(record)
            except Exception:  # translated only then, as in `_decode_results`
                with self._file.reading(number):
                    raise
            yield seed

    def raw_games(self) -> Iterator[tuple[int, str, bytes]]:
        """Yield all games undecoded: number, result, packed record."""
        return self._file.select("select id, result, record from games order by id")

    def changed_games(self) -> Iterator[int]:
        """Yield the numbers of the games that are not what was written, by their checksums, ascending."""
        for number, result, record, checksum in self._file.select("select * from games order by id"):
            logs = self._file.select("select seat, errors, wire from logs where game = ? order by seat", number)
            if checksum is not None and checksum != compute_checksum(number, result, record, logs):
                yield number

    def changed_tables(self) -> list[str]:
        """Return the tables beside that of the games that are not what was written, by their checksums."""
        with self._file.reading():
            return [*find_broken_seals(self._db)]

    def count_lost_checksums(self) -> int:
        """Return how many games have lost the checksum that they were written with."""
        with self._file.reading():
            return count_lost_checksums(self._db)

    def raw_logs(self) -> Iterator[tuple[int, int, bytes, bytes]]:
        """Yield all logs undecoded: game, seat, packed standard error, packed wire."""
        return self._file.select("select game, seat, errors, wire from logs order by game, seat")

    def log_sizes(self) -> list[tuple[int, int, int]]:
        """Return game, seat and stored bytes of each log, the latest game first."""
        sizes = "select game, seat, length(errors) + length(wire) from logs order by game desc, seat"
        return [(game, seat, size) for game, seat, size in self._file.select(sizes)]

    def record(self, number: int) -> Record:
        """Return one game.

        Raises:
            ConfigError: there is no such game.
        """
        with self._file.reading(number):
            rows = list(self._file.select("select record from games where id = ?", min(number, MAX_ID)))
            if not rows:
                raise ConfigError(f"{self.path}: there is no game {number}; {self._describe_games(number)}")
            return self.packer.unpack(rows[0][0])

    def logs(self, number: int) -> list[StoredLog]:
        """Return the kept logs of a game, by seat."""
        with self._file.reading(number):
            rows = self._file.select("select seat, errors, wire from logs where game = ? order by seat", number)
            return [unpack_log(*row) for row in rows]

    def all_logs(self) -> Iterator[tuple[int, StoredLog]]:
        """Yield all kept logs with the numbers of their games."""
        for number, seat, errors, wire in self.raw_logs():
            with self._file.reading(number):
                log = unpack_log(seat, errors, wire)
            yield number, log

    def voids(self) -> list[VoidGame]:
        """Return the void games, the earliest first."""
        rows = self._file.select("select game, at, cause, message from voids order by rowid")
        return [VoidGame(*row) for row in rows]

    def void_causes(self) -> Counter[str]:
        """Return the numbers of void games by cause."""
        return Counter(dict(self._file.select("select cause, count(*) from voids group by cause")))

    def begin_run(self, played: int, total: int | None) -> None:
        """Record that a run begins now; durable on return."""
        with self._file.writing():
            versions = (self.header.pitboss_version, platform.python_version(), platform.platform())
            self._db.execute("insert into runs values (?, ?, ?, ?, ?, ?)", (utc_now(), played, total, *versions))
            seal(self._db, "runs")
        with translate_errors(self.path, "written"):
            self._db.execute("pragma wal_checkpoint")  # so that a copy of the file alone says that a run was going on
            [version] = self._db.execute("pragma user_version").fetchone()
            self._db.execute(f"pragma user_version = {version}")  # so that the log has page 1, and the file's number

    def runs(self) -> list[RunStart]:
        """Return the runs so far, the earliest first."""
        levels = dict(self._file.select("select run, level from run_levels")) if self._has_run_levels() else {}
        rows = self._file.select("select rowid, * from runs order by rowid")
        return [RunStart(*(*row, levels.get(number, self.header.sandbox))) for number, *row in rows]

    def record_run_end(self) -> None:
        """Record that a run ends now, and how many games there are; durable on return."""
        with self._file.writing():
            self._db.execute("insert into run_ends select ?, count(*) from games", (utc_now(),))
            seal(self._db, "run_ends")

    def run_ends(self) -> list[RunEnd]:
        """Return the ends of runs, the earliest first; none is known of a run that was killed."""
        return [RunEnd(*row) for row in self._file.select("select at, games from run_ends order by rowid")]

    def unended_run(self) -> RunStart | None:
        """Return the last run if it has not ended: it is going on, was killed, or its end is in a file of SQLite's."""
        last, ends = next(reversed(self.runs()), None), self.run_ends()
        return last if last and not (ends and ends[-1].at >= last.began) else None

    def record_end(self, end: TournamentEnd) -> None:
        """Record why the tournament is over; durable on return."""
        with self._file.writing():
            self._db.execute("insert into ends values (?, ?, ?)", (utc_now(), end.why, end.is_complete))
            seal(self._db, "ends")

    def find_end(self) -> TournamentEnd | None:
        """Return why the tournament is over, as last recorded; None if no end is recorded."""
        rows = self._file.select("select why, is_complete from ends order by rowid desc limit 1")
        return next((TournamentEnd(str(why), bool(is_complete)) for why, is_complete in rows), None)

    def end_reason(self) -> str | None:
        """Return why the tournament is over, in words; None if no end is recorded."""
        end = self.find_end()
        return None if end is None else end.why

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
                with self._file.reading(number):
                    raise
            if result.game_id != number or not is_of_this_tournament(result):
                raise StoreError(f"{self.path}: game {number} cannot be read: its result is of another tournament")
            yield result

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
        with self._file.reading():
            header = schema.read_header(self._db)
            if header is None:
                raise StoreError(f"{self.path}: cannot be read: the table `tournament` is empty")
        if wrong := find_contradiction(header):
            raise StoreError(f"{self.path}: cannot be read: {wrong}")
        return header

    def _read_dictionary(self) -> bytes:
        with self._file.reading():
            row = self._db.execute("select bytes from dictionary").fetchone()
        if row is None:
            raise StoreError(f"{self.path}: cannot be read: the table `dictionary` is empty")
        return bytes(row[0])

    def change_header(self, header: Header) -> None:
        """Write a header in place of the one that there is; durable on return."""
        if self.header != header:
            with self._file.writing():
                if self.header.sandbox != header.sandbox:
                    self._keep_run_levels()
                schema.write_header(self._db, header)
                seal(self._db, "tournament", "entries", "rosters")
            self.header = header

    def _keep_run_levels(self) -> None:
        """Write down the level of the runs so far, before the header names that of the next one."""
        self._db.execute(schema.RUN_LEVELS_TABLE)
        self._db.execute("insert or ignore into run_levels select rowid, ? from runs", (self.header.sandbox,))
        seal(self._db, "run_levels")

    def _has_run_levels(self) -> bool:
        return self._file.has_table("run_levels")

    def _adopt_header(self, header: Header, changes: FieldChanges | None) -> None:
        """Check that the store is of this tournament, and write what may change."""
        try:
            merged, self.notes = merge_header(self, header, changes)
        except ConfigError as error:
            raise ConfigError(f"{self.path}: {error}") from None
        self.change_header(merged)


def delete_games(db: sqlite3.Connection, voids: Sequence[VoidGame]) -> None:
    """Remove games, which are void, and the end of the tournament, if it is recorded. Must run in a transaction."""
    numbers = [(void.game_id,) for void in voids]
    for table, column in (("games", "id"), *((table, "game") for table in ("logs", "luck", "draw_luck", "machines"))):
        if schema.has_table(db, table):
            db.executemany(f"delete from {table} where {column} = ?", numbers)
    db.executemany("insert into voids values (?, ?, ?, ?)", [astuple(void) for void in voids])
    db.execute("update run_ends set games = min(games, (select count(*) from games))")
    db.execute("delete from ends")
    if schema.has_table(db, "checkpoint"):
        db.execute("delete from checkpoint")
    seal(db, "voids", "run_ends", "ends", "luck", "draw_luck")


def replace_record(db: sqlite3.Connection, number: int, record: bytes) -> None:
    """Write another record of a game, with its checksum. Must run in a transaction."""
    [result] = db.execute("select result from games where id = ?", (number,)).fetchone()
    logs = db.execute("select seat, errors, wire from logs where game = ? order by seat", (number,)).fetchall()
    checksum = compute_checksum(number, result, record, logs)
    db.execute("update games set record = ?, checksum = ? where id = ?", (record, checksum, number))


def drop_logs(db: sqlite3.Connection, logs: Sequence[tuple[int, int]]) -> None:
    """Remove logs by game and seat, with new checksums of their games. Must run in a transaction."""
    db.executemany("delete from logs where game = ? and seat = ?", logs)
    for number in dict.fromkeys(game for game, _ in logs):
        for (record,) in db.execute("select record from games where id = ? and checksum is not null", (number,)):
            replace_record(db, number, record)


class StoredRounds:
    """The recorded rounds of a store, and its checkpoint."""

    def __init__(self, file: StoreFile) -> None:
        self._file = file

    def add(self, rounds: Iterable[RecordedRound]) -> None:
        """Write rounds, before their games; durable on return."""
        with self._file.writing():
            self._create_tables()
            self._file.db.executemany("insert into rounds values (?, ?, ?, ?, ?, ?)", map(_pack_round, rounds))

    def read(self, after: int = 0) -> Iterator[RecordedRound]:
        """Yield the rounds after a number."""
        if not self._file.has_table("rounds"):
            return
        while True:
            with self._file.reading():  # a cursor that stays open would be in the way of who writes
                rows = self._file.db.execute(
                    "select * from rounds where number > ? order by number limit ?", (after, ROUNDS_AT_ONCE)
                ).fetchall()
                opened = [_unpack_round(row) for row in rows]
            yield from opened
            if not opened:
                return
            after = opened[-1].number

    def last_number(self) -> int:
        """Return the number of the last round; 0 if there is none."""
        if not self._file.has_table("rounds"):
            return 0
        [(last,)] = self._file.select("select coalesce(max(number), 0) from rounds")
        return int(last)

    def write_checkpoint(self, head: bytes, parts: Mapping[int, bytes]) -> None:
        """Keep where the tournament is: a head, and those of the parts, numbered from 1, that are new or have changed.

        Durable on return.
        """
        with self._file.writing():
            self._create_tables()
            self._file.db.executemany("insert or replace into checkpoint values (?, ?)", [(0, head), *parts.items()])

    def list_checkpoint_parts(self) -> list[bytes]:
        """Return the head and the parts of what was kept; nothing if nothing is."""
        if not self._file.has_table("checkpoint"):
            return []
        return [bytes(row[0]) for row in self._file.select("select content from checkpoint order by part")]

    def _create_tables(self) -> None:
        for statement in schema.OVERLAP_TABLES:
            self._file.db.execute(statement)


def _pack_round(opened: RecordedRound) -> tuple[object, ...]:
    lists = (opened.tables, opened.still_open, opened.out)
    packed = [msgspec.json.encode(one).decode() for one in lists]
    return (opened.number, opened.first_game, opened.deals, *packed)


def _unpack_round(row: Sequence[Any]) -> RecordedRound:
    number, first_game, deals, *lists = row
    plain = (number, first_game, deals, *map(msgspec.json.decode, lists))
    return msgspec.convert(dict(zip(RecordedRound.__struct_fields__, plain, strict=True)), RecordedRound)
