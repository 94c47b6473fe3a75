"""Names of a league that change: bots are handed over, bots and owners renamed, owners erased; the games stay."""

from __future__ import annotations

import json
import shutil
import sqlite3
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pytest

from pitboss_tournament.counting.stored_findings import StoredFindings
from pitboss_tournament.league.book import Book, PeopleGame
from pitboss_tournament.league.class_standings import list_candidates, read_arrivals
from pitboss_tournament.league.deadlines import Deadlines
from pitboss_tournament.league.finals_rules import FinalsRules
from pitboss_tournament.league.game_archive import GameArchive
from pitboss_tournament.league.league_folder import LeagueFolder, hold_league
from pitboss_tournament.store.redaction import Redaction
from pitboss_tournament.store.store import Store
from tests.league.league_process import run_league, wait_until
from tests.league.played_leagues import LeagueBot, PlayedLeague, add_version, make_played_league, play_on_paper
from tests.league.sealed_leagues import make_valid_league, play_league
from tests.league.test_league_upgrade import EARLIER
from tests.tournament.command_line import CommandResult, run_pitboss

pytestmark = pytest.mark.once

BOTS: Final = (
    LeagueBot("lovelace", "LovelaceFox"),
    LeagueBot("lovelace", "hare"),
    LeagueBot("bobby", "owl"),
    LeagueBot("cyrus", "newt"),
    LeagueBot("lovelace", "LovelaceFox", "retired", code="# by Lovelace"),
)
ERASED: Final = ("lovelace", "Countess")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> PlayedLeague:
    """Make a league in which games were played, whose owners are in all of its tables."""
    played = make_played_league(tmp_path_factory.mktemp("changes") / "course", BOTS, 6, forfeits=True)
    with closing(Book(played.store)) as book:
        book.begin_upload("lovelace", "hare", 99)
        book.choose_display_name("lovelace", "Countess")
        book.note("lovelace", "upload refused", "hare: it is lovelace's, and no archive")
        book.retire([2], "countess lovelace asked for it")
        book.move(2, "received")
        for state in ("building", "checking", "validation", "placing", "playing"):
            book.move(2, state)
        book.begin_finals("finals-1.pitboss", FinalsRules(2, 1, one_per_owner=False), "LovelaceFox@1 of lovelace")
        book.extend("lovelace", datetime(2036, 2, 8, 18, tzinfo=UTC), "host")
        book.set_group("lovelace", ["Augusta Lovelace", "Charles"], "host")
        add_frozen(book)
        book.add_people_games([PeopleGame("p.pitboss", 0, 0, 1, "Countess", 1, 1.0, 0.0, 1.0)])
    write_finals(played.store, played.folder / "finals-1.pitboss")
    return played


def add_frozen(book: Book) -> None:
    """Freeze which versions count."""
    deadlines = Deadlines(datetime(2036, 1, 1, tzinfo=UTC), 0, None, {})
    book.add_snapshot("versions", list_candidates(read_arrivals(book), deadlines), "lovelace's, too", "league")


def write_finals(store: Path, finals: Path) -> None:
    """Write the games of a league into a store without the tables of a league."""
    with closing(sqlite3.connect(store)) as source, closing(sqlite3.connect(finals)) as db:
        source.backup(db)
        for [table] in db.execute(
            "select name from sqlite_master where type = 'table' and name like 'league%'"
        ).fetchall():
            db.execute(f"drop table {table}")
        db.commit()
        db.execute("vacuum")


@pytest.fixture
def course(played: PlayedLeague, tmp_path: Path) -> Path:
    """Copy the league for one test."""
    return Path(shutil.copytree(played.folder, tmp_path / "course"))


def change(course: Path, *words: str) -> CommandResult:
    """Run a command of `pitboss league`."""
    return run_pitboss("league", words[0], str(course), *words[1:], cwd=course.parent)


def list_results(course: Path) -> list[object]:
    """Return all that the games of a league have brought, without names."""
    with closing(Store(course / "league.pitboss")) as store:
        found = StoredFindings(store)
        ratings = [found.ratings.rating_of(number).points.mean for number in range(len(found.entries))]
        return [list(store.results()), ratings]


def list_owners(course: Path) -> dict[str, str]:
    """Return the owners of bots; the tournament must have bots of the same names."""
    with closing(Book(course / "league.pitboss")) as book, closing(Store(course / "league.pitboss")) as store:
        owners = {one.bot: one.owner for one in book.submissions()}
        assert {one.name for one in store.header.entries} == set(owners)
        return owners


