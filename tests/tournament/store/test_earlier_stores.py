"""Tournaments that an earlier Pitboss has begun go on with this one, and nothing is lost.

The archive has, for each format, a tournament file and its store as commit d8da9ea2 left it after `run FILE --games 5`,
and the bot that plays in all of them; `over.pitboss` is a store whose last game was played.
"""

from __future__ import annotations

import sqlite3
import tarfile
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from pitboss_tournament.store.rows import TournamentEnd
from pitboss_tournament.store.store import Store
from tests.plugins import magpie_installed
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once

EARLIER: Final = Path(__file__).parent / "kept" / "stores_d8da9ea2.tar.xz"
GAMES: Final = {"round-robin": 24, "gauntlet": 12, "swiss": 12, "knockout": 24, "settle": 16, "ladder": 22, "teams": 16}


def unpack_stores(folder: Path) -> None:
    """Put the stores, their files and their bot into a folder."""
    with tarfile.open(EARLIER) as archive:
        archive.extractall(folder, filter="data")


def read_games(store: Path) -> set[tuple[object, ...]]:
    """Return the games of a store as its file has them."""
    with closing(sqlite3.connect(store)) as db:
        return set(db.execute("select * from games"))


@pytest.mark.parametrize(("name", "games"), GAMES.items(), ids=GAMES)
def test_earlier_stores(tmp_path: Path, name: str, games: int) -> None:
    """The first games stay byte for byte, the others are played, and all of them replay."""
    unpack_stores(tmp_path)
    store = tmp_path / f"{name}.pitboss"
    before = read_games(store)

    with magpie_installed():
        played = run_pitboss("run", f"{name}.toml", cwd=tmp_path)
        whole = run_pitboss("integrity", store.name, "--replay", cwd=tmp_path)

    assert played.status == 0, played.out + played.err
    assert whole.status == 0, whole.out + whole.err
    assert before <= (after := read_games(store))
    assert (len(before), len(after)) == (5, games)


def test_an_earlier_end(tmp_path: Path) -> None:
    """A format that came to its end has come to it here too, and the same command has nothing to play."""
    unpack_stores(tmp_path)
    with closing(Store(tmp_path / "over.pitboss")) as store:
        end, games, changed = store.find_end(), store.count_games(), store.changed_tables()

    with magpie_installed():
        again = run_pitboss("run", "over.toml", cwd=tmp_path)

    assert end == TournamentEnd("swiss: bot-1, bot-2, bot-3, bot-4", is_complete=True)
    assert (games, changed) == (12, [])
    assert again.status == 0, again.out + again.err
    with closing(Store(tmp_path / "over.pitboss")) as store:
        assert (store.find_end(), store.count_games(), store.changed_tables()) == (end, games, changed)
