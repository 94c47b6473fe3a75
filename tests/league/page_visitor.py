"""Somebody with a browser: requests with a cookie, an origin and the token of the forms."""

from __future__ import annotations

import http.client
import re
from collections.abc import Mapping
from contextlib import closing
from typing import Final, NamedTuple
from urllib.parse import urlencode

from tests.league.league_process import TIMEOUT_S, LeagueProcess

FORM: Final = "application/x-www-form-urlencoded"


class PageAnswer(NamedTuple):
    """What a server answers to a browser."""

    status: int
    headers: dict[str, str]
    text: str


class PageVisitor:
    """A browser without scripts. It takes the cookie that it gets."""

    def __init__(self, league: LeagueProcess) -> None:
        self._league = league
        self.cookie = ""

    def get(self, path: str) -> PageAnswer:
        """Return a page."""
        return self._ask("GET", path)

    def post(self, path: str, body: bytes = b"", origin: str | None = "own", **headers: str) -> PageAnswer:
        """Send a form, or anything, as a page of this server would."""
        own = f"http://127.0.0.1:{self._league.port}"
        said = {} if origin is None else {"origin": own if origin == "own" else origin}
        return self._ask("POST", path, body, {"content-type": FORM, **said, **headers})

    def log_in(self, token: str) -> PageAnswer:
        """Log in."""
        return self.post("/login", urlencode({"token": token}).encode())

    def find_form_token(self) -> str:
        """Return what the forms of its pages have."""
        found = re.search(r'name="form_token" value="([^"]+)"', self.get("/me").text)
        assert found
        return found[1]

    def _ask(self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] = {}) -> PageAnswer:
        given = {**headers, **({"cookie": self.cookie} if self.cookie else {})}
        with closing(http.client.HTTPConnection("127.0.0.1", self._league.port, timeout=TIMEOUT_S)) as connection:
            connection.request(method, path, body, given)
            answer = connection.getresponse()
            text = answer.read().decode()
            found = {name.lower(): value for name, value in answer.getheaders()}
        if "set-cookie" in found:
            self.cookie = found["set-cookie"].partition(";")[0]
        return PageAnswer(answer.status, found, text)
