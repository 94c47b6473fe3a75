"""`pitboss play --browser` without a game as a process, its forms as browsers send them, and people at its tables."""

from __future__ import annotations

import http.client
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import sleep
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from tests.browser.chromium import Browser, Page
from tests.browser.play_page import AT_ONCE
from tests.browser.websocket import RawWebSocket
from tests.tournament.command_line import COMMAND

TIMEOUT_S: Final = 600  # only a server that hangs takes so long
LOOK_S: Final = 0.05


class LobbyAnswer(NamedTuple):
    """An answer of the server."""

    status: int
    headers: dict[str, str]
    text: str

    @property
    def cookie(self) -> str:
        """The cookie that the answer sets, as it is sent back."""
        return self.headers.get("set-cookie", "").partition(";")[0]


class LobbyServer:
    """A running lobby."""

    def __init__(self, process: subprocess.Popen[str], link: str) -> None:
        self.process = process
        self.link = link  # of the host
        self.people: list[SocketPerson] = []  # whose connections are to be closed
        self.base = link.partition("/?")[0]
        self.port = int(self.base.rpartition(":")[2])
        self.host_cookie = self.ask("GET", link.removeprefix(self.base)).cookie

    def ask(self, method: str, path: str, body: str | None = None, **headers: str) -> LobbyAnswer:
        """Return an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT_S)
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        found = LobbyAnswer(
            answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read().decode()
        )
        connection.close()
        return found

    def send(self, path: str, cookie: str = "", **fields: object) -> LobbyAnswer:
        """Send a form as a page of this server does."""
        return self.ask("POST", path, urlencode(fields), Cookie=cookie, Origin=self.base)

    def sit_down(self, table: str, name: str, seat: int) -> str:
        """Sit down as a new guest; return the cookie."""
        answer = self.send(f"{table}/sit", name=name, seat=seat)
        assert answer.status == 303, answer.text
        return answer.cookie

    def list_invitations(self) -> list[str]:
        """Return the paths of the tables that the host sees in the lobby."""
        found = re.findall(r'href="(/table/[\w-]+)\?look"', self.ask("GET", "/", Cookie=self.host_cookie).text)
        return list(dict.fromkeys(found))

    def open_table(self, game: str, *seats: str, preset: str = "defaults") -> str:
        """Open a table as the host: each seat "open", a bot, or the name of a person; return its path."""
        fields = {f"{'seat' if seat == 'open' or ':' in seat else 'name'}{at}": seat for at, seat in enumerate(seats)}
        answer = self.send(f"/new/{game}", self.host_cookie, preset=preset, seats=len(seats), **fields)
        assert answer.status == 303, answer.text
        return answer.headers["location"].partition("?")[0]

    def stop(self) -> tuple[int, str]:
        """End it as Ctrl-C does; return its exit status and what it has printed since the link."""
        self.process.terminate()
        assert self.process.stdout is not None
        said = self.process.stdout.read()
        return self.process.wait(), said


class SocketPerson:
    """A person with a seat at a table, who plays without a browser."""

    def __init__(self, server: LobbyServer, table: str, cookie: str) -> None:
        """`table` is the path of a table whose game has begun."""
        while not (path := (page := server.ask("GET", table, Cookie=cookie)).headers.get("location", "")):
            assert page.status == 200 and ">closed<" not in page.text, page
            sleep(LOOK_S)
        self.path = path
        self._socket = RawWebSocket(server.port, f"{path}/socket")
        server.people.append(self)
        self._answered: int | None = None
        self.game: dict[str, Any] = {}
        self.status: dict[str, Any] = {}
        while not self.status:
            self.read()

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()

    @property
    def is_over(self) -> bool:
        """Whether the game is over, and another one is offered."""
        return bool(self.status["offers"])

    def read(self) -> None:
        """Read the next message."""
        said = self._socket.read()
        assert isinstance(said, dict), said
        if said["type"] in ("game", "status"):
            setattr(self, said["type"], said)

    def play(self) -> None:
        """Wait for the own turn, or for the end of the game, and play the first legal action."""
        while (question := self.status.get("question")) is None or question["number"] == self._answered:
            if self.is_over:
                return
            self.read()
        self._answered = question["number"]  # what comes before the answer is read may have the question, too
        self._socket.send(f'{{"type":"choose","question":{self._answered},"action":0}}')

    def play_to_the_end(self) -> None:
        """Play until the game is over."""
        while not self.is_over:
            self.play()

    def choose_next(self) -> None:
        """Begin another game, with new cards."""
        self._socket.send('{"type":"next","offer":"new cards"}')
        self._answered = None
        while self.is_over:
            self.read()


@contextmanager
def open_lobby(cwd: Path, *words: str) -> Iterator[LobbyServer]:
    """Run a lobby on a free port."""
    command = [*COMMAND, "play", "--browser", "--port", "0", "--sandbox", "none", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=cwd) as process:
        try:
            assert process.stdout is not None
            said = process.stdout.readline()
            found = re.search(r"http://\S+", said)
            assert found, said + process.stdout.read()
            server = LobbyServer(process, found[0])
            yield server
            for person in server.people:
                person.close()
        finally:
            process.kill()


def come_to_table(browser: Browser, address: str, name: str, seat: int, width: int = 1400) -> Page:
    """Return the page of a person with a browser of their own who has sat down by the invitation at `address`."""
    page = browser.open("about:blank", width, is_apart=True)
    page.prepare(AT_ONCE)
    page.go(address)
    page.run(f"document.querySelector('#name').value = {name!r}")
    page.run(f"document.querySelector('button[form=sit][value=\"{seat}\"]').click()")
    page.wait_for("document.querySelector('.own') || document.querySelector('.panel h2')")
    return page
