"""The HTTP application of a league: submissions come by PUT, their states and the league's feed are read by GET.

Every answer below `/api/` is JSON; that of a refusal is `{"error": "a sentence"}`. Who sends a token is its owner; the
feed is for everybody. A page may send a submission too, by POST. All else is pages (see `page_site`).
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Final

import msgspec
import trio
from msgspec.structs import replace
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from pitboss.errors import ConfigError, PitbossError
from pitboss_tournament.league.book import Book, ComeAgain, NameTaken, Received, VersionBarred
from pitboss_tournament.league.class_standings import find_sent
from pitboss_tournament.league.intake import Admissions, DiskCrowded, find_unpack_bounds, open_upload, take_in
from pitboss_tournament.league.ladder_view import PUBLIC_STATES
from pitboss_tournament.league.league_answers import LeagueFeed, ShownVersion, SubmissionAnswer
from pitboss_tournament.league.league_folder import League
from pitboss_tournament.league.site.login_site import LoginSite
from pitboss_tournament.league.site.page_site import PageSite
from pitboss_tournament.league.submission import WAITING, Submission
from pitboss_tournament.league.tar_reader import ArchiveRefused
from pitboss_tournament.league.term_keeper import read_deadlines
from pitboss_tournament.league.tokens import Token, parse_token
from pitboss_tournament.plan.names import BotName, clean_name
from pitboss_tournament.store.rows import utc_now
from pitboss_tournament.text.validation import InvalidValue, convert_checked
from pitboss_tournament.web.server import guard_app

UPLOAD_SECONDS: Final = 600.0  # the longest that the body of a request may take
SLOWEST_UPLOAD: Final = 16_384  # bytes in a second, on average, after UPLOAD_GRACE_SECONDS
UPLOAD_GRACE_SECONDS: Final = 15.0
DRAIN_SECONDS: Final = 5.0  # for the rest of a body that is not wanted, so that its sender can read the answer
LONGEST_LENGTH: Final = 15  # digits of a header
API_PATH: Final = "/api/"
UPLOAD_PATH: Final = "/submit/"  # and the name of the bot
FORM_TOKEN: Final = "x-form-token"  # a header


class RefusedRequest(HTTPException):
    """A request that is not granted, and why."""


class LeagueSite:
    """The routes of a league."""

    def __init__(self, league: League, book: Book, ring: Callable[[], None], login: LoginSite) -> None:
        """`ring` is called when there is something to validate."""
        self._league = league
        self._book = book
        self._ring = ring
        self._login = login
        self._admissions = Admissions(league, book)
        self._unpacking = trio.CapacityLimiter(1)

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/api/league", self.send_feed),
            Route("/api/submissions/{name}", self.receive, methods=["PUT"]),
            Route("/api/submissions/{number:int}", self.send_submission),
            Route(f"{UPLOAD_PATH}{{name}}", self.receive_from_page, methods=["POST"]),
            Route("/api/submissions/{number:int}", self.retire, methods=["DELETE"]),
        ]

    async def send_feed(self, request: Request) -> Response:
        """Return the feed; a host sees all submissions in it."""
        token = await self._find_token(request) if "authorization" in request.headers else None
        known = await trio.to_thread.run_sync(self._book.submissions)
        names = await trio.to_thread.run_sync(self._book.public_names, self._league.file.league.owners)
        is_host = token is not None and token.role == "host"
        file = self._league.file
        return _json(
            LeagueFeed(
                name=self._league.name,
                game=self._league.game.name,
                seats=self._league.seats,
                max_mb=file.submissions.max_mb,
                max_files=file.submissions.max_files,
                a_day=file.submissions.a_day,
                closes=None if file.submissions.closes is None else file.submissions.closes.isoformat(),
                waiting=sum(one.state in WAITING for one in known),
                versions=[
                    _show(one, self._name_owner(one.owner, names, token))
                    for one in known
                    if is_host or one.state in PUBLIC_STATES
                ],
            )
        )

    def _name_owner(self, owner: str, names: Mapping[str, str], token: Token | None) -> str:
        """Return what an owner is called before whoever has a token; None: before everybody."""
        if token is None:
            return names[owner]
        is_own = token.role == "host" or owner == token.owner or self._league.file.league.owners == "class"
        return owner if is_own else names[owner]

    async def send_submission(self, request: Request) -> Response:
        """Return a submission with its evidence, to its owner."""
        token = await self.require_token(request)
        found = await self._find_submission(request)
        if found.owner != token.owner:
            raise RefusedRequest(403, f"submission {found.number} is not yours; its evidence is for its owner alone")
        return _json(await trio.to_thread.run_sync(self._describe, found))

    async def retire(self, request: Request) -> Response:
        """Take a version out: its owner's own one, which may come back, or any by a host, for good."""
        token = await self.require_token(request)
        found = await self._find_submission(request)
        is_own = found.owner == token.owner
        if not is_own and token.role != "host":
            raise RefusedRequest(403, f"submission {found.number} is not yours; its owner or a host can retire it")
        try:
            [retired] = await trio.to_thread.run_sync(
                lambda: self._book.retire([found.number], who=token.owner, is_barred=not is_own)
            )
        except ConfigError as error:
            raise RefusedRequest(409, str(error)) from None
        answer = await trio.to_thread.run_sync(self._describe, retired)
        return _json(answer if is_own else replace(answer, evidence={}))

    async def _find_submission(self, request: Request) -> Submission:
        try:
            return await trio.to_thread.run_sync(self._book.submission, min(request.path_params["number"], 1 << 62))
        except ConfigError as error:
            raise RefusedRequest(404, str(error)) from None

    def _describe(self, one: Submission, is_new: bool = False) -> SubmissionAnswer:
        deadlines = read_deadlines(self._league, self._book)
        uploads = [upload.at for upload in self._book.list_uploads(one.owner)]
        sent = datetime.fromisoformat(find_sent(one, uploads))
        waiting = [other.number for other in self._book.list_waiting()]
        return SubmissionAnswer(
            number=one.number,
            name=one.bot,
            version=one.version,
            owner=one.owner,
            digest=one.digest,
            state=one.state,
            before=waiting.index(one.number) if one.number in waiting else 0,
            is_new=is_new,
            evidence=self._book.evidence(one.number),
            late_days=deadlines.count_late_days(one.owner, sent) or 0,
        )

    async def receive(self, request: Request) -> Response:
        """Take in a submission: 202 if it is to be validated, 200 if it is known already."""

        async def find_owner() -> str:
            return (await self.require_token(request)).owner

        return await self._receive(request, find_owner)

    async def receive_from_page(self, request: Request) -> Response:
        """Take in a submission of the logged-in owner: the archive is the body, and the token of the form a header."""

        async def find_owner() -> str:
            return (await self._login.require_sender(request, request.headers.get(FORM_TOKEN, ""))).owner

        return await self._receive(request, find_owner)

    async def _receive(self, request: Request, find_owner: Callable[[], Awaitable[str]]) -> Response:
        try:
            received = await self._receive_from(await find_owner(), request)
        except HTTPException:
            if not getattr(request.state, "is_read", False):
                await self._drain(request)
            raise
        if received.is_queued:
            self._ring()
        answer = await trio.to_thread.run_sync(self._describe, received.submission, received.is_queued)
        return _json(answer, 202 if received.is_queued else 200)

    async def _receive_from(self, owner: str, request: Request) -> Received:
        name = read_bot_name(request.path_params["name"])
        await trio.to_thread.run_sync(self._check_open, owner)
        await self._admit(owner, name, self._find_size(request))
        try:
            return await self._take_upload(owner, name, request)
        finally:
            self._admissions.release(owner)

    async def take_archive(self, owner: str, said: str, archive: bytes) -> Received:
        """Take in the archive of a bot that was written here, as an upload.

        Raises:
            RefusedRequest: as an upload would be refused.
        """
        name = read_bot_name(said)
        await trio.to_thread.run_sync(self._check_open, owner)
        if len(archive) > find_unpack_bounds(self._league).max_archive_bytes:
            raise self._too_large()
        await self._admit(owner, name, len(archive))
        try:
            with open_upload(self._league.folder) as (path, file):
                file.write(archive)
                file.flush()
                received = await trio.to_thread.run_sync(self._take_in, owner, name, path, limiter=self._unpacking)
        except OSError as error:
            raise _not_kept(error) from None
        finally:
            self._admissions.release(owner)
        if received.is_queued:
            self._ring()
        return received

    def check_name(self, owner: str, bot: str) -> str:
        """Return the name that a bot of an owner has: see `Book.check_name`."""
        return self._book.check_name(owner, bot)

    def list_submissions(self, owner: str) -> list[Submission]:
        """Return the submissions of an owner, in the order of arrival."""
        return [one for one in self._book.submissions() if one.owner == owner]

    def is_validating(self) -> bool:
        """Whether submissions wait for their validation."""
        return bool(self._book.list_waiting())

    def _check_open(self, owner: str) -> None:
        """Check that an owner may still submit, late days and an extension included."""
        deadlines = read_deadlines(self._league, self._book)
        last = deadlines.find_last(owner)
        if last is not None and datetime.now(UTC) >= last:
            raise RefusedRequest(403, f"submissions ended at {deadlines.show(last)}")

    def _find_size(self, request: Request) -> int:
        """Return how many bytes the archive of a request has, at most."""
        declared, most = request.headers.get("content-length", ""), find_unpack_bounds(self._league).max_archive_bytes
        if not declared.isdecimal():
            return most
        if len(declared) > LONGEST_LENGTH or int(declared) > most:
            raise self._too_large()
        return int(declared)

    async def _admit(self, owner: str, name: str, size: int) -> None:
        """Reserve what an upload needs, in one step."""
        try:
            await trio.to_thread.run_sync(self._admissions.reserve, owner, name, size)
        except ComeAgain as error:
            raise _come_again(str(error), error.seconds) from None
        except NameTaken as error:
            raise RefusedRequest(409, str(error)) from None
        except DiskCrowded as error:
            raise RefusedRequest(507, str(error)) from None

    async def _take_upload(self, owner: str, name: str, request: Request) -> Received:
        try:
            with open_upload(self._league.folder) as (path, file):
                await self._write_body(request, file)
                file.flush()
                return await trio.to_thread.run_sync(self._take_in, owner, name, path, limiter=self._unpacking)
        except trio.TooSlowError:
            rate = f"{SLOWEST_UPLOAD // 1024} KiB/s"
            what = f"the upload was slower than {rate}, or took longer than {UPLOAD_SECONDS:g} s"
            raise RefusedRequest(408, f"{what}; send it over a better line") from None
        except ClientDisconnect:
            raise RefusedRequest(400, "the upload was broken off") from None
        except OSError as error:
            raise _not_kept(error) from None

    def _take_in(self, owner: str, name: str, path: Path) -> Received:
        try:
            return take_in(self._league, self._book, owner, name, path)
        except ArchiveRefused as error:
            self._book.note(owner, "upload refused", f"{name}: {error}")
            raise RefusedRequest(422, str(error)) from None
        except VersionBarred as error:
            self._book.note(owner, "upload refused", f"{name}: {error}")
            raise RefusedRequest(409, str(error)) from None
        except NameTaken as error:
            raise RefusedRequest(409, str(error)) from None

    async def _write_body(self, request: Request, file: IO[bytes]) -> None:
        written, most = 0, find_unpack_bounds(self._league).max_archive_bytes
        begun = trio.current_time()
        with trio.fail_at(begun + UPLOAD_GRACE_SECONDS) as scope:
            async with aclosing(request.stream()) as parts:
                async for part in parts:
                    written += len(part)
                    if written > most:
                        raise self._too_large()
                    file.write(part)
                    scope.deadline = begun + min(UPLOAD_SECONDS, UPLOAD_GRACE_SECONDS + written / SLOWEST_UPLOAD)
        request.state.is_read = True  # to its end

    async def _drain(self, request: Request) -> None:
        """Read what is left of a body, within bounds: a connection that is closed before that tells nothing."""
        left = find_unpack_bounds(self._league).max_archive_bytes
        with trio.move_on_after(DRAIN_SECONDS):
            while left > 0:
                message = await request.receive()
                left -= len(message.get("body", b""))
                if message["type"] != "http.request" or not message.get("more_body", False):
                    return

    def _too_large(self) -> RefusedRequest:
        most = self._league.file.submissions.max_mb
        return RefusedRequest(413, f"the archive is too large; the files of a submission have {most} MiB at most")

    async def require_token(self, request: Request) -> Token:
        """Return the token of a request.

        Raises:
            RefusedRequest: it has none, or one that opens nothing.
        """
        if "authorization" not in request.headers:
            raise _not_known("a token is needed: Authorization: Bearer pitboss-…; ask the host of the league for one")
        return await self._find_token(request)

    async def _find_token(self, request: Request) -> Token:
        scheme, _, said = request.headers["authorization"].partition(" ")
        words = parse_token(said.strip()) if scheme.lower() == "bearer" else None
        if words is None:
            await self._login.wrong_tokens.slow_down(request)
            raise _not_known("this is no token of a league; one begins with pitboss- and a number")
        token = await trio.to_thread.run_sync(self._book.find_token, words.number)
        if token is None or not token.fits(words.secret):
            await self._login.wrong_tokens.slow_down(request)
            raise _not_known("this token is not one of this league")
        if why := token.why_invalid(utc_now()):
            raise _not_known(f"{why}; ask the host of the league for another one")
        return token


