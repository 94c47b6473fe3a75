"""Rules of a league that change at a date: told before, and in force from then on, in a season of their own."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from pitboss_tournament.html.elements import markup
from pitboss_tournament.league.book import Book
from pitboss_tournament.league.league_folder import read_league
from pitboss_tournament.league.rule_changes import RuleChange, find_next
from pitboss_tournament.league.seasons import begin_due_season, list_seasons
from pitboss_tournament.league.site.season_page import change_notes
from pitboss_tournament.store.store import Store
from tests.free_port import find_free_port
from tests.league.league_process import run_league, wait_until
from tests.league.sealed_leagues import make_valid_league, play_league
from tests.plugins import load_registry
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once

SOON = timedelta(seconds=12)
CHANGE = """
[[changes]]
at = {at}
clock = {{ decision_ms = 30000 }}
limits = {{ memory_mb = 600 }}
"""


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """Make a league of three bots, with a clock of 20 s for a decision."""
    folder = tmp_path / "course"
    make_valid_league(folder)
    return folder


def announce(course: Path, at: datetime, change: str = CHANGE) -> None:
    """Write a change of the rules into a league's file."""
    with (course / "league.toml").open("a") as file:
        file.write(change.format(at=at.isoformat(timespec="milliseconds")))


def read_rules(course: Path, at: datetime) -> tuple[int, int | None]:
    """Return the time for a decision and the memory that a league's file has at a time."""
    found = read_league(course, load_registry(), at)
    return found.file.clock.decision_ms, found.limits.memory_mb


def test_rules_change_at_their_time(course: Path) -> None:
    """A change is in force from its time on, and no key but those that it names changes."""
    at = datetime(2027, 1, 10, tzinfo=UTC)
    announce(course, at)

    before, after = read_rules(course, at - timedelta(seconds=1)), read_rules(course, at)

    assert (before[0], after) == (20_000, (30_000, 600))
    assert read_league(course, load_registry(), at).file.clock.start_ms == 60_000


def test_pages_announce_a_change(course: Path) -> None:
    """What will change is told with its time, and that a season begins."""
    announce(course, datetime(2999, 1, 10, tzinfo=UTC))

    said = str(markup(*change_notes(read_league(course, load_registry()))))

    assert "The rules change" in said
    assert "2999-01-10 00:00" in said
    assert "clock.decision_ms is 30000 and limits.memory_mb is 600. A new season begins" in said


def test_the_next_change() -> None:
    """Of several changes the next one is the first after now."""
    times = [datetime(2027, month, 1, tzinfo=UTC) for month in (3, 1, 2)]
    changes = [RuleChange(at=at) for at in times]

    assert find_next(changes, datetime(2027, 1, 1, tzinfo=UTC)) == replace(changes[2])
    assert find_next(changes, datetime(2027, 3, 1, tzinfo=UTC)) is None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("[[changes]]\nat = 2027-01-10T00:00:00\n", "a date and a time with its zone"),
        ("[[changes]]\nat = 2027-01-10T00:00:00Z\nclock = {{ decision = 1 }}\n", "decision"),
        ("[[changes]]\nat = 2027-01-10T00:00:00Z\nclock = {{ decision_ms = -1 }}\n", "decision_ms"),
        ("[[changes]]\nat = 2027-01-10T00:00:00Z\noptions = {{ wings = 1 }}\n", "wings"),
        ("[[changes]]\nat = 2027-01-10T00:00:00Z\ngame = 'racko'\n", "game"),
    ],
)
def test_a_change_that_cannot_be(course: Path, change: str, said: str) -> None:
    """A change that the league could not play by is refused at once, with its line."""
    announce(course, datetime(2027, 1, 1, tzinfo=UTC), change)

    ran = run_pitboss("league", "status", str(course))

    assert ran.status == 2
    assert "league.toml:" in ran.err
    assert said in ran.err


def test_a_season_begins_once(course: Path) -> None:
    """When rules have come into force the games are put aside, and the bots validated again; a second time nothing is
    due.
    """
    play_league(course, 4)
    announce(course, datetime.now(UTC))

    first = begin_due_season(read_league(course, load_registry()))
    second = begin_due_season(read_league(course, load_registry()))

    assert first.startswith("season 2 begins")
    assert first.endswith(": 3 versions to validate")
    assert second == ""
    [path] = list_seasons(read_league(course, load_registry()).folder).values()
    with closing(Store(path)) as store:
        assert store.count_games() == 4
    with closing(Book(course / "league.pitboss")) as book:
        assert {one.state for one in book.submissions()} == {"checking"}


def test_other_limits_begin_no_season(course: Path) -> None:
    """Limits may change while games are added up."""
    play_league(course, 4)
    announce(course, datetime.now(UTC), "[[changes]]\nat = {at}\nlimits = {{ memory_mb = 600 }}\n")

    assert begin_due_season(read_league(course, load_registry())) == ""


@pytest.mark.long
def test_a_league_changes_its_rules_while_it_runs(course: Path) -> None:
    """At the time of the change games in progress end, and the same process goes on by the new rules: the tokens open
    it, the bots play again, and the page of the season that is over has its games.
    """
    port = find_free_port()
    play_league(course, 4)
    announce(course, datetime.now(UTC) + SOON)
    season = course / "season-1.pitboss"

    with run_league(course, "--port", f"{port}") as league:
        wait_until(league, season.exists)
        wait_until(league, lambda: count_games(course / "league.pitboss") > 0)
        wait_until(league, answers(lambda: league.ask("GET", "/seasons/1").status == 200))
        page, ladder = league.ask("GET", "/seasons/1").value, league.ask("GET", "/").value
        rules = league.ask("GET", "/rules").value

    with closing(Store(season)) as store:
        assert store.header.clock.decision_ms == 20_000
        assert f"It is over: {store.count_games():,} games" in page
    with closing(Store(course / "league.pitboss")) as store:
        assert store.header.clock.decision_ms == 30_000
    assert 'href="/seasons/1"' in ladder
    assert "30,000 ms" in rules
    assert run_pitboss("integrity", str(season), "--replay").status == 0
    assert run_pitboss("integrity", str(course / "league.pitboss"), "--replay").status == 0


def test_an_owner_is_erased_from_earlier_seasons(course: Path) -> None:
    """The stores of seasons that are over lose an erased name, too."""
    play_league(course, 4)
    announce(course, datetime.now(UTC))
    begin_due_season(read_league(course, load_registry()))

    ran = run_pitboss("league", "erase", str(course), "ada")

    assert ran.status == 0, ran.err
    assert f"written again: {course / 'season-1.pitboss'}" in ran.out
    with closing(Store(course / "season-1.pitboss")) as store:
        assert "ada" not in {*store.header.owners, *store.header.bots}
        assert (list(store.changed_games()), store.changed_tables()) == ([], [])


def count_games(path: Path) -> int:
    """Return the number of games in a store; 0 if it has no tournament yet."""
    if not path.exists():
        return 0
    with closing(sqlite3.connect(path)) as db:
        if not db.execute("select 1 from sqlite_master where name = 'games'").fetchone():
            return 0
        [(games,)] = db.execute("select count(*) from games")
    return int(games)


def answers(ask: Callable[[], bool]) -> Callable[[], bool]:
    """Return a question that is no while the server begins again."""

    def is_so() -> bool:
        try:
            return ask()
        except OSError:
            return False

    return is_so
