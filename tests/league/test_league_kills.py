"""A league that is killed: what it has answered for is there, in the state where it was, and nothing half done."""

from __future__ import annotations

import http.client
import threading
from contextlib import closing, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Final

import pytest

from pitboss_tournament.league.book import Book
from pitboss_tournament.league.submission import WAITING, Submission
from pitboss_tournament.league.version_folder import digest_folder
from pitboss_tournament.processes.bot_contents import digest_contents, is_sealed
from tests.league.archives import make_bot_tar
from tests.league.league_process import LOOK_S, TIMEOUT_S, make_league, run_league
from tests.marks import first_rows

pytestmark = pytest.mark.once

SENDERS: Final = 3
WAITING_BUILD: Final = '''\
command = ["./build/run"]
build = ["sh", "-c", """
    echo begun >> {log}
    until [ -e {go} ]; do sleep 0.05; done
    echo 1 > build/run
    chmod +x build/run
"""]
'''


def read_book(folder: Path) -> list[Submission]:
    """Return the submissions of a league."""
    with closing(Book(folder / "league.pitboss")) as book:
        return book.submissions()


def wait_until_validated(folder: Path) -> list[Submission]:
    """Wait until nothing waits in a league that is running, and return the submissions."""
    until = monotonic() + TIMEOUT_S
    while {one.state for one in read_book(folder)} & set(WAITING):
        assert monotonic() < until, read_book(folder)
        sleep(LOOK_S)
    return read_book(folder)


@pytest.mark.long
def test_a_kill_in_the_midst_of_a_build(tmp_path: Path) -> None:
    """The build begins again from what was received; what it had left is not taken for a bot."""
    folder, log, go = tmp_path / "course", tmp_path / "log", tmp_path / "go"
    tokens = make_league(folder, sandbox="none")
    toml = WAITING_BUILD.format(log=log, go=go).encode()
    with run_league(folder) as league:
        number = league.put("slow", tokens["ada"], make_bot_tar({"bot.toml": toml})).value["number"]
        while not log.exists():
            assert league.process.poll() is None
            sleep(LOOK_S)
        league.kill()
    [left] = read_book(folder)
    place = folder / "bots" / left.digest
    assert (left.state, (folder / "uploads" / left.upload).is_file(), is_sealed(place)) == ("building", True, False)
    (place / "half").write_text("of another build")
    (folder / "uploads" / "orphan.upload").write_text("nobody was answered")
    (folder / "bots" / "orphan").mkdir()

    with run_league(folder) as league:
        while log.read_text() != "begun\nbegun\n":
            sleep(LOOK_S)
        go.touch()
        found = league.wait(number, tokens["ada"])

    assert (found["state"], found["evidence"]["building"]["seen"]) == ("placing", "it is built")
    assert is_sealed(place)
    assert sorted(path.name for path in place.iterdir()) == ["bot.toml", "build"]
    assert [path.name for path in (folder / "bots").iterdir()] == [left.digest]
    assert list((folder / "uploads").iterdir()) == []


@pytest.mark.long
@first_rows(1)("state", ["checking", "validation"])
def test_a_kill_in_another_state(tmp_path: Path, state: str) -> None:
    """A resume continues the state: what was shown before is not shown again."""
    folder = tmp_path / "course"
    tokens = make_league(folder)
    with run_league(folder) as league:
        number = league.put("bot", tokens["ada"]).value["number"]
        league.wait(number, tokens["ada"])
        league.kill()
    with closing(Book(folder / "league.pitboss")) as book, book._writing():
        book._db.execute("update league_submissions set state = ?", (state,))
        book._db.execute("update league_evidence set seen = json_set(seen, '$.seen', 'before the kill')")

    with run_league(folder) as league:
        found = league.wait(number, tokens["ada"])

    seen = {step: evidence["seen"] == "before the kill" for step, evidence in found["evidence"].items()}
    assert found["state"] == "placing"
    assert seen == {"building": True, "checking": state == "validation", "validation": False}


@pytest.mark.long
def test_kills_while_bots_arrive(tmp_path: Path) -> None:
    """A submission that was answered with 202 is neither lost nor half there, whenever the league is killed."""
    folder = tmp_path / "course"
    names = [f"s{number}" for number in range(SENDERS)]
    tokens = make_league(folder, owners=" ".join(names), submissions="a_day = 1000")
    promised: dict[tuple[str, str], str] = {}

    for run in range(3):
        with run_league(folder) as league:
            stop = threading.Event()

            def send(owner: str, run: int = run, stop: threading.Event = stop) -> None:
                for number in range(2):
                    content = make_bot_tar({"a": f"{owner} {run} {number}".encode() * 5_000})
                    with suppress(OSError, http.client.HTTPException):
                        answer = league.put(f"{owner}-{number}", tokens[owner], content)
                        if answer.status == 202:
                            promised[owner, answer.value["digest"]] = answer.value["name"]
                    if stop.is_set():
                        return

            senders = [threading.Thread(target=send, args=(name,)) for name in names]
            for sender in senders:
                sender.start()
            before = len(promised)
            while len(promised) < before + 3 + run:
                assert league.process.poll() is None
                sleep(LOOK_S)
            stop.set()
            league.kill()
            for sender in senders:
                sender.join()
        kept = {(one.owner, one.digest): one.bot for one in read_book(folder)}
        assert promised.items() <= kept.items()

    with run_league(folder):
        found = wait_until_validated(folder)
    assert {one.state for one in found} <= {"placing", "playing", "retired"}
    for one in found:
        place = folder / "bots" / one.digest
        assert is_sealed(place)
        assert digest_contents(digest_folder(place)) == one.digest
    assert {path.name for path in (folder / "bots").iterdir()} == {one.digest for one in found}
    assert list((folder / "uploads").iterdir()) == []
