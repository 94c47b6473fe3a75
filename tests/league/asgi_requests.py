"""Requests to a league's application in this process, without a socket: bodies come as slowly as a test says."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import trio
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message

from pitboss.plugins.registry import Registry
from pitboss_tournament.league.book import Book
from pitboss_tournament.league.league_folder import read_league
from pitboss_tournament.league.site.league_app import LeagueSite, _refuse
from pitboss_tournament.league.site.login_site import LoginSite
from tests.league.archives import make_bot_tar

ADDRESS: Final = "192.0.2.1"


class AppAnswer(NamedTuple):
    """An answer of the application, and when it came, by trio's clock."""

    status: int
    headers: dict[str, str]
    body: bytes
    at: float

    @property
    def error(self) -> str:
        """The sentence of a refusal."""
        return str(msgspec.json.decode(self.body)["error"])


class AppUser(NamedTuple):
    """Asks an application."""

    app: ASGIApp
    book: Book

    async def put(
        self, name: str, token: str, body: Callable[[], Awaitable[Message]] | None = None, size: int | None = None
    ) -> AppAnswer:
        """Submit an archive, by default that of a bot; `body` is called for each part of another one."""
        whole = make_bot_tar()
        headers = {} if body is not None and size is None else {"content-length": str(size or len(whole))}

        async def send_whole() -> Message:
            return {"type": "http.request", "body": whole, "more_body": False}

        return await self.ask("PUT", f"/api/submissions/{name}", token, body or send_whole, headers)

    async def ask(
        self,
        method: str,
        path: str,
        token: str = "",
        receive: Callable[[], Awaitable[Message]] | None = None,
        headers: Mapping[str, str] = {},
        address: str = ADDRESS,
    ) -> AppAnswer:
        """Return an answer to a request from an address."""
        given = {"host": "localhost", **({"authorization": f"Bearer {token}"} if token else {}), **headers}
        scope: dict[str, Any] = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": [(key.encode(), value.encode()) for key, value in given.items()],
            "client": (address, 1),
            "server": ("localhost", 80),
        }
        sent = list[Message]()

        async def send(message: Message) -> None:
            sent.append(message)

        async def receive_nothing() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        await self.app(scope, receive or receive_nothing, send)
        start = sent[0]
        found = {key.decode(): value.decode() for key, value in start["headers"]}
        body = b"".join(message["body"] for message in sent[1:])
        return AppAnswer(start["status"], found, body, trio.current_time())


@contextmanager
def open_app(folder: Path) -> Iterator[AppUser]:
    """Open the application of a league that exists; nothing is validated."""
    league = read_league(folder, Registry())
    with closing(Book(league.folder.store)) as book:
        login = LoginSite(league, book)
        site = LeagueSite(league, book, lambda: None, login)
        handlers: dict[Any, Any] = {HTTPException: _refuse}
        app = Starlette(routes=[*site.routes(), *login.routes()], exception_handlers=handlers)
        yield AppUser(app, book)
