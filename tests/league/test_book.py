"""The book of a league: tokens, versions, states, evidence, and an audit trail that only grows."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss_tournament.league.book import Book, NameTaken
from pitboss_tournament.league.finals_rules import FinalsRules
from pitboss_tournament.league.submission import NEXT_STATES, WAITING, Evidence, Submission, SubmissionState
from pitboss_tournament.league.tokens import hash_secret, parse_token
from pitboss_tournament.store.database import StoreError
from pitboss_tournament.store.header import Header
from pitboss_tournament.store.store import Store
from tests.tournament.stored_games import make_stored_game, make_test_header

GOOD = Evidence(is_good=True, seen="fine")
WAY: tuple[SubmissionState, ...] = ("building", "checking", "validation", "placing")


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Book]:
    """Open the book of a new league."""
    with closing(Book(tmp_path / "league.pitboss")) as opened:
        yield opened


@pytest.fixture
def league_header(tmp_path: Path) -> Header:
    """Return the header of a small tournament."""
    return make_test_header(tmp_path)


def receive(book: Book, owner: str = "ada", bot: str = "fox", digest: str = "d1") -> Submission:
    """Receive a submission."""
    return book.receive(owner, bot, digest, 100, f"{digest}.upload").submission


def bring_to(book: Book, one: Submission, state: SubmissionState, active_versions: int = 1) -> Submission:
    """Bring a submission along the way to a state."""
    for step in WAY[: WAY.index(state) + 1]:
        one = book.move(one.number, step, GOOD, active_versions=active_versions if step == "placing" else None)
    return one


def test_a_token_opens_for_its_owner(book: Book) -> None:
    """A league keeps of a token its number and a hash; its secret alone fits."""
    [made] = book.add_tokens(["ada"])
    words = parse_token(made.token)
    assert words is not None

    token = book.find_token(words.number)

    assert token is not None
    assert (token.owner, token.role, token.ends, token.why_invalid("2999")) == ("ada", "owner", None, None)
    assert token.fits(words.secret)
    assert not token.fits(words.secret[:-1] + ("A" if words.secret[-1] != "A" else "B"))
    assert token.hash == hash_secret(words.secret)


@pytest.mark.parametrize(("now", "opens"), [("2026-11-29T11:59:59+00:00", True), ("2026-11-29T12:00:00+00:00", False)])
def test_a_token_until_its_end(book: Book, now: str, opens: bool) -> None:
    """A token opens until the second before its end."""
    book.add_tokens(["ada"])
    token = replace(book.tokens()[0], ends="2026-11-29T12:00:00+00:00")

    assert (token.why_invalid(now) is None) == opens


def test_a_secret_is_nowhere_in_the_file(book: Book) -> None:
    """The store of a league holds no secret of a token, so that a reader of it cannot submit."""
    [made] = book.add_tokens(["ada"])
    book.close()

    secret = made.token.split("-", 2)[2]
    assert secret.encode() not in b"".join(path.read_bytes() for path in book.path.parent.iterdir() if path.is_file())


def test_two_tokens_are_never_alike(book: Book) -> None:
    """Each token has 256 random bits of its own."""
    made = book.add_tokens(["ada"] * 50)

    assert len({one.token.split("-", 2)[2] for one in made}) == 50
    assert all(len(one.token.split("-", 2)[2]) == 43 for one in made)  # 256 bits, 6 a letter


@pytest.mark.parametrize(
    "said", ["", "pitboss-1", "pitboss-x-" + "a" * 43, "pitboss-1-" + "ä" * 43, "a" * 43, "pitboss-1-'; --"]
)
def test_what_is_no_token(said: str) -> None:
    """A text that is no token has no number and no secret."""
    assert parse_token(said) is None


def test_a_token_that_has_ended_or_was_revoked(book: Book) -> None:
    """A token that has ended or was revoked says why it is not valid; other tokens of the owner stay valid."""
    first, second = book.add_tokens(["ada", "ada"], days=1)
    assert first != second

    number = book.tokens()[0].number
    revoked = book.revoke_tokens(lambda token: token.number == number)
    one, two = book.tokens()

    assert [token.number for token in revoked] == [number]
    assert (one.why_invalid("2000") or "").startswith(f"token {number} was revoked at ")
    assert two.why_invalid("2000") is None
    assert (two.why_invalid("2999") or "").startswith(f"token {two.number} ended at ")
    assert book.revoke_tokens(lambda token: token.number == number) == []


def test_versions_of_a_name_are_counted(book: Book) -> None:
    """Other files are another version; the same files are the same one, and nothing new is queued."""
    first, second = receive(book, digest="d1"), receive(book, digest="d2")
    again = book.receive("ada", "fox", "d1", 100, "x.upload")

    assert (first.label, second.label) == ("fox@1", "fox@2")
    assert (again.submission.number, again.is_queued) == (first.number, False)
    assert again.submission.upload == "d1.upload"


@pytest.mark.parametrize("state", ["refused", "retired"])
def test_files_that_come_again_after_their_end(book: Book, state: SubmissionState) -> None:
    """A version that was refused or retired is validated anew, as the version that it was; old evidence is gone."""
    one = bring_to(book, receive(book), "building" if state == "refused" else "placing")
    book.move(one.number, state, GOOD)
    book.begin_try(one.number)

    again = book.receive("ada", "fox", "d1", 100, "new.upload")

    assert again.is_queued
    assert (again.submission.number, again.submission.version, again.submission.state) == (one.number, 1, "received")
    assert (again.submission.upload, again.submission.tries, book.evidence(one.number)) == ("new.upload", 0, {})


def test_a_name_belongs_to_who_took_it_first(book: Book) -> None:
    """A name that belongs to one owner cannot be taken by another, however its letters are written; no refused attempt
    leaves a trace in the versions.
    """
    receive(book, "ada", "Fox")

    with pytest.raises(NameTaken, match="'Fox' belongs to another owner"):
        receive(book, "bob", "fOX", "d2")
    assert [one.owner for one in book.submissions()] == ["ada"]


def test_a_name_has_one_spelling(book: Book) -> None:
    """An owner may spell the name of a bot otherwise, and means the same bot."""
    receive(book, "ada", "Fox")

    assert receive(book, "ada", "fOX", "d2").label == "Fox@2"


@pytest.mark.parametrize("name", ["host", "league"])
def test_an_owner_who_would_be_taken_for_another(book: Book, name: str) -> None:
    """The audit trail tells owners from the host and from the league."""
    with pytest.raises(ConfigError, match=f"'{name}' is reserved"):
        book.add_tokens(["ada", name])
    assert (book.tokens(), book.owners()) == ([], [])


def test_files_of_two_owners_are_flagged(book: Book) -> None:
    """The files of two owners that are alike are both kept, and the host is told."""
    one, other = receive(book, "ada", "fox"), receive(book, "bob", "cat")

    assert [(digest, [same.number for same in some]) for digest, some in book.find_shared()] == [
        ("d1", [one.number, other.number])
    ]
    [entry] = [entry for entry in book.audit() if entry.what == "same files"]
    assert entry.about == "submissions 1 of ada and 2 of bob, digest d1"


@pytest.mark.parametrize("came_from", NEXT_STATES)
def test_a_state_is_followed_by_few(tmp_path: Path, came_from: SubmissionState) -> None:
    """Each state is followed by those of the table and by no other, and what is refused changes nothing."""
    for wanted in NEXT_STATES:
        path = tmp_path / f"{wanted}.pitboss"
        with closing(Book(path)) as book:
            one = receive(book)
            with closing(sqlite3.connect(path)) as db, db:
                db.execute("update league_submissions set state = ?", (came_from,))
            if wanted in (came_from, *NEXT_STATES[came_from]):
                assert book.move(one.number, wanted).state == wanted
            else:
                with pytest.raises(ConfigError, match=f"is {came_from}, and cannot become {wanted}"):
                    book.move(one.number, wanted, GOOD)
                assert (book.submission(one.number).state, book.evidence(one.number)) == (came_from, {})


def test_the_newest_versions_play(book: Book) -> None:
    """With two active versions the third retires the first; another name is not touched."""
    other = bring_to(book, receive(book, bot="cat"), "placing", 2)
    three = [bring_to(book, receive(book, digest=f"d{number}"), "placing", 2) for number in range(3)]

    states = [book.submission(one.number).state for one in (other, *three)]
    assert states == ["placing", "retired", "placing", "placing"]


def test_evidence_is_kept_by_state(book: Book) -> None:
    """Each state leaves its evidence, in order."""
    one = bring_to(book, receive(book), "checking")
    book.move(one.number, "refused", Evidence(is_good=False, seen="it sleeps"))

    assert [(state, seen.seen) for state, seen in book.evidence(one.number).items()] == [
        ("received", "fine"),
        ("building", "fine"),
        ("checking", "it sleeps"),
    ]


def test_owners_take_turns(book: Book) -> None:
    """An owner who sends many bots at once does not keep the others waiting for all of them."""
    for number in range(3):
        receive(book, "ada", f"a{number}", f"a{number}")
    receive(book, "bob", "b", "b")

    assert [one.bot for one in book.list_waiting()] == ["a0", "b", "a1", "a2"]
    assert all(one.state in WAITING for one in book.list_waiting())


def test_names_that_look_alike(book: Book) -> None:
    """A name that looks like one of another owner's bot is refused; an owner's own names, old ones too, are not."""
    receive(book, "ada", "Fox", "d1")
    book.receive("bob", "owl", "d2", 100, "d2.upload")

    with pytest.raises(
        NameTaken, match=r"^the names 'F\u043ex' \(CYRILLIC SMALL LETTER O\) and 'Fox' look alike, and the lat"
    ):
        book.check_name("bob", "F\u043ex")
    with pytest.raises(NameTaken, match=r"^the name 'Fox' belongs to another owner"):
        book.check_name("bob", "fox")
    assert book.check_name("ada", "F\u043ex") == "F\u043ex"
    assert book.check_name("bob", "OWL") == "owl"
    assert book.check_name("bob", "ox") == "ox"


def test_names_of_an_earlier_pitboss(book: Book) -> None:
    """An owner goes on under the name that a bot has, although another owner's looks like it today."""
    receive(book, "ada", "Fox ", "d1")
    receive(book, "bob", "fix", "d2")
    with closing(sqlite3.connect(book.path, isolation_level=None)) as db:
        db.execute("update league_submissions set bot = 'F\u043ex' where owner = 'bob'")

    assert [book.check_name("ada", "Fox"), book.check_name("bob", "F\u043ex")] == ["Fox ", "F\u043ex"]


