"""Join a league by the link of a class: choose a name, and get a token, shown this once."""

from __future__ import annotations

from collections.abc import Iterator

import trio
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pitboss.errors import ConfigError
from pitboss_tournament.html.elements import Content, Markup, el
from pitboss_tournament.league.invitations import (
    JOIN_PATH,
    LOGIN_PATH,
    InvitationBook,
    NotInvited,
    OwnerNameTaken,
    make_link,
)
from pitboss_tournament.league.roster import check_owner
from pitboss_tournament.league.site.login_site import LoginSite
from pitboss_tournament.league.site.page_frame import LeagueFrame, Viewer
from pitboss_tournament.league.tokens import parse_token
from pitboss_tournament.plan.names import MAX_CHARACTERS
from pitboss_tournament.web.forms import comes_from_here, read_form


class JoinSite:
    """The routes by which a class joins."""

    def __init__(self, league: str, book: InvitationBook, login: LoginSite) -> None:
        self._league = league
        self._book = book
        self._login = login

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [Route(JOIN_PATH, self.join_page), Route(JOIN_PATH, self.join, methods=["POST"])]

    async def join_page(self, request: Request) -> Response:
        """Return the page with the form. The page itself does nothing: a program that only looks at links may."""
        return self._show_form(await self._login.find_viewer(request), 200)

    async def join(self, request: Request) -> Response:
        """Make somebody an owner, and return the page with the token."""
        if not comes_from_here(request):
            raise HTTPException(403, "this form was not sent by a page of this league")
        said = await read_form(request)
        invited, name = said.get("invitation", "").strip(), said.get("owner", "")
        words = parse_token(invited)
        viewer = await self._login.find_viewer(request)
        try:
            if words is None:
                raise NotInvited("this is no invitation; one begins with pitboss- and a number")
            owner = check_owner(name)
            made = await trio.to_thread.run_sync(self._book.join, words.number, words.secret, owner)
        except NotInvited as error:
            await self._login.wrong_tokens.slow_down(request)
            return self._show_form(viewer, 401, str(error), name, invited)
        except OwnerNameTaken as error:
            return self._show_form(viewer, 409, str(error), name, invited)
        except ConfigError as error:
            return self._show_form(viewer, 422, str(error), name, invited)
        return await self._welcome(request, made.owner, made.token)

    async def _welcome(self, request: Request, owner: str, token: str) -> Response:
        words = parse_token(token)
        assert words is not None
        found = await trio.to_thread.run_sync(self._book.find_token, words.number)
        assert found is not None
        address = request.headers["origin"] + request.scope.get("app_root_path", "")  # it may lie below a path
        link = make_link(address, LOGIN_PATH, token)
        session = Response()
        form_token = self._login.give_session(request, session, found)
        frame = LeagueFrame(self._league, Viewer(owner, form_token=form_token), "")
        content = welcome_content(owner, token, link)
        response = frame.render("Welcome", JOIN_PATH, *content, is_live=False, script="link_words")
        response.headers["set-cookie"] = session.headers["set-cookie"]
        return response

    def _show_form(
        self, viewer: Viewer, status: int, complaint: str = "", name: str = "", invitation: str = ""
    ) -> Response:
        frame = LeagueFrame(self._league, viewer, "")
        content = invitation_content(frame, complaint, name, invitation)
        return frame.render("Join", JOIN_PATH, *content, status=status, is_live=False, script="link_words")


def invitation_content(frame: LeagueFrame, complaint: str, name: str, invitation: str) -> Iterator[Content]:
    """Yield the content of the page with the form; `complaint`, `name` and `invitation`: after one that was refused."""
    yield el("h1", f"Join {frame.league}")
    if frame.viewer.owner:
        yield el(
            "p",
            f"You are logged in as {frame.viewer.owner}, and need not join again. ",
            el("a", "Write a bot", href="/editor"),
            ".",
        )
    owner = el(
        "input",
        name="owner",
        required=True,
        maxlength=MAX_CHARACTERS,
        autocomplete="nickname",
        value=name,
        aria_describedby="about-name",
    )
    words = el(
        "input",
        name="invitation",
        type="password",
        required=True,
        maxlength=200,
        autocomplete="off",
        value=invitation,
        data_link_words="invitation",
    )
    yield frame.form(
        JOIN_PATH,
        el("label", "Your name, as the host of the league knows you", owner),
        el("p", "Letters, digits and blanks. Bots have names of their own, later.", id="about-name", class_="soft"),
        el("label", "The invitation: what is behind the # of the link", words),
        el("p", complaint, class_="error", role="alert") if complaint else None,
        el("button", "Join", class_="main"),
    )
    yield el("p", "You have a token already? ", el("a", "Log in", href=LOGIN_PATH), ".", class_="soft")


def welcome_content(owner: str, token: str, link: str) -> Iterator[Content]:
    """Yield the content of the page that somebody sees who has joined: the token, the link, and where to begin."""
    yield el("h1", f"Welcome, {owner}")
    yield el("h2", "Keep this")
    yield el(
        "p",
        "With this link you come back, on any device. It is shown this once: save it where you keep passwords, or send "
        "it to yourself. Whoever has it acts in your name.",
    )
    yield _kept_field("link", "Your link", link)
    yield _kept_field("token", "Your token, for programs and the login page", token)
    yield el("h2", "Begin")
    yield el(
        "p",
        el("a", "Write a bot", href="/editor", class_="button main"),
        el("a", "See the ladder", href="/", class_="button"),
        class_="buttons",
    )


def _kept_field(name: str, label: str, value: str) -> Markup:
    return el(
        "div",
        el("label", label, el("input", id=f"kept-{name}", value=value, readonly=True, autocomplete="off")),
        el("button", "Copy", type="button", data_copies=f"kept-{name}", hidden=True),
        class_="kept",
    )
