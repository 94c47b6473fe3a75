"""Log in and out with a browser: who looks at a page, and which forms are taken."""

from __future__ import annotations

import trio
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from pitboss_tournament.league.book import Book
from pitboss_tournament.league.league_folder import League
from pitboss_tournament.league.sessions import (
    SESSION_COOKIE,
    SESSION_SECONDS,
    Session,
    Sessions,
    WrongTokens,
    is_form_of,
)
from pitboss_tournament.league.site.owner_page import login_content
from pitboss_tournament.league.site.page_frame import LeagueFrame, Viewer
from pitboss_tournament.league.tokens import Token, parse_token
from pitboss_tournament.store.rows import utc_now
from pitboss_tournament.text.host_names import is_loopback
from pitboss_tournament.web.forms import SEE_OTHER, comes_from_here, read_form


class LoginSite:
    """The routes by which one logs in and out, and the sessions."""

    def __init__(self, league: League, book: Book) -> None:
        self._league = league
        self._book = book
        self._sessions = Sessions()
        self.wrong_tokens = WrongTokens()

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/login", self.login_page),
            Route("/login", self.log_in, methods=["POST"]),
            Route("/logout", self.log_out, methods=["POST"]),
        ]

    async def find_viewer(self, request: Request) -> Viewer:
        """Return who looks at a page."""
        session = await self._find_session(request)
        if session is None:
            return Viewer()
        sees_owners = session.is_host or self._league.file.league.owners == "class"
        return Viewer(session.owner, session.is_host, session.form_token, sees_owners)

    async def require_sender(self, request: Request, form_token: str) -> Session:
        """Return whose form this is.

        Raises:
            HTTPException: it is of nobody that is logged in, or no page of this server has sent it.
        """
        if not comes_from_here(request):
            raise HTTPException(403, "this form was not sent by a page of this league")
        session = await self._find_session(request)
        if session is None:
            raise HTTPException(401, "log in first; whoever was logged in for long is not any more")
        if not is_form_of(session, form_token):
            raise HTTPException(403, "this form is of another session; open the page again")
        return session

    async def login_page(self, request: Request) -> Response:
        """Return the page with the form."""
        viewer = await self.find_viewer(request)
        if viewer.owner:
            return RedirectResponse("/me#main", SEE_OTHER)  # or the browser keeps what is behind the # of a link
        return self._show_form(request, 200)

    async def log_in(self, request: Request) -> Response:
        """Begin a session, by a token."""
        if not comes_from_here(request):
            raise HTTPException(403, "this form was not sent by a page of this league")
        words = parse_token((await read_form(request)).get("token", "").strip())
        if words is None:
            await self.wrong_tokens.slow_down(request)
            return self._show_form(request, 401, "This is no token of a league; one begins with pitboss- and a number.")
        token = await trio.to_thread.run_sync(self._book.find_token, words.number)
        if token is None or not token.fits(words.secret):
            await self.wrong_tokens.slow_down(request)
            return self._show_form(request, 401, "This token is not one of this league.")
        if why := token.why_invalid(utc_now()):
            return self._show_form(request, 401, f"{why}; ask the host of the league for another one.")
        return self._begin_session(request, token)

    def _begin_session(self, request: Request, token: Token) -> Response:
        response = RedirectResponse("/me", SEE_OTHER)
        self.give_session(request, response, token)
        return response

    def give_session(self, request: Request, response: Response, token: Token) -> str:
        """Begin a session, whose cookie goes with a response to a form of this server; return its form token."""
        cookie = self._sessions.open(token)
        response.set_cookie(
            SESSION_COOKIE,
            cookie,
            max_age=int(SESSION_SECONDS),
            httponly=True,
            samesite="strict",
            secure=request.headers["origin"].startswith("https:"),  # a proxy before this server may speak TLS
        )
        session = self._sessions.find(cookie)
        assert session is not None
        return session.form_token

    async def log_out(self, request: Request) -> Response:
        """End a session."""
        await self.require_sender(request, (await read_form(request)).get("form_token", ""))
        self._sessions.close(request.cookies.get(SESSION_COOKIE, ""))
        response = RedirectResponse("/", SEE_OTHER)
        response.delete_cookie(SESSION_COOKIE, httponly=True, samesite="strict")
        return response

    async def _find_session(self, request: Request) -> Session | None:
        """Return the session of a request; None if there is none, or its token opens nothing any more."""
        session = self._sessions.find(request.cookies.get(SESSION_COOKIE, ""))
        if session is None:
            return None
        token = await trio.to_thread.run_sync(self._book.find_token, session.token)
        return session if token is not None and token.why_invalid(utc_now()) is None else None

    def _show_form(self, request: Request, status: int, complaint: str = "") -> Response:
        frame = LeagueFrame(self._league.name, Viewer(), "")
        is_clear = request.client is not None and not is_loopback(request.client.host)  # no proxy speaks TLS here
        content = login_content(frame, complaint, is_clear=is_clear)
        return frame.render("Log in", "/login", *content, status=status, is_live=False, script="link_words")
