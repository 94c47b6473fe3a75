"""The desk: what is still to be played, what each worker has been given, and what comes back when one dies. No I/O.

When all of a round has been handed out, and all tables are free again, the course is asked for the next one; until then an idle worker waits.

A game that was on a table when its worker died is a *suspect*: it is played again alone in a worker, so that, if that dies too, it is known which game does it.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable
from typing import Final

import trio

from pitboss_tournament.playing.course import Course
from pitboss_tournament.playing.schedule import Sitting, Slot
from pitboss_tournament.results.standings import Tally

DEATHS_OF_A_GAME: Final = 3  # workers that a game may bring down


class Handed:
    """A sitting that a worker has: `left` are the games that it has not yet finished, in their order."""

    def __init__(self, sitting: Sitting, is_alone: bool) -> None:
        self.sitting = sitting
        self.left = deque(sitting.slots)
        self.is_alone = is_alone  # the worker is to play nothing beside it

    def finish(self, game_id: int) -> bool:
        """Strike the game off; tell whether it was the next one."""
        if not self.left or self.left[0].game_id != game_id:
            return False
        self.left.popleft()
        return True


class Desk:
    """Hands sittings out, those that came back first. Games in `done` are skipped, and bots that are out in the tally."""

    def __init__(self, course: Course, tally: Tally, done: bytearray) -> None:
        self._course = course
        self._tally = tally
        self._done = done
        self._waiting = course.sittings()
        self._returned: deque[Sitting] = deque()
        self._suspects: deque[Sitting] = deque()
        self._deaths: Counter[int] = Counter()  # by game
        self._tables = 0  # that play
        self._news = trio.Event()
        self._is_closed = False

    async def next(self, is_idle: bool) -> Handed | None:
        """Return the next sitting for a worker; None if there is none. Only one that is idle is given a suspect, and waits for the next round."""
        while not self._is_closed:
            if handed := self._next(is_idle):
                self._tables += 1
                return handed
            if self._course.is_over:
                break
            if self._tables == 0 and not (self._returned or self._suspects):
                self._go_on()
            elif self._course.is_static or not is_idle:
                break
            else:
                await self._news.wait()
            await trio.lowlevel.checkpoint()
        return None

    def leave(self) -> None:
        """Note that a table is free again."""
        self._tables -= 1
        self._tell()

    def close(self) -> None:
        """Hand out nothing more."""
        self._is_closed = True
        self._tell()

    def _next(self, is_idle: bool) -> Handed | None:
        """Return the next sitting that has anything to play."""
        while True:
            is_alone = is_idle and bool(self._suspects)
            sitting = (
                self._suspects.popleft()
                if is_alone
                else self._returned.popleft()
                if self._returned
                else next(self._waiting, None)
            )
            if sitting is None:
                return None
            slots = tuple(slot for slot in sitting.slots if not self._is_done(slot))
            if slots and not any(self._tally.is_out(entrant) for entrant in sitting.entrants):
                return Handed(Sitting(sitting.entrants, slots), is_alone)

    def _go_on(self) -> None:
        """Open the next round."""
        self._course.go_on(self._tally.out())
        self._waiting = self._course.sittings()
        self._tell()

    def _is_done(self, slot: Slot) -> bool:
        return slot.game_id < len(self._done) and bool(self._done[slot.game_id])

    def _tell(self) -> None:
        """Wake all who wait."""
        self._news.set()
        self._news = trio.Event()

    def give_back(self, all_handed: Iterable[Handed], have_begun: bool) -> Slot | None:
        """Take back what a dead worker had; return the game that has brought down too many by now, if there is one."""
        culprit = None
        for handed in all_handed:
            self._tables -= 1
            entrants, left = handed.sitting.entrants, tuple(handed.left)
            if have_begun and left:
                suspect, left = left[0], left[1:]
                self._suspects.append(Sitting(entrants, (suspect,)))
                self._deaths[suspect.game_id] += 1
                if self._deaths[suspect.game_id] >= DEATHS_OF_A_GAME:
                    culprit = suspect
            if left:
                self._returned.append(Sitting(entrants, left))
        self._tell()
        return culprit
