"""Games not yet played, the assignments of each worker, and recovery after a worker's death. No I/O.

When all games of a round are assigned and all tables are free again, the next round is opened; until then an idle
worker waits. A run may be limited to a number of games; those that come back unplayed do not count. A game that was in
progress when its worker died is a *suspect*: it is played again alone in a worker, so that, if that worker dies too,
the game is known to be the cause.
"""

from __future__ import annotations

import sys
from collections import Counter, deque
from collections.abc import Iterable
from typing import Final

import trio

from pitboss_tournament.playing.game_numbers import GameNumbers
from pitboss_tournament.playing.round_progress import RoundProgress
from pitboss_tournament.playing.schedule import GameBatch, ScheduledGame
from pitboss_tournament.statistics.running_standings import RunningStandings

MAX_DEATHS_PER_GAME: Final = 3  # workers that a game may bring down


class Assignment:
    """A batch that a worker has."""

    def __init__(self, games: GameBatch, is_alone: bool) -> None:
        self.games = games
        self.remaining = deque(games)  # not yet finished, in their order
        self.is_alone = is_alone  # the worker plays nothing beside it

    def finish(self, game_id: int) -> bool:
        """Remove a finished game; tell whether it was the next one."""
        if not self.remaining or self.remaining[0].game_id != game_id:
            return False
        self.remaining.popleft()
        return True


class Dispatcher:
    """Assigns batches, those that came back first. Games already played, and disqualified bots, are skipped."""

    def __init__(
        self,
        progress: RoundProgress,
        standings: RunningStandings,
        played: GameNumbers,
        most_games: int | None = None,
    ) -> None:
        """Assign no more than `most_games`, if that is given."""
        self._progress = progress
        self._standings = standings
        self._played = played
        self._pending = progress.batches()
        self._returned: deque[GameBatch] = deque()
        self._suspects: deque[GameBatch] = deque()
        self._deaths: Counter[int] = Counter()  # by game
        self._busy_tables = 0
        self._games_left = sys.maxsize if most_games is None else most_games  # that may still be assigned
        self._is_on_hold = False
        self._change = trio.Event()
        self._is_closed = False

    @property
    def has_held_games(self) -> bool:
        """Whether there are games that are not assigned because of a limit or a hold."""
        return self._assignable == 0 and bool(self._returned or self._suspects)

    async def next_assignment(self, is_idle: bool) -> Assignment | None:
        """Return the next assignment, if any. Only an idle worker gets a suspect, or waits for the next round."""
        while not self._is_closed:
            if assignment := self._pop_assignment(is_idle):
                self._busy_tables += 1
                return assignment
            if self._progress.is_over or self.has_held_games:
                break
            if self._busy_tables == 0 and not (self._returned or self._suspects):
                self._progress.advance_round(self._standings.disqualified())
                self._pending = self._progress.batches()
                self._notify()
            elif self._progress.is_static or not is_idle:
                break
            else:
                await self._change.wait()
            await trio.lowlevel.checkpoint()
        return None

    def end_assignment(self, assignment: Assignment) -> None:
        """Count the table of an assignment as free again, and take back what was not played of it."""
        self._busy_tables -= 1
        if left := tuple(assignment.remaining):
            self._games_left += len(left)
            self._returned.append(left)
        self._notify()

    def hold(self) -> None:
        """Assign no more games; the round is still closed if all its games have been played."""
        self._is_on_hold = True
        self._notify()

    def close(self) -> None:
        """Assign nothing more, whatever comes back."""
        self._is_closed = True
        self._notify()

    @property
    def _assignable(self) -> int:
        """How many games may be assigned now."""
        return 0 if self._is_on_hold else self._games_left

    def _pop_assignment(self, is_idle: bool) -> Assignment | None:
        """Return the next batch that has games to play, as much of it as may be assigned."""
        while True:
            is_alone = is_idle and bool(self._suspects)
            came_back = self._suspects if is_alone else self._returned
            batch = came_back.popleft() if came_back else next(self._pending, None)
            if batch is None:
                return None
            games = tuple(game for game in batch if game.game_id not in self._played)
            if not games or any(self._standings.is_disqualified(entrant) for entrant in games[0].entrants):
                continue
            most = self._assignable
            if rest := games[most:]:
                came_back.appendleft(rest)
            if most == 0:
                return None
            self._games_left -= len(games[:most])
            return Assignment(games[:most], is_alone)

    def _notify(self) -> None:
        """Wake all workers that wait."""
        self._change.set()
        self._change = trio.Event()

    def take_back(self, assignments: Iterable[Assignment], have_begun: bool) -> ScheduledGame | None:
        """Take back a dead worker's assignments; return a game that has now brought down too many workers, if any."""
        culprit = None
        for assignment in assignments:
            self._busy_tables -= 1
            left = tuple(assignment.remaining)
            self._games_left += len(left)
            if have_begun and left:
                suspect, left = left[0], left[1:]
                self._suspects.append((suspect,))
                self._deaths[suspect.game_id] += 1
                if self._deaths[suspect.game_id] >= MAX_DEATHS_PER_GAME:
                    culprit = suspect
            if left:
                self._returned.append(left)
        self._notify()
        return culprit
