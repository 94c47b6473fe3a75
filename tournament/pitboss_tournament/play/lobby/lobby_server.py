"""The server of `pitboss play --browser`: the pages of a lobby, their forms, and the pages of all its games.

The host has a key, which the link that is printed puts into a cookie: the host sets up and closes tables. A guest has
the invitation of a table and, with a seat, a token in a cookie of its own: the same browser finds its seat again.
"""

from __future__ import annotations

import hmac
import secrets
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from typing import Final

import trio
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from pitboss.errors import PitbossError
from pitboss.plugins.rule_book import find_rule_book
from pitboss.simulation.game_setup import DEFAULTS
from pitboss_tournament.html.elements import Content, el
from pitboss_tournament.play.browser.browser_host import KEY_BYTES
from pitboss_tournament.play.browser.play_server import FLUSH_SECONDS, TRY_AGAIN_LATER, PlaySite
from pitboss_tournament.play.lobby.lobby import LeagueOffer, Lobby, LobbyLeague
from pitboss_tournament.play.lobby.lobby_pages import (
    Invitation,
    Visitor,
    league_content,
    league_part,
    list_preset_seats,
    lobby_content,
    new_table_content,
    read_seats,
    stranger_content,
    table_content,
)
from pitboss_tournament.play.lobby.lobby_table import Guest, LobbyTable, TableSetup
from pitboss_tournament.running.run_end import stop_signals
from pitboss_tournament.text.host_names import is_loopback
from pitboss_tournament.text.terminal_text import escape_line
from pitboss_tournament.web.forms import SEE_OTHER, comes_from_here, read_form
from pitboss_tournament.web.responses import read_number, refuse, render_page
from pitboss_tournament.web.server import POLICY_VIOLATION, guard_app, leave_anyway, serve_app

HOST_COOKIE: Final = "pitboss-host"  # the port is added: a browser keeps cookies by name, not by port
GUEST_COOKIE: Final = "pitboss-guest"
COOKIE_SECONDS: Final = 7 * 86_400
MAX_WAITING_PAGES: Final = 300  # of the lobby and its tables
ANY_ADDRESS: Final = ("0.0.0.0", "::")


