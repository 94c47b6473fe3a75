"""The ladder of a league that is being played, from the standings in memory; and its history, day by day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from secrets import token_hex
from time import monotonic
from typing import Final

import trio

from pitboss_tournament.counting.findings import RatedStandings
from pitboss_tournament.league.book import Book
from pitboss_tournament.league.history_point import HistoryPoint
from pitboss_tournament.league.ladder_view import LadderView, build_ladder_view
from pitboss_tournament.league.live_standings import LiveStandings
from pitboss_tournament.league.stored_ladder import LadderSource
from pitboss_tournament.league.submission import Submission
from pitboss_tournament.store.rows import utc_now

RENEW_SECONDS: Final = 2.0  # between two views
RENEW_REST_FACTOR: Final = 20  # a view that took a second is made again after 20
HISTORY_SECONDS: Final = 600.0  # between two notes of the ratings of the day


class LiveLadder:
    """A `LadderSource`: a view that is made again when games have ended or the book has changed."""

    def __init__(self, book: Book, stored: LadderSource) -> None:
        """Show nothing yet; `stored` is shown as long as there are too few versions for a table."""
        self._book = book
        self._stored = stored
        self._standings: LiveStandings | None = None
        self._has_begun = trio.Event()
        self._view: LadderView | None = None
        self._change = trio.Event()
        self._history: Mapping[int, Sequence[HistoryPoint]] = {}
        self._noted_at = -inf
        self._name = token_hex(4)  # other than that of the run before, whose pages are still open
        self._count = 0

    def follow(self, standings: LiveStandings | None) -> None:
        """Begin to show the ladder of these standings; None: nobody plays, and the store has all games."""
        self._standings = standings
        self._has_begun.set()

    async def view(self) -> LadderView:
        """Return the ladder as it is now, or was a moment ago: the same value to all who ask.

        Right after the start of a league they wait until its games have been taken up.
        """
        while self._view is None:
            await self._change.wait()
        return self._view

    async def wait_for_change(self, seen: LadderView) -> None:
        """Wait until the ladder is another one than `seen`."""
        while self._view is seen:
            await self._change.wait()

    async def run(self) -> None:
        """Make views for ever.

        Raises:
            StoreError: the book cannot be read.
        """
        self._history = await trio.to_thread.run_sync(self._book.history)
        await self._has_begun.wait()
        seen: object = None
        while True:
            began = monotonic()
            if self._standings is None:
                self._show(await self._stored.view())
            else:
                submissions = await trio.to_thread.run_sync(self._book.submissions)
                games = self._standings.games
                if seen != (submissions, games):
                    seen = submissions, games
                    self._show(await self._rate(self._standings, submissions))
                    await self._note_history()
            await trio.sleep(max(RENEW_SECONDS, RENEW_REST_FACTOR * (monotonic() - began)))

    def _show(self, view: LadderView) -> None:
        if view is not self._view:
            self._view = view
            self._change.set()
            self._change = trio.Event()

    async def _rate(self, standings: LiveStandings, submissions: Sequence[Submission]) -> LadderView:
        self._count += 1
        stamp = f"{self._name}-{self._count}"

        def begin() -> None:
            return None

        def build(rated: RatedStandings, _: None) -> LadderView:
            rated.forget_results()
            view = build_ladder_view(stamp, rated, submissions, self._history)
            rated.hold_absent()
            return view

        return await standings.compute(begin, build)

    async def _note_history(self) -> None:
        """Write the ratings of the day into the book, from time to time."""
        if self._view is None or not self._view.is_rated or monotonic() < self._noted_at + HISTORY_SECONDS:
            return
        self._noted_at = monotonic()
        now = utc_now()
        points = {
            line.number: HistoryPoint(now, mean, mean - width, mean + width, line.games)
            for line in self._view.lines
            if (mean := line.rating.mean) is not None and (width := line.comparison) is not None
        }
        await trio.to_thread.run_sync(self._book.note_history, points)
        self._history = await trio.to_thread.run_sync(self._book.history)
