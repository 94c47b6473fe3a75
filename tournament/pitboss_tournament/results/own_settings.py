"""What a tournament sets for one bot and not for the others, in words."""

from __future__ import annotations

from pitboss_tournament.store.header import Header
from pitboss_tournament.text.differences import join_some


def describe_own_settings(header: Header) -> list[str]:
    """Return for each bot what is set for it alone: "clock: decision_ms 5000"; "" for a bot like all."""
    found: list[list[str]] = [[] for _ in header.bots]
    for own, clock in zip(found, header.clocks, strict=False):
        own += [f"clock: {clock}"] if str(clock) else []
    for own, process in zip(found, header.processes, strict=False):
        own += ["a process for each game"] if process == "game" else []
    for own, memory in zip(found, header.memories, strict=False):
        own += ["a memory that lasts from game to game"] if memory == "folder" else []
    return ["; ".join(own) for own in found]


def own_settings_text(header: Header) -> str | None:
    """Return a sentence that names the bots with settings of their own; None if there are none."""
    own = zip(header.bots, describe_own_settings(header), strict=True)
    found = [f"{name} ({settings})" for name, settings in own if settings]
    return f"Not the same for all bots: {join_some(found)}." if found else None
