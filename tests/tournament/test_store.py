"""The store: rows that stay, and a tournament that cannot be mistaken for another."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from pitboss import Outcome
from pitboss.errors import ConfigError
from pitboss.record import Decision, Record
from pitboss_tournament.scoring import GameResult, SeatResult
from pitboss_tournament.store import Header, Store, StoreError, header_of

from .plans import entrant, plan


@pytest.fixture
def header(tmp_path: Path) -> Header:
    """Return the header of a small tournament."""
    return header_of(plan(tmp_path / "x.pitboss", entrant("good", "a"), entrant("good", "b")), "1", "0.1")


def finished(number: int) -> tuple[GameResult, Record]:
    """Return a game to store."""
    seats = (SeatResult(0, 5.0, 1, 1.0, None, 1, 10), SeatResult(1, 4.0, 2, 0.0, None, 1, 10))
    outcome = Outcome((5.0, 4.0), (1, 2), ((0,), (1,)))
    decisions = [Decision(seat=0, action={"do": "draw"}, us=number, note="ä")]
    record = Record(
        game="racko", game_version="1", options={}, seed=f"s/{number}", players=["a", "b"], decisions=decisions, outcome=outcome
    )
    return GameResult(number, 0, number, 0, seats), record


def test_what_is_added_is_there_again_after_reopening(tmp_path: Path, header: Header) -> None:
    """Records, results and the header come back as they were."""
    store = Store.for_run(tmp_path / "x.pitboss", header)
    store.add([finished(4), finished(2)])
    store.close()

    again = Store(tmp_path / "x.pitboss")
    assert again.header == header
    assert [2, 4] == list(again.ids())
    assert [finished(2)[0], finished(4)[0]] == list(again.results())
    assert [(2, finished(2)[1]), (4, finished(4)[1])] == list(again.records())
    assert finished(4)[1] == again.record(4)
    assert again.count() == 2


def test_a_game_added_twice_stays_as_it_was(tmp_path: Path, header: Header) -> None:
    """Work that is done again does no harm."""
    store = Store.for_run(tmp_path / "x.pitboss", header)
    store.add([finished(1)])
    store.add([(finished(1)[0], replace(finished(1)[1], seed="other"))])

    assert store.record(1).seed == "s/1"


def test_a_batch_is_written_whole_or_not_at_all(tmp_path: Path, header: Header) -> None:
    """If one row of a batch cannot be written, none is."""
    store = Store.for_run(tmp_path / "x.pitboss", header)
    broken = replace(finished(3)[0], game_id="no number")
    with pytest.raises(StoreError, match=r"x.pitboss: cannot be written"):
        store.add([finished(1), (broken, finished(3)[1])])

    assert store.count() == 0


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"seed": "other"}, "seed was 'test', is 'other'"),
        ({"bots": ["a", "c"]}, "bots was"),
        ({"game_version": "2"}, "game_version was '1', is '2'"),
        ({"options": {"target": 5}}, "options was"),
    ],
)
def test_another_tournament_is_refused(tmp_path: Path, header: Header, changes: dict[str, object], named: str) -> None:
    """A store is not taken for a tournament that differs, and the sentence says in what."""
    Store.for_run(tmp_path / "x.pitboss", header).close()

    with pytest.raises(ConfigError, match=r"another tournament") as refused:
        Store.for_run(tmp_path / "x.pitboss", replace(header, **changes))
    assert named in str(refused.value)


def test_a_longer_run_of_the_same_tournament_is_accepted(tmp_path: Path, header: Header) -> None:
    """More deals and another limit of faults may be asked for later."""
    Store.for_run(tmp_path / "x.pitboss", header).close()
    Store.for_run(tmp_path / "x.pitboss", replace(header, deals=99, fault_limit=3)).close()

    assert Store(tmp_path / "x.pitboss").header.deals == 99


def test_files_that_are_no_stores(tmp_path: Path, header: Header) -> None:
    """A missing file, a text file, another program's database and a future store each get a sentence, and stay untouched."""
    with pytest.raises(ConfigError, match="there is no such file"):
        Store(tmp_path / "missing")
    text = tmp_path / "text"
    text.write_text("hello, I am not a database, not at all; " * 100)
    with pytest.raises(StoreError, match="not a database"):
        Store.for_run(text, header)
    other = sqlite3.connect(tmp_path / "other")
    other.execute("create table t (x)")
    other.close()
    with pytest.raises(ConfigError, match="not a store of this Pitboss"):
        Store.for_run(tmp_path / "other", header)

    assert text.read_text().startswith("hello")


def test_a_game_that_is_not_there(tmp_path: Path, header: Header) -> None:
    """The sentence says which games there are."""
    store = Store.for_run(tmp_path / "x.pitboss", header)
    with pytest.raises(ConfigError, match="no game 7; it holds no game yet"):
        store.record(7)
    store.add([finished(1), finished(4)])
    with pytest.raises(ConfigError, match="no game 7; its games are numbered 1 to 4"):
        store.record(7)


def test_the_header_survives_json(header: Header) -> None:
    """What is compared at a resume is what was written."""
    assert header == msgspec.json.decode(msgspec.json.encode(header), type=Header)


def test_a_folder_is_no_store(tmp_path: Path) -> None:
    """The sentence says what is there."""
    with pytest.raises(ConfigError, match="this is not a file; a store is one"):
        Store(tmp_path)


def test_another_programs_database_is_left_as_it_is(tmp_path: Path, header: Header) -> None:
    """It is refused, and not a byte of it changes."""
    path = tmp_path / "theirs.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.execute("create table theirs (x)")
    before = path.read_bytes()

    with pytest.raises(ConfigError, match="not a store of this Pitboss"):
        Store.for_run(path, header)
    assert before == path.read_bytes()


def test_a_store_that_was_cut_off(tmp_path: Path, header: Header) -> None:
    """A damaged file is named, in one line."""
    path = tmp_path / "x.pitboss"
    Store.for_run(path, header).close()
    path.write_bytes(path.read_bytes()[:5000])

    with pytest.raises(StoreError, match=r"x\.pitboss: cannot be .*malformed"):
        Store(path)


def test_a_record_that_was_damaged(tmp_path: Path, header: Header) -> None:
    """The store says that it cannot be read, whatever the damage."""
    path = tmp_path / "x.pitboss"
    Store.for_run(path, header).close()
    with closing(sqlite3.connect(path)) as db:
        db.execute("insert into games values (0, '[]', x'00')")
        db.commit()

    store = Store(path)
    with pytest.raises(StoreError, match="cannot be read"):
        store.record(0)
    with pytest.raises(StoreError, match="cannot be read"):
        list(store.results())


def test_a_store_in_a_folder_that_cannot_be_written(tmp_path: Path, header: Header) -> None:
    """An archived store can be read; to carry on with it is refused."""
    path = tmp_path / "archive" / "x.pitboss"
    path.parent.mkdir()
    Store.for_run(path, header).close()
    path.parent.chmod(0o555)
    try:
        if os.access(path.parent, os.W_OK):
            pytest.skip("for this user every folder can be written (root)")

        assert header == Store(path).header
        with pytest.raises(StoreError, match="readonly"):
            Store.for_run(path, header)
    finally:
        path.parent.chmod(0o755)
