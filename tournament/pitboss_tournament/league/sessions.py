"""Sessions: who has logged in with a browser, kept in memory; and a bound on attempts to log in.

A browser has a random number in a cookie, never the token. A session ends after a while, with the process, or when its
token is revoked.
"""

from __future__ import annotations

import hmac
import secrets
from collections import deque
from typing import Final, NamedTuple

import trio
from starlette.requests import Request

from pitboss_tournament.league.tokens import SECRET_BYTES, Token, hash_secret

SESSION_COOKIE: Final = "pitboss-session"
SESSION_SECONDS: Final = 12 * 3600.0
MAX_SESSIONS: Final = 20  # of a token; then its oldest one ends
LIMIT_SECONDS: Final = 60.0
MAX_LOGIN_FAILURES: Final = 5  # to log in with a token of one number from one address, within LIMIT_SECONDS
MAX_ALL_FAILURES: Final = 300  # likewise, of everybody


class Session(NamedTuple):
    """Who is logged in. `form_token` is in each form of its pages, which no other site knows."""

    owner: str
    is_host: bool
    token: int
    form_token: str
    ends: float  # by trio's clock


class Sessions:
    """The sessions of a process."""

    def __init__(self) -> None:
        self._sessions: dict[bytes, Session] = {}  # by hash of the cookie, the oldest first

    def open(self, token: Token) -> str:
        """Begin a session; return its cookie."""
        now = trio.current_time()
        self._sessions = {key: one for key, one in self._sessions.items() if one.ends > now}
        own = [key for key, one in self._sessions.items() if one.token == token.number]
        for key in own[: len(own) - MAX_SESSIONS + 1]:
            del self._sessions[key]
        cookie = secrets.token_urlsafe(SECRET_BYTES)
        form_token = secrets.token_urlsafe(SECRET_BYTES)
        self._sessions[hash_secret(cookie)] = Session(
            token.owner, token.role == "host", token.number, form_token, now + SESSION_SECONDS
        )
        return cookie

    def find(self, cookie: str) -> Session | None:
        """Return the session of a cookie; None if there is none, or it has ended."""
        found = self._sessions.get(hash_secret(cookie))
        return found if found is not None and found.ends > trio.current_time() else None

    def close(self, cookie: str) -> None:
        """End a session."""
        self._sessions.pop(hash_secret(cookie), None)


class LoginLimit:
    """Counts failed attempts to log in: who tries tokens has to wait, and nobody else does."""

    def __init__(self) -> None:
        self._failures: deque[tuple[float, str]] = deque()

    def is_reached(self, who: str) -> bool:
        """Whether somebody has failed too often lately."""
        now = trio.current_time()
        while self._failures and self._failures[0][0] < now - LIMIT_SECONDS:
            self._failures.popleft()
        own = sum(other == who for _, other in self._failures)
        return own >= MAX_LOGIN_FAILURES or len(self._failures) >= MAX_ALL_FAILURES

    def note(self, who: str) -> None:
        """Count a failure."""
        self._failures.append((trio.current_time(), who))


def comes_from_here(request: Request) -> bool:
    """Whether a request was made by a page of this server: its browser says the same name as origin and as host."""
    origin, host = request.headers.get("origin", ""), request.headers.get("host", "")
    return bool(host) and origin.lower().partition("://")[2] == host.lower()


def is_form_of(session: Session, said: str) -> bool:
    """Whether a form is of a page of this session."""
    return hmac.compare_digest(session.form_token.encode(), said.encode())
