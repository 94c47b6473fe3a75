"""The queue of what owners asked to know of their games: one version after the other, each in a process of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import trio
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss.foreign_input import read_json
from pitboss_tournament.league.book import Book
from pitboss_tournament.league.feedback_book import MAX_LOOKS_BEGUN, Feedback, FeedbackBook
from pitboss_tournament.league.feedback_job import FeedbackDone, FeedbackTask
from pitboss_tournament.league.job_process import open_job
from pitboss_tournament.league.league_folder import League
from pitboss_tournament.league.stored_ladder import LadderSource

LONGEST_LOOK_SECONDS: Final = 600.0  # the longest that a look into the games of a version takes
FAILED: Final = "the league's machine failed with this; ask again, or tell its host"


class FeedbackQueue:
    """Makes what waits in the book."""

    def __init__(
        self,
        league: League,
        book: Book,
        feedback: FeedbackBook,
        source: LadderSource,
        show: Callable[[str], None],
    ) -> None:
        """`source` has the places of versions. `show` gets a line for the host when the machine has failed."""
        self._league = league
        self._book = book
        self._feedback = feedback
        self._source = source
        self._show = show
        self._bell = trio.Event()

    def ring(self) -> None:
        """Say that something waits."""
        self._bell.set()

    async def run(self) -> None:
        """Make one after the other, for ever."""
        while True:
            self._bell = trio.Event()
            waiting = await trio.to_thread.run_sync(self._feedback.list_open)
            if waiting:
                await self._make(waiting[0])
            else:
                await self._bell.wait()

    async def _make(self, one: Feedback) -> None:
        if await trio.to_thread.run_sync(self._feedback.begin, one.number) > MAX_LOOKS_BEGUN:
            await trio.to_thread.run_sync(self._feedback.fail, one.number, FAILED)
            return
        try:
            submission = await trio.to_thread.run_sync(self._book.submission, one.submission)
        except ConfigError as error:
            await trio.to_thread.run_sync(self._feedback.fail, one.number, str(error))
            return
        done, said = None, f"it took longer than {LONGEST_LOOK_SECONDS:g} s"
        with trio.move_on_after(LONGEST_LOOK_SECONDS):
            async with open_job("feedback_job", FeedbackTask(str(self._league.folder.root), submission)) as process:
                line = await process.receive_line()
                said = process.end_text
                done = None if line is None else read_json(line, FeedbackDone)
        if done is None:
            self._show(f"the games of {submission.label} could not be looked into: {said}")
            await trio.to_thread.run_sync(self._feedback.fail, one.number, FAILED)
        elif done.bundle is None:
            await trio.to_thread.run_sync(self._feedback.fail, one.number, done.why)
        else:
            view = await self._source.view()
            line_of = view.find_line(one.submission)
            bundle = replace(
                done.bundle, place=None if line_of is None else line_of.place, bots=max(1, len(view.ranked))
            )
            await trio.to_thread.run_sync(self._feedback.finish, one.number, bundle)
