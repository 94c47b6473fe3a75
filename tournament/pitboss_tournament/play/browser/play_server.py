"""The server of `pitboss play GAME --browser`: a page and a WebSocket for each link."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Final, cast

import msgspec
import trio
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from pitboss.errors import PitbossError
from pitboss.foreign_input import InputRefused, read_json
from pitboss_tournament.html.elements import el
from pitboss_tournament.play.browser.browser_host import BrowserHost, PlayLink, SentParts
from pitboss_tournament.play.browser.play_messages import (
    AskAdvice,
    ChooseAction,
    ChooseNext,
    FillIn,
    PageMessage,
    TakeBack,
)
from pitboss_tournament.play.browser.rule_page import render_rule_book
from pitboss_tournament.play.play_session import FinishedTable, PlaySession
from pitboss_tournament.text.terminal_text import escape_line
from pitboss_tournament.web.replay_page import make_replay_data
from pitboss_tournament.web.responses import read_number, refuse, render_page, send_json_text, send_static
from pitboss_tournament.web.server import POLICY_VIOLATION, guard_app, leave_anyway, serve_app

LONGEST_PAGE_MESSAGE: Final = 1 << 16  # characters
NORMAL_END: Final = 1000  # a close code of WebSockets
TRY_AGAIN_LATER: Final = 1013  # another one
FLUSH_SECONDS: Final = 1.0  # for pages to hear that the session is over
MAX_PAGES: Final = 16  # that a person may have open
MAX_WATCHING_PAGES: Final = 500  # of the spectators' link
MAX_MESSAGES: Final = 200  # of a page at once, MESSAGES_A_SECOND for long
MESSAGES_A_SECOND: Final = 20


class PlaySite:
    """The pages of the people at tables, and of spectators."""

    def __init__(self, find_host: Callable[[str], BrowserHost | None], find_rules: Callable[[str], str]) -> None:
        """`find_host` returns whose link a key opens, `find_rules` the rule book of a game."""
        self._find_host = find_host
        self._find_rules = find_rules
        self._open_pages: Counter[str] = Counter()  # by key
        self._closed = trio.Event()  # set, and replaced, when a page was closed

    async def await_last_page(self) -> None:
        """Wait until no page is connected."""
        while self._open_pages.total():
            await self._closed.wait()

    def routes(self) -> list[Route | WebSocketRoute]:
        """Return the routes."""
        return [
            Route("/static/{name}", send_static),
            Route("/play/{key}", self.send_page),
            Route("/play/{key}/replay", self.send_replay),
            Route("/play/{key}/replay.json", self.send_replay_data),
            Route("/play/{key}/rules", self.send_rules),
            WebSocketRoute("/play/{key}/socket", self.talk),
        ]

    async def send_page(self, request: Request) -> Response:
        """Return the page of a link."""
        host, link = self._find_link(request)
        content = el("div", id="replay", data_home=host.home or None)
        return render_page(f"Pitboss: {link.name}", "play", content, styles=("table", "play"), script="play")

    async def send_rules(self, request: Request) -> Response:
        """Return the rule book of the game that is played."""
        host, _ = self._find_link(request)
        book = await trio.to_thread.run_sync(self._find_rules, host.game.name)
        return render_rule_book(host.game, book)

    async def send_replay(self, request: Request) -> Response:
        """Return the page on which the finished game is replayed, with all cards open."""
        host, link = self._find_link(request)
        table = _find_finished(host).table
        back = f"/play/{request.path_params['key']}"
        content = el("div", id="replay", data_tournament=link.name, data_back=back)
        return render_page(f"{table.game.title}: replay", "game", content, styles=("table", "live"))

    async def send_replay_data(self, request: Request) -> Response:
        """Return a part of the finished game."""
        finished, part = _find_finished(self._find_link(request)[0]), read_number(request, "part") or 0
        table = finished.table

        def encode() -> bytes:
            return msgspec.json.encode(
                make_replay_data(
                    finished.record,
                    table.game,
                    table.scheduled.game_id,
                    part=part,
                    address=lambda number: f"replay?part={number}",
                )
            )

        try:
            return send_json_text(await trio.to_thread.run_sync(encode))
        except PitbossError as error:
            raise HTTPException(404, escape_line(str(error))) from None

    async def talk(self, socket: WebSocket) -> None:
        """Tell a page what happens, and hear what the person chooses."""
        origin = socket.headers.get("origin")
        if origin is not None and origin.partition("://")[2] != socket.headers.get("host"):
            raise HTTPException(403, "this page is not of this server")
        host, link = self._find_link(socket)
        key = socket.path_params["key"]
        await socket.accept()
        if self._open_pages[key] >= (MAX_WATCHING_PAGES if link.entrant is None else MAX_PAGES):
            await socket.close(TRY_AGAIN_LATER, "Too many pages of this link are open: close some, and load this one.")
            return
        self._open_pages[key] += 1
        host.count_page(link, 1)
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._hear, socket, host, link, nursery)
                await self._tell(socket, host, link)
                nursery.cancel_scope.cancel()
        finally:
            self._open_pages[key] -= 1
            self._closed.set()
            self._closed = trio.Event()
            host.count_page(link, -1)

    async def _tell(self, socket: WebSocket, host: BrowserHost, link: PlayLink) -> None:
        """Send messages until the session is over, or the link is given to somebody else."""
        sent = SentParts()
        while host.is_open(link):
            changed = host.changed
            closing = host.closing
            for message in host.messages(link, sent):
                await socket.send_text(msgspec.json.encode(message).decode())
            if closing:
                await socket.close(NORMAL_END)
                return
            await changed.wait()
        await socket.close(POLICY_VIOLATION, "Your seat has been given to somebody else.")

    async def _hear(self, socket: WebSocket, host: BrowserHost, link: PlayLink, nursery: trio.Nursery) -> None:
        """Do what the page asks for, until it is closed."""
        allowance = MessageAllowance()
        try:
            while True:
                said = await socket.receive_text()
                if not allowance.take():
                    await socket.close(POLICY_VIOLATION, "This page has sent too many messages.")
                    break
                message = read_json(said, cast(Any, PageMessage), LONGEST_PAGE_MESSAGE)
                if host.is_open(link):
                    self._obey(message, host, link, nursery)
        except (InputRefused, KeyError):
            await socket.close(POLICY_VIOLATION, "This is no message of a page.")
        except WebSocketDisconnect:
            pass
        nursery.cancel_scope.cancel()

    def _obey(self, message: PageMessage, host: BrowserHost, link: PlayLink, nursery: trio.Nursery) -> None:
        person = host.find_person(link)
        match message:
            case ChooseNext(offer):
                host.choose_next(link, offer)
            case TakeBack():
                host.take_back(link)
            case ChooseAction(question, action, number) if person is not None:
                person.choose(question, action, number)
            case FillIn(question, action) if person is not None:
                person.fill_in(question, action)
            case AskAdvice(question) if person is not None:
                nursery.start_soon(person.ask_adviser, question)

    def _find_link(self, connection: HTTPConnection) -> tuple[BrowserHost, PlayLink]:
        key = connection.path_params["key"]
        host = self._find_host(key)
        if host is None:
            raise HTTPException(404, "this link is not of the games that are played here now")
        return host, host.links[key]


class MessageAllowance:
    """How many messages a page may still send: MAX_MESSAGES at once, MESSAGES_A_SECOND for long."""

    def __init__(self) -> None:
        self._left = float(MAX_MESSAGES)
        self._counted_at = trio.current_time()

    def take(self) -> bool:
        """Count a message; tell whether it is allowed."""
        now = trio.current_time()
        self._left = min(MAX_MESSAGES, self._left + (now - self._counted_at) * MESSAGES_A_SECOND) - 1
        self._counted_at = now
        return self._left >= 0


def _find_finished(host: BrowserHost) -> FinishedTable:
    if host.finished is None:
        raise HTTPException(404, "no game is over; the last one could be replayed until this one began")
    return host.finished


async def run_play(
    session: PlaySession,
    host: BrowserHost,
    find_rules: Callable[[str], str],
    address: str,
    port: int,
    announce: Callable[[PlayLink, str], None],
) -> None:
    """Play a session at browsers; `announce` gets each link and its address when the pages can be opened.

    Raises:
        ConfigError: the address cannot be had. Others: as `PlaySession.run`.
    """
    site = PlaySite(lambda key: host if key in host.links else None, find_rules)

    async def send_entrance(_: Request) -> Response:
        told = el("p", "Each person has a link of their own, and there is one for spectators: ask who began the game.")
        return render_page("Pitboss", "entrance", el("h1", f"{host.game.title} is played here"), told, script=None)

    routes = [Route("/", send_entrance), *site.routes()]
    app = guard_app(Starlette(routes=routes, exception_handlers={HTTPException: refuse}), address)

    def announce_links(base: str) -> None:
        for key, link in host.links.items():
            announce(link, f"{base}/play/{key}")

    async def play() -> None:
        status = 1
        try:
            await session.run()
            status = 0 if session.stop_signal is None else 128 + session.stop_signal
        finally:
            session.say_how_to_resume("--browser")
            host.close("The session was stopped; the game is kept." if status else "The session is over.")
            leave_anyway(status)
        with trio.move_on_after(FLUSH_SECONDS):
            await site.await_last_page()

    await serve_app(app, address, port, announce_links, play)
