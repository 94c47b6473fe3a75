"""The students of a class: they send bots over HTTP, slowly or twice, through kills, and keep what was answered."""

from __future__ import annotations

import gzip
import http.client
import socket
import tarfile
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from queue import Empty, Queue
from random import Random
from time import monotonic, sleep
from typing import Final, NamedTuple
from urllib.parse import quote

from tests.league.archives import BOT_TOML, add_to_bot, make_bot_tar, make_member, make_tar
from tests.league.league_process import HttpAnswer, LeagueProcess
from tests.soak.class_bots import ClassBot
from tests.soak.class_by_browser import BrowserStudents

SENDERS: Final = 3
PIECES: Final = 12  # of an upload that comes slowly
AGAIN_S: Final = 0.3  # between tries, while nobody answers
PATIENCE_S: Final = 300.0  # only a league that hangs takes so long
TOO_MANY: Final = 429
TAKEN: Final = (200, 202)


class Delivery(NamedTuple):
    """An archive that is to be sent, and how."""

    bot: ClassBot
    seconds: float = 0.0  # that it takes; 0: at once
    expected: int = 202


class KeptAnswer(NamedTuple):
    """What the league has answered for with 2xx."""

    bot: ClassBot
    status: int
    number: int
    digest: str
    version: int


class MischiefAnswer(NamedTuple):
    """A request that is no proper one, with its answer."""

    what: str
    status: int
    expected: tuple[int, ...]


class Students:
    """Sends what it is given, in threads of its own. `league` is another one after a kill."""

    def __init__(self, tokens: Mapping[str, str], chance: Random, by_browser: BrowserStudents | None = None) -> None:
        """`by_browser` sends the bots of its owners."""
        self.league: LeagueProcess | None = None
        self.kept: list[KeptAnswer] = []
        self.surprises: list[str] = []
        self.broken_off = 0  # by kills
        self.in_flight = 0
        self._tokens = tokens
        self._chance = chance
        self._by_browser = by_browser
        self._waiting: Queue[Delivery] = Queue()
        self._lock = threading.Lock()
        self._is_over = threading.Event()
        self._threads = [threading.Thread(target=self._send_all, daemon=True) for _ in range(SENDERS)]
        self._pause_s = 0.0

    def begin(self, pause_s: float) -> None:
        """Begin to send, with pauses of about so many seconds."""
        self._pause_s = pause_s
        for thread in self._threads:
            thread.start()

    def give(self, deliveries: Iterable[Delivery]) -> None:
        """Give more to send."""
        for delivery in deliveries:
            self._waiting.put(delivery)

    @property
    def left(self) -> int:
        """How much has not been answered."""
        return self._waiting.unfinished_tasks

    def end(self) -> None:
        """Wait until the threads have ended."""
        self._is_over.set()
        for thread in self._threads:
            thread.join(PATIENCE_S)

    def _send_all(self) -> None:
        while not self._is_over.is_set():
            try:
                delivery = self._waiting.get(timeout=AGAIN_S)
            except Empty:
                continue
            try:
                self._send(delivery)
            finally:
                self._waiting.task_done()
            sleep(self._chance.uniform(0, 2 * self._pause_s))

    def _send(self, delivery: Delivery) -> None:
        until = monotonic() + PATIENCE_S
        bot = delivery.bot
        while monotonic() < until:
            answer = self._try(delivery)
            if answer is None or answer.status == TOO_MANY:
                sleep(AGAIN_S)
                continue
            with self._lock:
                if answer.status in TAKEN:
                    found = answer.value
                    kept = KeptAnswer(bot, answer.status, found["number"], found["digest"], found["version"])
                    self.kept.append(kept)
                if answer.status != delivery.expected and answer.status not in TAKEN:
                    self.surprises.append(f"{bot.name}: {answer.status} {answer.value}")
            return
        self.surprises.append(f"{bot.name}: no answer")

    def _try(self, delivery: Delivery) -> HttpAnswer | None:
        """Send once; None: the league does not answer, or has been killed meanwhile."""
        league = self.league
        if league is None:
            return None
        body = slow_pieces(delivery.bot.archive, delivery.seconds) if delivery.seconds else delivery.bot.archive
        with self._lock:
            self.in_flight += 1
        try:
            if self._by_browser is not None and delivery.bot.owner in self._by_browser.owners:
                return self._by_browser.deliver(league, delivery.bot)
            return league.ask(
                "PUT", f"/api/submissions/{quote(delivery.bot.name, safe='')}", self._tokens[delivery.bot.owner], body
            )
        except (OSError, http.client.HTTPException):
            self.broken_off += 1
            return None
        finally:
            with self._lock:
                self.in_flight -= 1


