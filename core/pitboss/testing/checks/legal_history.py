"""Legal histories: every world of a seat can be reached by a game that shows the seat the events it observed."""

from __future__ import annotations

from typing import Final

from pitboss.testing.framework.check import CheckFailed, NotApplicable, check
from pitboss.testing.framework.decision_point import DecisionPoint
from pitboss.testing.framework.history_search import MAX_PLAYS, HistorySearch, derive_chance

LAST_SEARCHED_DECISION: Final = 400  # later histories take too long to search
TOO_MANY_CHOICES: Final = f"too many secret choices: no history was found in {MAX_PLAYS} deals and actions"


@check("point")
def past_is_legal_in_worlds(point: DecisionPoint) -> None:
    """Every world of a seat has a legal history in which the seat observes the real events, byte for byte."""
    if point.number > LAST_SEARCHED_DECISION:
        raise NotApplicable(f"tested in the first {LAST_SEARCHED_DECISION} decisions")
    if point.setup.has_endless_histories:
        raise NotApplicable(TOO_MANY_CHOICES)
    reasons = []
    found = 0
    for seat, world in point.sample_worlds("past", 1 if point.number > 40 else 2):
        chance = derive_chance(point.state.table, world.table)
        if chance is None:
            reasons.append("the table keeps no record of its shuffles")
            continue
        search = HistorySearch(point, seat, world, chance)
        end = search.run()
        if end == "none":
            raise CheckFailed(f"no legal history leads to a world of seat {seat}: {search.nearest_miss}")
        if end == "unfinished":
            point.setup.has_endless_histories = True
            raise NotApplicable(TOO_MANY_CHOICES)
        found += 1
    if not found:
        raise NotApplicable(reasons[0])
