"""Several leagues under one address: each is a process of its own, below the path that is its folder's name.

Before them stands a door: it reads the head of a request, looks at the first part of its path, and then carries bytes
between the client and the process of that league, in both directions, until one of them ends. The door knows nothing
else of HTTP: what a league promises of uploads, of slow clients and of pages holds behind it. Each connection carries
one request, as the head says to the league. Without a path the door answers itself, with the list of the leagues.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

import trio

from pitboss.errors import ConfigError
from pitboss_tournament.html.elements import Markup, el
from pitboss_tournament.league.league_folder import LEAGUE_STORE
from pitboss_tournament.league.shared_people import keep_sharing
from pitboss_tournament.processes.rlimits import pdeathsig_args
from pitboss_tournament.web.responses import link_styles

LOOPBACK_HOST: Final = "127.0.0.1"
LARGEST_HEAD: Final = 32 << 10  # bytes
END_OF_HEAD: Final = b"\r\n\r\n"
HEAD_SECONDS: Final = 15.0  # for the head of a request
MAX_CONNECTIONS: Final = 1_000  # at a time
PART_BYTES: Final = 1 << 16
LEAGUE_START_SECONDS: Final = 120.0  # for a league to say its address
LEAGUE_END_SECONDS: Final = 40.0  # for leagues to end
REQUEST_LINE: Final = re.compile(rb"([A-Z]{1,16}) (/[!-~]{0,8000}) HTTP/1\.[01]\r\n")
SAID_ADDRESS: Final = re.compile(rb" is at http://[^ ]*:(\d+) ")
STATIC_PATH: Final = b"/static/"


class ServedLeague(NamedTuple):
    """A league that a process serves."""

    name: str  # of its folder, and of its path
    title: str
    port: int

    @property
    def prefix(self) -> str:
        """The path below which it is."""
        return f"/{self.name}"


@asynccontextmanager
async def serve_leagues(
    folders: Sequence[tuple[Path, str]], words: Sequence[str], show: Callable[[str], None]
) -> AsyncIterator[list[ServedLeague]]:
    """Async context manager: the leagues of some folders, each with its title, in processes that end with the block.

    `words` are added to the command `pitboss league run` of each. `show` gets what the processes say.

    Raises:
        ConfigError: one of them does not start; what it said was shown.
    """
    processes = list[subprocess.Popen[bytes]]()
    async with trio.open_nursery() as nursery:
        try:
            found = list[ServedLeague]()
            for folder, title in folders:
                process = _start_league(folder, words)
                processes.append(process)
                nursery.start_soon(_show_lines, folder.name, process, show)
                found.append(ServedLeague(folder.name, title, await _read_port(folder, process)))
            yield found
        finally:
            nursery.cancel_scope.cancel()
            with trio.CancelScope(shield=True):
                await trio.to_thread.run_sync(_end_processes, processes)


def _start_league(folder: Path, words: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start the process of a league. It dies with this thread: so none may be started by another one."""
    command = [*pdeathsig_args(), sys.executable, "-m", "pitboss_tournament.cli", "league", "run", str(folder)]
    command += ["--port", "0", "--prefix", f"/{folder.name}", *words]
    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
    return subprocess.Popen(command, stdin=nothing, stdout=pipe, stderr=pipe, process_group=0)