def require_whole(course: Path) -> None:
    """Check that a store is what was written, and that records name the bots that the results are of."""
    with closing(Store(course / "league.pitboss")) as store:
        assert (list(store.changed_games()), store.changed_tables(), store.count_lost_checksums()) == ([], [], 0)
        names = store.header.bots
        for result, (_, record) in zip(store.results(), store.records(), strict=True):
            assert record.players == [names[seat.entrant] for seat in result.seats]


def list_texts(store: Path) -> Iterator[str]:
    """Yield all that a store has, unpacked, and the bytes of its files."""
    for path in store.parent.glob(f"{store.name}*"):
        yield path.read_bytes().decode("latin-1")
    with closing(Store(store)) as opened:
        for _, record in opened.records():
            yield repr(record)
    with closing(sqlite3.connect(store)) as db:
        for row in db.execute("select errors, wire from logs"):
            yield from (zlib.decompress(part).decode() for part in row if part)
        yield db.execute("select bytes from dictionary").fetchone()[0].decode()


def test_a_bot_is_handed_over(course: Path) -> None:
    """A bot goes to another owner with all of its versions and games; the new owner alone may submit it."""
    before = list_results(course)

    ran = change(course, "hand-over", "lovelacefox", "--to", "bobby")

    assert (ran.status, ran.out) == (0, "LovelaceFox@1 and LovelaceFox@2 belong to bobby now.\n"), ran.err
    assert list_owners(course) == {"LovelaceFox": "bobby", "hare": "lovelace", "owl": "bobby", "newt": "cyrus"}
    assert list_results(course) == before
    require_whole(course)
    with closing(Book(course / "league.pitboss")) as book:
        assert (book.audit()[-1].what, book.audit()[-1].about) == ("handed over", "LovelaceFox of lovelace to bobby")
        assert book.check_name("bobby", "lovelacefox") == "LovelaceFox"
        assert add_version(course, book, LeagueBot("bobby", "LovelaceFox", code="# another")).version == 3
        play_on_paper(course, book, 1, seed="later")
    require_whole(course)


async def test_the_new_owner_has_the_earlier_games(course: Path) -> None:
    """The games of a bot that was handed over belong to the new owner, and no more to the former one."""
    change(course, "hand-over", "LovelaceFox", "--to", "bobby")

    with closing(Book(course / "league.pitboss")) as book:
        game = await GameArchive(course / "league.pitboss", book).find_game(0)

    entries = [game.header.entries[seat.entrant].name for seat in game.result.seats]
    assert "LovelaceFox" in entries
    assert game.owners[entries.index("LovelaceFox")] == "bobby"


def test_a_bot_is_called_otherwise(course: Path) -> None:
    """A bot has another name in its games, too; the old name is free, and the audit trail keeps both."""
    before = list_results(course)

    ran = change(course, "rename", "LovelaceFox", "vixen")

    assert (ran.status, ran.out) == (0, "LovelaceFox is called vixen now.\n"), ran.err
    assert list_owners(course) == {"vixen": "lovelace", "hare": "lovelace", "owl": "bobby", "newt": "cyrus"}
    assert list_results(course) == before
    require_whole(course)
    with closing(Book(course / "league.pitboss")) as book:
        assert book.audit()[-1].about == "the bot LovelaceFox of lovelace to vixen"
        assert book.check_name("cyrus", "LovelaceFox") == "LovelaceFox"
        play_on_paper(course, book, 1, seed="later")
    require_whole(course)


