"""Games not yet played, the assignments of each worker, and recovery after a worker's death. No I/O.

When all games of a round are assigned and all tables are free again, the next round is opened; until then an idle
worker waits. Where rounds overlap, the next one is opened as soon as all games are assigned. A run may be limited to a
number of games; games that come back unplayed do not count. A bot may be limited to a number of games at a time: a
batch of a bot at its limit waits, and the batches after it go first; so do games of blocks that another kind of machine
has begun. A batch with a bot that has a limit is of one table and one order of seats: a process that
waits for another seat would count as a game. A batch of many games is cut when so few games are left that other tables
would wait for its end. A game that was in progress when its worker died is a *suspect*: it is played again alone in a
worker, so that, if that worker dies too, the game is known to be the cause. Where bots play at many tables, several
games of a batch may be in play: all that can have been are suspects.

All games of a block are played on one kind of machine, so that no bot is slower in one of them. A block's kind is that
of the machine that plays its first game in this run. When no machine of that kind is left, what is left of the block
may be played on any.
"""

from __future__ import annotations

import sys
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Final, TypeAlias

import trio

from pitboss_tournament.counting.live_counts import GameCount
from pitboss_tournament.rounds.game_numbers import GameNumbers
from pitboss_tournament.rounds.open_rounds import BATCH_DEALS
from pitboss_tournament.rounds.round_progress import Rounds
from pitboss_tournament.rounds.schedule import GameBatch, ScheduledGame, split_by_order

MAX_DEATHS_PER_GAME: Final = 3  # workers that a game may bring down
MAX_WAITING: Final = 4_096  # batches that wait for bots at their limit: the schedule may have millions

BlockKey: TypeAlias = tuple[int, int]  # pairing and deal


class Assignment:
    """A batch that a worker has."""

    def __init__(self, games: GameBatch, is_alone: bool, at_once: int = 1) -> None:
        """Have all games still to play, of which `at_once` may be in play at the same time."""
        self.games = games
        self._at_once = at_once
        self.bots = frozenset(bot for game in games for bot in game.entrants)
        self.remaining = deque(games)  # not yet finished, in their order
        self.is_alone = is_alone  # the worker plays nothing beside it

    @property
    def seated(self) -> tuple[int, ...]:
        """The entrants by seat of the game that is in play, or has just ended."""
        return (self.remaining or self.games)[0].entrants

    def finish(self, game_id: int) -> bool:
        """Remove a finished game; tell whether it can have been in play."""
        found = self.find(game_id)
        if found is not None:
            self.remaining.remove(found)
        return found is not None

    def find(self, game_id: int) -> ScheduledGame | None:
        """Return the game of a number, if it can be in play: one of the first that remain."""
        return next((game for game in islice(self.remaining, self._at_once) if game.game_id == game_id), None)