class LobbySite:
    """The pages of a lobby."""

    def __init__(self, lobby: Lobby, address: str) -> None:
        """`address` is what the server listens on."""
        self.host_key = secrets.token_urlsafe(KEY_BYTES)
        self.league_key = secrets.token_urlsafe(KEY_BYTES)  # of the invitation to play against bots of the league
        self._lobby = lobby
        self._address = address
        self._waiting_pages = 0
        self.play = PlaySite(lobby.find_host, lambda name: find_rule_book(lobby.registry, name))

    def routes(self) -> list[Route | WebSocketRoute]:
        """Return the routes; those of the games are among them."""
        return [
            Route("/", self.lobby_page),
            Route("/new/{game}", self.new_page),
            Route("/new/{game}", self.open_table, methods=["POST"]),
            Route("/table/{key}", self.table_page),
            Route("/table/{key}/sit", self.sit_down, methods=["POST"]),
            Route("/table/{key}/leave", self.stand_up, methods=["POST"]),
            Route("/table/{key}/seat", self.change_seat, methods=["POST"]),
            Route("/table/{key}/close", self.close_table, methods=["POST"]),
            Route("/league/{key}", self.league_page),
            Route("/league/{key}", self.open_league_table, methods=["POST"]),
            WebSocketRoute("/socket", self.tell_lobby),
            WebSocketRoute("/table/{key}/socket", self.tell_table),
            *self.play.routes(),
        ]

    # ---- the lobby

    async def lobby_page(self, request: Request) -> Response:
        """Return the lobby; the link of the host becomes a cookie."""
        said = request.query_params.get("host")
        if said is not None and self._is_host_key(said):
            response = RedirectResponse("/", SEE_OTHER)
            response.set_cookie(
                _name_cookie(HOST_COOKIE, request), self.host_key, COOKIE_SECONDS, httponly=True, samesite="strict"
            )
            return response
        visitor = self._find_visitor(request)
        if not visitor.is_host and visitor.guest is None:
            return _render("Pitboss", *stranger_content(), is_live=False)
        games = sorted(self._lobby.registry.games.values(), key=lambda game: game.title.casefold())
        league = await self._describe_league(request, visitor)
        return _render("The lobby", *lobby_content(games, [*self._lobby.tables.values()], visitor, league))

    async def _describe_league(self, request: Request, visitor: Visitor) -> Content:
        league = self._lobby.league
        if league is None:
            return None
        invitation = self._invite(request, f"/league/{self.league_key}") if visitor.is_host else None
        return league_part(league.name, await league.describe_results(), invitation)

    async def new_page(self, request: Request) -> Response:
        """Return the page on which the host sets a table up."""
        self._require_host(request)
        preset, seats = request.query_params.get("preset"), read_number(request, "seats")
        setup = self._read_setup(request, preset, seats)
        return await self._show_new(setup)

    async def open_table(self, request: Request) -> Response:
        """Open the table of a form."""
        fields = await self._read_own_form(request)
        self._require_host(request)
        seats = fields.get("seats", "")
        wanted = int(seats) if seats.isascii() and seats.isdecimal() and len(seats) < 4 else None
        setup = self._read_setup(request, fields.get("preset"), wanted)
        try:
            table = self._lobby.open_table(setup, read_seats(fields, setup.seats))
        except PitbossError as error:
            return await self._show_new(setup, escape_line(str(error)))
        return RedirectResponse(f"/table/{table.key}?look", SEE_OTHER)

    async def _show_new(self, setup: TableSetup, complaint: str = "") -> Response:
        bots = self._lobby.list_bots(setup)
        title = f"A table for {setup.game.title}"
        return _render(
            title, *new_table_content(setup, bots, complaint), status=400 if complaint else 200, is_live=False
        )

    def _read_setup(self, request: Request, preset: str | None, seats: int | None) -> TableSetup:
        game = self._lobby.registry.games.get(request.path_params["game"])
        if game is None:
            raise HTTPException(404, "there is no such game")
        setups = list_preset_seats(game)
        name = preset if preset in setups else next(iter(setups))
        number = seats if seats in setups[name] else setups[name][0]
        return TableSetup(game, None if name == DEFAULTS else name, number)

    # ---- a table

    async def table_page(self, request: Request) -> Response:
        """Return the page of a table; who has a seat is led to the game, unless it is only to be looked at."""
        table = self._find_table(request)
        number = table.find_seat(self._find_visitor(request).token)
        if number is not None and table.host is not None and "look" not in request.query_params:
            return RedirectResponse(f"/play/{table.host.find_key(number)}", SEE_OTHER)
        return self._show_table(request, table)

    def _show_table(self, request: Request, table: LobbyTable, complaint: str = "", said: str = "") -> Response:
        visitor = self._find_visitor(request)
        is_open = table.host is None and not table.is_of_league
        bots = self._lobby.list_bots(table.setup) if visitor.is_host and is_open else []
        content = table_content(table, visitor, self._invite(request, f"/table/{table.key}"), bots, complaint, said)
        return _render(table.title, *content, status=400 if complaint else 200)

    async def sit_down(self, request: Request) -> Response:
        """Give a seat to who has sent the form."""
        fields, table = await self._read_own_form(request), self._find_table(request)
        number, said = _read_seat(fields), fields.get("name", "")
        try:
            token, sample = self._find_visitor(request).token, fields.get("loadout", "")
            guest = self._lobby.sit_down(table, number, token, said, sample)
        except PitbossError as error:
            return self._show_table(request, table, escape_line(str(error)), said)
        return _lead_to_seat(request, table, guest)

    async def stand_up(self, request: Request) -> Response:
        """Open the seat of who has sent the form."""
        await self._read_own_form(request)
        table, token = self._find_table(request), self._find_visitor(request).token
        is_ended = table.is_of_league and table.find_seat(token) is not None
        self._lobby.stand_up(table, token)
        return RedirectResponse(self._league_path() if is_ended else f"/table/{table.key}", SEE_OTHER)

    async def change_seat(self, request: Request) -> Response:
        """Do what the host wants with a seat."""
        fields = await self._read_own_form(request)
        self._require_host(request)
        table = self._find_table(request)
        try:
            self._lobby.change_seat(table, _read_seat(fields), fields.get("bot", ""))
        except PitbossError as error:
            return self._show_table(request, table, escape_line(str(error)))
        return RedirectResponse(f"/table/{table.key}?look", SEE_OTHER)

    async def close_table(self, request: Request) -> Response:
        """Close a table."""
        await self._read_own_form(request)
        self._require_host(request)
        self._lobby.close_table(self._find_table(request))
        return RedirectResponse("/", SEE_OTHER)

    # ---- the league

    async def league_page(self, request: Request) -> Response:
        """Return the page on which a guest chooses bots of the league."""
        return await self._show_league(request, self._require_league(request))

    async def open_league_table(self, request: Request) -> Response:
        """Open a table for who has sent the form."""
        fields, league = await self._read_own_form(request), self._require_league(request)
        offered = {offer.name for offer in await self._list_offers(league)}
        bots = [fields.get(f"seat{number}", "") for number in range(1, league.setup.seats)]
        said = fields.get("name", "")
        if not offered.issuperset(bots):
            return await self._show_league(request, league, "This bot does not play any more: choose again.", said)
        try:
            table, guest = self._lobby.open_league_table(self._find_visitor(request).token, said, bots)
        except PitbossError as error:
            return await self._show_league(request, league, escape_line(str(error)), said)
        return _lead_to_seat(request, table, guest)

    async def _show_league(
        self, request: Request, league: LobbyLeague, complaint: str = "", said: str = ""
    ) -> Response:
        offers, results = await self._list_offers(league), await league.describe_results()
        visitor, action = self._find_visitor(request), self._league_path()
        content = league_content(league.name, league.setup, offers, action, visitor, results, complaint, said)
        return _render(league.name, *content, status=400 if complaint else 200, is_live=False)

    async def _list_offers(self, league: LobbyLeague) -> Sequence[LeagueOffer]:
        try:
            return await league.list_offers()
        except PitbossError as error:
            raise HTTPException(500, escape_line(str(error))) from None

    def _require_league(self, request: Request) -> LobbyLeague:
        said = request.path_params["key"]
        if self._lobby.league is None or not hmac.compare_digest(said.encode(), self.league_key.encode()):
            raise HTTPException(404, "this is no invitation of this lobby; ask its host for one")
        return self._lobby.league

    def _league_path(self) -> str:
        return f"/league/{self.league_key}"

    # ---- what pages are told

    async def tell_lobby(self, socket: WebSocket) -> None:
        """Tell a page of the lobby whenever something has changed."""
        visitor = self._find_visitor(socket)
        if not visitor.is_host and visitor.guest is None:
            raise HTTPException(403, "only who has a seat, or is the host, sees the lobby")
        await self._tell_changes(socket)

    async def tell_table(self, socket: WebSocket) -> None:
        """Tell a page of a table whenever something has changed."""
        self._find_table(socket)
        await self._tell_changes(socket)

    async def _tell_changes(self, socket: WebSocket) -> None:
        if not comes_from_here(socket):
            raise HTTPException(403, "this page is not of this server")
        await socket.accept()
        if self._waiting_pages >= MAX_WAITING_PAGES:
            await socket.close(TRY_AGAIN_LATER, "Too many pages are open: close some, and load this one.")
            return
        self._waiting_pages += 1
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_await_end, socket, nursery.cancel_scope)
                while True:
                    changed = self._lobby.changed
                    await socket.send_text(str(self._lobby.version))
                    await changed.wait()
        finally:
            self._waiting_pages -= 1

    # ---- who asks

    def _find_visitor(self, connection: HTTPConnection) -> Visitor:
        token = connection.cookies.get(_name_cookie(GUEST_COOKIE, connection), "")
        is_host = self._is_host_key(connection.cookies.get(_name_cookie(HOST_COOKIE, connection), ""))
        return Visitor(is_host, token, self._lobby.find_guest(token))

    def _is_host_key(self, said: str) -> bool:
        return hmac.compare_digest(said.encode(), self.host_key.encode())

    def _require_host(self, request: Request) -> None:
        if not self._find_visitor(request).is_host:
            raise HTTPException(403, "only the host sets tables up: open the link that `pitboss play` has printed")

    async def _read_own_form(self, request: Request) -> dict[str, str]:
        """Return the fields of a form that a page of this server has sent."""
        if not comes_from_here(request):
            raise HTTPException(403, "this form was not sent by a page of this server")
        return await read_form(request)

    def _find_table(self, connection: HTTPConnection) -> LobbyTable:
        table = self._lobby.tables.get(connection.path_params["key"])
        if table is None:
            raise HTTPException(404, "there is no such table; the host may have closed it")
        return table

    def _invite(self, request: Request, path: str) -> Invitation:
        """Return the address of a page as others can open it: a browser of this machine may call it localhost."""
        name, port = request.url.hostname or "", request.url.port
        if is_loopback(name) and self._address in ANY_ADDRESS:
            name = find_own_address() or name
        written = f"[{name}]" if ":" in name else name
        place = written if port is None else f"{written}:{port}"
        return Invitation(f"{request.url.scheme}://{place}{path}", is_loopback(name))