def slow_pieces(content: bytes, seconds: float) -> Iterator[bytes]:
    """Yield a body in pieces, for so many seconds."""
    size = -(-len(content) // PIECES)
    for at in range(0, len(content), size):
        yield content[at : at + size]
        sleep(seconds / PIECES)


def make_mischief(
    league: LeagueProcess, tokens: Mapping[str, str], victim: KeptAnswer, other: ClassBot
) -> list[MischiefAnswer]:
    """Send what no league may take, as the owner of another bot than the victim; return the answers."""
    bot = victim.bot
    token = tokens[other.owner]
    good = make_bot_tar({"bot.py": other.archive[:100]})
    big = make_member("a", 1 << 26), bytes(1 << 26)
    folder = make_member("inner", type=tarfile.SYMTYPE, linkname="/etc")
    link, up = make_member("a", type=tarfile.LNKTYPE, linkname="../../league.pitboss"), make_member("../a", 1)
    wrong = {"Authorization": f"Bearer pitboss-1-{'x' * 43}"}
    foreign = {"Origin": "http://evil.example", "content-type": "application/x-www-form-urlencoded"}

    def put(name: str, body: bytes = good, said: str = token, **headers: str) -> int:
        return league.ask("PUT", f"/api/submissions/{name}", said, body, **headers).status

    found: list[tuple[str, int, tuple[int, ...]]] = [
        ("an archive bomb", put("bomb", gzip.compress(add_to_bot(big))), (413, 422)),
        ("an archive that is too large", put("large", Random(1).randbytes(1 << 22)), (413,)),
        ("a link to /etc", put("link", add_to_bot((folder, b""))), (422,)),
        ("a link to the store", put("hard", add_to_bot((link, b""))), (422,)),
        ("a member outside", put("up", add_to_bot((up, b"x"))), (422,)),
        ("no archive", put("none", b"no archive"), (422,)),
        ("no bot.toml", put("bare", make_tar((make_member("a", 1), b"a"))), (422,)),
        ("a name that leads out", put("..%2Fx"), (404, 405, 422)),
        ("a name with a colon", put("a%3Ab"), (422,)),
        ("a name of HTML", put("%3Cscript%3Ealert(1)"), (422,)),
        ("another owner's name", put(quote(bot.name)), (409,)),
        ("another owner's name in capital letters", put(quote(bot.name.upper())), (409,)),
        ("a wrong token", put("good", good, "", **wrong), (401,)),
        ("no token", put("good", good, ""), (401,)),
        ("a foreign host", put("good", Host="evil.example"), (400,)),
        ("a look at another's submission", _read(league, victim, token), (403,)),
        ("another's submission withdrawn", _withdraw(league, victim, token), (403,)),
        ("a foreign origin", league.ask("POST", "/login", "", b"token=x", **foreign).status, (403,)),
        ("a form without a session", league.ask("POST", "/submit/x", "", good, Origin=league.url).status, (401,)),
        (
            "a draft without a session",
            league.ask("POST", "/editor/1", "", b"do=drop", Origin=league.url).status,
            (401,),
        ),
        ("a join by a foreign page", league.ask("POST", "/join", "", b"owner=x", **foreign).status, (403,)),
        ("a join without an invitation", league.ask("POST", "/join", "", b"owner=x", Origin=league.url).status, (401,)),
    ]
    break_off_upload(league, token)
    return [MischiefAnswer(*one) for one in found]


def _read(league: LeagueProcess, victim: KeptAnswer, token: str) -> int:
    return league.ask("GET", f"/api/submissions/{victim.number}", token).status


def _withdraw(league: LeagueProcess, victim: KeptAnswer, token: str) -> int:
    return league.ask("DELETE", f"/api/submissions/{victim.number}", token).status


def break_off_upload(league: LeagueProcess, token: str) -> None:
    """Send half of an upload, and hang up."""
    head = f"PUT /api/submissions/half HTTP/1.1\r\nHost: 127.0.0.1:{league.port}\r\nAuthorization: Bearer {token}\r\n"
    with closing(socket.create_connection(("127.0.0.1", league.port))) as connection:
        connection.sendall(f"{head}Content-Length: 20000\r\n\r\n".encode() + BOT_TOML * 100)
        sleep(AGAIN_S)