def test_an_owner_is_called_otherwise(course: Path, played: PlayedLeague) -> None:
    """An owner with another name keeps tokens, bots, uploads of the day and pseudonym."""
    with closing(Book(course / "league.pitboss")) as book:
        before, tokens = book.owner_names()["lovelace"].pseudonym, len(book.tokens())

    ran = change(course, "rename", "lovelace", "Ada King", "--owner")

    assert (ran.status, ran.out) == (0, "lovelace is called Ada King now.\n"), ran.err
    assert list_owners(course)["hare"] == "Ada King"
    require_whole(course)
    with closing(Book(course / "league.pitboss")) as book:
        assert "lovelace" not in book.owners()
        assert book.owner_names()["Ada King"].pseudonym == before
        assert [one.owner for one in book.tokens()].count("Ada King") == 1
        assert len(book.tokens()) == tokens
        assert book.seconds_until_next("Ada King", 1) > 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["hand-over", "fix", "--to", "bobby"], "no bot of this league is called 'fix'"),
        (["hand-over", "owl", "--to", "bobbie"], "there is no owner 'bobbie' (did you mean 'bobby'?)"),
        (["hand-over", "owl", "--to", "bobby"], "owl is bobby's already"),
        (["rename", "owl", "newt"], "the name 'newt' belongs to another owner"),
        (["rename", "hare", "LOVELACEFOX"], "lovelace has a bot 'LOVELACEFOX' already"),
        (["rename", "owl", "house:owl"], "has a colon"),
        (["rename", "owl", "<owl>"], "the name of the bot"),
        (["rename", "bobby", "cyrus", "--owner"], "there is an owner 'cyrus' already"),
        (["rename", "bobby", "\u0441yrus", "--owner"], "look alike"),
        (["rename", "bobby", "host", "--owner"], "reserved for the audit trail"),
        (["erase", "nobody"], "there is no owner 'nobody'"),
    ],
)
def test_what_is_refused(course: Path, words: list[str], said: str) -> None:
    """A change of a name that cannot be is refused in a sentence, and changes nothing."""
    before = (course / "league.pitboss").read_bytes()

    ran = change(course, *words)

    assert ran.status == 2
    assert said in ran.err
    assert (course / "league.pitboss").read_bytes() == before


def test_a_league_that_runs_keeps_its_names(course: Path) -> None:
    """Names of a league that is running are not changed."""
    with hold_league(LeagueFolder(course), "busy"):
        ran = change(course, "hand-over", "owl", "--to", "cyrus")

    assert ran.status == 2
    assert "this league is running; stop it first" in ran.err


def test_an_owner_is_erased(course: Path) -> None:
    """After an owner is erased the stores have the name nowhere, neither in rows nor in bytes; all results stay."""
    before = list_results(course)
    run_pitboss("league", "backup", str(course), str(course.parent / "copy"))
    with closing(Book(course / "league.pitboss")) as book:
        pseudonym, audit = book.owner_names()["lovelace"].pseudonym, len(book.audit())

    ran = change(course, "erase", "lovelace", "--json")

    assert ran.status == 0, ran.err
    done = json.loads(ran.out)
    new_name = pseudonym.replace(" ", "-")
    assert (done["pseudonym"], done["bots"], done["tokens_revoked"]) == (pseudonym, {"LovelaceFox": new_name}, 1)
    assert done["copies"] == [str(course.parent / "copy")]
    assert [Path(path).name for path in done["stores"]] == ["league.pitboss", "finals-1.pitboss"]
    for store in ("league.pitboss", "finals-1.pitboss"):
        for text in list_texts(course / store):
            assert [name for name in ERASED if name.casefold() in text.casefold()] == [], store
    assert list_owners(course) == {new_name: pseudonym, "hare": pseudonym, "owl": "bobby", "newt": "cyrus"}
    assert list_results(course) == before
    require_whole(course)
    with closing(Book(course / "league.pitboss")) as book:
        assert len(book.audit()) > audit
        assert "bobby" in {one.who for one in book.audit()}
        assert pseudonym in {one.who for one in book.audit()}
        with pytest.raises(sqlite3.Error, match="only grows"):
            book._db.execute("delete from league_audit")
        play_on_paper(course, book, 1, seed="later")
    require_whole(course)


def test_an_erasure_takes_former_names_too(course: Path) -> None:
    """After owners and bots were called otherwise, an erasure leaves none of their names, in no store of the league."""
    with closing(Book(course / "league.pitboss")) as book:
        book._db.execute("update league_names set display = ''")  # the audit trail still has it
        book._db.commit()
        pseudonym = book.owner_names()["lovelace"].pseudonym
    for words in (
        ["rename", "LovelaceFox", "fox"],
        ["rename", "lovelace", "Dora B", "--owner"],
        ["rename", "hare", "byron's hare"],
        ["rename", "byron's hare", "hare"],
        ["rename", "Dora B", "Byron to King", "--owner"],
    ):
        assert change(course, *words).status == 0

    ran = change(course, "erase", "Byron to King", "--json")

    assert ran.status == 0, ran.err
    assert json.loads(ran.out)["pseudonym"] == pseudonym
    for store in ("league.pitboss", "finals-1.pitboss"):
        for text in list_texts(course / store):
            assert [name for name in (*ERASED, "Dora", "Byron") if name.casefold() in text.casefold()] == [], store
    assert list_owners(course) == {"fox": pseudonym, "hare": pseudonym, "owl": "bobby", "newt": "cyrus"}
    require_whole(course)