def _lead_to_seat(request: Request, table: LobbyTable, guest: Guest) -> Response:
    """Return the answer that leads a guest to a table, and makes the guest's browser keep the token."""
    response = RedirectResponse(f"/table/{table.key}", SEE_OTHER)
    response.set_cookie(_name_cookie(GUEST_COOKIE, request), guest.token, COOKIE_SECONDS, httponly=True, samesite="lax")
    return response


async def run_lobby(lobby: Lobby, address: str, port: int, announce: Callable[[str], None]) -> int | None:
    """Serve a lobby until a signal arrives, and return its number; `announce` gets the link of the host.

    Raises:
        ConfigError: the address cannot be had (in an exception group).
    """
    site = LobbySite(lobby, address)
    handlers = {HTTPException: refuse}
    app = guard_app(Starlette(routes=site.routes(), exception_handlers=handlers), address, has_forms=True)
    heard: list[int] = []

    async def play() -> None:
        with trio.open_signal_receiver(*stop_signals()) as signals:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_await_signal, signals, heard, nursery.cancel_scope)
                await lobby.run()
        leave_anyway(128 + heard[0])
        with trio.move_on_after(FLUSH_SECONDS):
            await site.play.await_last_page()

    await serve_app(app, address, port, lambda base: announce(f"{base}/?host={site.host_key}"), play)
    return heard[0] if heard else None


