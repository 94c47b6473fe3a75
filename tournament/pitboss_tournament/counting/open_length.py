"""Whether the number of games of a tournament was fixed before the first of them.

Only then do Student's t and Holm's test hold. Else somebody may have looked at results first, and then decided how many
games there would be: intervals and verdicts have to hold at any time. All who show results ask here.
"""

from __future__ import annotations

from typing import Final

from pitboss.text import format_count
from pitboss_tournament.store.header import IMPORTED, MERGED
from pitboss_tournament.store.store import Store

IMPORTED_GAMES: Final = "These games were imported"
BOTS_CHANGED: Final = "Bots joined or left after games had been played"
DEALS_CHANGED: Final = "The number of deals was changed after games had been played"
RESULTS_DECIDE: Final = "How many games there are depends on results"
MAY_STOP: Final = "A test may stop the tournament"
NOTHING_PLANNED: Final = "No number of games was planned"
INCOMPLETE: Final = "Not all planned games were played"


def explain_open_length(store: Store, games: int) -> str | None:
    """Return why the number of games of a tournament counts as open, as text; None if it was fixed beforehand.

    It was if the tournament has just the games that were planned before the first of them. A run that was broken off
    and carried on to this number changes nothing, nor does a run that had nothing to play. Stores without runs, which
    were written by hand or by early versions, count as fixed. `games`: how many there are.
    """
    header = store.header
    if header.format.name == MERGED:
        stores = header.count_stores()
        return f"This is a pool of {'several stores' if stores is None else format_count(stores, 'store')}"
    if header.format.name == IMPORTED:
        return IMPORTED_GAMES
    if len(header.rosters) > 1:
        return BOTS_CHANGED
    totals = _list_totals(store)
    if len(totals) > 1:
        return DEALS_CHANGED if header.format.may_grow else RESULTS_DECIDE
    if not totals:
        return None
    if header.stop is not None:
        return MAY_STOP
    if totals == {None}:
        return NOTHING_PLANNED
    if totals == {games}:
        return None
    return RESULTS_DECIDE if all(total is not None and total < games for total in totals) else INCOMPLETE


def _list_totals(store: Store) -> set[int | None]:
    """Return the numbers of games that were planned, from the last run that began before any result could be seen."""
    runs = store.runs()
    blind = [number for number, run in enumerate(runs) if not run.played]
    planned = runs[blind[-1] if blind else 0 :]
    return {run.total for run in planned if run.total is None or run.played < run.total}
