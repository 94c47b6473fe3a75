"""Sessions: logins with a browser, kept in memory; and what wrong tokens cost those who send them.

A browser has a random number in a cookie, never the token. A session ends after a while, with the process, or when its
token is revoked.
"""

from __future__ import annotations

import hmac
import secrets
from collections import deque
from typing import Final, NamedTuple

import trio
from starlette.exceptions import HTTPException
from starlette.requests import Request

from pitboss_tournament.league.tokens import SECRET_BYTES, Token, hash_secret

SESSION_COOKIE: Final = "pitboss-session"
SESSION_SECONDS: Final = 12 * 3600.0
MAX_SESSIONS: Final = 20  # of a token; then its oldest one ends
LIMIT_SECONDS: Final = 60.0
FREE_FAILURES: Final = 5  # wrong tokens from one address within LIMIT_SECONDS that are answered at once
FREE_FAILURES_IN_ALL: Final = 300  # wrong tokens from all addresses together
SLOWED_SECONDS: Final = 2.0  # that the answer to another wrong token takes
MAX_SLOWED: Final = 100  # answers that wait at a time


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


class WrongTokens:
    """Counts wrong tokens, and slows the answers to them. A right token is never asked about here: it always opens."""

    def __init__(self) -> None:
        self._failures = deque[tuple[float, str]](maxlen=FREE_FAILURES_IN_ALL)
        self._slowed = 0

    async def slow_down(self, request: Request) -> None:
        """Count a wrong token; return later if there were many from its address, or in all.

        Raises:
            HTTPException: too many answers wait already.
        """
        address, now = request.client.host if request.client else "", trio.current_time()
        while self._failures and self._failures[0][0] < now - LIMIT_SECONDS:
            self._failures.popleft()
        own = sum(other == address for _, other in self._failures)
        is_free = own < FREE_FAILURES and len(self._failures) < FREE_FAILURES_IN_ALL
        self._failures.append((now, address))
        if is_free:
            return
        if self._slowed >= MAX_SLOWED:
            raise HTTPException(429, "too many wrong tokens are sent: wait for a minute", {"retry-after": "60"})
        self._slowed += 1
        try:
            await trio.sleep(SLOWED_SECONDS)
        finally:
            self._slowed -= 1


def is_form_of(session: Session, said: str) -> bool:
    """Whether a form is of a page of this session."""
    return hmac.compare_digest(session.form_token.encode(), said.encode())
