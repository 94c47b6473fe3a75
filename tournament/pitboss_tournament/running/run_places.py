"""The places of a run: where a worker plays, where none had anything more to play, and what follows from a loss."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

import trio

from pitboss.errors import PitbossError
from pitboss_tournament.running.dispatcher import Dispatcher
from pitboss_tournament.running.engine import PlaceLost, WorkerPlace

NEW_PLACE_SECONDS: Final = 30.0  # to wait for a machine when all are lost


class WorkerLossError(PitbossError):
    """Worker processes die again and again, or there is no place left for one."""


class RunPlaces:
    """Places from when an engine adds them until nothing is left to play there."""

    def __init__(
        self, dispatcher: Dispatcher, distrusted: Collection[str], begin: Callable[[WorkerPlace], object]
    ) -> None:
        """Have no places; those on machines that are `distrusted` are not added.

        `begin` has a place played at, and tells of its end by `end`.
        """
        self._dispatcher = dispatcher
        self._distrusted = distrusted
        self._begin = begin
        self._busy = set[WorkerPlace]()
        self._idle: list[WorkerPlace] = []  # that had nothing more to play
        self._loss: PlaceLost | None = None  # of the last place, if no other has been found since
        self._change = trio.Event()

    def __len__(self) -> int:
        return len(self._busy)

    def add(self, place: WorkerPlace) -> None:
        """Have a place played at."""
        if place.machine not in self._distrusted:
            self._busy.add(place)
            self._dispatcher.add_place(place.kind, place.tables)
            self._loss = None
            self._notify()
            self._begin(place)

    def end(self, place: WorkerPlace, loss: PlaceLost | None) -> None:
        """Take it that a place has nothing more to play, or is lost; then those that had nothing to play go on."""
        if loss is None:
            self._idle.append(place)
        else:
            idle, self._idle = self._idle, []
            for other in idle:
                self.add(other)
            if self._busy == {place}:
                self._loss = loss
        self._busy.discard(place)
        self._dispatcher.remove_place(place.kind, place.tables)
        self._notify()

    async def wait_until_done(self, is_ending: Callable[[], bool]) -> None:
        """Wait until no place has anything to play; a loss counts for nothing while games are broken off on purpose.

        Raises:
            WorkerLossError: all are lost, and the engine has found no other.
        """
        if not self._busy and self._distrusted:
            raise WorkerLossError("no machine is left that plays as this one does")
        while self._busy:
            await self._change.wait()
            if not self._busy and self._loss is not None and not is_ending():
                with trio.move_on_after(NEW_PLACE_SECONDS):
                    await self._change.wait()
                if not self._busy:
                    raise WorkerLossError(f"nothing is left to play on: {self._loss}")

    def _notify(self) -> None:
        self._change.set()
        self._change = trio.Event()
