"""The queue of a league: submissions are validated one after the other, each in a process of its own.

What a process has shown is written into the book step by step, so that a league that was killed goes on with the step
in which it was. A step that takes too long, or a build that fills the disk, ends the process, never the league.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec
import trio
from msgspec.structs import replace

from pitboss_tournament.league.book import LEAGUE_ITSELF, Book
from pitboss_tournament.league.host_paths import make_shortener, shorten_evidence
from pitboss_tournament.league.intake import drop_folder
from pitboss_tournament.league.job_process import (
    BUILD_LOOK_SECONDS,
    Growth,
    JobProcess,
    open_job,
    watch_growth,
)
from pitboss_tournament.league.league_folder import League
from pitboss_tournament.league.submission import Evidence, Submission, SubmissionState
from pitboss_tournament.league.validator import StepDone, ValidationJob

MAX_VALIDATIONS: Final = 5  # of a submission, when the machine fails or the league is killed
PAUSE_SECONDS: Final = 5.0  # after a failure of the machine
SLACK_SECONDS: Final = 60.0  # of each step, for what is not the bot's: starts, unpacking, writing
REMOVAL_TRIES: Final = 20  # of the files of a submission, a look apart
AFTER: Final[dict[SubmissionState, SubmissionState]] = {
    "received": "building",
    "building": "checking",
    "checking": "validation",
    "validation": "placing",
}


class ValidationQueue:
    """Validates what waits in the book of a league."""

    def __init__(
        self, league: League, book: Book, ring_player: Callable[[], None], show: Callable[[str], None]
    ) -> None:
        """`ring_player` is called when a submission is valid.

        `show` gets a line for the host whenever a submission has got a state.
        """
        self._ring_player = ring_player
        self._league = league
        self._book = book
        self._show = show
        self._bell = trio.Event()

    def ring(self) -> None:
        """Say that there is something to validate."""
        self._bell.set()

    async def run(self) -> None:
        """Validate one submission after the other, for ever."""
        while True:
            self._bell = trio.Event()
            waiting = await trio.to_thread.run_sync(self._book.list_waiting)
            if not waiting:
                await self._bell.wait()
            elif self._league.folder.free_mb() < self._league.file.submissions.free_mb:
                self._show("there is too little room on the disk: nothing is validated until there is more")
                await trio.sleep(SLACK_SECONDS)
            elif not await self._validate(waiting[0]):
                await trio.sleep(PAUSE_SECONDS)

    async def _validate(self, submission: Submission) -> bool:
        """Bring a submission as far as it gets; return whether the machine was good for it."""
        tries = await trio.to_thread.run_sync(self._book.begin_try, submission.number)
        if tries > MAX_VALIDATIONS:
            seen = f"the league's machine failed {MAX_VALIDATIONS} times with this; send it again, or ask its host"
            ended: Submission | None = await self._move(submission, "refused", Evidence(is_good=False, seen=seen))
        else:
            ended = await self._take_steps(submission)
        if ended is not None and ended.state == "refused":
            await self._remove_files(ended)
        return ended is not None

    async def _take_steps(self, submission: Submission) -> Submission | None:
        """Return a submission that is valid or refused now; None if the machine failed. Its validator has ended."""
        if submission.state == "received":
            submission = await self._move(submission, "building")
        job = ValidationJob(str(self._league.folder.root), submission)
        async with open_job("validator", job) as process:
            while submission.state in AFTER:
                done = await self._wait_step(process, submission)
                if done.is_machine_error:
                    seen = done.evidence.seen
                    self._show(f"submission {submission.number} ({submission.label}): {seen}")
                    about = f"submission {submission.number}: {seen}"
                    await trio.to_thread.run_sync(self._book.note, LEAGUE_ITSELF, "machine error", about)
                    return None
                submission = await self._finish_step(submission, done)
        return submission

    async def _wait_step(self, process: JobProcess, submission: Submission) -> StepDone:
        """Return what the process says of a step; if that took too long or wrote too much, in its place."""
        rules, state = self._league.file.validation, submission.state
        what, seconds = {
            "building": ("build", rules.build_seconds),
            "checking": ("checks", rules.check_seconds),
            "validation": ("validation games", rules.seconds),
        }[state]
        found: list[StepDone] = []

        async def receive() -> None:
            found.append(
                await _receive_step(process) or _machine_error(state, f"the validator ended: {process.end_text}")
            )
            nursery.cancel_scope.cancel()

        async def watch() -> None:
            folder = self._league.folder.bots / submission.digest
            found.append(_judge_growth(await watch_growth(self._league, folder)))
            nursery.cancel_scope.cancel()

        with trio.move_on_after(seconds + SLACK_SECONDS):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(receive)
                if state == "building":
                    nursery.start_soon(watch)
        if found:
            return found[0]
        seen = f"the {what} took longer than {seconds:g} s"
        return StepDone(state, Evidence(is_good=False, seen=seen, output=process.output))

    async def _finish_step(self, submission: Submission, done: StepDone) -> Submission:
        evidence = done.evidence
        state: SubmissionState = AFTER[done.step] if evidence.is_good else "refused"
        return await self._move(submission, state, evidence)

    async def _move(
        self, submission: Submission, state: SubmissionState, evidence: Evidence | None = None
    ) -> Submission:
        if evidence is not None:
            evidence = shorten_evidence(evidence, make_shortener(self._league.folder.root))
        active = self._league.file.league.active_versions if state == "placing" else None
        moved = await trio.to_thread.run_sync(
            lambda: self._book.move(submission.number, state, evidence, active_versions=active)
        )
        if state == "placing":
            self._ring_player()
        if submission.upload and not moved.upload:
            (self._league.folder.uploads / submission.upload).unlink(missing_ok=True)
        why = f": {evidence.seen}" if evidence is not None and state == "refused" else ""
        self._show(f"submission {moved.number} ({moved.label} of {moved.owner}) is {state}{why}")
        return moved

    async def _remove_files(self, submission: Submission) -> None:
        """Remove the files of a refused submission, as soon as nothing of its build writes there any more."""
        why = ""
        for _ in range(REMOVAL_TRIES):
            try:
                await trio.to_thread.run_sync(drop_folder, self._league, self._book, submission.digest)
                return
            except OSError as error:  # the processes of a build that was broken off may need a moment to end
                why = str(error.strerror)
            await trio.sleep(BUILD_LOOK_SECONDS)
        folder = self._league.folder.bots / submission.digest
        self._show(f"{folder} of refused submission {submission.number} cannot be removed ({why}): remove it")


def _judge_growth(found: Growth) -> StepDone:
    if found.is_of_machine:
        return _machine_error("building", found.seen)
    return StepDone("building", Evidence(is_good=False, seen=found.seen))


async def _receive_step(process: JobProcess) -> StepDone | None:
    """Return the next message of a validator; None if there is none any more."""
    line = await process.receive_line()
    try:
        done = None if line is None else msgspec.json.decode(line, type=StepDone)
    except msgspec.MsgspecError:
        return None
    if done is None or done.step != "building":
        return done
    process.take_errors()
    return replace(done, evidence=replace(done.evidence, output=process.output))


def _machine_error(step: SubmissionState, seen: str) -> StepDone:
    return StepDone(step, Evidence(is_good=False, seen=seen), is_machine_error=True)
