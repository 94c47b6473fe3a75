"""The ladder of a league as its store has it, read again when the file has changed."""

from __future__ import annotations

from contextlib import closing
from math import inf
from pathlib import Path
from secrets import token_hex
from time import monotonic
from typing import Final, Protocol

import trio

from pitboss_tournament.counting.stored_findings import TournamentSummary
from pitboss_tournament.league.book import Book
from pitboss_tournament.league.ladder_view import LadderView, build_ladder_view
from pitboss_tournament.store.database import open_database, translate_errors
from pitboss_tournament.store.schema import has_table
from pitboss_tournament.store.store import Store

STORE_LOOK_SECONDS: Final = 0.5  # between looks at the file, however many look at the pages
VIEW_SECONDS: Final = 2.0  # between two views
VIEW_REST_FACTOR: Final = 20  # a view that took a second is made again after 20


class LadderSource(Protocol):
    """Where the pages have the ladder from."""

    async def view(self) -> LadderView:
        """Return the ladder as it is now, or was a moment ago: the same value to all who ask."""
        ...

    async def wait_for_change(self, seen: LadderView) -> None:
        """Wait until the ladder is another one than `seen`."""
        ...


class StoredLadder:
    """A `LadderSource` that computes the standings from the games in a store."""

    def __init__(self, store: Path, book: Book) -> None:
        self._store = store
        self._book = book
        self._makers = trio.CapacityLimiter(1)
        self._view: LadderView | None = None
        self._state: object = None
        self._looked_at = -inf
        self._next_at = -inf
        self._count = 0
        self._name = token_hex(4)  # other than that of the run before, whose pages are still open

    async def view(self) -> LadderView:
        """Return the ladder: the last one made, unless the file has changed and it is time to make another."""
        if self._view is None or not self._makers.borrowed_tokens:
            await trio.to_thread.run_sync(self._renew, limiter=self._makers)
        assert self._view is not None
        return self._view

    async def wait_for_change(self, seen: LadderView) -> None:
        """Wait until the ladder is another one than `seen`."""
        while await self.view() is seen:  # noqa: ASYNC110 - the file does not say when it changes
            await trio.sleep(STORE_LOOK_SECONDS)

    def _renew(self) -> None:
        """Make another view, if the file has changed and it is time to look.

        Raises:
            PitbossError: the store cannot be read.
        """
        now = monotonic()
        if now < max(self._looked_at + STORE_LOOK_SECONDS, self._next_at):
            return
        self._looked_at = now
        state = self._look()
        if self._view is None or state != self._state:
            self._state = state
            self._count += 1
            self._view = self._make_view(f"{self._name}-{self._count}")
            self._next_at = monotonic() + max(VIEW_SECONDS, VIEW_REST_FACTOR * (monotonic() - now))

    def _look(self) -> object:
        """Return a value that changes with the file."""
        stamps = []
        for ending in ("", "-wal"):
            try:
                found = self._store.with_name(self._store.name + ending).stat()
                stamps.append((found.st_size, found.st_mtime_ns))
            except OSError:
                stamps.append((0, 0))
        return stamps

    def _make_view(self, stamp: str) -> LadderView:
        submissions = self._book.submissions()
        if not has_tournament(self._store):
            return build_ladder_view(stamp, None, submissions)
        with closing(Store(self._store)) as store:
            return build_ladder_view(stamp, TournamentSummary(store), submissions, self._book.history())


def has_tournament(store: Path) -> bool:
    """Whether a game has ever been planned in the store of a league; it may hold the book alone.

    Raises:
        StoreError: it cannot be read.
    """
    with translate_errors(store, "read"), closing(open_database(store)) as db:
        return has_table(db, "tournament")
