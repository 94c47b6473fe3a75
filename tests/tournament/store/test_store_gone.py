"""A store that is deleted, moved, replaced or cut while its tournament runs: the run stops, and says so."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from pitboss_tournament.store.database import StoreError
from pitboss_tournament.store.store import Store
from tests.marks import first_rows
from tests.tournament.command_line import COMMAND
from tests.tournament.run_processes import wait_for
from tests.tournament.small_tournaments import BOT_TESTS
from tests.tournament.stored_games import make_stored_game, make_test_header

GOOD = f"{sys.executable} -S {BOT_TESTS / 'zoo' / 'good.py'}"


def delete_folder(path: Path) -> None:
    """Delete the folder of the store."""
    shutil.rmtree(path.parent)


def delete_file(path: Path) -> None:
    """Delete the file alone."""
    path.unlink()


def move_folder(path: Path) -> None:
    """Give the folder another name."""
    path.parent.rename(path.parent.with_name("elsewhere"))


def replace_file(path: Path) -> None:
    """Put a copy in the place of the file."""
    shutil.copy(path, path.with_suffix(".copy"))
    path.with_suffix(".copy").replace(path)


LOSSES = [delete_folder, delete_file, move_folder, replace_file]


@pytest.mark.parametrize("lose", LOSSES)
def test_games_for_a_store_that_is_gone(tmp_path: Path, lose: Callable[[Path], None]) -> None:
    """Games for a store that is gone are refused, and so is a look at the file; no new file is made."""
    path = tmp_path / "folder" / "x.pitboss"
    path.parent.mkdir()
    store = Store.for_run(path, make_test_header(tmp_path))
    store.add([make_stored_game(0)])
    store.check_file()
    lose(path)

    for use in (store.check_file, lambda: store.add([make_stored_game(1)])):
        with pytest.raises(StoreError, match=r"x\.pitboss: the store was deleted, moved or replaced during the run"):
            use()
    assert path.exists() == (lose is replace_file)
    store.close()


@pytest.mark.parametrize("ending", ["", "-wal"])
def test_games_for_a_store_that_was_cut(tmp_path: Path, ending: str) -> None:
    """A file that other programs truncate is noticed at the next look, not when SQLite comes back to it."""
    path = tmp_path / "x.pitboss"
    store = Store.for_run(path, make_test_header(tmp_path))
    store.add([make_stored_game(0)])
    store.check_file()
    os.truncate(f"{path}{ending}", 1_000)

    with pytest.raises(
        StoreError, match=rf"x\.pitboss{ending}: another program has cut it from [0-9,]+ to 1,000 bytes"
    ):
        store.add([make_stored_game(1)])
    store.close()


def test_a_store_in_the_place_of_one_that_is_open(tmp_path: Path) -> None:
    """A store in the place of one that is open does not get that one's rows, whose log still lies there: the error on
    opening it says what to do.
    """
    path, other = tmp_path / "x.pitboss", tmp_path / "other.pitboss"
    with closing(Store.for_run(other, make_test_header(tmp_path))) as store:
        store.add([make_stored_game(0)])
    held = Store.for_run(path, make_test_header(tmp_path))
    held.begin_run(0, None)
    held.add([make_stored_game(0), make_stored_game(1)])
    assert Store(path).count_games() == 2
    other.replace(path)

    for open_store in (Store, lambda path: Store.for_run(path, make_test_header(tmp_path))):
        with pytest.raises(StoreError, match=r"it has taken the place of another store, whose last rows are in x\.pit"):
            open_store(path)
    held.close()
    for ending in ("-wal", "-shm"):
        Path(f"{path}{ending}").unlink(missing_ok=True)
    assert Store(path).count_games() == 1


@pytest.mark.once
def test_a_disk_without_room_for_a_store(tmp_path: Path) -> None:
    """A disk without room for a store is left with no empty file."""
    path = tmp_path / "x.pitboss"
    code = (
        "import sys, resource; from pathlib import Path; from pitboss_tournament.store.store import Store; "
        "from tests.tournament.stored_games import make_test_header; path = Path(sys.argv[1]); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)); Store.for_run(path, make_test_header(path.parent))"
    )
    done = subprocess.run([sys.executable, "-c", code, path], check=False, capture_output=True, text=True)

    assert "DiskFull: " in done.stderr.splitlines()[-1]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.once
@first_rows(1)("lose", [delete_folder, replace_file])
def test_a_run_whose_store_is_gone(tmp_path: Path, lose: Callable[[Path], None]) -> None:
    """A run whose store is gone stops with status 1 and one sentence, and does not claim that the games are kept."""
    path = tmp_path / "folder" / "x.pitboss"
    path.parent.mkdir()
    words = ["match", "magpie", GOOD, GOOD, "--deals", "100000", "-o", "turns=3", "--seed", "s", "--store", str(path)]
    with subprocess.Popen([*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        wait_for(lambda: has_games(path), run)
        lose(path)
        out, err = run.communicate()

    said = [line for line in err.splitlines() if " games, " not in line]
    assert (run.returncode, len(said)) == (1, 1), err
    assert said[0].startswith(f"pitboss: {path}: the store was deleted, moved or replaced during the run; ")
    assert "kept" not in out


def has_games(path: Path) -> bool:
    """Tell whether a run has written a game."""
    if not path.exists():
        return False
    with closing(sqlite3.connect(path)) as db:
        return bool(db.execute("select 1 from sqlite_master where name = 'games'").fetchone()) and bool(
            db.execute("select 1 from games").fetchone()
        )
