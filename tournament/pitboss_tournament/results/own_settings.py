"""What makes the bots of a tournament unequal beside their play, in words: own settings, sandbox, neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from pitboss.text import join_words
from pitboss_tournament.store.header import IMPORTED, Header
from pitboss_tournament.store.store import Store
from pitboss_tournament.text.differences import join_some


def describe_own_settings(header: Header) -> list[str]:
    """Return for each bot what is set for it alone: "clock: decision_ms 5000"; "" for a bot like all."""
    return [str(entry.own) for entry in header.entries]


def own_settings_text(header: Header) -> str | None:
    """Return a sentence that names the bots with settings of their own; None if there are none."""
    own = zip(header.labels, describe_own_settings(header), strict=True)
    found = [f"{name} ({settings})" for name, settings in own if settings]
    return f"Not the same for all bots: {join_some(found)}." if found else None


def list_run_levels(store: Store) -> list[str]:
    """Return the level of the sandbox of each run of a store; none of games that were imported."""
    if store.header.format.name == IMPORTED:
        return []
    return [run.sandbox for run in store.runs()] or [store.header.sandbox]


def sandbox_text(levels: Sequence[str]) -> str | None:
    """Return a sentence that names the level of the sandbox, of each run if they differ; None if none is known."""
    if not levels:
        return None
    spans = [[number for number, _ in run] for _, run in groupby(enumerate(levels, start=1), key=lambda one: one[1])]
    if len(spans) == 1:
        return f"The sandbox of all bots: {levels[0]}."
    told = [f"{levels[span[0] - 1]} in run {span[0]}{f' to {span[-1]}' if span[1:] else ''}" for span in spans]
    return f"The sandbox was not the same in all runs: {join_words(told, 'and')}."


def neighbours_text(header: Header) -> str | None:
    """Return a sentence on a seating that keeps the neighbours of each bot; None if it does not."""
    if not header.keeps_neighbours:
        return None
    return f"With the seating {header.seating!r} each bot of a table has the same neighbours in all deals."


def explain_neighbours(header: Header) -> str | None:
    """Return `neighbours_text` with what such a seating confounds, and the seating that does not; None as there."""
    kept = neighbours_text(header)
    return kept and (
        f"{kept} So the difference of two bots may come from the bots that act before and after them. More deals do "
        "not remove this effect; the seating 'balanced', in a new store, does."
    )