def test_a_former_name_that_is_anothers_stays(course: Path) -> None:
    """A former name that another owner has taken is that owner's: an erasure leaves it."""
    assert change(course, "rename", "lovelace", "Dora", "--owner").status == 0
    with closing(Book(course / "league.pitboss")) as book:
        book.add_tokens(["lovelace"])

    assert change(course, "erase", "Dora").status == 0

    with closing(Book(course / "league.pitboss")) as book:
        assert "lovelace" in book.owners()
        assert "Dora" not in book.owners()


def test_what_an_erasure_leaves_is_named(course: Path) -> None:
    """Sources in which the name stands are named; with --files they are removed, and the bots play no more."""
    with closing(Book(course / "league.pitboss")) as book:
        digests = [one.digest for one in book.submissions() if one.owner == "lovelace"]
    source = course / "bots" / digests[-1] / "bot.py"

    first = json.loads(change(course, "erase", "lovelace", "--json").out)
    assert str(source) in first["remains"]
    with closing(Book(course / "league.pitboss")) as book:
        book.add_tokens(["lovelace"])
        add_version(course, book, LeagueBot("lovelace", "stoat", code="# by lovelace again"))
    second = change(course, "erase", "lovelace", "--files")

    assert second.status == 0, second.err
    assert f"removed: {course / 'bots'}" in second.out
    with closing(Book(course / "league.pitboss")) as book:
        last = book.submissions()[-1]
    assert (last.bot, last.state) == ("stoat", "retired")
    assert not (course / "bots" / last.digest).exists()
    assert source.exists()


@pytest.mark.long
def test_a_league_that_was_really_played(tmp_path: Path) -> None:
    """Games that bots have played are whole after each change of names, and the league plays on."""
    course = tmp_path / "course"
    make_valid_league(course, ("lovelace", "bobby", "cyrus"))
    play_league(course, 12)

    assert change(course, "rename", "bobby-bot", "owl").status == 0
    assert change(course, "hand-over", "owl", "--to", "cyrus").status == 0
    ran = change(course, "erase", "lovelace")
    assert ran.status == 0, ran.err
    with run_league(course) as league, closing(Store(course / "league.pitboss")) as store:
        before = store.count_games()
        wait_until(league, lambda: store.count_games() > before)

    whole = run_pitboss("integrity", str(course / "league.pitboss"), "--replay")
    assert whole.status == 0, whole.out
    with closing(Store(course / "league.pitboss")) as store:
        assert "lovelace" not in repr(store.header)
        assert {"owl", "cyrus-bot"} < {one.name for one in store.header.entries}


@pytest.mark.long
def test_a_league_of_an_earlier_pitboss(tmp_path: Path) -> None:
    """In a league whose seeds have the names of bots games stay whole after a change of names; what stays is told."""
    with tarfile.open(EARLIER) as archive:
        archive.extractall(tmp_path, filter="tar")
    course = tmp_path / "course"

    assert change(course, "rename", "bob-bot", "owl").status == 0
    ran = change(course, "erase", "ada")

    assert ran.status == 0, ran.err
    assert f"the name still stands in {course / 'league.pitboss'}: seeds of " in ran.out
    whole = run_pitboss("integrity", str(course / "league.pitboss"), "--replay")
    assert whole.status == 0, whole.out
    with closing(Store(course / "league.pitboss")) as store:
        assert "owl" in store.header.bots
        assert not {"ada-bot", "bob-bot"}.intersection(store.header.bots)


def test_words_in_texts() -> None:
    """Names are replaced where they stand as words, whatever their capital letters; the longest of them first."""
    redaction = Redaction({"ada": "quiet otter", "ada lovelace": "brave wren"})

    said = 'ADA, Ada Lovelace, adamant, an ada-fox, fox_ada, {"by":"ada"}'

    assert redaction.redact(said) == (
        'quiet otter, brave wren, adamant, an quiet otter-fox, fox_quiet otter, {"by":"quiet otter"}'
    )
    assert Redaction({}).redact("ada") == "ada"
