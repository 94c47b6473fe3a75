"""The server of `pitboss serve`: routes, what it refuses; and the start and end of any server.

It listens on this machine alone, or, with a token, on any address. It changes nothing: every route is a GET.
The stores that it shows are files, and those in folders; links of a report lead to the pages of its games.
"""

from __future__ import annotations

import hmac
import os
import secrets
import socket
import threading
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from ipaddress import ip_address
from itertools import chain, count
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlencode, urlsplit

import msgspec
import trio
from hypercorn.config import Config
from hypercorn.trio import serve
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pitboss.errors import ConfigError, PitbossError
from pitboss.plugins.registry import Registry
from pitboss.text import join_words
from pitboss_tournament.counting.report_findings import ReportFindings
from pitboss_tournament.counting.team_standings import read_team_scores
from pitboss_tournament.html.elements import Content, Markup, el
from pitboss_tournament.html.page_parts import report_style
from pitboss_tournament.reporting.page import render_statistics
from pitboss_tournament.reporting.replay_links import ReplayLinks
from pitboss_tournament.reporting.sections import CONFIGURATION, SECTIONS
from pitboss_tournament.results.standings_rows import BotRow
from pitboss_tournament.rounds.stored_headline import list_placed_rows
from pitboss_tournament.store.store import Store
from pitboss_tournament.text.columns import struct_lines
from pitboss_tournament.web.board import Board
from pitboss_tournament.web.bot_page import bot_page_content
from pitboss_tournament.web.event_streams import EventStream, follow_board
from pitboss_tournament.web.live_tables import LiveTables, open_live_tables
from pitboss_tournament.web.responses import (
    read_number,
    refuse,
    render_page,
    send_json,
    send_json_text,
    send_static,
    send_whole_page,
)
from pitboss_tournament.web.struct_types import build_struct_types

LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
COOKIE: Final = "pitboss-token"
SERVER_EXIT_SECONDS: Final = 3.0
GRACE_SECONDS: Final = 1.0  # for requests in progress, at the end
POLICY_VIOLATION: Final = 1008  # a close code of WebSockets
LIST_SECONDS: Final = 3.0  # for one store, until the list comes without it
LISTED_LEADERS: Final = 5  # of each tournament in the list
LONGEST_MESSAGE: Final = 4096  # bytes that a page may send at once
SERVER_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; "
    "form-action {form_action}; frame-ancestors 'none'"
)

SUFFIX: Final = ".pitboss"