def find_own_address() -> str:
    """Return the address by which others in this network reach this machine; "" if it has none. Nothing is sent."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # an address for documentation, to which nothing leads
        return str(probe.getsockname()[0])
    return ""


def _name_cookie(name: str, connection: HTTPConnection) -> str:
    return f"{name}-{connection.url.port or 80}"


def _read_seat(fields: dict[str, str]) -> int:
    said = fields.get("seat", "")
    return int(said) if said.isascii() and said.isdecimal() and len(said) < 4 else -1


def _render(title: str, *content: Content, status: int = 200, is_live: bool = True) -> Response:
    main = el("div", *content)
    return render_page(
        title, "lobby", main, styles=("pages", "lobby"), script="lobby" if is_live else None, status=status
    )


async def _await_end(socket: WebSocket, scope: trio.CancelScope) -> None:
    """Hear that a page is closed; a page says nothing, and one that does is refused."""
    with suppress(WebSocketDisconnect, KeyError):
        await socket.receive_text()
        await socket.close(POLICY_VIOLATION, "Pages of a lobby say nothing.")
    scope.cancel()


async def _await_signal(signals: AsyncIterator[int], heard: list[int], scope: trio.CancelScope) -> None:
    async for number in signals:
        heard.append(number)
        scope.cancel()
