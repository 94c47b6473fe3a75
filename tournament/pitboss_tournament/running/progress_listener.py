"""Who follows a running tournament: the live screen, lines of progress, JSON events."""

from __future__ import annotations

from collections.abc import Callable
from time import thread_time
from typing import Final, Self

import trio

from pitboss.records.record import Incident
from pitboss_tournament.running.worker_protocol import FinishedGame

REFRESH_SECONDS: Final = 0.5
DISPLAY_REST_FACTOR: Final = (
    100  # a refresh that took a second is followed by a hundred of rest: 1 % of one processor at most
)
DRAW_SECONDS: Final = 1.0  # the run does not wait for a slower terminal


class ProgressListener:
    """Follows a running tournament, as a context manager; this one shows nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        """Leave the tournament."""

    def show_fault(self, name: str, game_id: int, incident: Incident) -> None:
        """Show the first fault of a bot, when it happens."""

    def show_note(self, text: str) -> None:
        """Show what happened to the machines that play, or to the servers of models."""

    def take_out_changed(self, text: str) -> bool:
        """Take out a bot whose files are not those that are to play, as `text` says.

        Return whether the run goes on, without the bot.
        """
        return False

    def show_game(self, game: FinishedGame) -> None:
        """Show a finished game. A slow listener holds the tournament up, but no bot's clock."""

    def prepare_refresh(self) -> Callable[[], None]:
        """Return a function that shows the current state; it is called in a thread and may be slow."""
        return lambda: None


async def refresh_display(listener: ProgressListener) -> None:
    """Have a listener show the current state, again and again, until cancelled; the longer it takes the less often."""
    limiter = trio.CapacityLimiter(1)  # while one drawing hangs in a terminal, no other begins
    while True:
        spent = await draw_state(listener, limiter)
        await trio.sleep(max(REFRESH_SECONDS, DISPLAY_REST_FACTOR * spent))


async def draw_state(listener: ProgressListener, limiter: trio.CapacityLimiter | None = None) -> float:
    """Have a listener show the current state; return the seconds of computing that it took.

    It is not cancelled, but given up after `DRAW_SECONDS`.
    """
    began = thread_time()
    draw = listener.prepare_refresh()
    spent = thread_time() - began
    with trio.move_on_after(DRAW_SECONDS, shield=True):
        spent += await trio.to_thread.run_sync(_measure_drawing, draw, abandon_on_cancel=True, limiter=limiter)
    return spent


def _measure_drawing(draw: Callable[[], None]) -> float:
    """Draw; return the seconds of computing that it took."""
    began = thread_time()
    draw()
    return thread_time() - began
