"""The routes of a league's pages: the ladder, bots, versions, the queue, the rules; an owner's page; the JSON feed."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from typing import Final

import msgspec
import trio
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from pitboss.errors import ConfigError, PitbossError
from pitboss_tournament.html.elements import Content, el
from pitboss_tournament.league.book import Book
from pitboss_tournament.league.ladder_view import LadderView, encode_ladder
from pitboss_tournament.league.league_folder import League
from pitboss_tournament.league.name_book import NameRefused
from pitboss_tournament.league.people_results import read_people_results
from pitboss_tournament.league.rule_changes import read_wall_clock
from pitboss_tournament.league.site.bot_page import bot_content
from pitboss_tournament.league.site.ladder_page import ladder_content, retired_content
from pitboss_tournament.league.site.login_site import LoginSite
from pitboss_tournament.league.site.name_form import NAME_FORM_PATH, name_section
from pitboss_tournament.league.site.owner_page import owner_content
from pitboss_tournament.league.site.page_frame import LeagueFrame, Viewer
from pitboss_tournament.league.site.queue_page import queue_content
from pitboss_tournament.league.site.rules_page import SubmissionEnd, rules_content, submit_content
from pitboss_tournament.league.site.season_page import change_notes, season_links
from pitboss_tournament.league.site.version_page import version_content
from pitboss_tournament.league.stored_ladder import LadderSource
from pitboss_tournament.league.submission import Evidence, Submission
from pitboss_tournament.league.term_keeper import read_deadlines
from pitboss_tournament.web.event_streams import EventStream
from pitboss_tournament.web.forms import SEE_OTHER, read_form
from pitboss_tournament.web.responses import send_static
from pitboss_tournament.web.run_connection import ask_tables

MAX_LISTENERS: Final = 500  # pages that are told of changes, at a time
PAUSE_AFTER_ERROR_S: Final = 5.0  # of a store that cannot be read
AUDIT_SHOWN: Final = 30  # entries
SUBMISSIONS_SHOWN: Final = 200  # the latest ones of an owner, or for a host of all


class PageSite:
    """The pages of a league."""

    def __init__(self, league: League, book: Book, source: LadderSource, login: LoginSite) -> None:
        self._league = league
        self._book = book
        self._source = source
        self._login = login
        self._listeners = 0

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/", self.ladder_page),
            Route("/retired", self.retired_page),
            Route("/bots/{name:path}", self.bot_page),
            Route("/versions/{number:int}", self.version_page),
            Route("/queue", self.queue_page),
            Route("/rules", self.rules_page),
            Route("/submit", self.submit_page),
            Route("/me", self.owner_page),
            Route(NAME_FORM_PATH, self.choose_name, methods=["POST"]),
            Route("/events", self.send_events),
            Route("/api/ladder", self.send_ladder),
            Route("/static/{name}", send_static),
        ]

    async def open_page(self, request: Request) -> tuple[LeagueFrame, LadderView]:
        """Return the frame of a page for the visitor, and the ladder."""
        viewer = await self._login.find_viewer(request)
        view = await self._source.view()
        return LeagueFrame(self._league.name, viewer, view.stamp), view

    async def ladder_page(self, request: Request) -> Response:
        """Return the page of the ladder."""
        frame, view = await self.open_page(request)
        people = await trio.to_thread.run_sync(read_people_results, self._league, self._book)
        content = ladder_content(self._league, view, frame.viewer, people)
        return frame.render("Ladder", "/", *change_notes(self._league), *content, *season_links(self._league))

    async def retired_page(self, request: Request) -> Response:
        """Return the page of the versions that were retired."""
        frame, view = await self.open_page(request)
        return frame.render("Retired versions", "/", *retired_content(view, frame.viewer))

    async def bot_page(self, request: Request) -> Response:
        """Return the page of a bot."""
        frame, view = await self.open_page(request)
        name = request.path_params["name"]
        versions = view.list_versions(name)
        if not versions:
            raise HTTPException(404, f"no version of a bot {name!r} plays here, or did")
        return frame.render(name, "/", *bot_content(view, versions, frame.viewer))

    async def version_page(self, request: Request) -> Response:
        """Return the page of a version; one that never played is for its owner alone."""
        frame, view = await self.open_page(request)
        number = min(request.path_params["number"], 1 << 62)
        line = view.find_line(number)
        try:
            one = await trio.to_thread.run_sync(self._book.submission, number)
        except ConfigError:
            raise _no_version(number) from None
        is_own = frame.viewer.may_see(one.owner)
        if line is None and not is_own:
            raise _no_version(number)
        evidence, before = await trio.to_thread.run_sync(self._find_evidence, one) if is_own else (None, 0)
        by = frame.viewer.name_owner(one.owner, line.by if line is not None else "")
        return frame.render(one.label, "/", *version_content(view, one, line, evidence, before, by))

    def _find_evidence(self, one: Submission) -> tuple[dict[str, Evidence], int]:
        waiting = [other.number for other in self._book.list_waiting()]
        before = waiting.index(one.number) if one.number in waiting else 0
        return self._book.evidence(one.number), before

    async def queue_page(self, request: Request) -> Response:
        """Return the page of what is played and what waits."""
        frame, view = await self.open_page(request)
        tables = await ask_tables(self._league.folder.store)
        waiting = await trio.to_thread.run_sync(self._book.list_waiting)
        return frame.render("Queue", "/queue", *queue_content(view, tables, waiting, frame.viewer))

    async def rules_page(self, request: Request) -> Response:
        """Return the page of the rules."""
        frame, _ = await self.open_page(request)
        return frame.render("Rules", "/rules", *rules_content(self._league), *change_notes(self._league), is_live=False)

    async def submit_page(self, request: Request) -> Response:
        """Return the page that says how to submit, with a form for a logged-in owner."""
        frame, _ = await self.open_page(request)
        address = str(request.base_url).rstrip("/")
        end = await trio.to_thread.run_sync(self._find_end, frame.viewer.owner)
        content = submit_content(self._league, frame, address, end)
        return frame.render("Submit a bot", "/submit", *content, is_live=False)

    def _find_end(self, owner: str) -> SubmissionEnd:
        """Return when the submissions of an owner end, or of everybody without one."""
        now = read_wall_clock()
        deadlines = read_deadlines(self._league, self._book)
        end, last = deadlines.find_end(owner), deadlines.find_last(owner)
        if end is None or last is None:
            return SubmissionEnd("", "", now)
        return SubmissionEnd(deadlines.show(end), deadlines.show(last), now)

    async def owner_page(self, request: Request) -> Response:
        """Return the page of the logged-in owner."""
        frame, view = await self.open_page(request)
        if not frame.viewer.owner:
            return RedirectResponse("/login", SEE_OTHER)
        return await self._render_owner(frame, view)

    async def _render_owner(self, frame: LeagueFrame, view: LadderView) -> Response:
        viewer = frame.viewer
        own, last = await trio.to_thread.run_sync(self._find_own, viewer)
        audit = await trio.to_thread.run_sync(self._book.audit, AUDIT_SHOWN) if viewer.is_host else []
        names = (await trio.to_thread.run_sync(self._book.owner_names))[viewer.owner]
        named = name_section(frame, names, self._league.file.league.owners)
        return frame.render(viewer.owner, "/me", *owner_content(view, own, last, viewer, audit), *named)

    async def choose_name(self, request: Request) -> Response:
        """Call the logged-in owner otherwise before others."""
        form = await read_form(request)
        sender = await self._login.require_sender(request, form.get("form_token", ""))
        try:
            await trio.to_thread.run_sync(self._book.choose_display_name, sender.owner, form.get("display", ""))
        except NameRefused as error:
            raise HTTPException(409, str(error)) from None
        return RedirectResponse("/me", SEE_OTHER)

    def _find_own(self, viewer: Viewer) -> tuple[list[Submission], Mapping[int, Evidence]]:
        own = [one for one in self._book.submissions() if viewer.may_see(one.owner)][-SUBMISSIONS_SHOWN:]
        seen = {one.number: list(self._book.evidence(one.number).values()) for one in own}
        return own, {number: steps[-1] for number, steps in seen.items() if steps}

    async def send_events(self, _: Request) -> Response:
        """Send the stamp of the ladder, and again whenever it has changed (server-sent events)."""
        if self._listeners >= MAX_LISTENERS:
            raise HTTPException(503, "too many listen already; reload the page by hand", {"retry-after": "60"})
        return EventStream(self._follow())

    async def _follow(self) -> AsyncGenerator[bytes, None]:
        self._listeners += 1
        try:
            while True:
                try:
                    view = await self._source.view()
                    yield b"data: " + msgspec.json.encode({"stamp": view.stamp}) + b"\n\n"
                    await self._source.wait_for_change(view)
                except PitbossError:
                    await trio.sleep(PAUSE_AFTER_ERROR_S)
        finally:
            self._listeners -= 1

    async def send_ladder(self, _: Request) -> Response:
        """Return the ladder as JSON."""
        encoded = encode_ladder(await self._source.view())
        return Response(encoded, media_type="application/json", headers={"cache-control": "no-store"})

    async def render_error(self, request: Request, status: int, text: str) -> Response:
        """Return a page that says what is wrong."""
        viewer = await self._login.find_viewer(request)
        frame = LeagueFrame(self._league.name, viewer, "")
        content: tuple[Content, ...] = (el("h1", "This did not work"), el("p", f"{text[:1].upper()}{text[1:]}."))
        return frame.render("Error", "", *content, status=status, is_live=False)


def _no_version(number: int) -> HTTPException:
    return HTTPException(404, f"there is no version {number}, or it has not played; its owner sees it after login")