class Site:
    """The pages of some stores."""

    def __init__(self, catalog: Catalog, registry: Registry, live_tables: LiveTables) -> None:
        self._catalog = catalog
        self._registry = registry
        self._live_tables = live_tables
        self._boards: dict[Path, Board] = {}

    def routes(self) -> list[Route]:
        """Return the routes; a tournament is named like its store."""
        return [
            Route("/", self.list_page),
            Route("/tournaments.json", self.list_tournaments),
            Route("/static/{name}", send_static),
            Route("/t/{name}/", self.tournament_page),
            Route("/t/{name}/summary.json", self.send_summary),
            Route("/t/{name}/events", self.send_events),
            Route("/t/{name}/tables.json", self.list_tables),
            Route("/t/{name}/tables/{table:int}", self.table_page),
            Route("/t/{name}/tables/{table:int}/now.json", self.send_table),
            Route("/t/{name}/tables/{table:int}/events", self.send_table_events),
            Route("/t/{name}/report", self.send_report),
            Route("/t/{name}/standings.csv", self.send_standings),
            Route("/t/{name}/bot/{bot:path}", self.bot_page),
            Route("/t/{name}/games.json", self.list_games),
            Route("/t/{name}/games/{game:int}", self.game_page),
            Route("/t/{name}/games/{game:int}.json", self.send_game),
        ]

    async def list_page(self, _: Request) -> Response:
        """Return the page with all tournaments."""
        return render_page("Tournaments", "list", el("h1", "Tournaments"), el("div", id="tournaments"))

    async def list_tournaments(self, _: Request) -> Response:
        """Return all tournaments as JSON: name, title, state, progress, leaders, the last hour; or what is wrong."""
        found: dict[str, dict[str, object]] = {}

        async def describe(name: str) -> None:
            found[name] = {"name": name, "error": "It is being read, which takes long."}
            with trio.move_on_after(LIST_SECONDS):
                found[name] = await self._describe_store(name)

        stores = await trio.to_thread.run_sync(self._catalog.find_stores)
        async with trio.open_nursery() as nursery:
            for name in stores:
                nursery.start_soon(describe, name)
        return send_json([found[name] for name in stores])

    async def _describe_store(self, name: str) -> dict[str, object]:
        try:
            board = await self._board(name)
            data = msgspec.json.decode(await board.summary_json())
        except (PitbossError, HTTPException) as error:
            return {"name": name, "error": str(error)}
        kept = {key: data[key] for key in ("name", "title", "progress", "is_running", "state", "total")}
        best = [
            {"name": line["name"], "tier": line["tier"] and line["tier"]["best"]}
            for line in data["summary"]["standings"][:LISTED_LEADERS]
        ]
        return {**kept, "played": data["summary"]["played"], "best": best, "course": board.course()}

    async def tournament_page(self, request: Request) -> Response:
        """Return the page of a tournament; with `?show` the one for a projector."""
        board = await self._board(request.path_params["name"])
        if "show" in request.query_params:
            return render_page(board.name, "show", el("div", board.name, id="show"), styles=("show",), script="show")
        first = el("h1", board.name), el("p", "Reading the results …", class_="soft")
        return render_page(board.name, "tournament", el("div", *first, id="tournament"))

    async def send_summary(self, request: Request) -> Response:
        """Return the summary of a tournament as JSON."""
        board = await self._board(request.path_params["name"])
        return Response(await board.summary_json(), media_type="application/json")

    async def send_events(self, request: Request) -> Response:
        """Send summary and tables, and again whenever they have changed (server-sent events)."""
        return EventStream(follow_board(await self._board(request.path_params["name"])))

    async def list_tables(self, request: Request) -> Response:
        """Return the tables in play as JSON."""
        board = await self._board(request.path_params["name"])
        return send_json(await board.tables())

    async def table_page(self, request: Request) -> Response:
        """Return the page of a table, where the game in play is shown."""
        board, table = await self._board(request.path_params["name"]), request.path_params["table"]
        bar, stage = el("div", id="bar", data_table=table, data_tournament=board.name), el("div", id="replay")
        return render_page(f"{board.name}: table {table}", "table", bar, stage, styles=("table", "live"), script="live")

    async def send_table_events(self, request: Request) -> Response:
        """Send one game of a table as it is played (server-sent events)."""
        board = await self._board(request.path_params["name"])
        return EventStream(self._live_tables.follow(board, request.path_params["table"]))

    async def send_table(self, request: Request) -> Response:
        """Return a table as it is now as JSON, a `ReplayData` with one frame; null if no game is in play there."""
        board = await self._board(request.path_params["name"])
        return send_json_text(await self._live_tables.read_table(board, request.path_params["table"]) or b"null")

    async def list_games(self, request: Request) -> Response:
        """Return the latest games as JSON, before a number and of a bot if the query says so."""
        board = await self._board(request.path_params["name"])
        return send_json(await board.games(read_number(request, "before"), request.query_params.get("bot")))

    async def send_report(self, request: Request) -> Response:
        """Return the report of a tournament, without its settings, which have the seed; games lead to their pages."""
        board = await self._board(request.path_params["name"])
        sections = [section for section in SECTIONS if section.name != CONFIGURATION]

        def render(statistics: ReportFindings, store: Store) -> str:
            back = el("a", board.name, href="./")
            return render_statistics(statistics, store, replays=ServedReplays(), sections=sections, back=back)

        return send_whole_page(await board.read_statistics(render), report_style())

    async def send_standings(self, request: Request) -> Response:
        """Return the standings as CSV, as `pitboss standings --csv` prints them."""
        board = await self._board(request.path_params["name"])

        def make_lines(statistics: ReportFindings, store: Store) -> list[str]:
            return list(struct_lines(BotRow, list_placed_rows(statistics, store, read_team_scores(store))))

        lines = await board.read_statistics(make_lines)
        return Response("".join(f"{line}\n" for line in lines), media_type="text/csv")

    async def bot_page(self, request: Request) -> Response:
        """Return the page of a bot."""
        board, bot = await self._board(request.path_params["name"]), request.path_params["bot"]

        def make_content(statistics: ReportFindings, store: Store) -> list[Content]:
            if bot not in statistics.names:
                raise PitbossError(f"there is no bot {bot!r}")
            return list(bot_page_content(board.name, statistics, store, statistics.names.index(bot)))

        content = await board.read_statistics(make_content)
        back = el("a", board.name, href=f"/t/{quote(board.name, safe='')}/")
        styles = ("charts", "pages")
        return render_page(f"{bot} – {board.name}", "bot", *content, trail=[back], styles=styles, script=None)

    async def game_page(self, request: Request) -> Response:
        """Return the page of a recorded game."""
        board = await self._board(request.path_params["name"])
        title = f"{board.name}: game {request.path_params['game']}"
        return render_page(title, "game", el("div", id="replay", data_tournament=board.name), styles=("table",))

    async def send_game(self, request: Request) -> Response:
        """Return the data of a recorded game, for a seat if the query names one."""
        board = await self._board(request.path_params["name"])
        seat, part = read_number(request, "seat"), read_number(request, "part")
        data = await board.replay_json(self._registry, request.path_params["game"], seat, part or 0)
        return send_json_text(data)

    async def _board(self, name: str) -> Board:
        stores = await trio.to_thread.run_sync(self._catalog.find_stores)
        if name not in stores:
            raise HTTPException(404, f"there is no tournament {name!r}")
        return self._boards.setdefault(stores[name], Board(name, stores[name]))


