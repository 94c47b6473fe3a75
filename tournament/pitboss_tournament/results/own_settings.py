"""What a tournament sets for one bot and not for the others, in words."""

from __future__ import annotations

from pitboss_tournament.store.header import Header
from pitboss_tournament.text.differences import join_some


def describe_own_settings(header: Header) -> list[str]:
    """Return for each bot what is set for it alone: "clock: decision_ms 5000"; "" for a bot like all."""
    return [str(entry.own) for entry in header.entries]


def own_settings_text(header: Header) -> str | None:
    """Return a sentence that names the bots with settings of their own; None if there are none."""
    own = zip(header.labels, describe_own_settings(header), strict=True)
    found = [f"{name} ({settings})" for name, settings in own if settings]
    return f"Not the same for all bots: {join_some(found)}." if found else None
