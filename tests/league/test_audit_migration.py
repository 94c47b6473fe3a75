"""Facts that an earlier Pitboss kept in words of the audit trail; today nothing is decided by them."""

from __future__ import annotations

import sqlite3
import tarfile
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, TypeAlias

import pytest

from pitboss_tournament.league.book import Book
from pitboss_tournament.league.finals_rules import FinalsRules, StoredFinals
from pitboss_tournament.store.schema import check_objects
from tests import ROOT
from tests.league.test_league_upgrade import EARLIER

SOURCES: Final = ROOT / "tournament"
TRAIL_MODULES: Final = {  # that name the table of the trail
    "store/schema.py",  # makes it and writes to it
    "league/book_file.py",  # returns it to those that show it; takes over what an earlier Pitboss wrote
    "league/name_changes.py",  # puts a pseudonym in the place of a name that is erased
    "league/backup.py",  # compares whole lines of two leagues, whatever is in them
}
TRAIL_READERS: Final = {  # call `Book.audit`: `league status`, a page, and the search for names to erase in it
    "cli/league.py",
    "league/former_names.py",
    "league/site/page_site.py",
}

Line: TypeAlias = tuple[str, str, str]  # who, what, about


@pytest.fixture
def earlier(tmp_path: Path) -> Path:
    """Return the store of a league as commit d8da9ea2 has left it."""
    with tarfile.open(EARLIER) as archive:
        archive.extract("course/league.pitboss", tmp_path, filter="tar")
    return tmp_path / "course" / "league.pitboss"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the store of a new league."""
    with closing(Book(tmp_path / "league.pitboss")) as book:
        return book.path


def write_as_earlier(path: Path, lines: Sequence[Line], at: str | None = None) -> None:
    """Write lines of the audit trail as an earlier Pitboss did: nothing else has their facts."""
    now = at or datetime.now(UTC).isoformat(timespec="seconds")
    with closing(sqlite3.connect(path)) as db, db:
        db.executemany(
            "insert into league_audit (at, who, what, about) values (?, ?, ?, ?)", [(now, *one) for one in lines]
        )


def read_objects(path: Path) -> dict[str, tuple[str, str]]:
    """Return kind and statement of all tables, indexes and triggers of a store, without SQLite's own of a table."""
    with closing(sqlite3.connect(path)) as db:
        found = db.execute("select name, type, sql from sqlite_master where sql is not null")
        return {name: (kind, sql) for name, kind, sql in found}


def find_finals(path: Path, store: str) -> StoredFinals | None:
    """Return the last finals in a store by the book of a league."""
    with closing(Book(path)) as book:
        return book.find_finals(store)


def test_a_book_of_an_earlier_pitboss(earlier: Path) -> None:
    """Valid versions, uploads and the count of changes are those of its trail; a second start adds nothing."""
    for _ in range(2):
        with closing(Book(earlier)) as book:
            assert book.list_valid() == {1, 2, 3, 5}
            assert book.change_count() == len(book.audit()) == 32
    with closing(sqlite3.connect(earlier)) as db:
        uploads = db.execute("select owner, at from league_uploads order by number").fetchall()
        [[valid_at]] = db.execute("select valid_at from league_valid where submission = 2")

    assert [owner for owner, _ in uploads] == ["ada", "bob", "cid", "ada", "ada", "cid"]
    assert (uploads[-1][1], valid_at) == ("2026-11-28T06:33:50+00:00", "2026-11-28T06:32:33+00:00")


def test_an_earlier_pitboss_opens_the_book_again(earlier: Path) -> None:
    """An earlier Pitboss finds all that it knows as it was; what is new are tables, which it does not look at."""
    before = read_objects(earlier)

    Book(earlier).close()

    after = read_objects(earlier)
    assert {name: after[name] for name in before} == before
    assert {kind for name, (kind, _) in after.items() if name not in before} == {"table"}
    with closing(sqlite3.connect(earlier)) as db:
        check_objects(db, earlier)


def test_a_league_that_went_back_and_on_again(path: Path) -> None:
    """Changes that an earlier Pitboss makes in between count, too, and today's do not count twice."""
    with closing(Book(path)) as book:
        one = book.receive("ada", "fox", "d1", 100, "d1.upload").submission
        book.begin_upload("ada", "fox", 9)
        count = book.change_count()

    write_as_earlier(
        path,
        [
            ("ada", "submitted", "submission 2 (cat@1), digest d2"),
            ("league", "placing", "submission 2 (cat@1 of ada)"),
            ("ada", "sent again", f"submission {one.number} (fox@1), which is received"),
        ],
    )

    with closing(Book(path)) as book:
        assert (book.list_valid(), book.change_count()) == ({2}, count + 3)
        assert [book.seconds_until_next("ada", a_day) > 0 for a_day in (3, 4)] == [True, False]


