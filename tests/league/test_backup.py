"""Copies of a league: whole, while it runs; brought up to date; and runnable."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import threading
from contextlib import closing
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from pitboss_tournament.league.book import Book
from pitboss_tournament.processes.bot_contents import is_sealed, remove_folder
from pitboss_tournament.store.store import Store
from tests.league.archives import list_tree, make_bot_tar
from tests.league.league_process import make_league, run_league
from tests.league.sealed_leagues import add_version, make_valid_league, play_league
from tests.tournament.command_line import COMMAND, CommandResult, run_pitboss

pytestmark = pytest.mark.once


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """Make a league of three versions that have played."""
    folder = tmp_path / "course"
    make_valid_league(folder)
    play_league(folder, 1)
    return folder


def back_up(course: Path, *words: str) -> CommandResult:
    """Copy a league into the folder `copy` beside it."""
    return run_pitboss("league", "backup", str(course), str(course.parent / "copy"), *words)


def dump(folder: Path) -> list[str]:
    """Return the whole store of a league as text."""
    with closing(sqlite3.connect(folder / "league.pitboss")) as db:
        return list(db.iterdump())


def test_a_copy_is_the_league(course: Path) -> None:
    """The store is the same to the last row, the files are the same and sealed, and it can be run."""
    ran = back_up(course, "--json")
    copy = course.parent / "copy"

    assert ran.status == 0, ran.err
    sizes = ran.json_value
    assert (sizes["target"], sizes["versions"], sizes["versions_copied"], sizes["uploads"]) == (str(copy), 3, 3, 0)
    assert sizes["store_bytes"] == (copy / "league.pitboss").stat().st_size
    assert sizes["missing"] == []
    assert dump(copy) == dump(course)
    assert list_tree(copy / "bots") == list_tree(course / "bots")
    assert all(is_sealed(path) for path in (copy / "bots").iterdir())
    assert sorted(path.name for path in copy.iterdir()) == ["bots", "league.pitboss", "league.toml", "uploads"]
    assert (copy / "uploads").stat().st_mode & 0o777 == 0o700
    told = run_pitboss("league", "status", str(course)).out
    assert "The sandbox of all bots: " in told
    assert run_pitboss("league", "status", str(copy)).out == told.replace("course: Magpie", "copy: Magpie")
    assert run_pitboss("integrity", str(copy / "league.pitboss"), "--replay").status == 0
    with run_league(copy) as league:
        assert league.ask("GET", "/api/league").status == 200


def test_a_copy_is_brought_up_to_date(course: Path) -> None:
    """Only versions that are new are copied, and those that nobody needs go; what a kill has left does no harm."""
    back_up(course)
    copy = course.parent / "copy"
    (copy / ".part-league.pitboss").write_text("half a store")
    (copy / "bots" / ".part-x").mkdir()
    (copy / "bots" / "unneeded").mkdir()
    before = {path: path.stat().st_ino for path in (copy / "bots").iterdir() if path.name[0] not in ".u"}
    add_version(course, "ada", "newer")

    ran = back_up(course)

    assert ran.status == 0, ran.err
    assert ran.out.splitlines()[0] == f"{copy} is a copy of the league."
    assert ran.out.splitlines()[2].endswith(": 4, 1 copied now")
    assert dump(copy) == dump(course)
    assert {path: path.stat().st_ino for path in before} == before
    assert {path.name for path in (copy / "bots").iterdir()} == {path.name for path in (course / "bots").iterdir()}


@pytest.mark.long
def test_an_archive_that_was_on_its_way(course: Path) -> None:
    """An archive of which an earlier copy has a part is copied again; one that no submission waits for is not kept."""
    copy = course.parent / "copy"
    (course / "uploads" / "late.upload").write_bytes(b"1" * 100)
    (course / "uploads" / "broken.upload").write_bytes(b"1")
    back_up(course)
    assert list((copy / "uploads").iterdir()) == []
    (copy / "uploads" / "late.upload").write_bytes(b"1" * 10)
    with closing(Book(course / "league.pitboss")) as book:
        book.receive("ada", "late", "d", 100, "late.upload")

    ran = back_up(course)

    assert ran.status == 0, ran.err
    assert [(path.name, path.stat().st_size) for path in (copy / "uploads").iterdir()] == [("late.upload", 100)]


@pytest.mark.long
def test_copies_of_a_league_that_is_busy(tmp_path: Path) -> None:
    """Whenever a copy is made, it has all files that its book names: archives of what waits, files of what is valid."""
    course = tmp_path / "course"
    tokens = make_league(course, submissions="a_day = 1000")
    with run_league(course) as league:
        ended = threading.Event()

        def submit() -> None:
            for number in range(6):
                league.put(f"bot{number % 4}", tokens["ada"], make_bot_tar({"n": b"%d" % number}))
            ended.set()

        sender = threading.Thread(target=submit)
        sender.start()
        copies = 0
        while not ended.is_set() or not copies:
            assert back_up(course).status == 0
            check_needs(tmp_path / "copy")
            copies += 1
        sender.join()
        assert back_up(course).status == 0
    with run_league(tmp_path / "copy") as league:
        for one in list_submissions(tmp_path / "copy"):
            assert league.wait(one["number"], tokens["ada"])["state"] in ("placing", "retired")


def list_submissions(folder: Path) -> list[dict[str, Any]]:
    """Return the submissions of a league."""
    found: list[dict[str, Any]] = run_pitboss("league", "status", str(folder), "--json").json_value["submissions"]
    return found


def check_needs(folder: Path) -> None:
    """Check that all is there that a league needs to go on."""
    for one in list_submissions(folder):
        has_files = is_sealed(folder / "bots" / one["digest"])
        upload = folder / "uploads" / one["upload"]
        has_upload = bool(one["upload"]) and upload.is_file() and upload.stat().st_size == one["bytes"]
        assert has_files or (one["state"] in ("received", "building") and has_upload), one


@pytest.mark.long
def test_a_kill_leaves_the_earlier_copy(course: Path) -> None:
    """A kill at any moment leaves the copy of before or that of now, whole."""
    back_up(course)
    copy = course.parent / "copy"
    earlier = dump(copy)
    for number in range(4):
        add_version(course, "ada", f"new{number}")
        with subprocess.Popen([*COMMAND, "league", "backup", str(course), str(copy)], stdout=subprocess.DEVNULL) as ran:
            sleep(0.25 + 0.1 * number)
            ran.kill()
        now = dump(copy)
        assert now in (earlier, dump(course))
        check_needs(copy)
        earlier = now
    assert back_up(course).status == 0
    assert dump(copy) == dump(course)


@pytest.mark.long
def test_a_folder_of_something_else(course: Path) -> None:
    """A backup overwrites nothing: no other folder or league, not the league itself, no copy that has been
    run since.
    """
    other, thesis = course.parent / "other", course.parent / "thesis"
    make_league(other)
    thesis.mkdir()
    (thesis / "thesis.tex").write_text("three years")
    back_up(course)
    with closing(Book(course.parent / "copy" / "league.pitboss")) as book:
        book.note("host", "run", "a life of its own")
    (course.parent / "file").write_text("1")

    for target, said in (
        (thesis, "thesis: this exists and is not a copy of a league"),
        (course.parent / "file", "file: this exists and is not a copy of a league"),
        (other, f"other: this is no copy of {course}: it is another league, or has been run since"),
        (course.parent / "copy", f"copy: this is no copy of {course}: it is another league, or has been run since"),
        (course, "course: this lies in the league's own folder"),
        (course / "bots" / "copy", "copy: this lies in the league's own folder"),
        (course.parent, "this exists and is not a copy of a league"),
    ):
        before = dump(other)
        ran = run_pitboss("league", "backup", str(course), str(target))
        assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1), target
        assert said in ran.err
        assert dump(other) == before
    assert [path.name for path in thesis.iterdir()] == ["thesis.tex"]


@pytest.mark.long
def test_a_copy_that_is_running(course: Path) -> None:
    """A backup into a copy that is running is refused: that copy is a league of its own, and is not changed while it
    runs.
    """
    back_up(course)
    with run_league(course.parent / "copy"):
        ran = back_up(course)

    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert "this is a league that is running" in ran.err


def test_what_the_league_lacks(course: Path) -> None:
    """Files that are gone from the league are named, the rest is copied, and the exit status is 1."""
    with closing(Book(course / "league.pitboss")) as book:
        one = book.submissions()[0]
    remove_folder(course / "bots" / one.digest)

    ran = back_up(course)

    assert (ran.status, ran.err) == (
        1,
        f"pitboss: the league lacks the files of ada-bot@1 of ada, bots/{one.digest}\n",
    )
    assert dump(course.parent / "copy") == dump(course)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written(course: Path) -> None:
    """A folder that cannot be written is an error of one sentence."""
    course.parent.joinpath("closed").mkdir(mode=0o500)

    ran = run_pitboss("league", "backup", str(course), str(course.parent / "closed" / "copy"))

    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert "cannot be copied: Permission denied" in ran.err


@pytest.mark.long
def test_a_store_that_grows_meanwhile(course: Path) -> None:
    """A copy is of one moment: results and the book fit, however much is written while it is made."""
    back_up(course)
    ended = threading.Event()

    def write() -> None:
        with closing(Book(course / "league.pitboss")) as book:
            while not ended.is_set():
                book.note("host", "something", "x" * 1000)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        assert back_up(course).status == 0
    finally:
        ended.set()
        writer.join()
    with closing(Store(course.parent / "copy" / "league.pitboss")) as store:
        assert (store.find_damage(), [*store.changed_games()], store.changed_tables()) == ([], [], [])
