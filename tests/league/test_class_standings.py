"""The standings of a class: which version counts, what is frozen, and that the games of that moment give it again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest

from pitboss_tournament.counting.stored_findings import StoredFindings
from pitboss_tournament.league.book import Book
from pitboss_tournament.league.class_standings import (
    ClassStandings,
    CountedVersion,
    StoreMoment,
    draw_up_standings,
    find_moment,
    is_settled,
    list_candidates,
    read_arrivals,
    repeat_standings,
)
from pitboss_tournament.league.deadlines import Deadlines
from pitboss_tournament.league.ladder_view import build_ladder_view
from pitboss_tournament.league.league_folder import read_league
from pitboss_tournament.league.submission import Evidence
from pitboss_tournament.league.term_keeper import TermKeeper, draw_up_now, read_term
from pitboss_tournament.store.rows import utc_now
from pitboss_tournament.store.store import Store
from tests.league.played_leagues import LeagueBot, PlayedLeague, add_version, make_played_league, play_on_paper
from tests.plugins import load_registry

pytestmark = pytest.mark.once

BOTS: Final = (
    LeagueBot("ada", "strong"),
    LeagueBot("bob", "fox"),
    LeagueBot("bob", "owl"),
    LeagueBot("cy", "newt"),
    LeagueBot("teacher", "solution"),
)
ANCHORS: Final = 'placing_games = 5\nanchors = ["house:random"]'
LONG_AGO: Final = datetime(2026, 1, 1, 18, tzinfo=UTC)
TOMORROW: Final = datetime.now(UTC) + timedelta(days=1)
OPEN: Final = Deadlines(TOMORROW, 0, None, {})


@pytest.fixture
def played(tmp_path: Path) -> PlayedLeague:
    """Return a league with an anchor that is the weakest, in which the strongest of three owners is ada's."""
    found = make_played_league(tmp_path / "course", BOTS, 40, ANCHORS)
    with (found.folder / "league.toml").open("a") as file:
        file.write("[grades]\ngames = 10\nlate_days = 2\n")
    set_closes(found, TOMORROW)
    return found


@pytest.fixture
def book(played: PlayedLeague) -> Iterator[Book]:
    """Return its book."""
    with closing(Book(played.store)) as opened:
        yield opened


def set_closes(played: PlayedLeague, time: datetime) -> None:
    """Let submissions end at a time."""
    file = played.folder / "league.toml"
    lines = [line for line in file.read_text().splitlines() if not line.startswith("closes")]
    lines.insert(lines.index("[submissions]") + 1, f"closes = {time.isoformat()}")
    file.write_text("\n".join(lines))


def close_at(played: PlayedLeague, book: Book, time: datetime) -> TermKeeper:
    """Let submissions end at a time; return what freezes things then."""
    set_closes(played, time)
    return TermKeeper(read_league(played.folder, load_registry()), book, lambda text: None)


def set_sent(book: Book, number: int, at: datetime) -> None:
    """Say that a submission came at a time."""
    book._db.execute(
        "update league_submissions set received = ? where number = ?", (at.isoformat(timespec="seconds"), number)
    )
    book._db.commit()


def draw_up(played: PlayedLeague, book: Book) -> ClassStandings:
    """Return the standings by all games so far."""
    league = read_league(played.folder, load_registry())
    return draw_up_now(league, book, read_term(league, book, datetime.now(UTC)))


def test_one_version_counts_for_an_owner(played: PlayedLeague, book: Book) -> None:
    """Of the bots of an owner the one with the highest rating counts; the bot of a host takes no place."""
    found = draw_up(played, book)
    owners = [book.submission(line.submission).owner for line in found.lines]
    ratings = [line.rating or 0.0 for line in found.lines]

    assert sorted(owners) == ["ada", "bob", "cy"]
    assert owners[0] == "ada"
    assert [line.place for line in found.lines] == [1, 2, 3]
    assert ratings == sorted(ratings, reverse=True)
    with closing(Store(played.store)) as store:
        view = build_ladder_view("1", StoredFindings(store), book.submissions())
    of_bob = [line for line in view.ranked if line.submission.owner == "bob"]
    assert found.lines[owners.index("bob")].submission == of_bob[0].number
    assert len(of_bob) == 2
    assert found.places == 3
    assert all((line.best or 9) <= (line.place or 0) <= (line.worst or 0) <= 3 for line in found.lines)
    assert found.lines[0].beats["house:random"] > 0.95


