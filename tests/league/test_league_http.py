"""A league over HTTP: who may send what, what is answered, and who may read it."""

from __future__ import annotations

import re
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from subprocess import PIPE
from typing import NamedTuple

import pytest

from pitboss_tournament.league.book import Book
from tests.league.archives import BOT_TOML, GOOD_BOT, add_to_bot, make_bot_tar, make_member, make_tar
from tests.league.league_process import TIMEOUT_S, LeagueProcess, make_league, run_league
from tests.tournament.command_line import COMMAND

pytestmark = pytest.mark.once


class Course(NamedTuple):
    """A running league, and tokens."""

    league: LeagueProcess
    ada: str
    bob: str
    host: str


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Course]:
    """Run a league for all tests of this file; each uses bots of its own names."""
    folder = tmp_path_factory.mktemp("league") / "course"
    tokens = make_league(folder, submissions="a_day = 1000")
    book = Book(folder / "league.pitboss")
    [host] = book.add_tokens(["teacher"], "host")
    book.close()
    with run_league(folder) as league:
        yield Course(league, tokens["ada"], tokens["bob"], host.token)


@pytest.mark.long
def test_a_bot_that_is_sent(course: Course) -> None:
    """A bot that is sent is received and built, and waits for games; its owner sees each step."""
    sent = course.league.put("first", course.ada, make_bot_tar({"bot.py": GOOD_BOT}))
    assert (sent.status, sent.value["state"], sent.value["version"]) == (202, "received", 1)

    found = course.league.wait(sent.value["number"], course.ada)

    assert found["state"] == "placing"
    assert [(state, seen["is_good"]) for state, seen in found["evidence"].items()] == [
        ("building", True),
        ("checking", True),
        ("validation", True),
    ]
    folder = course.league.folder / "bots" / found["digest"]
    assert {path.name: path.read_bytes() for path in folder.iterdir()}["bot.py"] == GOOD_BOT
    assert {oct(path.stat().st_mode & 0o777) for path in folder.iterdir()} == {"0o444"}
    assert list((course.league.folder / "uploads").iterdir()) == []


def test_the_same_files_again(course: Course) -> None:
    """The same files again are the same version; 200 says that there is nothing new to wait for."""
    first = course.league.put("same", course.ada, make_bot_tar({"a": b"1"}))
    course.league.wait(first.value["number"], course.ada)

    again = course.league.put("same", course.ada, make_bot_tar({"a": b"1", ".hidden": b"2", "build/x": b"3"}))

    assert (again.status, again.value["number"], again.value["version"]) == (200, first.value["number"], 1)
    assert again.value["digest"] == first.value["digest"]


@pytest.mark.parametrize(
    ("token", "said"),
    [
        ("", "a token is needed"),
        ("secret", "this is no token of a league"),
        ("pitboss-1-" + "a" * 43, "this token is not one of this league"),
        ("pitboss-999-" + "a" * 43, "this token is not one of this league"),
    ],
)
@pytest.mark.parametrize(("method", "path"), [("PUT", "/api/submissions/x"), ("GET", "/api/submissions/1")])
def test_without_a_good_token(course: Course, method: str, path: str, token: str, said: str) -> None:
    """A request without a good token is answered 401, with the reason: nothing is taken and nothing is shown."""
    answer = course.league.ask(method, path, token, make_bot_tar() if method == "PUT" else None)

    assert (answer.status, answer.headers["www-authenticate"]) == (401, "Bearer")
    assert answer.value["error"].startswith(said)


def test_evidence_of_another(course: Course) -> None:
    """Only the owner of a submission reads its evidence: others cannot, nor can the host of the league."""
    number = course.league.put("mine", course.ada, make_bot_tar({"a": b"mine"})).value["number"]

    for token in (course.bob, course.host):
        answer = course.league.ask("GET", f"/api/submissions/{number}", token)
        assert (answer.status, answer.value["error"].split(";")[0]) == (403, f"submission {number} is not yours")


@pytest.mark.parametrize("path", ["/api/submissions/99999", f"/api/submissions/{10**30}", "/api/nothing"])
def test_what_is_not_there(course: Course, path: str) -> None:
    """A path that is not there is answered 404, as JSON."""
    answer = course.league.ask("GET", path, course.ada)

    assert answer.status == 404
    assert answer.value["error"]


