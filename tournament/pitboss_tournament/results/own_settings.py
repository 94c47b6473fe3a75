"""What makes the bots of a tournament unequal beside their play, in words: own settings, and who sits beside whom."""

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


def neighbours_text(header: Header) -> str | None:
    """Return a sentence on what a seating confounds that keeps the neighbours of each bot; None if it keeps none."""
    if not header.keeps_neighbours:
        return None
    return (
        f"With the seating {header.seating!r} each bot of a table has the same neighbours in all deals. So the "
        "difference of two bots may come from who acts before and after them, and more deals do not remove that "
        "effect. The seating 'balanced', in a new store, does."
    )
