"""What was computed from the games of a store, kept so that it need not be computed again.

Luck stays as long as its game. Standings, and what a report tells beside them, are forgotten by triggers when a game
changes or the header does, whoever changes them. The tables are made when something is first kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from pitboss.records.luck_features import FEATURES
from pitboss_tournament.statistics.scoring import Points
from pitboss_tournament.store.schema import KEPT_STANDINGS, LUCK_TABLE
from pitboss_tournament.store.store_file import StoreFile
from pitboss_tournament.store.table_checksums import seal

STANDINGS_ROW: Final = 1  # of the table `kept_standings`
REPORT_ROW: Final = 2
FEATURE_NAMES: Final = " ".join(FEATURES)  # beside the luck: an earlier Pitboss may have measured others


class KeptResults:
    """Luck, standings and a report's figures in a store."""

    def __init__(self, file: StoreFile, seats: int) -> None:
        self._file = file
        self._seats = seats

    def add_luck(self, luck: Iterable[tuple[int, Sequence[Sequence[float]]]]) -> None:
        """Keep the luck of the draw in some games, by seat and feature (`pitboss.records.luck`); durable on return."""
        rows = [(number, FEATURE_NAMES, msgspec.json.encode(seats).decode()) for number, seats in luck]
        with self._file.writing():
            self._file.db.execute(LUCK_TABLE)
            self._file.db.executemany("insert or replace into draw_luck values (?, ?, ?)", rows)
            seal(self._file.db, "draw_luck")

    def luck(self) -> dict[int, list[list[float]]]:
        """Return the luck of the draw by game, seat and feature, of the games for which these features are kept."""
        if not self._file.has_table("draw_luck"):
            return {}
        of_seat = Annotated[list[Points], Meta(min_length=len(FEATURES), max_length=len(FEATURES))]
        each = Annotated[list[of_seat], Meta(min_length=self._seats, max_length=self._seats)]
        decode = msgspec.json.Decoder(each).decode
        with self._file.reading():
            rows = self._file.select("select game, seats from draw_luck where features = ?", FEATURE_NAMES)
            return {number: decode(luck) for number, luck in rows}

    def write_standings(self, standings: bytes, report: bytes | None = None) -> None:
        """Keep standings, and what a report tells beside them, encoded, until a game or the header changes."""
        rows = [(STANDINGS_ROW, standings), *([] if report is None else [(REPORT_ROW, report)])]
        with self._file.writing():
            for statement in KEPT_STANDINGS:
                self._file.db.execute(statement)
            self._file.db.execute("delete from kept_standings")
            self._file.db.executemany("insert into kept_standings (rowid, standings) values (?, ?)", rows)

    def standings(self) -> bytes | None:
        """Return the standings that were kept, encoded; None if there are none."""
        return self._read_row(STANDINGS_ROW)

    def report(self) -> bytes | None:
        """Return what was kept for a report, encoded; None if there is nothing."""
        return self._read_row(REPORT_ROW)

    def _read_row(self, number: int) -> bytes | None:
        if not self._file.has_table("kept_standings"):
            return None
        rows = self._file.select("select standings from kept_standings where rowid = ?", number)
        return next((bytes(row[0]) for row in rows), None)
