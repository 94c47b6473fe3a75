"""`league run`: one process serves a league over HTTP and validates what comes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import closing

import trio

from pitboss_tournament.league.book import open_book
from pitboss_tournament.league.intake import clear_remains
from pitboss_tournament.league.league_app import LeagueSite, make_league_app
from pitboss_tournament.league.league_folder import League, hold_league
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
    with hold_league(league.folder, "this league is running already"), closing(open_book(league.folder.store)) as book:
        await trio.to_thread.run_sync(clear_remains, league, book)
        queue = ValidationQueue(league, book, show)
        app = make_league_app(LeagueSite(league, book, queue.ring), public_name)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(queue.run)
            await serve_app(app, host, port, announce, until)
            nursery.cancel_scope.cancel()
