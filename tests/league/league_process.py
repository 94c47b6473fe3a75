"""`pitboss league run` as a process, and requests to it."""

from __future__ import annotations

import http.client
import json
import re
import subprocess
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final, NamedTuple

from pitboss.game import AnyGame
from pitboss_tournament.league.book import Book
from pitboss_tournament.league.league_folder import create_folder
from pitboss_tournament.league.submission import WAITING
from tests.league.archives import make_bot_tar
from tests.tournament.command_line import COMMAND
from tests.tournament.small_tournaments import load_magpie

TIMEOUT_S: Final = 600  # only a league that hangs takes so long
LOOK_S: Final = 0.05
RULES: Final = """
game = "{game}"
sandbox = "{sandbox}"
[clock]
start_ms = 60000
decision_ms = 20000
[league]
{rules}
[submissions]
max_mb = 1
free_mb = 0
{submissions}
[validation]
check = false
games = 0
{validation}
"""


class HttpAnswer(NamedTuple):
    """An answer of a league."""

    status: int
    headers: dict[str, str]
    value: Any


class LeagueProcess(NamedTuple):
    """A league that is being served."""

    process: subprocess.Popen[str]
    folder: Path
    port: int

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"

    def ask(
        self, method: str, path: str, token: str = "", body: bytes | Iterable[bytes] | None = None, **headers: str
    ) -> HttpAnswer:
        """Return an answer; a body in parts is sent without saying how long it is."""
        given = {"Authorization": f"Bearer {token}"} if token else {}
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT_S)) as connection:
            with suppress(BrokenPipeError, ConnectionResetError):  # it has answered before it has read everything
                connection.request(method, path, body, {**given, **headers})
            answer = connection.getresponse()
            text = answer.read()
            found = {name.lower(): value for name, value in answer.getheaders()}
        is_json = found.get("content-type") == "application/json"
        return HttpAnswer(answer.status, found, json.loads(text) if is_json else text.decode())

    def put(self, name: str, token: str, body: bytes | None = None) -> HttpAnswer:
        """Submit an archive, by default that of a bot."""
        return self.ask("PUT", f"/api/submissions/{name}", token, make_bot_tar() if body is None else body)

    def wait(self, number: int, token: str) -> Any:  # noqa: ANN401 - JSON
        """Wait until a submission is validated, and return what is answered about it."""
        until = monotonic() + TIMEOUT_S
        while (found := self.ask("GET", f"/api/submissions/{number}", token).value)["state"] in WAITING:
            assert monotonic() < until, found
            sleep(LOOK_S)
        return found

    def wait_gone(self, path: Path) -> None:
        """Wait until there is nothing at a path."""
        until = monotonic() + TIMEOUT_S
        while path.exists():
            assert monotonic() < until, path
            sleep(LOOK_S)

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.kill()
        self.process.wait()


def make_league(
    folder: Path,
    *,
    submissions: str = "",
    validation: str = "",
    sandbox: str = "auto",
    owners: str = "ada bob",
    rules: str = "",
    game: AnyGame | None = None,
) -> dict[str, str]:
    """Make a league, by default of Magpie, that validates quickly; return the token of each owner."""
    game = game or load_magpie()
    create_folder(folder, game)
    text = RULES.format(game=game.name, sandbox=sandbox, submissions=submissions, validation=validation, rules=rules)
    (folder / "league.toml").write_text(text)
    with closing(Book(folder / "league.pitboss")) as book:
        return {one.owner: one.token for one in book.add_tokens(owners.split())}


@contextmanager
def run_league(folder: Path, *words: str) -> Iterator[LeagueProcess]:
    """Run a league on a free port, and end it as Ctrl-C does."""
    command = [*COMMAND, "league", "run", str(folder), "--port", "0", *words]
    with (
        (folder / "run.log").open("a") as log,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True) as process,
    ):
        try:
            assert process.stdout is not None
            said = process.stdout.readline()
            found = re.search(r"http://\S+:(\d+)", said)
            assert found, said + process.stdout.read() + (folder / "run.log").read_text()
            yield LeagueProcess(process, folder, int(found[1]))
        finally:
            process.terminate()
            process.wait()
    log_text = (folder / "run.log").read_text()
    assert "Traceback" not in log_text, log_text


def wait_until(league: LeagueProcess, is_so: Callable[[], bool]) -> None:
    """Wait until something is so in a league that is running."""
    until = monotonic() + TIMEOUT_S
    while not is_so():
        assert league.process.poll() is None, (league.folder / "run.log").read_text()
        assert monotonic() < until, (league.folder / "run.log").read_text()
        sleep(LOOK_S)