def test_owners_that_look_alike(book: Book) -> None:
    """Two owners with names that look alike are refused, all or none; one owner may have several tokens."""
    book.add_tokens(["ada", "ada"])

    with pytest.raises(ConfigError, match=r"^the owners 'ad\u0430' \(CYRILLIC SMALL LETTER A\) and 'ada' look alike"):
        book.add_tokens(["bob", "ad\u0430"])
    assert book.owners() == ["ada"]


def test_what_was_valid_once(book: Book) -> None:
    """A version stays among the valid ones, also if it is sent again and refused then; a refused one is not."""
    one, other = bring_to(book, receive(book), "placing"), bring_to(book, receive(book, digest="d2"), "building")
    book.retire([one.number], is_barred=False)
    receive(book)
    for number in (one.number, other.number):
        book.move(number, "refused")

    assert book.list_valid() == {one.number}


def test_finals_in_the_book(book: Book) -> None:
    """The last finals that began in a store are found by it, with their rules; they are held once."""
    small, large = FinalsRules(2, 20, one_per_owner=False), FinalsRules(16, 1_000, one_per_owner=True)
    book.begin_finals("f.pitboss", large, "fox@1 of ada")
    book.end_finals("f.pitboss", "4 games: 1. fox")
    book.begin_finals("f.pitboss", small, "cat@1 of ada")
    book.begin_finals("f.pitboss: the best", large, "fox@1 of ada")
    begun = book.find_finals("f.pitboss")
    for _ in range(2):
        book.end_finals("f.pitboss", "4 games: 1. cat")
    held = book.find_finals("f.pitboss")

    assert begun is not None
    assert (begun.rules, begun.held) == (small, None)
    assert held is not None
    assert (held.number, held.held is None) == (begun.number, False)
    assert book.find_finals("g.pitboss") is None
    assert [(entry.what, entry.about) for entry in book.audit()] == [
        ("finals begun", f"f.pitboss: {large}: fox@1 of ada"),
        ("finals held", "f.pitboss: 4 games: 1. fox"),
        ("finals begun", f"f.pitboss: {small}: cat@1 of ada"),
        ("finals begun", f"f.pitboss: the best: {large}: fox@1 of ada"),
        ("finals held", "f.pitboss: 4 games: 1. cat"),
    ]


