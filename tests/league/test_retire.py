"""Versions that are taken out of a league: by its host for good, by their owners as long as they like."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pitboss.errors import ConfigError
from pitboss_tournament.league.book import Book, VersionBarred
from pitboss_tournament.league.submission import Submission
from tests.league.archives import make_bot_tar
from tests.league.league_process import LeagueProcess, make_league, run_league
from tests.league.sealed_leagues import add_version
from tests.mistakes import each_mistake
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """Make a league in which two versions of ada's fox play, and bob's owl."""
    folder = tmp_path / "course"
    make_league(folder)
    for comment in ("one", "two"):
        add_version(folder, "ada", "fox", comment, active_versions=2)
    add_version(folder, "bob", "owl")
    return folder


def list_states(folder: Path) -> dict[str, str]:
    """Return the states by version."""
    with closing(Book(folder / "league.pitboss")) as book:
        return {one.label: one.state for one in book.submissions()}


def send_again(folder: Path, one: Submission, bot: str | None = None) -> str:
    """Send the files of a version again; return its state."""
    with closing(Book(folder / "league.pitboss")) as book:
        return book.receive(one.owner, bot or one.bot, one.digest, 100, "again.upload").submission.state


def find_version(folder: Path, label: str) -> Submission:
    """Return a version."""
    with closing(Book(folder / "league.pitboss")) as book:
        [found] = [one for one in book.submissions() if one.label == label]
        return found


def test_the_host_retires_a_version(course: Path) -> None:
    """The audit trail has who and why, its owner reads it, and the others go on."""
    ran = run_pitboss("league", "retire", str(course), "fox@1", "--why", "it prints rude words")

    assert (ran.status, ran.out, ran.err) == (0, "retired: fox@1 of ada\n", "")
    assert list_states(course) == {"fox@1": "retired", "fox@2": "placing", "owl@1": "placing"}
    with closing(Book(course / "league.pitboss")) as book:
        last = book.audit()[-1]
        assert (last.who, last.what) == ("host", "retired")
        assert last.about == "submission 1 (fox@1 of ada): it prints rude words"
        assert book.evidence(1)["placing"].seen == "host took it out: it prints rude words"


def test_all_versions_of_a_name(course: Path) -> None:
    """A name alone, however it is written, means all of its versions that play."""
    ran = run_pitboss("league", "retire", str(course), "FOX", "--json")

    assert [(one["bot"], one["version"], one["state"]) for one in ran.json_value] == [
        ("fox", 1, "retired"),
        ("fox", 2, "retired"),
    ]
    assert list_states(course)["owl@1"] == "placing"


@each_mistake(__file__)
def test_a_mistake_in_retiring(course: Path, written: str, said: str) -> None:
    """A mistake in retiring is reported in one line, and nothing changes."""
    cat = add_version(course, "ada", "cat")
    with closing(Book(course / "league.pitboss")) as book:
        book.retire([cat.number], is_barred=False)
        book.receive("ada", "cat", "other", 100, "cat.upload")
        before = book.change_count()

    ran = run_pitboss("league", "retire", *written.split(), cwd=course.parent)

    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert ran.err.startswith(f"pitboss: {said}")
    with closing(Book(course / "league.pitboss")) as book:
        assert book.change_count() == before


def test_several_are_retired_together_or_not_at_all(course: Path) -> None:
    """No version is retired if one of several cannot be."""
    with closing(Book(course / "league.pitboss")) as book:
        book.retire([1])
        with pytest.raises(ConfigError, match="fox@1 of ada is retired already"):
            book.retire([2, 1])

    assert list_states(course)["fox@2"] == "placing"


def test_files_that_the_host_took_out(course: Path) -> None:
    """Files that the host took out do not come back, nor under another name of their owner; other files of the owner
    do.
    """
    fox = find_version(course, "fox@1")
    run_pitboss("league", "retire", str(course), "fox@1", "--why", "copied")

    for name in ("fox", "lynx"):
        with pytest.raises(VersionBarred, match=r"these files are fox@1, which host took out at .* \(copied\)"):
            send_again(course, fox, name)
    assert list_states(course) == {"fox@1": "retired", "fox@2": "placing", "owl@1": "placing"}
    with closing(Book(course / "league.pitboss")) as book:
        assert book.receive("ada", "fox", "mended", 100, "x.upload").submission.label == "fox@3"


def test_files_that_were_replaced(course: Path) -> None:
    """A version that made way for newer ones, or that its owner took out, comes back by the same files."""
    fox = find_version(course, "fox@1")
    add_version(course, "ada", "fox", "three", active_versions=2)
    assert list_states(course)["fox@1"] == "retired"

    assert send_again(course, fox) == "received"


def test_a_change_is_noticed_by_other_processes(course: Path) -> None:
    """The count of changes grows with what another process does."""
    with closing(Book(course / "league.pitboss")) as book:
        before = book.change_count()
        assert book.change_count() == before
        run_pitboss("league", "retire", str(course), "owl")
        assert book.change_count() > before


class RetiringCourse:
    """A running league with a version of ada, and tokens."""

    def __init__(self, league: LeagueProcess, tokens: dict[str, str]) -> None:
        self.league = league
        self.tokens = tokens

    def submit(self, bot: str) -> int:
        """Submit a bot of ada, and wait until it is valid; return its number."""
        number: int = self.league.put(bot, self.tokens["ada"], self.pack(bot)).value["number"]
        assert self.league.wait(number, self.tokens["ada"])["state"] == "placing"
        return number

    def pack(self, bot: str) -> bytes:
        """Return the archive of a bot."""
        return make_bot_tar({"name": bot.encode()})

    def retire(self, number: int, who: str) -> tuple[int, object]:
        """Retire a version; return the status, and the state or the error."""
        answer = self.league.ask("DELETE", f"/api/submissions/{number}", self.tokens.get(who, ""))
        return answer.status, answer.value.get("state", answer.value.get("error"))


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RetiringCourse]:
    """Run a league for the tests over HTTP."""
    folder = tmp_path_factory.mktemp("retiring") / "course"
    tokens = make_league(folder)
    with closing(Book(folder / "league.pitboss")) as book:
        tokens["teacher"] = book.add_tokens(["teacher"], "host")[0].token
    with run_league(folder) as league:
        yield RetiringCourse(league, tokens)


@pytest.mark.long
def test_an_owner_retires_over_http(running: RetiringCourse) -> None:
    """An owner retires a version once over HTTP; nobody else may do that; and the same files come back."""
    number = running.submit("mine")

    assert running.retire(number, "bob") == (
        403,
        f"submission {number} is not yours; its owner or a host can retire it",
    )
    assert running.retire(number, "nobody")[0] == 401
    assert running.retire(number, "ada") == (200, "retired")
    status, said = running.retire(number, "ada")
    assert (status, str(said).split(",")[0]) == (409, "mine@1 of ada is retired already")
    assert running.retire(99999, "ada") == (404, "there is no submission 99999")
    assert running.submit("mine") == number


@pytest.mark.long
def test_a_host_retires_over_http(running: RetiringCourse) -> None:
    """A host's token retires any version over HTTP; its evidence is not shown, and its files are refused
    from then on.
    """
    number = running.submit("theirs")

    answer = running.league.ask("DELETE", f"/api/submissions/{number}", running.tokens["teacher"])
    again = running.league.put("theirs", running.tokens["ada"], running.pack("theirs"))

    assert (answer.status, answer.value["state"], answer.value["evidence"]) == (200, "retired", {})
    assert again.status == 409
    assert again.value["error"].startswith("these files are theirs@1, which teacher took out at ")
    with closing(Book(running.league.folder / "league.pitboss")) as book:
        [*_, retired, _, refused] = book.audit()  # between them the upload began
    assert (retired.who, retired.what, refused.who, refused.what) == ("teacher", "retired", "ada", "upload refused")