def test_a_name_of_another(course: Course) -> None:
    """A name of another owner is answered 409: the name belongs to the owner who took it first."""
    course.league.put("taken", course.ada, make_bot_tar({"a": b"taken"}))

    answer = course.league.put("TAKEN", course.bob)

    assert (answer.status, answer.value["error"]) == (
        409,
        "the name 'taken' belongs to another owner; choose another one",
    )


@pytest.mark.parametrize(
    ("name", "body", "said"),
    [
        ("bad", b"no archive", "it is no tar archive|was it cut off"),
        ("bad", add_to_bot((make_member("../../evil", 1), b"x")), "'../../evil' has a part"),
        ("bad", make_tar((make_member("a", 1), b"x")), "there is no bot.toml in it"),
        ("bad", make_tar((make_member("bot.toml", 5), b"a = [")), r"^bot\.toml:1: not TOML"),
        ("bad", make_tar((make_member("bot.toml", 5), b"a = 1")), r"^bot\.toml:1: .*there is no key 'a'|command"),
        ("bad%2Fname", make_bot_tar(), None),
        ("%2Dbad", make_bot_tar(), "the name of the bot"),
        ("house:random", make_bot_tar(), "has a colon"),
    ],
)
def test_what_cannot_be_taken(course: Course, name: str, body: bytes, said: str | None) -> None:
    """A submission that cannot be taken is answered 422, with the reason; nothing is left of it, and no path of the
    league is told.
    """
    answer = course.league.put(name, course.bob, body)

    assert answer.status == (404 if said is None else 422)
    assert re.search(said or "", answer.value["error"]), answer.value
    assert "/course/" not in answer.value["error"]
    assert [one for one in (course.league.folder / "bots").iterdir() if one.name.startswith(".")] == []


@pytest.mark.parametrize("is_length_told", [True, False])
def test_a_body_that_is_too_large(course: Course, is_length_told: bool) -> None:
    """A body that is too large is answered 413, whether its length is told or found out while it comes."""
    part = bytes(64 << 10)
    body = part * 64 if is_length_told else (part for _ in range(64))

    uploads = course.league.folder / "uploads"
    before = set(uploads.iterdir())  # of those that wait

    answer = course.league.ask("PUT", "/api/submissions/large", course.ada, body)

    assert (answer.status, "have 1 MiB at most" in answer.value["error"]) == (413, True)
    assert set(uploads.iterdir()) <= before


@pytest.mark.long
def test_an_upload_that_hangs(course: Course, tmp_path: Path) -> None:
    """An owner has one upload at a time: the next is asked to come again, which `pitboss submit` does. An upload that
    breaks off leaves nothing.
    """
    (tmp_path / "bot.toml").write_bytes(BOT_TOML)
    uploads = course.league.folder / "uploads"
    before = set(uploads.iterdir())
    with socket.create_connection(("127.0.0.1", course.league.port)) as hanging:
        hanging.sendall(
            b"PUT /api/submissions/hangs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2500000\r\n"
            b"Authorization: Bearer %s\r\n\r\n" % course.ada.encode() + bytes(2_000_000)  # so many may take minutes
        )
        while not set(uploads.iterdir()) - before:
            assert course.league.process.poll() is None
        answer = course.league.put("next", course.ada)
        command = [*COMMAND, "submit", course.league.url, str(tmp_path), "--name", "next", "--no-wait"]
        waiting = subprocess.Popen([*command, "--token", course.ada], stdout=PIPE, stderr=PIPE, text=True)
        assert waiting.stderr is not None
        noted = waiting.stderr.readline()
        other = course.league.put("of-bob", course.bob)

    said, _ = waiting.communicate(timeout=TIMEOUT_S)
    assert (answer.value["error"], answer.headers["retry-after"]) == (
        "another upload of ada is in progress; the next one may come in 5 s",
        "5",
    )
    assert noted == f"pitboss: refused (429): {answer.value['error']}: waiting\n"
    assert other.status == 202
    assert (waiting.returncode, said.split()[0]) == (0, "received")
    found = {one["name"] for one in course.league.ask("GET", "/api/league", course.host).value["versions"]}
    assert found & {"hangs", "next"} == {"next"}


