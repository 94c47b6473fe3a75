"""Ends of a run: limits after which it begins no more games, signals that stop it, and why it has ended."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import Final, Literal, NamedTuple, TypeAlias

HoldCause: TypeAlias = Literal["time", "games", "request", "budget", "change", "record"]
"""Why no more games are begun, though some are left: the time, the games or a budget are used up, it was asked, the
tournament file has changed and the run goes on by it, or the record that is played again has no more games.
"""

EndCause: TypeAlias = Literal["complete", "decided", "signal"] | HoldCause
"""Why a run has ended: nothing is left to play, a verdict, a signal that broke games off, or a hold."""


class RunLimits(NamedTuple):
    """When a run begins no more games; those in progress are finished. None: there is no such limit."""

    seconds: float | None = None  # since it began to play
    games: int | None = None  # that this run plays
    has_changed: Callable[[], bool] | None = None  # asked every second: whether other bots are out now

    def shorten(self, seconds: float, games: int) -> RunLimits:
        """Return what is left of the limits after some time and games."""
        left = None if self.seconds is None else max(0.0, self.seconds - seconds)
        return self._replace(seconds=left, games=None if self.games is None else max(0, self.games - games))


NO_LIMITS: Final = RunLimits()


def stop_signals() -> list[signal.Signals]:
    """Return the signals that stop a tournament, without those that `nohup` or a shell's `&` has set to be ignored."""
    known = [getattr(signal, name) for name in ("SIGINT", "SIGHUP", "SIGBREAK") if hasattr(signal, name)]
    wanted = [number for number in known if signal.getsignal(number) is not signal.SIG_IGN]
    return [signal.SIGTERM, *wanted]
