"""The routes by which an owner asks where a version loses points, and reads what was found."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from typing import Final

import msgspec
import trio
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from pitboss.errors import ConfigError
from pitboss_tournament.league.book import Book, ComeAgain
from pitboss_tournament.league.feedback_book import Feedback, FeedbackBook
from pitboss_tournament.league.league_answers import FeedbackAnswer
from pitboss_tournament.league.league_folder import League
from pitboss_tournament.league.site.feedback_page import FeedbackView, feedback_address, feedback_content
from pitboss_tournament.league.site.login_site import LoginSite
from pitboss_tournament.league.site.page_site import PageSite
from pitboss_tournament.league.submission import Submission
from pitboss_tournament.league.tokens import Token
from pitboss_tournament.plan.paths import make_file_name
from pitboss_tournament.reask.feedback_bundle import bundle_lines, encode_bundle
from pitboss_tournament.web.forms import SEE_OTHER, read_form

LOOK_AGAIN_SECONDS: Final = 5  # of a page that waits
NOBODYS: Final = "there is no submission {number} of yours"


class FeedbackSite:
    """The pages about the decisions of versions. Those of a version are for its owner and for hosts."""

    def __init__(
        self,
        league: League,
        book: Book,
        feedback: FeedbackBook,
        pages: PageSite,
        login: LoginSite,
        require_token: Callable[[Request], Awaitable[Token]],
        ring: Callable[[], None],
    ) -> None:
        """`ring` is called when something is asked for."""
        self._league = league
        self._book = book
        self._feedback = feedback
        self._pages = pages
        self._login = login
        self._require_token = require_token
        self._ring = ring

    @property
    def _a_day(self) -> int:
        return self._league.file.feedback.a_day

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/versions/{number:int}/why", self.show_page),
            Route("/versions/{number:int}/why", self.ask_by_page, methods=["POST"]),
            Route("/versions/{number:int}/why/bundle.{kind}", self.send_bundle),
            Route("/api/submissions/{number:int}/why", self.send_answer),
            Route("/api/submissions/{number:int}/why", self.ask_by_token, methods=["POST"]),
        ]

    async def show_page(self, request: Request) -> Response:
        """Return the page; one that waits is loaded again by the browser."""
        frame, _ = await self._pages.open_page(request)
        if not frame.viewer.owner:
            return RedirectResponse("/login", SEE_OTHER)
        one = await self._find(request, frame.viewer.may_see)
        view = await trio.to_thread.run_sync(self._read_view, one, frame.viewer.owner == one.owner)
        content = feedback_content(view, frame)
        shown = frame.render(f"Where {one.label} loses points", "/me", *content, is_live=False)
        if view.latest is not None and view.latest.is_open:
            shown.headers["refresh"] = f"{LOOK_AGAIN_SECONDS}"
        return shown

    async def ask_by_page(self, request: Request) -> Response:
        """Take in what a form asks for."""
        session = await self._login.require_sender(request, (await read_form(request)).get("form_token", ""))
        one = await self._find(request, lambda owner: owner == session.owner)
        await self._ask(one)
        return RedirectResponse(feedback_address(one.number), SEE_OTHER)

    async def ask_by_token(self, request: Request) -> Response:
        """Take in what the owner of a token asks for: 202."""
        token = await self._require_token(request)
        one = await self._find(request, lambda owner: owner == token.owner)
        return _send(await self._ask(one), 202)

    async def send_answer(self, request: Request) -> Response:
        """Return what has become of it, to the owner of the submission or a host."""
        token = await self._require_token(request)
        one = await self._find(request, lambda owner: token.role == "host" or owner == token.owner)
        return _send(await trio.to_thread.run_sync(self._feedback.find_latest, one.number), 200)

    async def send_bundle(self, request: Request) -> Response:
        """Return what was found as a file: text, or JSON."""
        frame, _ = await self._pages.open_page(request)
        if not frame.viewer.owner:
            return RedirectResponse("/login", SEE_OTHER)
        one = await self._find(request, frame.viewer.may_see)
        found = await trio.to_thread.run_sync(self._feedback.find_found, one.number)
        kind, bundle = request.path_params["kind"], None if found is None else found.bundle
        if bundle is None or kind not in ("txt", "json"):
            raise HTTPException(404, f"there is no such file of submission {one.number}")
        text = encode_bundle(bundle) if kind == "json" else "\n".join([*bundle_lines(bundle), ""]).encode()
        name = make_file_name(one.label).encode("ascii", "replace").decode().replace("?", "_")
        headers = {"cache-control": "no-store", "content-disposition": f'attachment; filename="{name}-bundle.{kind}"'}
        return Response(text, media_type="application/json" if kind == "json" else "text/plain", headers=headers)

    async def _find(self, request: Request, may_see: Callable[[str], bool]) -> Submission:
        """Return the submission of an address.

        Raises:
            HTTPException: there is none, or it is somebody else's: the answer is the same.
        """
        number = min(request.path_params["number"], 1 << 62)
        try:
            one = await trio.to_thread.run_sync(self._book.submission, number)
        except ConfigError:
            raise HTTPException(404, NOBODYS.format(number=number)) from None
        if not may_see(one.owner):
            raise HTTPException(404, NOBODYS.format(number=number))
        return one

    async def _ask(self, one: Submission) -> Feedback:
        if not self._a_day:
            raise HTTPException(403, "this league looks into no games: download the records, and ask at home")
        try:
            asked = await trio.to_thread.run_sync(self._feedback.ask, one.number, self._a_day)
        except ComeAgain as error:
            seconds = math.ceil(error.seconds)
            text = f"{error}; come again in {seconds} s"
            raise HTTPException(429, text, {"retry-after": f"{seconds}"}) from None
        self._ring()
        return asked

    def _read_view(self, one: Submission, is_own: bool) -> FeedbackView:
        waiting = [other.submission for other in self._feedback.list_open()]
        return FeedbackView(
            submission=one,
            latest=self._feedback.find_latest(one.number),
            found=self._feedback.find_found(one.number),
            before=waiting.index(one.number) if one.number in waiting else 0,
            left=self._feedback.count_left(one.number, self._a_day),
            a_day=self._a_day,
            is_own=is_own,
        )


def _send(one: Feedback | None, status: int) -> Response:
    answer = FeedbackAnswer() if one is None else FeedbackAnswer(one.state, one.why, one.bundle)
    headers = {"cache-control": "no-store"}
    return Response(msgspec.json.encode(answer), status, media_type="application/json", headers=headers)
