"""Rounds that overlap, as they were opened, and where the tournament was at some moment: two tables of a store.

They are made with the first round. A tournament whose rounds follow one another has neither.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from pitboss_tournament.store.rows import RecordedRound
from pitboss_tournament.store.schema import OVERLAP_TABLES
from pitboss_tournament.store.store_file import StoreFile

ROUNDS_AT_ONCE: Final = 256  # that are read


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
        for statement in OVERLAP_TABLES:
            self._file.db.execute(statement)


def _pack_round(opened: RecordedRound) -> tuple[object, ...]:
    lists = (opened.tables, opened.still_open, opened.out)
    packed = [msgspec.json.encode(one).decode() for one in lists]
    return (opened.number, opened.first_game, opened.deals, *packed)


def _unpack_round(row: Sequence[Any]) -> RecordedRound:
    number, first_game, deals, *lists = row
    plain = (number, first_game, deals, *map(msgspec.json.decode, lists))
    return msgspec.convert(dict(zip(RecordedRound.__struct_fields__, plain, strict=True)), RecordedRound)