def _end_processes(processes: Sequence[subprocess.Popen[bytes]]) -> None:
    """End the processes of leagues: as Ctrl-C does, and after LEAGUE_END_SECONDS anyway."""
    for process in processes:
        process.terminate()
    for process in processes:
        try:
            process.communicate(timeout=LEAGUE_END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


async def _read_port(folder: Path, process: subprocess.Popen[bytes]) -> int:
    assert process.stdout is not None
    said = b""
    async with trio.lowlevel.FdStream(os.dup(process.stdout.fileno())) as lines:
        with trio.move_on_after(LEAGUE_START_SECONDS):
            async for part in lines:
                said += part
                if found := SAID_ADDRESS.search(said):
                    return int(found[1])
    raise ConfigError(f"the league in {folder} did not start; `pitboss league run {folder}` tells why")


async def _show_lines(name: str, process: subprocess.Popen[bytes], show: Callable[[str], None]) -> None:
    """Show what a process says on standard error, with the league in front of it."""
    assert process.stderr is not None
    rest = b""
    async with trio.lowlevel.FdStream(os.dup(process.stderr.fileno())) as parts:
        async for part in parts:
            *lines, rest = (rest + part).split(b"\n")
            for line in lines:
                show(f"{name}: {line.decode('utf-8', 'replace').removeprefix('pitboss: ')}")


class Door:
    """What listens at the one address."""

    def __init__(self, title: str, leagues: Sequence[ServedLeague]) -> None:
        self._title = title
        self._leagues = {league.name.encode(): league for league in leagues}
        self._open = trio.CapacityLimiter(MAX_CONNECTIONS)

    async def serve(self, host: str, port: int, announce: Callable[[str], None]) -> None:
        """Listen for ever; `announce` gets the address.

        Raises:
            ConfigError: the address cannot be had.
        """
        try:
            listeners = await trio.open_tcp_listeners(port, host=host)
        except OSError as error:
            raise ConfigError(f"{host}:{port}: cannot be served there: {error.strerror or error}") from None
        number = listeners[0].socket.getsockname()[1]
        announce(f"http://{f'[{host}]' if ':' in host else host}:{number}")
        await trio.serve_listeners(self._answer, listeners)

    async def _answer(self, client: trio.SocketStream) -> None:
        """Answer the one request of a connection. Whatever a client does ends here."""
        try:
            async with client:
                try:
                    self._open.acquire_nowait()
                except trio.WouldBlock:
                    await _send_text(client, "503 Service Unavailable", "many are connected; try it again")
                    return
                try:
                    await self._carry(client)
                finally:
                    self._open.release()
        except* (trio.BrokenResourceError, trio.ClosedResourceError, OSError):
            pass  # the client is gone

    async def _carry(self, client: trio.SocketStream) -> None:
        head, rest = b"", b""
        with trio.move_on_after(HEAD_SECONDS):
            head, rest = await _read_head(client)
        line = REQUEST_LINE.match(head)
        if line is None:
            await _send_text(client, "400 Bad Request", "this is no request of HTTP/1.1, or it came too slowly")
            return
        path = line[2].partition(b"?")[0]
        league = self._leagues.get(path.split(b"/")[1])
        if path.startswith(STATIC_PATH):
            league = next(iter(self._leagues.values()))
            head = head.replace(line[2], league.prefix.encode() + line[2], 1)
        if league is not None:
            await _splice(client, league, _close_after(head) + rest)
        elif path == b"/" and line[1] in (b"GET", b"HEAD"):
            await _send_page(client, self._render_list(), is_head=line[1] == b"HEAD")
        else:
            await _send_text(client, "404 Not Found", "there is no league at this path; / lists them")

    def _render_list(self) -> Markup:
        items = [el("li", el("a", league.title, href=f"{league.prefix}/")) for league in sorted(self._leagues.values())]
        main = el("main", el("h1", self._title), el("ul", *items, class_="leagues"), id="main")
        head = (
            el("meta", charset="utf-8"),
            el("meta", name="viewport", content="width=device-width, initial-scale=1"),
            el("meta", name="color-scheme", content="light dark"),
            el("title", self._title),
            el("link", rel="icon", href="data:,"),
            link_styles("tokens", "league"),
        )
        return el("html", el("head", *head), el("body", main), lang="en")


async def _read_head(client: trio.SocketStream) -> tuple[bytes, bytes]:
    """Return the head of a request with its empty line, and what came after it; nothing of what is no head."""
    head = b""
    while (end := head.find(END_OF_HEAD, 0, LARGEST_HEAD)) < 0:
        part = await client.receive_some(PART_BYTES)
        if not part or len(head) >= LARGEST_HEAD:
            return b"", b""
        head += part
    end += len(END_OF_HEAD)
    return head[:end], head[end:]


def _close_after(head: bytes) -> bytes:
    """Return the head of a request after which the connection is closed."""
    line, *fields = head.removesuffix(END_OF_HEAD).split(b"\r\n")
    kept = [one for one in fields if one.partition(b":")[0].strip().lower() not in (b"connection", b"keep-alive")]
    return b"\r\n".join([line, *kept, b"Connection: close", b"", b""])


async def _splice(client: trio.SocketStream, league: ServedLeague, begun: bytes) -> None:
    """Carry bytes between a client and the process of a league, until that has answered or one of them is gone."""
    try:
        server = await trio.open_tcp_stream(LOOPBACK_HOST, league.port)
    except OSError:
        await _send_text(client, "502 Bad Gateway", "this league is not running")
        return
    async with server, trio.open_nursery() as nursery:

        async def send_request() -> None:
            with suppress(trio.BrokenResourceError):
                await server.send_all(begun)
                async for part in client:
                    await server.send_all(part)
                await server.send_eof()  # as the client did

        nursery.start_soon(send_request)
        with suppress(trio.BrokenResourceError):
            async for part in server:
                await client.send_all(part)
        nursery.cancel_scope.cancel()


async def _send_page(client: trio.SocketStream, page: Markup, *, is_head: bool) -> None:
    body = f"<!doctype html>\n{page}".encode()
    policy = "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'"
    head = (
        f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n"
        f"Content-Security-Policy: {policy}; frame-ancestors 'none'\r\nX-Content-Type-Options: nosniff\r\n"
        "Referrer-Policy: no-referrer\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n"
    )
    await client.send_all(head.encode() + (b"" if is_head else body))


async def _send_text(client: trio.SocketStream, status: str, text: str) -> None:
    body = f"{text}\n".encode()
    head = f"HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {len(body)}\r\n"
    await client.send_all(f"{head}Connection: close\r\n\r\n".encode() + body)


async def run_term(
    folders: Sequence[tuple[Path, str]],
    title: str,
    words: Sequence[str],
    host: str,
    port: int,
    announce: Callable[[str], None],
    show: Callable[[str], None],
    until: Callable[[], Awaitable[int]],
) -> int:
    """Serve leagues under one address, until `until` returns the number of a signal; return that.

    Raises:
        ConfigError: a league does not start, or the address cannot be had (perhaps in an exception group).
    """
    async with serve_leagues(folders, words, show) as leagues, trio.open_nursery() as nursery:
        nursery.start_soon(Door(title, leagues).serve, host, port, announce)
        nursery.start_soon(keep_sharing, [folder / LEAGUE_STORE for folder, _ in folders], show)
        number = await until()
        nursery.cancel_scope.cancel()
    return number
