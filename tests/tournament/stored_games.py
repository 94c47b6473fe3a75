"""Games to put into a store by hand."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from pitboss import Outcome
from pitboss.protocol.faults import Fault
from pitboss.records.record import Decision, Incident, Record, dumps
from pitboss_tournament.processes.logs import SeatLog, compress_text
from pitboss_tournament.statistics.scoring import GameResult, SeatResult
from pitboss_tournament.store.header import Header, OwnSettings, make_header
from pitboss_tournament.store.store import Store
from pitboss_tournament.store.table_checksums import seal
from tests.tournament.small_tournaments import make_plan, zoo_entrant


def make_test_header(folder: Path) -> Header:
    """Return the header of a small tournament."""
    return make_header(make_plan(folder / "x.pitboss", zoo_entrant("good", "a"), zoo_entrant("good", "b")), "1", "0.1")


def with_own_settings(header: Header, bot: int, own: OwnSettings) -> Header:
    """Return a header in which a bot has settings of its own."""
    entries = [replace(entry, own=own) if number == bot else entry for number, entry in enumerate(header.entries)]
    return replace(header, entries=entries)


def take_back_entries(path: Path) -> None:
    """Make schema 6 of a store: the bots are words of the header, and no dictionary is kept."""
    with closing(Store(path)) as store:
        header = store.header
    earlier = {
        **msgspec.to_builtins(header.row),
        "bots": header.bots,
        "commands": [entry.command for entry in header.entries],
        "limits": msgspec.to_builtins([entry.limits for entry in header.entries]),
        "contents": [entry.contents for entry in header.entries],
    }
    del earlier["lexicographic"]
    with closing(sqlite3.connect(path)) as db:
        db.execute("update tournament set header = ?", (msgspec.json.encode(earlier).decode(),))
        seal(db, "tournament")
        db.commit()
    take_back_complete_ends(path)
    with closing(sqlite3.connect(path)) as db:
        db.executescript(
            "drop table entries; drop table rosters; drop table dictionary; pragma user_version = 6; vacuum;"
        )


def take_back_complete_ends(path: Path) -> None:
    """Make schema 8 of a store: an end is complete if it begins with the name of the format."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("alter table ends drop column is_complete")
        seal(db, "ends")
        db.execute("pragma user_version = 8")
        db.commit()


class StoredGame(NamedTuple):
    """A game to store."""

    result: GameResult
    record: bytes
    logs: Sequence[SeatLog] = ()


def make_stored_game(number: int, seed: str = "s", logs: Sequence[SeatLog] = ()) -> StoredGame:
    """Return a game to store."""
    seats = (
        SeatResult(0, 5.0, 1, 1.0, None, {"late": 1}, 1, 10, {27: 1}),
        SeatResult(1, 4.0, 2, 0.0, None, {}, 1, 10, {}),
    )
    return StoredGame(
        GameResult(number, 0, number, 0, seats, {0: 3, 40: 1}), compress_text(dumps(make_record(number, seed))), logs
    )


def make_record(number: int, seed: str = "s") -> Record:
    """Return the record of that game."""
    fault = Fault(kind="late", seat=0, decision=1, message="it slept", clock="game", verdict="substitute")
    return Record(
        game="magpie",
        game_version="1",
        options={},
        seed=f"{seed}/{number}",
        players=["a", "b"],
        decisions=[Decision(seat=0, action={"do": "draw"}, us=number, note="ä")],
        outcome=Outcome((5.0, 4.0), (1, 2), ((0,), (1,))),
        incidents=[Incident(fault=fault, exchange=["> x", "< y"], last_words="\x1b", us=7)],
    )


def make_log(seat: int, said: bytes = b"") -> SeatLog:
    """Return a log in which something was said."""
    return SeatLog(seat, compress_text(b"\xff errors"), compress_text(said))
