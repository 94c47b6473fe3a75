"""The schema: older stores become today's by steps, and nothing else is touched."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from pitboss.errors import ConfigError
from pitboss_tournament.store import schema
from pitboss_tournament.store.database import StoreError, transaction
from pitboss_tournament.store.header import Header
from pitboss_tournament.store.rows import TournamentEnd
from pitboss_tournament.store.store import Store
from tests.tournament.stored_games import make_stored_game, take_back_complete_ends, take_back_entries

TWO_STEPS = {
    1: ("create table a (x)", "insert into a values (1)"),
    2: ("alter table a add column y", "update a set y = x + 1"),
}


def make_older_store(path: Path, header: Header) -> Path:
    """Make a store with a game as a Pitboss of schema 2 made it: without checksums, and runs are not written down."""
    store = Store.for_run(path, header)
    store.add([make_stored_game(0)])
    store.close()
    take_back_entries(path)
    with closing(sqlite3.connect(path)) as db:
        db.executescript(
            "drop table checksums; drop table runs; drop table ends; drop table run_ends; "
            "alter table games drop column checksum; pragma user_version = 2; vacuum;"
        )
    return path


def test_steps_are_taken_one_after_the_other() -> None:
    """A store goes through all migrations after its version.

    All of them from the first version, only the last from the second, none from the third.
    """
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        db.execute("pragma user_version = 1")
        assert schema.needs_migration(db, Path("x"), TWO_STEPS)
        schema.migrate(db, TWO_STEPS)

        assert db.execute("select x, y from a").fetchall() == [(1, 2)]
        assert not schema.needs_migration(db, Path("x"), TWO_STEPS)
        schema.migrate(db, TWO_STEPS)
        assert db.execute("select x, y from a").fetchall() == [(1, 2)]


def test_a_step_that_fails_leaves_the_store_as_it_was() -> None:
    """A step that fails leaves the store as it was: all steps or none are taken, the version with them."""
    broken = {**TWO_STEPS, 2: ("alter table a add column y", "no such statement")}
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        db.execute("pragma user_version = 1")
        with pytest.raises(sqlite3.OperationalError), transaction(db):
            schema.migrate(db, broken)

        assert db.execute("pragma user_version").fetchone() == (1,)
        assert db.execute("select name from sqlite_master").fetchall() == []


def test_the_tables_of_a_new_store_are_those_after_all_steps(tmp_path: Path, header: Header) -> None:
    """Two stores, made new or brought up to date, have the same tables."""
    Store.for_run(tmp_path / "new.pitboss", header).close()
    Store.for_run(make_older_store(tmp_path / "old.pitboss", header), header).close()

    found = []
    for name in ("new", "old"):
        with closing(sqlite3.connect(tmp_path / f"{name}.pitboss")) as db:
            found.append(
                (
                    sorted(db.execute("select name, sql from sqlite_master")),
                    db.execute("pragma user_version").fetchone(),
                )
            )
    assert found[0] == found[1]
    assert found[0][1] == (schema.latest_version(schema.MIGRATIONS),)


def test_who_only_reads_an_older_store_changes_nothing(tmp_path: Path, header: Header) -> None:
    """An older store answers its readers all that a store of today does; the file stays as it is, byte for byte."""
    path = make_older_store(tmp_path / "x.pitboss", header)
    before = path.read_bytes()

    store = Store(path)
    assert (store.count_games(), store.runs(), store.end_reason()) == (1, [], None)
    assert (store.run_ends(), list(store.changed_games())) == ([], [])
    store.close()
    assert before == path.read_bytes()


def test_a_run_brings_an_older_store_up_to_date(tmp_path: Path, header: Header) -> None:
    """A run keeps the games of an older store, and writes its own beginning down."""
    store = Store.for_run(make_older_store(tmp_path / "x.pitboss", header), header)
    store.begin_run(1, 4)

    assert list(store.game_ids()) == [0]
    [run] = store.runs()
    assert (run.played, run.total, run.pitboss) == (1, 4, "0.1")


@pytest.mark.parametrize(("version", "sentence"), [(99, "made by a newer Pitboss"), (1, "not a store of this Pitboss")])
def test_versions_that_are_not_known(tmp_path: Path, header: Header, version: int, sentence: str) -> None:
    """An unknown version, of a newer store or from before the first version with a migration, is refused to readers and
    runs, and not touched.
    """
    path = make_older_store(tmp_path / "x.pitboss", header)
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"pragma user_version = {version}")
    before = path.read_bytes()

    with pytest.raises(ConfigError, match=sentence):
        Store(path)
    with pytest.raises(ConfigError, match=sentence):
        Store.for_run(path, header)
    assert before == path.read_bytes()
    assert not list(tmp_path.glob("*-wal"))


def test_an_older_store_that_is_played_by_another_run(tmp_path: Path, header: Header) -> None:
    """The second run is refused before it changes anything; a reader sees what the first writes."""
    path = tmp_path / "x.pitboss"
    first = Store.for_run(path, header)
    with pytest.raises(ConfigError, match="another run is playing"):
        Store.for_run(path, header)
    reader = Store(path)
    for number in range(3):
        first.add([make_stored_game(number)])

        assert list(reader.game_ids()) == list(range(number + 1))


def test_a_reader_in_the_middle_holds_nobody_up(tmp_path: Path, header: Header) -> None:
    """A reader in the middle still reads what there was when it began, while a run goes on writing."""
    store = Store.for_run(tmp_path / "x.pitboss", header)
    store.add([make_stored_game(number) for number in range(3)])
    reading = Store(tmp_path / "x.pitboss").results()
    next(reading)
    store.add([make_stored_game(3)])

    assert [result.game_id for result in reading] == [1, 2]
    assert store.count_games() == 4


def test_what_is_written_to_a_reader_is_refused(tmp_path: Path, header: Header) -> None:
    """An older store is read from a copy: nothing that is written there is lost without a word."""
    store = Store(make_older_store(tmp_path / "x.pitboss", header))

    with pytest.raises(StoreError, match="cannot be written"):
        store.add([make_stored_game(1)])


@pytest.mark.parametrize(
    ("statements", "end", "broken"),
    [
        ((), None, []),
        (("round-robin: a, b",), TournamentEnd("round-robin: a, b", is_complete=True), []),
        (("a is better than b.",), TournamentEnd("a is better than b.", is_complete=False), []),
        (("swiss: a, b",), TournamentEnd("swiss: a, b", is_complete=False), []),  # the format of this store is another
        (("a is better.", "round-robin: b, a"), TournamentEnd("round-robin: b, a", is_complete=True), []),
        (("round-robin: a, b", ""), TournamentEnd("round-robin: b", is_complete=True), ["ends"]),
    ],
    ids=["none", "complete", "decided", "another format", "the last counts", "a broken seal"],
)
def test_ends_of_schema_8(
    tmp_path: Path, header: Header, statements: Sequence[str], end: TournamentEnd | None, broken: list[str]
) -> None:
    """The migration marks ends that begin with the name of the format; a seal that was broken stays broken.

    An empty text stands for a change by hand.
    """
    path = tmp_path / "x.pitboss"
    with closing(Store.for_run(path, header)) as store:
        for why in filter(None, statements):
            store.record_end(TournamentEnd(why, is_complete=False))
    take_back_complete_ends(path)
    if "" in statements:
        with closing(sqlite3.connect(path)) as db:
            db.execute("update ends set why = 'round-robin: b'")
            db.commit()

    with closing(Store(path)) as read:
        assert (read.find_end(), list(read.changed_tables())) == (end, broken)
    with closing(Store.for_run(path, header)) as written:
        assert (written.find_end(), list(written.changed_tables())) == (end, broken)