def test_a_number_of_submissions_a_day(book: Book) -> None:
    """The day's number counts refused uploads and the same files again, but not other owners' uploads; the answer says
    how long to wait.
    """
    for _ in range(2):
        book.begin_upload("ada", "fox", 3)
        receive(book, "ada")
    book.begin_upload("ada", "fox", 3)
    book.note("ada", "upload refused", "it was a bomb")

    assert book.seconds_until_next("ada", 4) == 0
    assert 86_000 < book.seconds_until_next("ada", 3) <= 86_401
    assert book.seconds_until_next("bob", 1) == 0


def test_the_audit_trail_only_grows(book: Book) -> None:
    """The lines of the audit trail cannot be changed or removed, whoever opens the file."""
    receive(book)
    with closing(sqlite3.connect(book.path)) as db:
        for statement in ("delete from league_audit", "update league_audit set who = 'nobody'"):
            with pytest.raises(sqlite3.IntegrityError, match="only grows"):
                db.execute(statement)

    assert [(entry.who, entry.what) for entry in book.audit()] == [("ada", "submitted")]


def test_all_or_nothing(book: Book) -> None:
    """A change that fails in the middle leaves no part of it."""
    with pytest.raises(StoreError), book._writing():
        receive(book)
        book._db.execute("insert into nowhere values (1)")

    assert (book.submissions(), book.audit()) == ([], [])


def test_a_store_that_is_a_league_first(tmp_path: Path, league_header: Header) -> None:
    """A tournament can be played into the store of a league, and nothing of the league is lost."""
    path = tmp_path / "league.pitboss"
    with closing(Book(path)) as book:
        receive(book)
        with pytest.raises(ConfigError, match="the store of a league in which no game has been played yet"):
            Store(path)

        with closing(Store.for_run(path, league_header)) as store:
            store.add([make_stored_game(0)])

    with closing(Store(path)) as store, closing(Book(path)) as book:
        assert (store.count_games(), store.changed_tables(), store.find_damage()) == (1, [], [])
        assert [one.label for one in book.submissions()] == ["fox@1"]


def test_a_foreign_table_in_place_of_one(tmp_path: Path) -> None:
    """A table of this name that no Pitboss has made is refused, as in any store."""
    path = tmp_path / "league.pitboss"
    with closing(sqlite3.connect(path)) as db:
        db.execute("create table league_tokens (hash text)")

    with pytest.raises(StoreError, match="no Pitboss has made its table 'league_tokens'"):
        Book(path)
