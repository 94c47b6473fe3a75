"""The ladder of a league that is being played, from the counts in memory; and its history, day by day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import trio

from pitboss_tournament.counting.counts import Counts
from pitboss_tournament.counting.findings import Findings
from pitboss_tournament.counting.live_counts import LiveCounts
from pitboss_tournament.league.book import Book, HistoryPoint
from pitboss_tournament.league.ladder_view import LadderView, build_ladder_view
from pitboss_tournament.league.name_book import OwnerAccess
from pitboss_tournament.league.stored_ladder import LADDER_REST_FACTOR, LADDER_SECONDS, LadderSource
from pitboss_tournament.store.rows import utc_now
from pitboss_tournament.web.renewed import Renewed

HISTORY_SECONDS: Final = 600.0  # between two notes of the ratings of the day


class LiveLadder(LadderSource):
    """A `LadderSource`: a view that is made again when games have ended or the book has changed."""

    def __init__(self, book: Book, stored: LadderSource, owners: OwnerAccess = "pseudonyms") -> None:
        """Show nothing yet; `stored` is shown as long as there are too few versions for a table.

        `owners`: how they are called before everybody.
        """
        self._book = book
        self._owners = owners
        self._stored = stored
        self._counts: LiveCounts | None = None
        self._has_begun = trio.Event()
        self._history: Mapping[int, Sequence[HistoryPoint]] | None = None
        self._view = Renewed(self._look, self._make_view, pause=LADDER_SECONDS, rest=LADDER_REST_FACTOR)

    def follow(self, counts: LiveCounts | None) -> None:
        """Begin to show the ladder of these counts; None: nobody plays, and the store has all games."""
        self._counts = counts
        self._has_begun.set()

    async def view(self) -> LadderView:
        """Return the ladder. Right after the start of a league, wait until its games have been taken up."""
        await self._has_begun.wait()
        return await (self._stored.view() if self._counts is None else self._view.read())

    async def run(self) -> None:
        """Write the ratings of the day into the book whenever they have changed, for ever.

        Raises:
            StoreError: the book cannot be read or written.
        """
        view = await self.view()
        while True:
            if self._counts is not None and view.is_rated:
                await trio.to_thread.run_sync(self._note_history, view)
                await trio.sleep(HISTORY_SECONDS)
            await self.wait_for_change(view)
            view = await self.view()

    def _look(self) -> object:
        assert self._counts is not None
        return self._book.change_count(), self._counts.games

    def _make_view(self, stamp: str) -> LadderView:
        assert self._counts is not None
        submissions, names = self._book.submissions(), self._book.public_names(self._owners)
        if self._history is None:
            self._history = self._book.history()
        history = self._history

        def begin() -> None:
            return None

        def build(counts: Counts, _: None) -> LadderView:
            view = build_ladder_view(stamp, Findings(counts, anytime=True), submissions, history, names)
            counts.hold_absent()
            return view

        return trio.from_thread.run(self._counts.compute, begin, build)

    def _note_history(self, view: LadderView) -> None:
        now = utc_now()
        points = {
            line.number: HistoryPoint(now, mean, mean - width, mean + width, line.row.games)
            for line in view.lines
            if not line.is_anchor
            and (mean := line.rating.mean) is not None
            and (width := line.row.rating_comparison) is not None
        }
        self._book.note_history(points)
        self._history = self._book.history()