class TokenGuard:
    """Lets in who knows the token: by `?token=` of an address, which becomes a cookie."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        if self._is_right(request.cookies.get(COOKIE, "")):
            await self._app(scope, receive, send)
        elif self._is_right(request.query_params.get("token", "")):
            kept = urlencode([one for one in request.query_params.multi_items() if one[0] != "token"])
            path = f"/{request.url.path.lstrip('/')}"  # //name/ would be another server
            response = RedirectResponse(f"{path}?{kept}" if kept else path)
            response.set_cookie(COOKIE, self._token, httponly=True, samesite="strict")
            await response(scope, receive, send)
        else:
            await Response("This address needs the token that `pitboss serve` printed.", 403)(scope, receive, send)

    def _is_right(self, said: str) -> bool:
        return hmac.compare_digest(said.encode(), self._token.encode())


class HostGuard:
    """Refuses requests that call the server by a name that is not its own.

    A page of another site may have its own name lead here (DNS rebinding); the browser then takes the server for that
    site. It cannot do so with an address, with localhost, or with a name of this machine.
    """

    def __init__(self, app: ASGIApp, host: str) -> None:
        self._app = app
        own = socket.gethostname().lower()
        self._names = {"localhost", own, f"{own}.local", host.lower()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "lifespan" or self._is_own(Headers(scope=scope).get("host", "")):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": POLICY_VIOLATION})
        else:
            names = join_words(sorted(self._names))
            await Response(f"Call this server by its address, or as {names}.", 400)(scope, receive, send)

    def _is_own(self, said: str) -> bool:
        try:
            name = urlsplit(f"//{said}").hostname or ""
            return name.removesuffix(".") in self._names or bool(ip_address(name))
        except ValueError:
            return False


class SafeHeaders:
    """Adds the headers that forbid pages to run or load what is not the server's own.

    With forms they may send some to it. A browser then has to say where a form comes from, which it does not under the
    policy "no-referrer".
    """

    def __init__(self, app: ASGIApp, has_forms: bool = False) -> None:
        self._app = app
        form_action, referrer = ("'self'", "same-origin") if has_forms else ("'none'", "no-referrer")
        self._headers = (
            (b"content-security-policy", SERVER_POLICY.format(form_action=form_action).encode()),
            (b"x-content-type-options", b"nosniff"),
            (b"referrer-policy", referrer.encode()),
            (b"cross-origin-resource-policy", b"same-origin"),
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = {name for name, _ in message["headers"]}  # a page may have a policy of its own
                message["headers"] = [*message["headers"], *(one for one in self._headers if one[0] not in own)]
            await send(message)

        await self._app(scope, receive, send_safely)


def make_app(site: Site, host: str, token: str | None) -> ASGIApp:
    """Return the application that shows stores."""
    guards = [] if token is None else [Middleware(TokenGuard, token=token)]
    handlers = {PitbossError: refuse, HTTPException: refuse}
    app = Starlette(routes=site.routes(), middleware=[*guards, Middleware(GZipMiddleware)], exception_handlers=handlers)
    return guard_app(app, host)


def guard_app(app: ASGIApp, host: str, *, has_forms: bool = False) -> ASGIApp:
    """Return an application with safe headers that is called by an address or a name of this machine only."""
    return SafeHeaders(HostGuard(app, host), has_forms)


async def run_server(
    paths: Sequence[Path], host: str, port: int, announce: Callable[[str], None], until: Callable[[], Awaitable[None]]
) -> None:
    """Show stores until `until` returns; `announce` gets the address when pages can be opened.

    Raises:
        ConfigError: there is no such store or folder, or the address cannot be had.
    """
    token = None if host in LOOPBACK else secrets.token_urlsafe(16)
    catalog, registry = Catalog(paths), Registry()
    async with open_live_tables(registry) as live_tables:
        app = make_app(Site(catalog, registry, live_tables), host, token)
        await serve_app(
            app, host, port, lambda address: announce(f"{address}/{'' if token is None else f'?token={token}'}"), until
        )


def leave_anyway(status: int, seconds: float = SERVER_EXIT_SECONDS) -> None:
    """End the process after `seconds`, if it has not ended by then: everything is on the disk.

    A client that reads nothing can hold the server for ever.
    """
    end = threading.Timer(seconds, os._exit, [status])
    end.daemon = True
    end.start()


async def serve_app(
    app: ASGIApp, host: str, port: int, announce: Callable[[str], None], until: Callable[[], Awaitable[None]]
) -> None:
    """Serve an application until `until` returns; `announce` gets the address when it can be reached.

    Raises:
        ConfigError: the address cannot be had (in an exception group). Others: as `until`.
    """
    build_struct_types()
    config = Config()
    config.bind = [f"{f'[{host}]' if ':' in host else host}:{port}"]
    config.graceful_timeout = GRACE_SECONDS
    config.accesslog = None
    config.errorlog = None
    config.websocket_max_message_size = LONGEST_MESSAGE
    stop = trio.Event()
    async with trio.open_nursery() as nursery:
        run = partial(serve, app, config, shutdown_trigger=stop.wait, mode="asgi")  # type: ignore[arg-type]
        try:
            [address, *_] = await nursery.start(run)
        except* OSError as errors:
            raise ConfigError(f"{host}:{port}: cannot be served there: {_find_cause(errors)}") from None
        announce(address)
        await until()
        stop.set()
        # a client that reads nothing would hold the server for ever
        nursery.cancel_scope.deadline = trio.current_time() + 2 * GRACE_SECONDS


def _find_cause(error: BaseException) -> BaseException:
    return _find_cause(error.exceptions[0]) if isinstance(error, BaseExceptionGroup) else error


class Catalog:
    """The stores below some paths. Folders are looked through again each time, so that new stores appear."""

    def __init__(self, paths: Sequence[Path]) -> None:
        """Take files and folders.

        Raises:
            ConfigError: there is no such file or folder.
        """
        for path in paths:
            if not path.exists():
                raise ConfigError(
                    f"{path}: there is no such file or folder; serve shows stores and folders with stores"
                )
        self._paths = list(paths)
        self._names: dict[Path, str] = {}  # of all that was ever found, so that a store keeps its name

    def find_stores(self) -> dict[str, Path]:
        """Return the stores by name, which is that of the file without its ending; a second one gets a number."""
        found = [
            store
            for path in self._paths
            for store in (sorted(path.rglob(f"*{SUFFIX}")) if path.is_dir() else [path])
            if store.is_file()
        ]
        for store in found:
            if store not in self._names:
                self._names[store] = self._new_name(store.name.removesuffix(SUFFIX))
        return {self._names[store]: store for store in sorted(found, key=self._names.__getitem__)}

    def _new_name(self, stem: str) -> str:
        numbered = (f"{stem}-{number}" for number in count(2))
        return next(name for name in chain([stem], numbered) if name not in self._names.values())


class ServedReplays(ReplayLinks):
    """Links to the pages that a server has of all games; nothing is to be written for them."""

    def __init__(self) -> None:
        super().__init__("games")

    def link(self, game_id: int, text: Content) -> Markup:
        """Return a link to the page of a game, which lies below that of the tournament."""
        return el("a", text, href=f"games/{game_id}")
