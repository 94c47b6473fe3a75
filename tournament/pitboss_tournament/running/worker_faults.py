"""The faults of a worker's bots: the first one of each is reported at once, and forfeits may disqualify a bot."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

import trio

from pitboss.records.record import Incident
from pitboss_tournament.rounds.schedule import ScheduledGame
from pitboss_tournament.running.worker_protocol import FirstFault, LineWriter


class FirstFaults:
    """The first fault of each entrant in this worker: noted as it happens, and sent to the parent."""

    def __init__(self, writer: LineWriter) -> None:
        self._writer = writer
        self._faulted = set[int]()  # entrants whose first fault is noted
        self._new = deque[FirstFault]()  # not yet sent
        self._noted = trio.Event()

    def note(self, game: ScheduledGame, incident: Incident) -> None:
        """Note a fault, if it is the first of its entrant."""
        entrant = game.entrants[incident.fault.seat]
        if entrant not in self._faulted:
            self._faulted.add(entrant)
            self._new.append(FirstFault(game.game_id, entrant, incident))
            self._noted.set()

    async def report(self) -> None:
        """Send faults as they are noted, for ever."""
        while True:
            await self.send_new()
            self._noted = trio.Event()
            await self._noted.wait()

    async def send_new(self) -> None:
        """Send the faults that have not been sent."""
        while self._new:
            await self._writer.send(self._new.popleft())


class Disqualifications:
    """The disqualified entrants, as the parent names them: before it says that it has counted the game in question."""

    def __init__(self) -> None:
        self._entrants = set[int]()
        self._uncounted: dict[int, trio.Event] = {}  # games with a forfeit that the parent has not yet counted

    def add(self, entrants: Iterable[int]) -> None:
        """Disqualify entrants."""
        self._entrants.update(entrants)

    def has_any(self, entrants: Iterable[int]) -> bool:
        """Whether one of these entrants is disqualified."""
        return not self._entrants.isdisjoint(entrants)

    def await_count(self, game_id: int) -> trio.Event:
        """Return an event that is set when the parent has counted a game with a forfeit; a bot may be out then."""
        counted = self._uncounted[game_id] = trio.Event()
        return counted

    def note_count(self, game_id: int) -> None:
        """Take note that the parent has counted a game."""
        if game_id in self._uncounted:
            self._uncounted.pop(game_id).set()
