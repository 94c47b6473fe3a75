"""The queue of trials: one at a time, owners by turns, and none while a submission waits for its validation.

What a trial has shown is kept as it comes. A trial that a killed league has broken off begins again; one that was
broken off twice is lost, and says so.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec
import trio
from msgspec.structs import replace

from pitboss_tournament.league.book import Book
from pitboss_tournament.league.host_paths import make_shortener, shorten_struct
from pitboss_tournament.league.job_process import (
    BUILD_LOOK_SECONDS,
    Growth,
    JobProcess,
    open_job,
    watch_growth,
)
from pitboss_tournament.league.league_folder import League
from pitboss_tournament.league.submission import Evidence
from pitboss_tournament.league.workshop.trial_runner import TrialJob, TrialNews
from pitboss_tournament.league.workshop.trials import (
    MAX_TRIAL_TRIES,
    OPEN_STATES,
    Trial,
    TrialBook,
    TrialFindings,
    TrialState,
)
from pitboss_tournament.processes.bot_contents import remove_folder

TURN_LOOK_SECONDS: Final = 1.0  # between looks at whether the validations are done
SLACK_SECONDS: Final = 60.0  # of each state, for what is not the bot's: starts, unpacking, writing
REMOVAL_TRIES: Final = 20  # of the folder, a look apart
LOST_TRIAL: Final = "the league's machine broke it off; try again"


class TrialQueue:
    """Does the trials that wait in the store of a league."""

    def __init__(self, league: League, book: Book, trials: TrialBook, show: Callable[[str], None]) -> None:
        """`show` gets a line for the host when the machine has failed."""
        self._league = league
        self._book = book
        self._trials = trials
        self._show = show
        self._bell = trio.Event()

    def ring(self) -> None:
        """Say that there is a trial to do."""
        self._bell.set()

    async def run(self) -> None:
        """Do one trial after the other, for ever."""
        while True:
            self._bell = trio.Event()
            waiting = await trio.to_thread.run_sync(self._trials.list_open)
            if not waiting:
                await self._bell.wait()
            elif await self._must_wait():
                await trio.sleep(TURN_LOOK_SECONDS)
            else:
                await self._do(waiting[0])

    async def _must_wait(self) -> bool:
        if self._league.folder.free_mb() < self._league.file.submissions.free_mb:
            return True
        return bool(await trio.to_thread.run_sync(self._book.list_waiting))

    async def _do(self, trial: Trial) -> None:
        """Do a trial from its beginning to its end."""
        tries = await trio.to_thread.run_sync(self._trials.begin_try, trial.number)
        course = TrialCourse(self._league, self._trials, replace(trial, found=TrialFindings(), state="waiting"))
        if tries > MAX_TRIAL_TRIES:
            await course.lose(LOST_TRIAL)
            return
        folder = find_trial_folder(self._league, trial)
        await self._remove(folder)
        why = ""
        try:
            job = TrialJob(str(self._league.folder.root), trial.number, str(folder))
            async with open_job("workshop.trial_runner", job) as process:
                why = await course.follow(process, folder)
        except OSError as error:  # there is no process to be had
            why = str(error)
            await course.lose(LOST_TRIAL)
        finally:
            with trio.CancelScope(shield=True):
                await self._remove(folder)
        if why:
            self._show(f"trial {trial.number} of {trial.owner}: {why}")

    async def _remove(self, folder: Path) -> None:
        """Remove the folder of a draft, as soon as nothing of its build writes there any more."""
        for _ in range(REMOVAL_TRIES):
            with suppress(OSError):
                await trio.to_thread.run_sync(remove_folder, folder)
                return
            await trio.sleep(BUILD_LOOK_SECONDS)


class TrialCourse:
    """A trial that is being done: its messages are kept, and it ends when it takes too long."""

    def __init__(self, league: League, book: TrialBook, trial: Trial) -> None:
        self._league = league
        self._book = book
        self._trial = trial

    async def follow(self, process: JobProcess, folder: Path) -> str:
        """Keep what a process reports until the trial is over; return how the machine failed, "" if it did not."""
        rules = self._league.file
        seconds: dict[TrialState, float] = {
            "building": rules.validation.build_seconds,
            "checking": rules.validation.check_seconds,
            "playing": rules.trials.seconds,
        }
        state: TrialState = "building"
        await self._note(state)
        while self._trial.state in OPEN_STATES:
            news: TrialNews | Growth | None = None
            with trio.move_on_after(seconds[state] + SLACK_SECONDS) as scope:
                news = await self._wait_news(process, folder, state)
            if scope.cancelled_caught:
                await self._end(Evidence(is_good=False, seen=f"it took longer than {seconds[state]:g} s"))
            elif isinstance(news, Growth):
                await self._end(Evidence(is_good=False, seen=news.seen, output=process.output))
            elif news is None or news.is_machine_error:
                seen = process.end_text if news is None or news.step is None else news.step.seen
                await self.lose(LOST_TRIAL)
                return seen
            else:
                state = await self._take(news, process)
        return ""

    async def _wait_news(self, process: JobProcess, folder: Path, state: TrialState) -> TrialNews | Growth | None:
        """Return what comes first: a message, or that a build grows too large."""
        found: list[TrialNews | Growth | None] = []
        async with trio.open_nursery() as nursery:

            async def receive() -> None:
                found.append(await _receive_news(process))
                nursery.cancel_scope.cancel()

            async def watch() -> None:
                found.append(await watch_growth(self._league, folder))
                nursery.cancel_scope.cancel()

            nursery.start_soon(receive)
            if state == "building":
                nursery.start_soon(watch)
        return found[0]

    async def _take(self, news: TrialNews, process: JobProcess) -> TrialState:
        """Keep a message; return the state of which the next one is."""
        found, shorten = self._trial.found, make_shortener(self._league.folder.root)
        if news.check is not None:
            failed = [*found.checks_failed, *([news.check] if news.check.outcome == "failed" else [])]
            found = replace(found, checks_done=found.checks_done + 1, checks_failed=failed)
            await self._note("checking", shorten_struct(found, shorten))
        elif news.game is not None:
            game = shorten_struct(news.game, shorten)
            await trio.to_thread.run_sync(self._book.add_game, self._trial.number, game, news.record)
        elif news.step is not None:
            step = news.step
            if news.state == "building":
                process.take_errors()
                step = replace(step, output=process.output)
            is_next = news.state == "building" and step.is_good
            if not is_next:
                await self._end(replace(step, checks=[]), news.state)
            else:
                following: TrialState = "checking" if self._trial.kind == "check" else "playing"
                self._trial = replace(self._trial, found=replace(found, steps={"building": step}))
                await self._note(following)
                return following
        return news.state

    async def lose(self, why: str) -> None:
        """Say that the machine has lost the trial."""
        await self._note("lost", replace(self._trial.found, seen=why))

    async def _end(self, step: Evidence, state: str = "") -> None:
        found, step = self._trial.found, shorten_struct(step, make_shortener(self._league.folder.root))
        steps = {**found.steps, state or self._trial.state: step}
        await self._note("done", replace(found, steps=steps, seen=step.seen, is_good=step.is_good))

    async def _note(self, state: TrialState, found: TrialFindings | None = None) -> None:
        found = self._trial.found if found is None else found
        self._trial = replace(self._trial, state=state, found=found)
        await trio.to_thread.run_sync(self._book.note_findings, self._trial.number, self._trial.state, found)


def find_trial_folder(league: League, trial: Trial) -> Path:
    """Return the folder in which a draft is tried: its name has the length of a digest, as those of versions have."""
    return league.folder.bots / f"{trial.number:064x}"


async def _receive_news(process: JobProcess) -> TrialNews | None:
    """Return the next message; None if there is none any more."""
    line = await process.receive_line()
    try:
        return None if line is None else msgspec.json.decode(line, type=TrialNews)
    except msgspec.MsgspecError:
        return None
