"""`league run`: one process serves a league over HTTP and validates what comes."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import trio

from pitboss.errors import ConfigError
from pitboss_tournament.league.book import open_book
from pitboss_tournament.league.game_site import GameSite
from pitboss_tournament.league.intake import clear_remains
from pitboss_tournament.league.league_app import LeagueSite, make_league_app
from pitboss_tournament.league.league_folder import League
from pitboss_tournament.league.login_site import LoginSite
from pitboss_tournament.league.page_site import PageSite
from pitboss_tournament.league.stored_ladder import StoredLadder
from pitboss_tournament.league.validation_queue import ValidationQueue
from pitboss_tournament.processes.sandbox import resolve_sandbox
from pitboss_tournament.web.server import serve_app


async def run_league(
    league: League,
    host: str,
    port: int,
    public_name: str,
    announce: Callable[[str], None],
    show: Callable[[str], None],
    until: Callable[[], Awaitable[None]],
) -> None:
    """Serve a league, and validate what comes, until `until` returns; `announce` gets the address.

    Raises:
        ConfigError: it is running already, its sandbox does not work here, or the address cannot be had.
    """
    _, warning = resolve_sandbox(league.file.sandbox)
    if warning:
        show(warning)
    with _hold_folder(league.folder.uploads), closing(open_book(league.folder.store)) as book:
        await trio.to_thread.run_sync(clear_remains, league, book)
        queue = ValidationQueue(league, book, show)
        login = LoginSite(league, book)
        pages = PageSite(league, book, StoredLadder(league.folder.store, book), login)
        site = LeagueSite(league, book, queue.ring, login)
        app = make_league_app(site, pages, [*login.routes(), *GameSite(league, pages).routes()], public_name)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(queue.run)
            await serve_app(app, host, port, announce, until)
            nursery.cancel_scope.cancel()


@contextmanager
def _hold_folder(folder: Path) -> Iterator[None]:
    """Hold the lock of a league; not one of its store, which belongs to whoever plays."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ConfigError(f"{folder.parent}: this league is running already") from None
        yield
    finally:
        os.close(descriptor)
