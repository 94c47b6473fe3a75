"""A league that an earlier Pitboss has made and played goes on with this one, and nothing is lost.

The archive has a league of Magpie as commit d8da9ea2 left it after Ctrl-C: three owners with their tokens, versions
that play, that were retired and refused, one that waits for its validation, games, a checkpoint, and an audit trail.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import tarfile
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

from tests.league.archives import GOOD_BOT, make_bot_tar
from tests.league.league_process import run_league, wait_until
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once

EARLIER: Final = Path(__file__).parent / "kept" / "league_d8da9ea2.tar.xz"
KEPT: Final = ("league_owners", "league_tokens", "league_audit", "league_evidence", "games", "runs", "run_ends")


def read_rows(folder: Path) -> dict[str, set[tuple[Any, ...]]]:
    """Return the rows of the tables whose rows stay for good."""
    with closing(sqlite3.connect(folder / "league.pitboss")) as db:
        return {table: set(db.execute(f"select * from {table}")) for table in KEPT}


def find_retired(folder: Path) -> str:
    """Return the digest of the version that was retired."""
    with closing(sqlite3.connect(folder / "league.pitboss")) as db:
        [[digest]] = db.execute("select digest from league_submissions where state = 'retired'")
    return str(digest)


def list_lost(before: Mapping[str, set[tuple[Any, ...]]], after: Mapping[str, set[tuple[Any, ...]]]) -> list[str]:
    """Return the tables that lack a row that they had."""
    return [table for table, rows in before.items() if not rows <= after[table]]


@pytest.mark.long
def test_a_league_of_an_earlier_pitboss(tmp_path: Path) -> None:
    """A league of an earlier Pitboss is copied and run: tokens, versions, games and what waits are there, and it plays
    on.

    The files of a retired version are not needed for that.
    """
    with tarfile.open(EARLIER) as archive:
        archive.extractall(tmp_path, filter="tar")
    folder = tmp_path / "course"
    tokens = json.loads((folder / "tokens.json").read_text())
    (folder / "tokens.json").unlink()
    before = read_rows(folder)
    copied = run_pitboss("league", "backup", str(folder), str(tmp_path / "copy"))
    assert copied.status == 0, copied.err
    retired = folder / "bots" / find_retired(folder)
    retired.chmod(0o755)
    shutil.rmtree(retired)

    with run_league(folder, "--workers", "1") as league:
        waiting = league.wait(6, tokens["cid"])
        sent = league.put("bob-bot", tokens["bob"], make_bot_tar({"bot.py": GOOD_BOT + b"# after the upgrade\n"}))
        assert sent.status == 202
        newest = league.wait(sent.value["number"], tokens["bob"])
        wait_until(league, lambda: len(read_rows(folder)["games"]) >= len(before["games"]) + 10)
        ladder = {line["name"] for line in league.ask("GET", "/api/league").value["versions"]}
    after = read_rows(folder)
    again = run_pitboss("league", "backup", str(folder), str(tmp_path / "second"))
    whole = run_pitboss("integrity", str(folder / "league.pitboss"), "--replay")

    assert list_lost(before, after) == []
    assert [one["state"] in ("placing", "playing") for one in (waiting, newest)] == [True, True]
    assert newest["version"] == 2
    assert ladder == {"ada-bot", "bob-bot", "cid-bot", "late-bot"}
    assert again.status == 0, again.err
    assert whole.status == 0, whole.out + whole.err
    assert list_lost(before, read_rows(tmp_path / "copy")) == []