class Dispatcher:
    """Assigns batches, those that came back or had to wait first.

    Games already played, and disqualified bots, are skipped.
    """

    def __init__(
        self,
        progress: Rounds,
        count: GameCount,
        played: GameNumbers,
        most_games: int | None = None,
        limits: Mapping[int, int] | None = None,
        games_in_batch: int = 1,
        is_withheld: Callable[[int], bool] | None = None,
    ) -> None:
        """Assign no more than `most_games`, if that is given, and no game whose number is withheld.

        `limits`: in how many games at a time these entrants may play; the others in any number. `games_in_batch`: how
        many games of a batch may be in play at once.
        """
        self._progress = progress
        self._count = count
        self._played = played
        self._is_withheld = is_withheld
        self.has_withheld_games = False  # was one met so far
        self._pending = self._cut_batches(progress.batches())
        self._limits = limits or {}
        self._games_in_batch = games_in_batch
        self._least_share = max(BATCH_DEALS, games_in_batch)
        self._in_play: Counter[int] = Counter()  # games at a time, by entrant
        self._machines = BlockMachines(progress.games_a_block)
        self._waiting: deque[GameBatch] = deque()
        self._suspects: deque[GameBatch] = deque()
        self._deaths: Counter[int] = Counter()  # by game
        self._assignments: dict[Assignment, None] = {}  # that are in play
        self._games_left = sys.maxsize if most_games is None else most_games  # that may still be assigned
        self._is_on_hold = False
        self._change = trio.Event()
        self._unchanged: trio.Event | None = None  # `_change` when a round was opened in which nothing was to play
        self._is_closed = False
        self._is_paused = False
        self._tables = 0  # games that may be in play at a time

    @property
    def has_held_games(self) -> bool:
        """Whether there are games that are not assigned because of a limit or a hold; without end there always are."""
        if self.has_withheld_games and not (self._waiting or self._suspects or self._assignments):
            return True
        return self._assignable == 0 and bool(self._waiting or self._suspects or self._progress.is_overlapping)

    def add_place(self, kind: str, tables: int) -> None:
        """Add a place with `tables` tables, on a machine of this kind."""
        self._tables += tables
        self._machines.add_place(kind)

    def remove_place(self, kind: str, tables: int) -> None:
        """Remove a place with `tables` tables, on a machine of this kind."""
        self._tables -= tables
        self._machines.remove_place(kind)
        self._notify()

    async def next_assignment(self, is_idle: bool, kind: str = "") -> Assignment | None:
        """Return the next assignment for a kind of machine, if any.

        Only an idle worker gets a suspect, or waits for the next round.
        """
        while not (self._is_closed or self._is_paused):
            if assignment := self._pop_assignment(is_idle, kind):
                self._in_play.update(assignment.bots)
                self._assignments[assignment] = None
                return assignment
            if self._progress.is_over or self.has_held_games:
                break
            if self.has_withheld_games:  # what follows may depend on them: no round is opened
                if not is_idle:
                    break
                await self._change.wait()
                continue
            is_all_assigned = not (self._waiting or self._suspects)
            if self._progress.is_overlapping:
                if self._change is not self._unchanged and self._open_next_round():
                    continue
                self._unchanged = self._change
                if not is_idle:
                    break
                await self._change.wait()
            elif not self._assignments and is_all_assigned:
                self._progress.advance_round(self._count.list_disqualified())
                self._pending = self._cut_batches(self._progress.batches())
                self._notify()
            elif not is_idle or (self._progress.is_static and is_all_assigned):
                break
            else:
                await self._change.wait()
            await trio.lowlevel.checkpoint()
        return None

    def _open_next_round(self) -> bool:
        """Open the next round, where they overlap; tell whether there is anything to play in it."""
        before = self._progress.games_end
        in_play = [assignment.games[0].game_id for assignment in self._assignments]
        self._progress.advance_round(self._count.list_disqualified(), in_play)
        self._pending = self._cut_batches(self._progress.batches(self._progress.rounds_begun - 1))
        return self._progress.games_end > before

    def change_field(self, limits: Mapping[int, int]) -> None:
        """Replace the bots that take part, with their limits; play no more games with bots that left."""
        self._limits = limits
        self._notify()

    def end_assignment(self, assignment: Assignment) -> None:
        """Count the table of an assignment as free again, and take back the games that were not played."""
        self._release(assignment)
        if left := tuple(assignment.remaining):
            self._games_left += len(left)
            self._waiting.append(left)
        self._notify()

    def hold(self) -> None:
        """Assign no more games; the round is still closed if all its games have been played."""
        self._is_on_hold = True
        self._notify()

    def pause(self) -> None:
        """Assign nothing, until `resume`."""
        self._is_paused = True
        self._notify()

    def resume(self) -> None:
        """Assign again."""
        self._is_paused = False

    def close(self) -> None:
        """Assign nothing more, whatever comes back."""
        self._is_closed = True
        self._notify()

    @property
    def _assignable(self) -> int:
        """How many games may be assigned now."""
        return 0 if self._is_on_hold else self._games_left

    def _pop_assignment(self, is_idle: bool, kind: str) -> Assignment | None:
        """Return the next batch that may be played now, with as many of its games as may be assigned."""
        if is_idle and (suspect := self._take_first(self._suspects, kind)):
            return self._assign_part(suspect, self._suspects, kind, is_alone=True)
        games = self._take_first(self._waiting, kind) or self._take_pending(kind)
        return self._assign_part(games, self._waiting, kind, is_alone=False) if games else None

    def _assign_part(self, games: GameBatch, kept: deque[GameBatch], kind: str, *, is_alone: bool) -> Assignment | None:
        """Return as much of a batch as may be assigned; what may not is kept."""
        most = min(self._assignable, self._find_share(len(games)))
        if rest := games[most:]:
            kept.appendleft(rest)
        if most == 0:
            return None
        self._games_left -= len(games[:most])
        self._machines.assign(games[:most], kind)
        return Assignment(games[:most], is_alone, self._games_in_batch)

    def _find_share(self, games: int) -> int:
        """Return how many games of a batch a table gets: its share in all that are left, unless that is few.

        So the parts become smaller towards the end, and all tables end at about the same time (guided self-scheduling,
        Polychronopoulos and Kuck 1987). Each part costs processes of its own.
        """
        if games <= self._least_share or self._tables < 2:
            return games
        in_play = sum(len(assignment.remaining) for assignment in self._assignments)
        left = self._progress.total_games - self._count.games - in_play
        return max(self._least_share, left // self._tables)

    def _take_first(self, batches: deque[GameBatch], kind: str) -> GameBatch | None:
        """Remove the first of these batches that may be played now, and return its remaining games.

        Of a batch that is for several kinds of machine, the rest stays.
        """
        place = 0
        while place < len(batches):
            batch = batches[place]
            if self._is_at_limit(batch):
                place += 1
                continue
            del batches[place]
            games, others = self._machines.split(self._list_unplayed(batch), kind)
            if others:
                batches.insert(place, others)
                place += 1
            if games:
                return games
        return None

    def _take_pending(self, kind: str) -> GameBatch | None:
        """Return what is left of the first scheduled batch that may be played now; let those before it wait."""
        while len(self._waiting) < MAX_WAITING and (batch := next(self._pending, None)) is not None:
            games = self._list_unplayed(batch)
            if games and self._is_at_limit(games):
                self._waiting.append(games)
                continue
            games, others = self._machines.split(games, kind)
            if others:
                self._waiting.append(others)
            if games:
                return games
        return None

    def _cut_batches(self, batches: Iterable[GameBatch]) -> Iterator[GameBatch]:
        """Yield batches; of one in which a bot has a limit, the games of each order of seats by themselves."""
        for batch in batches:
            if self._limits and any(bot in self._limits for game in batch for bot in game.entrants):
                yield from split_by_order(batch)
            else:
                yield batch

    def _list_unplayed(self, batch: GameBatch) -> GameBatch:
        """Return the games of a batch that are still to be played; none with a bot that is disqualified or has left."""
        bots = {bot for game in batch for bot in game.entrants}
        out = {bot for bot in bots if self._count.is_disqualified(bot) or bot in self._progress.absent}
        unplayed = tuple(
            game
            for game in batch
            if game.game_id not in self._played
            and out.isdisjoint(game.entrants)
            and self._progress.is_awaited(game.game_id)
        )
        if self._is_withheld is None:
            return unplayed
        kept = tuple(game for game in unplayed if not self._is_withheld(game.game_id))
        self.has_withheld_games = self.has_withheld_games or len(kept) < len(unplayed)
        return kept

    def _is_at_limit(self, batch: GameBatch) -> bool:
        """Tell whether a bot of this batch, which is of one table then, has as many games in play as it may."""
        entrants = batch[0].entrants
        return any(bot in entrants and self._in_play[bot] >= limit for bot, limit in self._limits.items())

    def _release(self, assignment: Assignment) -> None:
        left = {game.game_id for game in assignment.remaining}
        self._machines.finish(tuple(game for game in assignment.games if game.game_id not in left))
        del self._assignments[assignment]
        self._in_play.subtract(assignment.bots)

    def _notify(self) -> None:
        """Wake all workers that wait."""
        self._change.set()
        self._change = trio.Event()

    def take_back(self, assignments: Iterable[Assignment], have_begun: bool) -> ScheduledGame | None:
        """Take back a dead worker's assignments; return a game that has now brought down too many workers, if any."""
        culprit = None
        for assignment in assignments:
            self._release(assignment)
            left = tuple(assignment.remaining)
            self._games_left += len(left)
            if have_begun:
                suspects, left = left[: self._games_in_batch], left[self._games_in_batch :]
                for suspect in suspects:
                    self._suspects.append((suspect,))
                    self._deaths[suspect.game_id] += 1
                    if self._deaths[suspect.game_id] >= MAX_DEATHS_PER_GAME:
                        culprit = suspect
            if left:
                self._waiting.append(left)
        self._notify()
        return culprit


class BlockMachines:
    """The kinds of machine of the blocks that are begun and not finished."""

    def __init__(self, games_a_block: int) -> None:
        self._games_a_block = games_a_block
        self._kinds: dict[BlockKey, str] = {}
        self._finished: Counter[BlockKey] = Counter()  # games of those blocks
        self._places: Counter[str] = Counter()  # by kind

    def add_place(self, kind: str) -> None:
        """Count a place on a machine of this kind; "": there is only one kind."""
        self._places[kind] += 1

    def remove_place(self, kind: str) -> None:
        """Count a place as gone."""
        self._places[kind] -= 1

    def split(self, games: GameBatch, kind: str) -> tuple[GameBatch, GameBatch]:
        """Return which of these games a machine of this kind may play, and which are for others."""
        if not kind:
            return games, ()
        ours = tuple(game for game in games if self._find_kind(game) in (None, kind))
        return ours, games if not ours else tuple(game for game in games if game not in ours)

    def assign(self, games: GameBatch, kind: str) -> None:
        """Let the blocks of these games be played on this kind."""
        if kind:
            for game in games:
                self._kinds[game.pairing, game.deal] = kind

    def finish(self, games: GameBatch) -> None:
        """Count finished games; a block all of whose games are finished is forgotten."""
        if not self._kinds:
            return
        for game in games:
            key = (game.pairing, game.deal)
            self._finished[key] += 1
            if self._finished[key] >= self._games_a_block:
                del self._finished[key]
                self._kinds.pop(key, None)

    def _find_kind(self, game: ScheduledGame) -> str | None:
        """Return the kind of machine that must play a game; None: any may."""
        found = self._kinds.get((game.pairing, game.deal))
        return found if found is not None and self._places[found] else None