def test_a_version_without_enough_games(played: PlayedLeague, book: Book) -> None:
    """A version that has not played enough games counts, and has no place."""
    add_version(played.folder, book, LeagueBot("ada", "strong", "placing"))

    found = draw_up(played, book)
    by_owner = {book.submission(line.submission).owner: line for line in found.lines}

    assert by_owner["ada"].place is None
    assert (by_owner["ada"].games, by_owner["ada"].best, by_owner["ada"].tier) == (0, None, None)
    assert found.places == 2


def test_the_newest_version_in_time_counts(played: PlayedLeague, book: Book) -> None:
    """A version that came too late does not count, the one before it does; a late day lets it count."""
    newer = add_version(played.folder, book, LeagueBot("cy", "newt"))
    old = next(one for one in book.submissions() if one.label == "newt@1")
    set_sent(book, old.number, LONG_AGO)
    set_sent(book, newer.number, LONG_AGO + timedelta(hours=30))
    deadlines = Deadlines(LONG_AGO + timedelta(hours=1), 0, None, {})

    strict = {one.submission: one for one in list_candidates(read_arrivals(book), deadlines)}
    mild = {one.submission: one for one in list_candidates(read_arrivals(book), deadlines._replace(late_days=2))}
    extended = deadlines._replace(extensions={"cy": LONG_AGO + timedelta(hours=40)})
    kind = {one.submission: one for one in list_candidates(read_arrivals(book), extended)}

    assert old.number in strict
    assert newer.number not in strict
    assert (mild[newer.number].late_days, old.number in mild) == (2, False)
    assert kind[newer.number].late_days == 0


def test_when_an_upload_began(played: PlayedLeague, book: Book) -> None:
    """A submission was sent when its upload began, not when its last byte came."""
    begun = utc_now()
    book.begin_upload("cy", "newt", 1_000)
    one = add_version(played.folder, book, LeagueBot("cy", "newt"))
    set_sent(book, one.number, datetime.fromisoformat(begun) + timedelta(minutes=8))

    assert read_arrivals(book).sent[one.number] == begun


def test_what_was_taken_out_does_not_count(played: PlayedLeague, book: Book) -> None:
    """A version that the host took out does not count, also if it was frozen as in time."""
    first = next(one for one in book.submissions() if one.owner == "ada")
    frozen = [CountedVersion(first.number, first.received)]
    book.retire([first.number], "it reads files of others")

    assert first.number not in {one.submission for one in list_candidates(read_arrivals(book), OPEN, frozen)}


def test_the_same_files_sent_again_late(played: PlayedLeague, book: Book) -> None:
    """What was frozen as in time stays in time when the same files are sent again."""
    first = next(one for one in book.submissions() if one.owner == "ada")
    frozen = [CountedVersion(first.number, first.received)]
    deadlines = Deadlines(LONG_AGO, 0, None, {})

    assert list_candidates(read_arrivals(book), deadlines, frozen) == frozen
    assert list_candidates(read_arrivals(book), deadlines) == []


def test_nothing_is_frozen_while_something_waits(played: PlayedLeague, book: Book) -> None:
    """Versions are frozen when all that came in time is validated."""
    keeper = close_at(played, book, datetime.now(UTC) + timedelta(hours=1))
    waiting = add_version(played.folder, book, LeagueBot("cy", "eel", "received"))

    keeper.look()
    assert book.find_snapshot("versions", list[CountedVersion]) is None
    keeper.look(TOMORROW)
    assert book.find_snapshot("versions", list[CountedVersion]) is None
    assert not is_settled(read_arrivals(book), TOMORROW)
    book.move(waiting.number, "building")
    book.move(waiting.number, "refused", Evidence(is_good=False, seen="no"))
    keeper.look(TOMORROW)

    frozen = book.find_snapshot("versions", list[CountedVersion])
    assert frozen is not None
    assert {book.submission(one.submission).label for one in frozen} == {"strong@1", "fox@1", "owl@1", "newt@1"}
    assert book.find_snapshot("standings", ClassStandings) is None


