"""The hook of a league: a program of the host hears of verdicts and of versions that are taken out."""

from __future__ import annotations

import json
import socketserver
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from time import monotonic
from typing import Any, Final

import pytest
from msgspec.structs import replace

from pitboss_tournament.league.book import Book
from pitboss_tournament.league.hook import HookCall, call_program
from pitboss_tournament.league.league_file import HookTable
from pitboss_tournament.league.league_folder import League, read_league
from tests import ROOT
from tests.league.archives import make_bot_tar
from tests.league.league_process import make_league, run_league, wait_until
from tests.plugins import load_registry

pytestmark = pytest.mark.once

CALL: Final = HookCall(
    event="refused", league="course", number=3, owner="ada", bot="fox", version=2, at="2027", seen="it does not build"
)
MAIL_SCRIPT: Final = ROOT / "examples" / "league" / "notify_by_mail.py"
NOTES: Final = 'import sys; open("calls.txt", "a").write(sys.stdin.read())'


@pytest.fixture
def course(tmp_path: Path) -> League:
    """Make a league."""
    make_league(tmp_path / "course")
    return read_league(tmp_path / "course", load_registry())


def with_hook(course: League, *command: str, seconds: float = 60) -> League:
    """Return a league with a hook."""
    return course._replace(file=replace(course.file, hook=HookTable(command=[*command], seconds=seconds)))


def read_calls(folder: Path) -> list[dict[str, Any]]:
    """Return what a hook was told that notes its calls."""
    path = folder / "calls.txt"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def test_a_program_reads_a_line_of_json(course: League) -> None:
    """The program of a hook runs in the league's folder, without a shell, and reads the call."""
    said = call_program(with_hook(course, sys.executable, "-c", NOTES, "; touch x"), CALL)

    assert said == ""
    assert read_calls(course.folder.root) == [
        {
            "event": "refused",
            "league": "course",
            "number": 3,
            "owner": "ada",
            "bot": "fox",
            "version": 2,
            "at": "2027",
            "seen": "it does not build",
        }
    ]
    assert not (course.folder.root / "x").exists()


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["no-such-program"], "'no-such-program' cannot be started: No such file or directory"),
        ([sys.executable, "-c", "import sys; sys.exit('no \\n server')"], "its exit status is 1: no server"),
        ([sys.executable, "-c", "import time; time.sleep(600)"], "it took longer than 1 s"),
    ],
)
def test_a_program_that_fails(course: League, command: list[str], said: str) -> None:
    """A call that fails, or takes too long, ends in a sentence for the host."""
    begun = monotonic()

    assert call_program(with_hook(course, *command, seconds=1), CALL) == said
    assert monotonic() - begun < 300


@pytest.mark.long
def test_a_league_tells_its_hook(tmp_path: Path) -> None:
    """The hook hears of each verdict and retirement once, also of what happened while the league was stopped, and of
    nothing that was there before it; a hook that fails is told to the host, and the league goes on.
    """
    folder = tmp_path / "course"
    tokens = make_league(folder)
    with closing(Book(folder / "league.pitboss")) as book:
        book.receive("ada", "old", "d", 1, "x.upload")
        book.move(1, "refused")
    with (folder / "league.toml").open("a") as file:
        file.write(f"[hook]\ncommand = {json.dumps([sys.executable, '-c', NOTES])}\n")
    with run_league(folder) as league:
        good = league.put("fox", tokens["ada"]).value["number"]
        league.wait(good, tokens["ada"])
        wait_until(league, lambda: len(read_calls(folder)) == 1)
        bad = league.put("owl", tokens["bob"], make_bot_tar({"bot.toml": b'command = ["sh"]\nbuild = ["false"]\n'}))
        assert league.wait(bad.value["number"], tokens["bob"])["state"] == "refused"
        wait_until(league, lambda: len(read_calls(folder)) == 2)
    with closing(Book(folder / "league.pitboss")) as book:
        book.retire([good], "it reads files")
    text = (folder / "league.toml").read_text()
    (folder / "league.toml").write_text(text.replace("sys.stdin.read())", "sys.stdin.read()); sys.exit(3)"))
    with run_league(folder) as league:
        wait_until(league, lambda: "the hook failed" in (folder / "run.log").read_text())
        assert league.ask("GET", "/api/league").status == 200

    calls = read_calls(folder)
    assert [(one["event"], one["owner"], one["bot"]) for one in calls] == [
        ("valid", "ada", "fox"),
        ("refused", "bob", "owl"),
        ("retired", "ada", "fox"),
    ]
    assert calls[2]["seen"] == "host took it out: it reads files"


class MailSink(socketserver.StreamRequestHandler):
    """One conversation with a server that takes mails by SMTP."""

    def handle(self) -> None:
        """Take mails until QUIT."""
        self.wfile.write(b"220 sink\r\n")
        mails: list[bytes] = self.server.mails  # type: ignore[attr-defined]
        while line := self.rfile.readline():
            if line.upper().startswith(b"DATA"):
                self.wfile.write(b"354 go on\r\n")
                text = b""
                while (part := self.rfile.readline()) != b".\r\n":
                    text += part
                mails.append(text)
            elif line.upper().startswith(b"QUIT"):
                self.wfile.write(b"221 bye\r\n")
                return
            self.wfile.write(b"250 ok\r\n")


@contextmanager
def take_mails() -> Iterator[tuple[int, list[bytes]]]:
    """Context manager: the port of a server that takes mails, and the mails."""
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), MailSink) as server:
        server.mails = mails = list[bytes]()  # type: ignore[attr-defined]
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_address[1], mails
        finally:
            server.shutdown()
            thread.join()


def test_the_example_sends_a_mail(course: League, monkeypatch: pytest.MonkeyPatch) -> None:
    """The script of the recipe mails the finding to the owner's address, and nothing to an owner without one."""
    (course.folder.root / "addresses.csv").write_text("owner,address\nada,ada@example.org\n")
    hooked = with_hook(course, sys.executable, str(MAIL_SCRIPT))
    with take_mails() as (port, mails):
        monkeypatch.setenv("MAIL_SERVER", f"127.0.0.1:{port}")
        assert call_program(hooked, CALL) == ""
        assert call_program(hooked, replace(CALL, owner="bob")) == ""

    [mail] = mails
    assert b"To: ada@example.org" in mail
    assert b"Subject: course: fox@2 was refused" in mail
    assert b"it does not build." in mail
