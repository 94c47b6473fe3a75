"""Names in the store of a tournament: bots and owners are called otherwise in its entries, games and logs.

The seeds of deals, from which the cards follow, call a bot what it was called first: that stays. A game's record names
the bots at its table, the dictionary with which records are packed the first bots of the store,
and logs what a bot was told of the others. What is changed gets its checksums again, so that `pitboss integrity` finds
a store that is whole.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pitboss.records.record import Record
from pitboss_tournament.plan.plan import BotAbout, name_version
from pitboss_tournament.processes.logs import compress_text, decompress_text
from pitboss_tournament.statistics.scoring import WITHOUT_TIMES
from pitboss_tournament.store.database import open_database, transaction, translate_errors
from pitboss_tournament.store.record_packing import RecordPacker
from pitboss_tournament.store.redaction import Redaction
from pitboss_tournament.store.schema import has_table, migrate_file
from pitboss_tournament.store.store import replace_record
from pitboss_tournament.store.store_lock import acquire_lock
from pitboss_tournament.store.table_checksums import seal

FREE_TEXTS: Final = {"voids": "message", "ends": "why", "entries": "why"}  # sealed tables, and their columns


class StoredName(Struct, frozen=True):
    """What names an entry of a store."""

    bot: str
    owner: str
    is_person: bool


class Renaming(Struct, frozen=True):
    """How entries are called from now on, and what is put in the place of names in texts; None: texts stay."""

    rename: Callable[[StoredName], StoredName]
    redaction: Redaction | None = None


@contextmanager
def open_for_names(path: Path) -> Iterator[sqlite3.Connection]:
    """Context manager: a store that no run has, in one transaction; afterwards nothing deleted is left in its file.

    Raises:
        ConfigError: a run has it.
        StoreError: it cannot be read or written.
    """
    lock = acquire_lock(path)
    try:
        with translate_errors(path, "written"), closing(open_database(path, for_writing=True)) as db:
            if has_table(db, "tournament"):
                migrate_file(path)
            db.execute("pragma secure_delete = on")
            with transaction(db):
                yield db
            db.execute("vacuum")
            db.execute("pragma wal_checkpoint(truncate)")
    finally:
        os.close(lock)  # not before: SQLite's own locks on the file would go with it


def rename_entries(db: sqlite3.Connection, renaming: Renaming) -> None:
    """Call the entries of a store otherwise, and the bots in its games. Must run in a transaction."""
    changed = dict[int, tuple[str, str]]()  # of entries: the names of their versions, before and after
    redaction = renaming.redaction
    for number, bot, version, about, command in db.execute(
        "select number, name, version, about, command from entries order by number"
    ).fetchall():
        said = msgspec.json.decode(about, type=BotAbout)
        was = StoredName(bot, said.owner, command == "[]")
        now = renaming.rename(was)
        if now != was:
            changed[number] = (name_version(bot, version), name_version(now.bot, version))
            dealt_as = said.dealt_as or (name_version(bot, version) if now.bot != bot else "")
            author = None if redaction is not None else said.author
            said = replace(said, owner=now.owner, dealt_as=dealt_as, author=author)
            db.execute(
                "update entries set name = ?, about = ? where number = ?",
                (now.bot, msgspec.json.encode(said).decode(), number),
            )
    if not changed:
        return
    if redaction is not None:
        _redact_texts(db, redaction)
    labels = {before: after for before, after in changed.values() if before != after}
    _rewrite_games(db, set(changed), labels, redaction)
    for table in ("kept_standings", "checkpoint"):  # the games are counted again
        if has_table(db, table):
            db.execute(f"delete from {table}")
    if has_table(db, "model_calls"):
        db.executemany("update model_calls set bot = ? where bot = ?", [(now, was) for was, now in labels.items()])
    seal(db, "entries")


def _redact_texts(db: sqlite3.Connection, redaction: Redaction) -> None:
    db.create_function("redact", 1, redaction.redact, deterministic=True)
    for table, column in FREE_TEXTS.items():
        db.execute(f"update {table} set {column} = redact({column}) where {column} is not null")
    seal(db, *FREE_TEXTS)


def _rewrite_games(
    db: sqlite3.Connection, entries: set[int], labels: Mapping[str, str], redaction: Redaction | None
) -> None:
    """Write the games again in which some entries sat, or all, if the first names of the store are to go."""
    [[dictionary]] = db.execute("select bytes from dictionary").fetchall()
    was = now = RecordPacker(dictionary)
    words = Redaction({**labels})
    told = dictionary.decode("utf-8", "replace")
    if redaction is not None and (words.is_named_in(told) or redaction.is_named_in(told)):
        now = RecordPacker(redaction.redact_bytes(words.redact_bytes(dictionary)))
        db.execute("update dictionary set bytes = ?", (now.dictionary,))
        seal(db, "dictionary")
    decode = msgspec.json.Decoder(WITHOUT_TIMES).decode
    for [number] in db.execute("select id from games order by id").fetchall():
        result, stored = db.execute("select result, record from games where id = ?", (number,)).fetchone()
        own = [seat for seat, one in enumerate(decode(result).seats) if one.entrant in entries]
        if not own and now is was:
            continue
        record = was.unpack(stored)
        if own:
            record = replace(record, players=[labels.get(name, name) for name in record.players])
            if redaction is not None:
                record = _redact_record(record, redaction)
                _redact_logs(db, number, own, redaction)
        replace_record(db, number, now.pack(record))


def _redact_record(record: Record, redaction: Redaction) -> Record:
    """Return a record in whose notes and faults other names stand."""

    def redact(text: str) -> str:
        return redaction.redact(text)

    return replace(
        record,
        decisions=[one if one.note is None else replace(one, note=redact(one.note)) for one in record.decisions],
        incidents=[
            replace(
                one,
                fault=replace(one.fault, message=redact(one.fault.message)),
                exchange=[*map(redact, one.exchange)],
                last_words=redact(one.last_words),
            )
            for one in record.incidents
        ],
    )


def _redact_logs(db: sqlite3.Connection, game: int, own: list[int], redaction: Redaction) -> None:
    """Remove what some bots wrote to standard error in a game, and put other names into what all seats were told."""
    for seat, errors, wire in db.execute("select seat, errors, wire from logs where game = ?", (game,)).fetchall():
        kept = b"" if seat in own else compress_text(redaction.redact_bytes(decompress_text(errors)))
        told = compress_text(redaction.redact_bytes(decompress_text(wire)))
        db.execute("update logs set errors = ?, wire = ? where game = ? and seat = ?", (kept, told, game, seat))
