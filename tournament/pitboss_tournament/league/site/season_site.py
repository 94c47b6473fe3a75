"""The routes of seasons that are over."""

from __future__ import annotations

from contextlib import closing

import trio
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pitboss_tournament.counting.stored_findings import StoredFindings
from pitboss_tournament.league.book import open_book
from pitboss_tournament.league.ladder_view import LadderView, build_ladder_view
from pitboss_tournament.league.league_folder import League
from pitboss_tournament.league.seasons import list_seasons
from pitboss_tournament.league.site.page_site import PageSite
from pitboss_tournament.league.site.season_page import season_content
from pitboss_tournament.store.store import Store


class SeasonSite:
    """The pages of seasons that are over, whose stores do not change any more."""

    def __init__(self, league: League, pages: PageSite) -> None:
        self._league = league
        self._pages = pages
        self._views: dict[int, LadderView] = {}

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [Route("/seasons/{number:int}", self.season_page)]

    async def season_page(self, request: Request) -> Response:
        """Return the page of a season."""
        frame, _ = await self._pages.open_page(request)
        number = request.path_params["number"]
        if number not in list_seasons(self._league.folder):
            raise HTTPException(404, f"there is no season {number}")
        view = await trio.to_thread.run_sync(self._read, number)
        return frame.render(f"Season {number}", "/", *season_content(number, view, frame.viewer), is_live=False)

    def _read(self, number: int) -> LadderView:
        if number not in self._views:
            path = list_seasons(self._league.folder)[number]
            with closing(open_book(path)) as book, closing(Store(path)) as store:
                names = book.public_names(self._league.file.league.owners)
                found = StoredFindings(store)
                self._views[number] = build_ladder_view("", found, book.submissions(), book.history(), names)
        return self._views[number]
