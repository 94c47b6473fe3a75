"""The server of `pitboss play --browser`: a page and a WebSocket for each link."""

from __future__ import annotations

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
from pitboss_tournament.play.browser.play_messages import AskAdvice, ChooseAction, ChooseNext, PageMessage, TakeBack
from pitboss_tournament.play.play_session import FinishedTable, PlaySession
from pitboss_tournament.text.terminal_text import escape_line
from pitboss_tournament.web.replay_page import make_replay_data
from pitboss_tournament.web.responses import read_number, refuse, render_page, send_json_text, send_static
from pitboss_tournament.web.server import POLICY_VIOLATION, guard_app, leave_anyway, serve_app

LONGEST_PAGE_MESSAGE: Final = 1 << 16  # characters
NORMAL_END: Final = 1000  # a close code of WebSockets
FLUSH_SECONDS: Final = 1.0  # for pages to hear that the session is over


class PlaySite:
    """The pages of the people at a table, and of spectators."""

    def __init__(self, host: BrowserHost) -> None:
        self._host = host
        self.open_sockets = 0

    def routes(self) -> list[Route | WebSocketRoute]:
        """Return the routes."""
        return [
            Route("/static/{name}", send_static),
            Route("/play/{key}", self.send_page),
            Route("/play/{key}/replay", self.send_replay),
            Route("/play/{key}/replay.json", self.send_replay_data),
            WebSocketRoute("/play/{key}/socket", self.talk),
        ]

    async def send_page(self, request: Request) -> Response:
        """Return the page of a link."""
        link = self._find_link(request)
        return render_page(
            f"Pitboss: {link.name}", "play", el("div", id="replay"), styles=("table", "play"), script="play"
        )

    async def send_replay(self, request: Request) -> Response:
        """Return the page on which the finished game is replayed, with all cards open."""
        link, table = self._find_link(request), self._find_finished().table
        back = f"/play/{request.path_params['key']}"
        content = el("div", id="replay", data_tournament=link.name, data_back=back)
        return render_page(f"{table.game.title}: replay", "game", content, styles=("table", "live"))

    async def send_replay_data(self, request: Request) -> Response:
        """Return a part of the finished game."""
        self._find_link(request)
        finished, part = self._find_finished(), read_number(request, "part") or 0
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

    def _find_finished(self) -> FinishedTable:
        if self._host.finished is None:
            raise HTTPException(404, "no game is over; the last one could be replayed until this one began")
        return self._host.finished

    async def talk(self, socket: WebSocket) -> None:
        """Tell a page what happens, and hear what the person chooses."""
        origin = socket.headers.get("origin")
        if origin is not None and origin.partition("://")[2] != socket.headers.get("host"):
            raise HTTPException(403, "this page is not of this server")
        link = self._find_link(socket)
        await socket.accept()
        self.open_sockets += 1
        self._host.count_page(link, 1)
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._hear, socket, link, nursery)
                await self._tell(socket, link)
                nursery.cancel_scope.cancel()
        finally:
            self.open_sockets -= 1
            self._host.count_page(link, -1)

    async def _tell(self, socket: WebSocket, link: PlayLink) -> None:
        """Send messages until the session is over."""
        sent = SentParts()
        while True:
            changed = self._host.changed
            closing = self._host.closing
            for message in self._host.messages(link, sent):
                await socket.send_text(msgspec.json.encode(message).decode())
            if closing:
                await socket.close(NORMAL_END)
                return
            await changed.wait()

    async def _hear(self, socket: WebSocket, link: PlayLink, nursery: trio.Nursery) -> None:
        """Do what the page asks for, until it is closed."""
        try:
            while True:
                said = await socket.receive_text()
                self._obey(read_json(said, cast(Any, PageMessage), LONGEST_PAGE_MESSAGE), link, nursery)
        except (InputRefused, KeyError):
            await socket.close(POLICY_VIOLATION, "this is no message of a page")
        except WebSocketDisconnect:
            pass
        nursery.cancel_scope.cancel()

    def _obey(self, message: PageMessage, link: PlayLink, nursery: trio.Nursery) -> None:
        person = self._host.find_person(link)
        match message:
            case ChooseNext(offer):
                self._host.choose_next(link, offer)
            case TakeBack():
                self._host.take_back(link)
            case ChooseAction(question, action, number) if person is not None:
                person.choose(question, action, number)
            case AskAdvice(question) if person is not None:
                nursery.start_soon(person.ask_adviser, question)

    def _find_link(self, connection: HTTPConnection) -> PlayLink:
        found = self._host.links.get(connection.path_params["key"])
        if found is None:
            raise HTTPException(404, "this link is not of the games that are played here now")
        return found


async def run_play(
    session: PlaySession, host: BrowserHost, address: str, port: int, announce: Callable[[PlayLink, str], None]
) -> None:
    """Play a session at browsers; `announce` gets each link and its address when the pages can be opened.

    Raises:
        ConfigError: the address cannot be had. Others: as `PlaySession.run`.
    """
    site = PlaySite(host)
    app = guard_app(Starlette(routes=site.routes(), exception_handlers={HTTPException: refuse}), address)

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
            while site.open_sockets:
                await host.changed.wait()

    await serve_app(app, address, port, announce_links, play)