def test_finals_that_an_earlier_pitboss_ended(path: Path) -> None:
    """Finals that an earlier Pitboss ended were held, although today's Pitboss has begun them."""
    with closing(Book(path)) as book:
        book.begin_finals("f.pitboss", FinalsRules(2, 20, one_per_owner=False), "fox@1 of ada")

    write_as_earlier(path, [("host", "finals held", "f.pitboss: 4 games: 1. fox (digest d1)")], "2026-11-28T12:00:00")

    found = find_finals(path, "f.pitboss")
    assert found is not None
    assert (found.rules.top, found.held) == (2, "2026-11-28T12:00:00")


def test_uploads_that_were_counted_at_their_begin(path: Path) -> None:
    """Lines of a begin count, and lines of an end that are older than all of these; of both those of one day."""
    now = datetime.now(UTC)
    sent = ("ada", "submitted", "submission 1 (fox@1), digest d1")
    write_as_earlier(path, [sent], (now - timedelta(days=2)).isoformat(timespec="seconds"))
    write_as_earlier(path, [sent, ("ada", "upload begun", "as fox"), sent, ("bob", "upload refused", "owl: a bomb")])

    with closing(Book(path)) as book:
        assert [book.seconds_until_next("ada", a_day) > 0 for a_day in (2, 3)] == [True, False]
        assert book.seconds_until_next("bob", 1) == 0
        assert book.has_sent_since("ada", now - timedelta(minutes=1))


def test_finals_of_an_earlier_pitboss(path: Path) -> None:
    """The rules of an earlier Pitboss's finals are read from its sentence; the last finals in a store count, and were
    held if the trail says so.
    """
    field = "fox@1 of ada (digest d1), a: the best 3 of those with 9 games or more: x@1 of bob (digest d2)"
    write_as_earlier(
        path,
        [
            ("host", "finals begun", f"f.pitboss: the best 2 of those with 1 game or more: {field}"),
            ("host", "finals begun", f"/a: b/g.pitboss: the best 16 of those with 1,000 games or more: {field}"),
            ("host", "finals held", "f.pitboss: 4 games: 1. fox (digest d1)"),
            ("host", "finals begun", f"h.pitboss: the best 2 of those with 20 games or more, one of an owner: {field}"),
            ("host", "finals held", "h.pitboss: 1 game: 1. fox (digest d1)"),
            ("host", "finals begun", f"h.pitboss: the best 3 of those with 20 games or more: {field}"),
            ("host", "finals held", "nowhere.pitboss: 4 games: 1. fox (digest d1)"),
            ("host", "finals begun", "words that no Pitboss has written"),
        ],
    )

    found = [find_finals(path, store) for store in ("f.pitboss", "/a: b/g.pitboss", "h.pitboss", "nowhere.pitboss")]

    assert [one and (one.rules, one.held is not None) for one in found] == [
        (FinalsRules(2, 1, one_per_owner=False), True),
        (FinalsRules(16, 1_000, one_per_owner=False), False),
        (FinalsRules(3, 20, one_per_owner=False), False),
        None,
    ]


def test_a_trail_of_other_words(path: Path) -> None:
    """The league knows the same, whatever the audit trail says."""
    rules = FinalsRules(2, 20, one_per_owner=True)
    with closing(Book(path)) as book:
        one = book.receive("ada", "fox", "d1", 100, "d1.upload").submission
        for state in ("building", "checking", "validation", "placing"):
            book.move(one.number, state)
        book.begin_upload("ada", "fox", 9)
        book.begin_finals("f.pitboss", rules, "fox@1 of ada")
        book.begin_finals("g.pitboss", rules, "fox@1 of ada")
        book.end_finals("f.pitboss", "4 games: 1. fox")
        before = ask_all(book)
    with closing(sqlite3.connect(path)) as db, db:
        for event in ("update", "delete"):
            db.execute(f"drop trigger league_audit_{event}")
        db.execute("update league_audit set who = 'somebody', what = 'something', about = 'or other'")

    with closing(Book(path)) as book:
        assert ask_all(book) == before
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("delete from league_audit")
    with closing(Book(path)) as book:
        assert (book.audit(), ask_all(book)) == ([], before)


def ask_all(book: Book) -> list[object]:
    """Return what was once found in the trail: valid versions, changes, uploads, finals."""
    hour_ago = datetime.now(UTC) - timedelta(hours=1)
    return [
        *(book.list_valid(), book.change_count(), book.find_finals("f.pitboss"), book.find_finals("g.pitboss")),
        *(book.seconds_until_next("ada", 1) > 0, book.seconds_until_next("ada", 2)),
        book.has_sent_since("ada", hour_ago),
    ]


def test_nothing_reads_the_trail_but_to_show_it() -> None:
    """The table of the trail has few users, and only the code that shows the trail calls `Book.audit`."""
    naming, calling = set[str](), set[str]()
    for file in (SOURCES / "pitboss_tournament").rglob("*.py"):
        name, text = file.relative_to(SOURCES / "pitboss_tournament").as_posix(), file.read_text()
        if "league_audit" in text:
            naming.add(name)
        if "ook.audit" in text:
            calling.add(name)

    assert (naming, calling) == (TRAIL_MODULES, TRAIL_READERS)
