"""The routes of a league's finished games: lists, pages, replays."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

import msgspec
import trio
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pitboss_tournament.html.elements import el
from pitboss_tournament.league.game_archive import ArchivedGame, GameArchive, hide_evidence, hide_thoughts
from pitboss_tournament.league.league_folder import League
from pitboss_tournament.league.own_games import IsWanted, hides_loadouts
from pitboss_tournament.league.site.game_pages import find_own_seats, game_content, games_content, may_see_replay
from pitboss_tournament.league.site.page_frame import Viewer
from pitboss_tournament.league.site.page_site import PageSite
from pitboss_tournament.store.header import Header
from pitboss_tournament.web.replay_page import make_replay_data
from pitboss_tournament.web.responses import read_number, render_page


class GameSite:
    """The pages of games."""

    def __init__(self, league: League, pages: PageSite, archive: GameArchive) -> None:
        self._league = league
        self._pages = pages
        self._archive = archive
        self._replaying = trio.CapacityLimiter(1)

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/games", self.list_page),
            Route("/games/{game:int}", self.game_page),
            Route("/games/{game:int}/replay", self.replay_page),
            Route("/games/{game:int}/replay.json", self.send_replay),
        ]

    async def list_page(self, request: Request) -> Response:
        """Return the page of the latest games, before a number and of a bot if the query says so."""
        frame, view = await self._pages.open_page(request)
        before, version = read_number(request, "before"), read_number(request, "version")
        bot = request.query_params.get("bot", "")
        make_test = None
        if bot:
            versions = {line.submission.version for line in view.list_versions(bot)}
            make_test = partial(_make_test, {(bot, one) for one in versions if version in (None, one)})
        page = await self._archive.list_games(before, make_test)
        content = games_content(page, bot, version if bot else None, is_newest=before is None)
        return frame.render("Games", "/games", *content, is_live=before is None)

    async def game_page(self, request: Request) -> Response:
        """Return the page of a game."""
        frame, _ = await self._pages.open_page(request)
        game = await self._archive.find_game(request.path_params["game"])
        content = game_content(game, frame.viewer, self._league.file.league.replays, self._league.file.logs.shown)
        title = f"Game {game.result.game_id}"
        return frame.render(title, "/games", *content, is_live=not game.is_block_over)

    async def replay_page(self, request: Request) -> Response:
        """Return the page on which a game is seen card by card."""
        game, _ = await self._require_replay(request)
        number = game.result.game_id
        back = el("div", el("a", f"{self._league.name}: game {number}", href=f"/games/{number}"), id="bar")
        return render_page(f"Game {number}", "game", back, el("div", id="replay"), styles=("table", "live"))

    async def send_replay(self, request: Request) -> Response:
        """Return the data of that page; what the bots of others noted is not in it."""
        game, viewer = await self._require_replay(request)
        part = read_number(request, "part") or 0

        def replay() -> bytes:
            record = hide_thoughts(game.record, find_own_seats(game, viewer))
            if not viewer.is_host and self._league.file.logs.shown == "none":
                record = hide_evidence(record)
            number, address, seat = game.result.game_id, "?part={}".format, self._find_seat(game, viewer)
            return msgspec.json.encode(make_replay_data(record, self._league.game, number, seat, part, address))

        data = await trio.to_thread.run_sync(replay, limiter=self._replaying)
        return Response(data, media_type="application/json", headers={"cache-control": "no-store"})

    def _find_seat(self, game: ArchivedGame, viewer: Viewer) -> int | None:
        """Return whose eyes see a game; None: every card is shown. What others brought to a game stays theirs."""
        if viewer.is_host or not hides_loadouts(self._league.game, game.header.options):
            return None
        return next(iter(find_own_seats(game, viewer)), self._league.seats)

    async def _require_replay(self, request: Request) -> tuple[ArchivedGame, Viewer]:
        frame, _ = await self._pages.open_page(request)
        game = await self._archive.find_game(request.path_params["game"])
        if not may_see_replay(game, frame.viewer, self._league.file.league.replays):
            raise HTTPException(403, "its cards are shown to the owners of the bots that played in it")
        if not game.is_block_over:
            raise HTTPException(403, "the same deal is still being played; its cards are shown afterwards")
        return game, frame.viewer


def _make_test(versions: Collection[tuple[str, int]], header: Header) -> IsWanted:
    """Return what tells whether one of these versions, by name and number, played in a game."""
    wanted = {number for number, entry in enumerate(header.entries) if (entry.name, entry.version) in versions}
    return lambda result: any(seat.entrant in wanted for seat in result.seats)