def test_another_name_of_the_host(course: Course) -> None:
    """A page of another site that leads here by its own name is refused, as by `pitboss serve`."""
    assert course.league.ask("GET", "/api/league", Host="evil.example").status == 400
    assert course.league.ask("GET", "/api/league", Host="localhost").status == 200


@pytest.mark.long
def test_the_feed(course: Course) -> None:
    """The feed shows everybody the versions that play, and a host the refused ones, too; it has no evidence and no
    token.
    """
    bad = make_bot_tar({"bot.toml": b'command = ["{python}"]\nbuild = ["sh", "-c", "exit 1"]\n'})
    sent = course.league.put("feed", course.ada, bad).value
    assert course.league.wait(sent["number"], course.ada)["state"] == "refused"

    everybody, host = (course.league.ask("GET", "/api/league", token).value for token in ("", course.host))

    assert (everybody["game"], everybody["seats"], everybody["max_mb"]) == ("magpie", 2, 1)
    assert "feed" not in {one["name"] for one in everybody["versions"]}
    assert [one["state"] for one in host["versions"] if one["name"] == "feed"] == ["refused"]
    assert "evidence" not in str(host)


def test_other_methods(course: Course) -> None:
    """A method that is not meant for a path changes nothing."""
    assert course.league.ask("POST", "/api/submissions/x", course.ada, b"").status == 405
    assert course.league.ask("PATCH", "/api/submissions/1", course.ada).status == 405
    assert course.league.ask("DELETE", "/api/league", course.ada).status == 405


def test_a_build_that_fails(course: Course) -> None:
    """The owner of a bot whose build fails gets the build's output, and the bot's folder is gone."""
    toml = b'command = ["{python}", "bot.py"]\nbuild = ["sh", "-c", "echo compiling; echo wrong >&2; exit 4"]\n'
    sent = course.league.put("unbuilt", course.ada, make_bot_tar({"bot.toml": toml})).value

    found = course.league.wait(sent["number"], course.ada)

    assert found["state"] == "refused"
    assert found["evidence"]["building"]["seen"].startswith("bot.toml:2: the build command failed with status 4")
    assert found["evidence"]["building"]["output"] == "compiling\nwrong\n"
    course.league.wait_gone(course.league.folder / "bots" / found["digest"])


def test_a_build_that_writes_elsewhere(course: Course) -> None:
    """A build that writes outside build/ is refused: the bot would not be the one that was sent."""
    toml = b'command = ["{python}", "bot.py"]\nbuild = ["sh", "-c", "echo 1 > made; echo 1 > build/ok"]\n'
    sent = course.league.put("litters", course.ada, make_bot_tar({"bot.toml": toml})).value

    found = course.league.wait(sent["number"], course.ada)

    assert found["evidence"]["building"]["seen"] == (
        "the build has changed, added or removed 1 file outside build/ (made); let it write into build/ only"
    )


def test_a_build_that_makes_a_link_out(course: Course) -> None:
    """A link to a file of the host is no part of a bot."""
    toml = b'command = ["{python}", "bot.py"]\nbuild = ["sh", "-c", "ln -s /etc/passwd build/link"]\n'
    sent = course.league.put("links", course.ada, make_bot_tar({"bot.toml": toml})).value

    found = course.league.wait(sent["number"], course.ada)

    assert found["evidence"]["building"]["seen"] == (
        "the build has made a link that leads out of the bot's folder: build/link"
    )


def test_a_build_that_is_kept(course: Course) -> None:
    """The files that a build makes in build/ stay, read-only, and the digest is that of the sources."""
    toml = b'command = ["./build/run"]\nbuild = ["sh", "-c", "cp bot.py build/run; chmod 777 build/run"]\n'
    sent = course.league.put("built", course.ada, make_bot_tar({"bot.toml": toml, "bot.py": GOOD_BOT})).value

    found = course.league.wait(sent["number"], course.ada)

    program = course.league.folder / "bots" / found["digest"] / "build" / "run"
    assert found["state"] == "placing", found
    assert (program.read_bytes(), oct(program.stat().st_mode & 0o7777)) == (GOOD_BOT, "0o555")
    assert found["evidence"]["building"]["seen"] == "it is built"
