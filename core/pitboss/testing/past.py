"""The past: what a seat has seen, replayed in a world that it can imagine, is legal throughout."""

# ruff: noqa: D401 - the docstring of a check is what a game promises

from __future__ import annotations

from typing import Final

from pitboss.testing.chances import chance_of
from pitboss.testing.examiner import Broken
from pitboss.testing.moment import Moment
from pitboss.testing.search import Search

LATEST: Final = 400  # decisions that are replayed at most: a past is sought by playing it again and again


def past_is_legal_in_worlds(moment: Moment) -> str | None:
    """What a seat has seen so far could have happened in every world that it can imagine: each event, byte for byte."""
    if moment.number > LATEST:
        return f"looked at in the first {LATEST} decisions"
    reasons = []
    found = 0
    for seat, world in moment.imagined("past", 1 if moment.number > 40 else 2):
        chance = chance_of(moment.state.table, world.table)
        if chance is None:
            reasons.append("the table keeps no record of its shuffles")
            continue
        search = Search(moment, seat, world, chance)
        end = search.run()
        if end == "none":
            raise Broken(f"a world of seat {seat} has no past: {search.nearest}")
        if end == "unfinished":
            reasons.append(f"the search for a past was given up: {search.nearest}")
        found += end == "found"
    return None if found else reasons[0]


OF_A_MOMENT: Final = (past_is_legal_in_worlds,)