def test_standings_are_frozen_after_the_late_days(played: PlayedLeague, book: Book) -> None:
    """The standings are frozen once, when nobody may submit any more; later games do not change them, and the games of
    the moment give them again.
    """
    closes = datetime.now(UTC) + timedelta(hours=1)
    keeper = close_at(played, book, closes)
    league = read_league(played.folder, load_registry())

    keeper.look(closes + timedelta(days=1))
    assert book.find_snapshot("standings", ClassStandings) is None
    keeper.look(closes + timedelta(days=3))
    frozen = book.find_snapshot("standings", ClassStandings)
    assert frozen is not None
    play_on_paper(played.folder, book, 10, seed="later")
    keeper.look(closes + timedelta(days=4))

    assert book.find_snapshot("standings", ClassStandings) == frozen
    with closing(Store(played.store)) as store:
        assert find_moment(store).games > frozen.moment.games
        assert repeat_standings(store, frozen, book.submissions()) == frozen
    assert draw_up_now(league, book, read_term(league, book, datetime.now(UTC))).lines != frozen.lines
    assert [entry.about for entry in book.audit() if entry.what == "frozen"][1].startswith("standings: 3 places by ")


def test_an_end_before_anything_was_sent(played: PlayedLeague, book: Book) -> None:
    """Nothing is frozen, and the host is told once, if submissions ended before the first of them; with a later end
    all goes on.
    """
    said = list[str]()
    set_closes(played, LONG_AGO)
    league = read_league(played.folder, load_registry())
    keeper = TermKeeper(league, book, said.append)

    keeper.look(TOMORROW)
    keeper.look(TOMORROW)

    assert book.find_snapshot("versions", list[CountedVersion]) is None
    assert book.find_snapshot("standings", ClassStandings) is None
    assert said == [
        "nothing is frozen: nothing was submitted before submissions ended, at 2026-01-01T18:00:00+00:00; give "
        "[submissions] another `closes` if they are to go on"
    ]
    assert read_term(league, book, TOMORROW).missing == said[0].removeprefix("nothing is frozen: ")
    close_at(played, book, TOMORROW).look(TOMORROW + timedelta(days=3))
    assert book.find_snapshot("standings", ClassStandings) is not None


def test_standings_without_a_game_are_repeated(played: PlayedLeague, book: Book) -> None:
    """Standings that were frozen before the first game are the same again after games were played."""
    now = utc_now()
    frozen = draw_up_standings(
        None, StoreMoment(at=now), list_candidates(read_arrivals(book), OPEN), book.submissions(), 5
    )

    with closing(Store(played.store)) as store:
        assert repeat_standings(store, frozen, book.submissions()) == frozen


def test_a_game_that_changed_is_seen(played: PlayedLeague, book: Book) -> None:
    """If a game of the frozen moment is gone, the standings are not given again."""
    closes = datetime.now(UTC) + timedelta(hours=1)
    close_at(played, book, closes).look(closes + timedelta(days=3))
    frozen = book.find_snapshot("standings", ClassStandings)
    assert frozen is not None
    book._db.execute("delete from games where id < 12")
    book._db.commit()

    with closing(Store(played.store)) as store:
        assert repeat_standings(store, frozen, book.submissions()) != frozen


def test_a_later_extension_freezes_again(played: PlayedLeague, book: Book) -> None:
    """An extension after the standings were frozen has them frozen again at its end."""
    closes = datetime.now(UTC) + timedelta(hours=1)
    keeper = close_at(played, book, closes)
    keeper.look(closes + timedelta(days=3))
    book.extend("cy", closes + timedelta(days=10), "host")

    keeper.look(closes + timedelta(days=11))
    first = book.find_snapshot("standings", ClassStandings)
    keeper.look(closes + timedelta(days=13))
    second = book.find_snapshot("standings", ClassStandings)

    assert first is not None
    assert second is not None
    assert datetime.fromisoformat(second.until) - datetime.fromisoformat(first.until) == timedelta(days=10)


def test_versions_that_have_few_games_are_waited_for(played: PlayedLeague, book: Book) -> None:
    """Standings are frozen when each version that counts and plays has enough games."""
    closes = datetime.now(UTC) + timedelta(hours=1)
    keeper = close_at(played, book, closes)
    one = add_version(played.folder, book, LeagueBot("ada", "strong", "placing"))

    keeper.look(closes + timedelta(days=3))
    assert book.find_snapshot("standings", ClassStandings) is None
    book.retire([one.number], is_barred=False)
    keeper = close_at(played, book, closes)
    keeper.look(closes + timedelta(days=3))
    assert book.find_snapshot("standings", ClassStandings) is not None


def test_a_league_without_a_game(tmp_path: Path) -> None:
    """Before the first game versions count, and none has a place."""
    played = make_played_league(tmp_path / "course", BOTS, 0)
    with closing(Book(played.store)) as book:
        found = draw_up(played, book)

    assert {line.place for line in found.lines} == {None}
    assert len(found.lines) == 3
    assert (found.moment.games, found.moment.last, found.moment.seed) == (0, -1, "")