def make_league_app(site: LeagueSite, pages: PageSite, more: Sequence[Route], host: str) -> ASGIApp:
    """Return the application, which is called by an address, a name of this machine, or `host`."""

    async def refuse(request: Request, error: Exception) -> Response:
        if request.url.path.startswith((API_PATH, UPLOAD_PATH)):
            return await _refuse(request, error)
        if isinstance(error, HTTPException):
            return await pages.render_error(request, error.status_code, error.detail)
        return await pages.render_error(request, 404 if isinstance(error, ConfigError) else 500, str(error))

    handlers: dict[Any, Any] = {HTTPException: refuse, PitbossError: refuse}
    routes = [*site.routes(), *pages.routes(), *more]
    app = Starlette(routes=routes, middleware=[Middleware(GZipMiddleware)], exception_handlers=handlers)
    return guard_app(app, host, has_forms=True)


def read_bot_name(said: str) -> str:
    """Return the name of a bot without what readers cannot see.

    Raises:
        RefusedRequest: no bot of a league may be called so.
    """
    try:
        name = convert_checked(clean_name(said), BotName)
    except InvalidValue as error:
        raise RefusedRequest(422, f"the name of the bot: {error}") from None
    if ":" in name:
        raise RefusedRequest(422, f"the name {name!r} has a colon, as only those of the house's bots have in a league")
    return name


def _show(one: Submission, by: str) -> ShownVersion:
    return ShownVersion(
        number=one.number,
        name=one.bot,
        version=one.version,
        owner=by,
        digest=one.digest,
        state=one.state,
        received=one.received,
    )


def _not_kept(error: OSError) -> RefusedRequest:
    return RefusedRequest(507, f"the league cannot keep it: {error.strerror}; tell its host")


def _not_known(why: str) -> RefusedRequest:
    return RefusedRequest(401, why, {"www-authenticate": "Bearer"})


def _come_again(why: str, seconds: float) -> RefusedRequest:
    whole = math.ceil(seconds)
    return RefusedRequest(429, f"{why}; the next one may come in {whole} s", {"retry-after": str(whole)})


async def _refuse(_: Request, error: Exception) -> Response:
    if isinstance(error, HTTPException):
        return _json({"error": error.detail}, error.status_code, error.headers)
    return _json({"error": str(error)}, 500)


def _json(value: object, status: int = 200, headers: Any = None) -> Response:  # noqa: ANN401 - a mapping or None
    more = {"cache-control": "no-store", **(headers or {})}
    return Response(msgspec.json.encode(value), status, media_type="application/json", headers=more)
