"""Who follows a running tournament: the live screen, lines of progress, JSON events."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Self

import trio

from pitboss.records.record import Incident
from pitboss_tournament.playing.worker_protocol import FinishedGame

REFRESH_SECONDS: Final = 0.5
DRAW_SECONDS: Final = 1.0  # a terminal that takes longer is not waited for


class ProgressListener:
    """Follows a running tournament, as a context manager; this one shows nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        """Leave the tournament."""

    def show_fault(self, name: str, game_id: int, incident: Incident) -> None:
        """Show the first fault of a bot, when it happens."""

    def show_note(self, text: str) -> None:
        """Show what happened to the machines that play."""

    def show_game(self, game: FinishedGame) -> None:
        """Show a finished game. A slow listener holds the tournament up, but no bot's clock."""

    def prepare_refresh(self) -> Callable[[], None]:
        """Return a function that shows the current state; it is called in a thread and may be slow."""
        return lambda: None


async def refresh_display(listener: ProgressListener) -> None:
    """Have a listener show the current state, again and again, until cancelled."""
    limiter = trio.CapacityLimiter(1)  # while one drawing hangs in a terminal, no other begins
    while True:
        with trio.move_on_after(DRAW_SECONDS, shield=True):
            await trio.to_thread.run_sync(listener.prepare_refresh(), abandon_on_cancel=True, limiter=limiter)
        await trio.sleep(REFRESH_SECONDS)
