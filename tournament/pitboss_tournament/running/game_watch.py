"""The games of a worker that somebody watches, and what has been shown of them.

A match keeps the list of its decisions anyway. What is new in it is looked up a few times a second, so that a decision
costs nothing more when it is watched. `GameWatch` knows what is new, without I/O; `ShownGames` sends it to the parent.
"""

from __future__ import annotations

from typing import Final

import trio

from pitboss_tournament.match.match import Match
from pitboss_tournament.processes.clocks import LoopClock
from pitboss_tournament.running.worker_protocol import LineWriter, ShownDecisions, encode_line

WATCH_SECONDS: Final = 0.1  # between looks at the games that somebody watches


class ShownSoFar:
    """How much of a match has been shown; of none at first."""

    def __init__(self, match: Match | None = None, game_id: int | None = None) -> None:
        self.match = match
        self.game_id = game_id
        self.decisions = 0
        self.faults = 0


class GameWatch:
    """The matches in play by batch, and which of them are watched. A game is watched to its end, then no longer."""

    def __init__(self) -> None:
        self._matches: dict[int, dict[int, Match]] = {}  # by batch: matches in play by game, in the order they began
        self._shown: dict[int, ShownSoFar] = {}  # by batch, of those that are watched

    @property
    def watched(self) -> list[int]:
        """The batches of which a game is watched."""
        return list(self._shown)

    def begin_batch(self, batch: int) -> None:
        """Let a batch be watched from now on."""
        self._matches[batch] = {}

    def begin_game(self, batch: int, game_id: int, match: Match) -> None:
        """Note the start, or the restart, of a game."""
        self._matches[batch][game_id] = match

    def watch(self, batch: int) -> None:
        """Watch the game in play of a batch, or else its next one; nothing happens if the batch is not there."""
        if batch in self._matches:
            self._shown[batch] = ShownSoFar()

    def take_news(self, batch: int) -> ShownDecisions | None:
        """Return what is new in the watched game of a batch: its beginning, decisions, faults; None if nothing is."""
        matches, shown = self._matches.get(batch), self._shown.get(batch)
        if not matches or shown is None:
            return None
        game_id = self._find_shown(batch)
        assert game_id is not None
        match = matches[game_id]
        begins = shown.match is not match
        if begins:
            shown = self._shown[batch] = ShownSoFar(match, game_id)
        elif (shown.decisions, shown.faults) == (len(match.decisions), len(match.incidents)):
            return None
        news = ShownDecisions(
            batch=batch,
            game_id=game_id,
            begins=begins,
            decisions=list(match.decisions[shown.decisions :]),
            faults=[incident.fault for incident in match.incidents[shown.faults :]],
        )
        shown.decisions += len(news.decisions)
        shown.faults += len(news.faults)
        return news

    def end_game(self, batch: int, game_id: int) -> ShownDecisions | None:
        """Return the rest of a game that has ended, if it is watched and there is any; it is no longer watched."""
        rest = None
        if batch in self._shown and self._find_shown(batch) == game_id:
            rest = self.take_news(batch)
            del self._shown[batch]
        self._matches[batch].pop(game_id, None)
        return rest

    def _find_shown(self, batch: int) -> int | None:
        """Return the game of a watched batch that is shown: until it ends, the one that was in play longest."""
        matches, shown = self._matches[batch], self._shown[batch].game_id
        return shown if shown in matches else next(iter(matches), None)

    def end_batch(self, batch: int) -> None:
        """Forget a batch."""
        self._shown.pop(batch, None)
        del self._matches[batch]


class ShownGames:
    """Sends the parent what is new in the games that it watches."""

    def __init__(self, clock: LoopClock, writer: LineWriter) -> None:
        """Watch no game yet. The `clock` of the bots stands still while news are encoded."""
        self.watch = GameWatch()
        self._clock = clock
        self._writer = writer
        self._begun = trio.Event()  # set when a game is watched

    def begin(self, batch: int) -> None:
        """Show a game of a batch to the parent."""
        self.watch.watch(batch)
        self._begun.set()

    async def send_news(self) -> None:
        """Send the decisions of watched games as they come, for ever. While nobody watches, the task sleeps."""
        while True:
            if not self.watch.watched:
                self._begun = trio.Event()
                await self._begun.wait()
            for batch in self.watch.watched:
                with self._clock.pause():
                    line = _encode_news(self.watch.take_news(batch))
                await self.send(line)
            await trio.sleep(WATCH_SECONDS)

    def end_game(self, batch: int, game_id: int) -> bytes | None:
        """Return the rest of a watched game that has ended, encoded; None if there is none."""
        return _encode_news(self.watch.end_game(batch, game_id))

    async def send(self, line: bytes | None) -> None:
        """Send news that have been encoded, if there are any."""
        if line is not None:
            await self._writer.send_line(line)


def _encode_news(news: ShownDecisions | None) -> bytes | None:
    return None if news is None else encode_line(news)
