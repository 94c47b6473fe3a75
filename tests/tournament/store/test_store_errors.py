"""The store in trouble: files that are none, damage, a full disk, a run that is killed."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss_tournament.processes.logs import SeatLog
from pitboss_tournament.store.database import StoreError
from pitboss_tournament.store.header import Header
from pitboss_tournament.store.store import Store
from tests.tournament.command_line import COMMAND
from tests.tournament.stored_games import make_log, make_record, make_stored_game


def test_files_that_are_no_stores(tmp_path: Path, header: Header) -> None:
    """Missing files, text files, other databases and future stores each get a sentence, and stay untouched."""
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


def test_a_folder_is_no_store(tmp_path: Path) -> None:
    """The error about a folder in place of a store says what is there."""
    with pytest.raises(ConfigError, match="this is not a file; a store is one"):
        Store(tmp_path)


def test_a_number_that_is_too_large_for_sqlite(tmp_path: Path, header: Header) -> None:
    """A number that is too large for SQLite is the number of no game."""
    with (
        closing(Store.for_run(tmp_path / "x.pitboss", header)) as store,
        pytest.raises(ConfigError, match="no game 1000"),
    ):
        store.record(10**30)


def test_a_tournament_file_is_no_store(tmp_path: Path) -> None:
    """The error about a tournament file in place of a store says what it is, and where its games are."""
    file = tmp_path / "friday.toml"
    file.write_text('game = "magpie"')

    with pytest.raises(ConfigError, match=r"this is a tournament file; its games are in a store, .*/friday\.pitboss"):
        Store(file)


def test_another_programs_database_is_left_as_it_is(tmp_path: Path, header: Header) -> None:
    """Another program's database is refused, and not a byte of it changes."""
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
    """A record that was damaged cannot be read, and the store says so, whatever the damage."""
    path = tmp_path / "x.pitboss"
    Store.for_run(path, header).close()
    with closing(sqlite3.connect(path)) as db:
        db.execute("insert into games (id, result, record) values (0, '[]', x'00')")
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


ADDS_FOR_EVER = """
import sys
from pathlib import Path
from pitboss_tournament.store.store import Store
from tests.tournament.stored_games import make_log, make_stored_game
store = Store(Path(sys.argv[1]))
for number in range(10**9):
    store.add([make_stored_game(number, logs=[make_log(0, b"x" * 50_000), make_log(1)])])
    print(number, flush=True)
"""


@pytest.mark.once
def test_a_run_that_is_killed_loses_nothing_that_it_has_said_to_be_written(tmp_path: Path, header: Header) -> None:
    """A game that `add` had returned from is there with its logs after kill -9, and no other game is there in part."""
    path = tmp_path / "x.pitboss"
    Store.for_run(path, header).close()
    with subprocess.Popen(
        [sys.executable, "-c", ADDS_FOR_EVER, str(path)], stdout=subprocess.PIPE, text=True
    ) as adding:
        assert adding.stdout
        said = [int(adding.stdout.readline()) for _ in range(20)]
        adding.send_signal(signal.SIGKILL)
        said += [int(line) for line in adding.stdout]

    store = Store(path)
    there = list(store.game_ids())
    assert there[: len(said)] == said
    assert len(there) <= len(said) + 1
    assert {len(store.logs(number)) for number in there} == {2}
    assert [store.record(number) for number in there] == [make_record(number) for number in there]


FILLS_THE_DISK = """
import sys
from pathlib import Path
from pitboss_tournament.store.database import StoreError
from pitboss_tournament.store.store import Store
from tests.tournament.stored_games import make_log, make_stored_game
store, number = Store(Path(sys.argv[1])), 0
try:
    for number in range(1000):
        store.add([make_stored_game(number, logs=[make_log(0, bytes(i * number % 251 for i in range(20_000)))])])
except StoreError as wrong:
    print(number, wrong)
"""


@pytest.mark.once
def test_a_full_disk(tmp_path: Path, header: Header) -> None:
    """The batch that did not fit is refused with a sentence, and those before it can be read, on the full disk too."""
    path = tmp_path / "x.pitboss"
    Store.for_run(path, header).close()
    limited = ["bash", "-c", 'ulimit -f 200; exec "$@"', "bash"]
    ran = subprocess.run(
        [*limited, sys.executable, "-c", FILLS_THE_DISK, str(path)], capture_output=True, text=True, check=True
    )
    number, _, sentence = ran.stdout.strip().partition(" ")

    safe = f"{number} games in it are safe: make room, and repeat the command"
    assert sentence == f"{path}: cannot be written: disk I/O error (is the disk full?); {safe}"
    assert list(range(int(number))) == list(Store(path).game_ids())
    shown = subprocess.run(
        [*limited[:2], limited[2].replace("200", "8"), "bash", *COMMAND, "standings", str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert f"{number} games played" in shown.stdout, shown.stderr


def test_a_log_that_was_damaged(tmp_path: Path, header: Header) -> None:
    """A log that was damaged cannot be read, and the store says so."""
    store = Store.for_run(tmp_path / "x.pitboss", header)
    store.add([make_stored_game(0, logs=[SeatLog(0, b"no deflate", b"")])])

    with pytest.raises(StoreError, match="cannot be read"):
        store.logs(0)


def test_a_batch_is_written_whole_or_not_at_all(tmp_path: Path, header: Header) -> None:
    """A batch of which one row cannot be written writes no game, nor any log; and the store goes on."""
    store = Store.for_run(tmp_path / "x.pitboss", header)
    broken = make_stored_game(3)._replace(result=replace(make_stored_game(3).result, game_id="no number"))
    with pytest.raises(StoreError, match=r"x.pitboss: cannot be written"):
        store.add([make_stored_game(1, logs=[make_log(0)]), broken])

    assert store.count_games() == 0
    assert list(store.all_logs()) == []
    store.add([make_stored_game(1)])
    assert store.count_games() == 1


def test_a_file_whose_damage_cannot_be_told(tmp_path: Path) -> None:
    """SQLite names a damaged object in its message, in bytes that are no text; nothing stays open."""
    path = tmp_path / "x.pitboss"
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("create table first_table (x)")
    path.write_bytes(path.read_bytes().replace(b"first_table", b"first\xff\xfetab", 1))
    with pytest.raises(StoreError, match="cannot be opened as a store"):
        Store(path)

    assert os.fspath(path) not in {os.path.realpath(link) for link in Path("/proc/self/fd").iterdir()}
