"""The ladder of a league as its store has it, read again when the file has changed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import closing
from pathlib import Path
from typing import Final

import trio

from pitboss_tournament.counting.stored_findings import StoredFindings
from pitboss_tournament.league.book import Book
from pitboss_tournament.league.ladder_view import LadderView, build_ladder_view
from pitboss_tournament.league.name_book import OwnerAccess
from pitboss_tournament.store.database import open_database, translate_errors
from pitboss_tournament.store.schema import has_table
from pitboss_tournament.store.store import Store
from pitboss_tournament.web.renewed import Renewed, stamp_file

LADDER_SECONDS: Final = 2.0  # between looks for games and submissions
LADDER_REST_FACTOR: Final = 20  # a view that took a second is made again after 20


class LadderSource(ABC):
    """Where the pages have the ladder from."""

    @abstractmethod
    async def view(self) -> LadderView:
        """Return the ladder as it is now, or was a moment ago: the same value to all who ask.

        Raises:
            PitbossError: the store or the book cannot be read.
        """

    async def wait_for_change(self, seen: LadderView) -> None:
        """Wait until the ladder is another one than `seen`.

        Raises:
            PitbossError: as `view`.
        """
        while await self.view() is seen:  # noqa: ASYNC110 - a file does not say when it changes
            await trio.sleep(LADDER_SECONDS)


class StoredLadder(LadderSource):
    """A `LadderSource` that computes the standings from the games in a store."""

    def __init__(self, store: Path, book: Book, owners: OwnerAccess = "pseudonyms") -> None:
        """`owners`: how they are called before everybody."""
        self._store = store
        self._owners = owners
        self._book = book
        self._view = Renewed(lambda: stamp_file(store), self._make_view, pause=LADDER_SECONDS, rest=LADDER_REST_FACTOR)

    async def view(self) -> LadderView:
        """Return the ladder."""
        return await self._view.read()

    def _make_view(self, stamp: str) -> LadderView:
        submissions, names = self._book.submissions(), self._book.public_names(self._owners)
        if not has_tournament(self._store):
            return build_ladder_view(stamp, None, submissions, public_names=names)
        with closing(Store(self._store)) as store:
            return build_ladder_view(stamp, StoredFindings(store), submissions, self._book.history(), names)


def has_tournament(store: Path) -> bool:
    """Whether a game has ever been planned in the store of a league; it may hold the book alone.

    Raises:
        StoreError: it cannot be read.
    """
    with translate_errors(store, "read"), closing(open_database(store)) as db:
        return has_table(db, "tournament")
