"""A validation that does not come to an end, for whatever reason: the league goes on, and its owner is told."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from pitboss_tournament.league.book import Book
from tests.league.archives import BOT_TOML, make_bot_tar
from tests.league.league_process import make_league, run_league
from tests.soak.process_watch import list_processes

pytestmark = [pytest.mark.once, pytest.mark.long]

SLEEP = "sleep 98765"


def test_a_build_that_sleeps(tmp_path: Path) -> None:
    """A build that sleeps runs out of time, none of its processes is left, and the next bot is validated."""
    tokens = make_league(tmp_path / "course", validation="build_seconds = 1")
    sleeps = BOT_TOML + f'build = ["sh", "-c", "echo good night; {SLEEP}"]\n'.encode()
    with run_league(tmp_path / "course") as league:
        number = league.put("sleeps", tokens["ada"], make_bot_tar({"bot.toml": sleeps})).value["number"]
        following = league.put("next", tokens["bob"]).value["number"]
        found, after = league.wait(number, tokens["ada"]), league.wait(following, tokens["bob"])

    assert (found["state"], after["state"]) == ("refused", "placing")
    assert found["evidence"]["building"]["seen"] == "the build took longer than 1 s"
    assert found["evidence"]["building"]["output"] == "good night\n"
    assert [one for one in list_processes().values() if SLEEP in one.command_line] == []


def test_a_machine_that_fails(tmp_path: Path) -> None:
    """A failure of the machine is tried again, and refused after some tries; the host finds the cause in the audit
    trail.
    """
    folder = tmp_path / "course"
    tokens = make_league(folder)
    with closing(Book(folder / "league.pitboss")) as book:
        lost = book.receive("ada", "lost", "0" * 64, 100, "lost.upload").submission
    with run_league(folder) as league:
        found = league.wait(lost.number, tokens["ada"])

    assert found["state"] == "refused"
    assert found["evidence"]["building"]["seen"] == (
        "the league's machine failed 5 times with this; send it again, or ask its host"
    )
    with closing(Book(folder / "league.pitboss")) as book:
        causes = [entry.about for entry in book.audit() if entry.what == "machine error"]
    assert len(causes) >= 5
    assert "No such file or directory" in causes[0]
