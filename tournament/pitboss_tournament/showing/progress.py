"""Progress of a tournament: games done, speed and time left."""

from __future__ import annotations

from typing import Final

MINUTE: Final = 60


def format_progress(done: int, total: int | None, before: int, seconds: float) -> str:
    """Return a line of progress: games, speed, time left. `before`: games stored when this run began `seconds` ago."""
    speed = (done - before) / seconds if seconds > 0 else 0.0
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
