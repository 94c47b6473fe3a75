"""The routes of an owner's games: the page that lists them, and their records, by login or by token."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from pitboss_tournament.league.game_archive import GameArchive
from pitboss_tournament.league.league_folder import League
from pitboss_tournament.league.own_games import GameFilter, find_withholding
from pitboss_tournament.league.site.own_games_page import OWN_GAMES, OWN_RECORDS, own_games_content
from pitboss_tournament.league.site.page_frame import Viewer
from pitboss_tournament.league.site.page_site import PageSite
from pitboss_tournament.league.tokens import Token
from pitboss_tournament.plan.paths import make_file_name
from pitboss_tournament.web.forms import SEE_OTHER
from pitboss_tournament.web.responses import read_number

API_RECORDS: Final = "/api/games"
NUMBERS: Final = ("version", "deal")


class OwnGamesSite:
    """The games of whoever is logged in, or of whose token comes with a request."""

    def __init__(
        self,
        league: League,
        pages: PageSite,
        archive: GameArchive,
        require_token: Callable[[Request], Awaitable[Token]],
    ) -> None:
        self._league = league
        self._pages = pages
        self._archive = archive
        self._require_token = require_token
        self._downloading: set[str] = set()  # owners

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route(OWN_GAMES, self.list_page),
            Route(OWN_RECORDS, self.send_own_records),
            Route(API_RECORDS, self.send_records),
        ]

    async def list_page(self, request: Request) -> Response:
        """Return the page of the games that the query means."""
        frame, _ = await self._pages.open_page(request)
        if not frame.viewer.owner:
            return RedirectResponse("/login", SEE_OTHER)
        asked, before = read_filter(request), read_number(request, "before")
        make_test = partial(asked.make_test, may_see=frame.viewer.may_see)
        if asked.deal is None:
            page = await self._archive.list_games(before, make_test)
        else:
            page = await self._archive.list_deal(asked.deal, make_test)
        withheld = "" if page.header is None else find_withholding(page.header, self._league.game)
        content = own_games_content(page, asked, frame.viewer, before, withheld)
        return frame.render("Your games", "/me", *content, is_live=False)

    async def send_own_records(self, request: Request) -> Response:
        """Return the records of the games that the query means, to whoever is logged in."""
        frame, _ = await self._pages.open_page(request)
        if not frame.viewer.owner:
            return RedirectResponse("/login", SEE_OTHER)
        return await self._send(request, frame.viewer)

    async def send_records(self, request: Request) -> Response:
        """Return the same to the owner of a token."""
        token = await self._require_token(request)
        return await self._send(request, Viewer(token.owner, token.role == "host"))

    async def _send(self, request: Request, viewer: Viewer) -> Response:
        asked, before = read_filter(request), read_number(request, "before")
        if viewer.owner in self._downloading or self._archive.is_crowded:
            raise HTTPException(429, "other records are being read: come again in a minute", {"retry-after": "60"})
        self._downloading.add(viewer.owner)
        try:
            make_test = partial(asked.make_test, may_see=viewer.may_see)
            shows_logs = viewer.is_host or self._league.file.logs.shown != "none"
            found = await self._archive.read_records(
                self._league.game, before, asked.deal, make_test, viewer.may_see, shows_logs=shows_logs
            )
        finally:
            self._downloading.discard(viewer.owner)
        if found.withheld:
            raise HTTPException(409, found.withheld)
        name = make_file_name(f"{self._league.name}-{asked.bot}" if asked.bot else self._league.name)
        name = name.encode("ascii", "replace").decode().replace("?", "_")  # as headers have to be
        headers = {
            "cache-control": "no-store",
            "content-disposition": f'attachment; filename="{name}-games.jsonl"',
            "x-games": f"{found.games}",
        }
        if found.before is not None:
            query = request.url.include_query_params(before=found.before).query
            headers["link"] = f'<?{query}>; rel="next"'  # of this address, whatever path a proxy has before it
        return Response(found.text, media_type="application/x-ndjson", headers=headers)


def read_filter(request: Request) -> GameFilter:
    """Return the filter of an address; a field that is empty is as one that is not there.

    Raises:
        HTTPException: a field has no such value.
    """
    said = {key: text for key, text in request.query_params.items() if text and key in GameFilter.__struct_fields__}
    given: dict[str, object] = {**said, **{key: read_number(request, key) for key in NUMBERS if key in said}}
    given["faults"] = said.get("faults") == "yes"
    try:
        return msgspec.convert(given, GameFilter)
    except msgspec.ValidationError as error:
        raise HTTPException(400, f"the games that you ask for: {error}") from None
