"""The other end of a league's HTTP: what `pitboss submit` says and hears."""

from __future__ import annotations

import http.client
import os
import ssl
from contextlib import closing, suppress
from typing import IO, Any, Final, TypeVar
from urllib.parse import quote, urlsplit

from pitboss.errors import ConfigError, PitbossError
from pitboss.foreign_input import InputRefused, read_json
from pitboss.text import truncate_text
from pitboss_tournament.league.league_answers import FeedbackAnswer, LeagueFeed, SubmissionAnswer

Answer = TypeVar("Answer")

TIMEOUT_SECONDS: Final = 60.0  # without a byte
LONGEST_ANSWER: Final = 64 << 20
LONGEST_COMPLAINT: Final = 300


class LeagueUnreachable(PitbossError):
    """A league does not answer, or what answers is none."""


class LeagueRefusal(ConfigError):
    """A league does not grant what it was asked for; the text is its own."""

    def __init__(self, status: int, text: str, retry_after: int | None = None) -> None:
        super().__init__(text)
        self.status = status
        self.retry_after = retry_after  # seconds; None: it does not say that it may be granted later


class LeagueClient:
    """Asks a league, each time over a new connection."""

    def __init__(self, url: str, token: str) -> None:
        """Take its address, with the part behind the host: a proxy may have it below a path.

        Raises:
            ConfigError: it is no address of the web.
        """
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError:
            raise ConfigError(f"{url!r} is no address; it is like https://league.example.org") from None
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ConfigError(f"{url!r} is no address of a league; it is like https://league.example.org")
        if not (token.isascii() and token.isprintable()):
            raise ConfigError("the token has characters that no token has")
        self.is_encrypted = parts.scheme == "https"
        self.host = parts.hostname
        self._port = port
        self._path = parts.path.rstrip("/")
        self._token = token

    def find_feed(self) -> LeagueFeed:
        """Return what the league is."""
        return self._ask("GET", "/api/league", LeagueFeed)

    def find_submission(self, number: int) -> SubmissionAnswer:
        """Return how far a submission has come."""
        return self._ask("GET", f"/api/submissions/{number}", SubmissionAnswer)

    def find_feedback(self, number: int) -> FeedbackAnswer:
        """Return what was found of the games of a submission."""
        return self._ask("GET", f"/api/submissions/{number}/why", FeedbackAnswer)

    def ask_feedback(self, number: int) -> FeedbackAnswer:
        """Have the games of a submission looked into."""
        return self._ask("POST", f"/api/submissions/{number}/why", FeedbackAnswer)

    def send(self, name: str, archive: IO[bytes]) -> SubmissionAnswer:
        """Send an archive from where the file stands; return when the league has it for good."""
        return self._ask("PUT", f"/api/submissions/{quote(name, safe='')}", SubmissionAnswer, archive)

    def _ask(self, method: str, path: str, kind: type[Answer], body: IO[bytes] | None = None) -> Answer:
        """Return an answer.

        Raises:
            LeagueRefusal: the league does not grant it.
            LeagueUnreachable: it does not answer, or not as a league does.
        """
        headers = {"Authorization": f"Bearer {self._token}"}
        if body is not None:
            headers |= {"Content-Length": str(os.fstat(body.fileno()).st_size), "Content-Type": "application/x-tar"}
        try:
            with closing(self._connect()) as connection:
                with suppress(BrokenPipeError, ConnectionResetError):  # it has answered before it has read everything
                    connection.request(method, f"{self._path}{path}", body, headers)
                with connection.getresponse() as response:
                    status, said = response.status, response.read(LONGEST_ANSWER)
                    later = response.getheader("retry-after", "")
        except (OSError, http.client.HTTPException) as error:
            raise LeagueUnreachable(f"{self.host}: the league does not answer: {_describe_failure(error)}") from None
        try:
            if 200 <= status < 300:
                return read_json(said, kind)
            raise LeagueRefusal(status, _read_complaint(said, status), int(later) if later.isdecimal() else None)
        except InputRefused:
            raise LeagueUnreachable(f"{self.host}: what answers there is no league of this Pitboss") from None

    def _connect(self) -> http.client.HTTPConnection:
        if self.is_encrypted:
            context = ssl.create_default_context()
            return http.client.HTTPSConnection(self.host, self._port, timeout=TIMEOUT_SECONDS, context=context)
        return http.client.HTTPConnection(self.host, self._port, timeout=TIMEOUT_SECONDS)


def _read_complaint(said: bytes, status: int) -> str:
    """Return why a request is refused: the sentence of a league, or the other text there, as a proxy may write."""
    try:
        found: dict[str, Any] = read_json(said, dict[str, Any])
        return f"refused ({status}): {found['error']}"
    except (InputRefused, KeyError):
        text = truncate_text(" ".join(said.decode("utf-8", "replace").split()), LONGEST_COMPLAINT)
        return f"refused ({status}): {text or http.client.responses.get(status, 'without a word')}"


def _describe_failure(error: Exception) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not good: {error.verify_message}"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return str(error).lower() or type(error).__name__
