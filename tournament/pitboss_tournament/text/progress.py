"""Progress of a tournament: games done, speed and time left."""

from __future__ import annotations

from collections import deque
from typing import Final

MINUTE: Final = 60
PACE_SECONDS: Final = 60.0  # the speed is that of the last minute,
PACE_GAMES: Final = 20  # or of as much time as these games have taken
SAMPLE_SECONDS: Final = 1.0


class Pace:
    """Games a second over the last minute or, if that is longer, the last PACE_GAMES games."""

    def __init__(self, done: int, now: float) -> None:
        self._samples = deque([(now, done)])  # at least SAMPLE_SECONDS apart

    def measure(self, done: int, now: float) -> float:
        """Return the speed when `done` games are done; 0 if no time has passed. `now` is in seconds."""
        samples = self._samples
        while len(samples) > 1 and now - samples[1][0] >= PACE_SECONDS and done - samples[1][1] >= PACE_GAMES:
            samples.popleft()
        began, before = samples[0]
        if now - samples[-1][0] >= SAMPLE_SECONDS:
            samples.append((now, done))
        return (done - before) / (now - began) if now > began else 0.0


def format_progress(done: int, total: int | None, speed: float) -> str:
    """Return a line of progress: games, speed in games a second, time left."""
    text = f"{done:,}{'' if total is None else f' of {total:,}'} games, {speed:,.1f} a second"
    if total is not None and speed > 0 and done < total:
        text += f", {format_seconds((total - done) / speed)} left"
    return text


def format_seconds(seconds: float) -> str:
    """Return a duration in seconds, minutes or hours: "95 s", "12 min", "2.5 h"."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    if seconds < 100 * MINUTE:
        return f"{seconds / MINUTE:.0f} min"
    return f"{seconds / MINUTE / MINUTE:.1f} h"
