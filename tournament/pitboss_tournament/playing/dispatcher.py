"""The desk: what is still to be played, what each worker has been given, and what comes back when one dies. No I/O.

When all of a round has been handed out, and all tables are free again, the course is asked for the next one; until then an idle worker waits.

A game that was on a table when its worker died is a *suspect*: it is played again alone in a worker, so that, if that dies too, it is known which game does it.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable
from typing import Final

import trio

from pitboss_tournament.playing.round_progress import RoundProgress
from pitboss_tournament.playing.schedule import GameBatch, ScheduledGame
from pitboss_tournament.statistics.running_standings import RunningStandings

MAX_DEATHS_PER_GAME: Final = 3  # workers that a game may bring down


class Assignment:
    """A sitting that a worker has: `left` are the games that it has not yet finished, in their order."""

    def __init__(self, sitting: GameBatch, is_alone: bool) -> None:
        self.batch = sitting
        self.remaining = deque(sitting.games)
        self.is_alone = is_alone  # the worker is to play nothing beside it

    def finish(self, game_id: int) -> bool:
        """Strike the game off; tell whether it was the next one."""
        if not self.remaining or self.remaining[0].game_id != game_id:
            return False
        self.remaining.popleft()
        return True


class Dispatcher:
    """Hands sittings out, those that came back first. Games in `done` are skipped, and bots that are out in the tally."""

    def __init__(self, course: RoundProgress, tally: RunningStandings, done: bytearray) -> None:
        self._progress = course
        self._standings = tally
        self._is_played = done
        self._pending = course.batches()
        self._returned: deque[GameBatch] = deque()
        self._suspects: deque[GameBatch] = deque()
        self._deaths: Counter[int] = Counter()  # by game
        self._busy_tables = 0  # that play
        self._change = trio.Event()
        self._is_closed = False

    async def next_assignment(self, is_idle: bool) -> Assignment | None:
        """Return the next sitting for a worker; None if there is none. Only one that is idle is given a suspect, and waits for the next round."""
        while not self._is_closed:
            if handed := self._pop_assignment(is_idle):
                self._busy_tables += 1
                return handed
            if self._progress.is_over:
                break
            if self._busy_tables == 0 and not (self._returned or self._suspects):
                self._advance_round()
            elif self._progress.is_static or not is_idle:
                break
            else:
                await self._change.wait()
            await trio.lowlevel.checkpoint()
        return None

    def free_table(self) -> None:
        """Note that a table is free again."""
        self._busy_tables -= 1
        self._notify()

    def close(self) -> None:
        """Hand out nothing more."""
        self._is_closed = True
        self._notify()

    def _pop_assignment(self, is_idle: bool) -> Assignment | None:
        """Return the next sitting that has anything to play."""
        while True:
            is_alone = is_idle and bool(self._suspects)
            sitting = (
                self._suspects.popleft()
                if is_alone
                else self._returned.popleft()
                if self._returned
                else next(self._pending, None)
            )
            if sitting is None:
                return None
            slots = tuple(slot for slot in sitting.games if not self._is_done(slot))
            if slots and not any(self._standings.is_disqualified(entrant) for entrant in sitting.entrants):
                return Assignment(GameBatch(sitting.entrants, slots), is_alone)

    def _advance_round(self) -> None:
        """Open the next round."""
        self._progress.advance_round(self._standings.disqualified())
        self._pending = self._progress.batches()
        self._notify()

    def _is_done(self, slot: ScheduledGame) -> bool:
        return slot.game_id < len(self._is_played) and bool(self._is_played[slot.game_id])

    def _notify(self) -> None:
        """Wake all who wait."""
        self._change.set()
        self._change = trio.Event()

    def take_back(self, assignments: Iterable[Assignment], have_begun: bool) -> ScheduledGame | None:
        """Take back what a dead worker had; return the game that has brought down too many by now, if there is one."""
        culprit = None
        for handed in assignments:
            self._busy_tables -= 1
            entrants, left = handed.batch.entrants, tuple(handed.remaining)
            if have_begun and left:
                suspect, left = left[0], left[1:]
                self._suspects.append(GameBatch(entrants, (suspect,)))
                self._deaths[suspect.game_id] += 1
                if self._deaths[suspect.game_id] >= MAX_DEATHS_PER_GAME:
                    culprit = suspect
            if left:
                self._returned.append(GameBatch(entrants, left))
        self._notify()
        return culprit
