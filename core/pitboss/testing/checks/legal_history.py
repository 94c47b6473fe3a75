"""Legal histories: every world of a seat can be reached by a game that shows the seat the events it observed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from pitboss.game import find_limit
from pitboss.table.cards import Face
from pitboss.table.table import Table
from pitboss.testing.framework.check import CheckFailed, NotApplicable, check
from pitboss.testing.framework.decision_point import DecisionPoint
from pitboss.testing.framework.history_search import MAX_PLAYS, HistorySearch, derive_chance

CURE: Final = (
    "if the rules tell all that they cannot, the game states it as soon as they do: `table.restrict` for each card, "
    "`table.constrain` for cards together"
)
MAX_ZONES: Final = 3  # that a failure names, those with few other cards
MAX_FACES: Final = 6
LAST_SEARCHED_DECISION: Final = 400  # later histories take too long to search
TOO_MANY_CHOICES: Final = f"too many secret choices: no history was found in {MAX_PLAYS} deals and actions"


@check("point")
def past_is_legal_in_worlds(point: DecisionPoint) -> None:
    """Every world of a seat has a legal history in which the seat observes the real events, byte for byte."""
    if point.number > LAST_SEARCHED_DECISION:
        raise NotApplicable(f"tested in the first {LAST_SEARCHED_DECISION} decisions")
    setup = point.setup
    if why := find_limit(setup.game, setup.seats, setup.options, "lots"):
        raise NotApplicable(f"the game cannot be dealt again from what chance decided: {why}")
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
            raise CheckFailed(
                f"no legal history leads to a world of seat {seat}: {search.nearest_miss}; other cards lie there "
                f"({_describe_other_cards(point.state.table, world.table)}); {CURE}"
            )
        if end == "unfinished":
            point.setup.has_endless_histories = True
            raise NotApplicable(TOO_MANY_CHOICES)
        found += 1
    if not found:
        raise NotApplicable(reasons[0])


def _describe_other_cards(real: Table, world: Table) -> str:
    """Return the cards that a world has in other places: "hand 1: H2 H9 in place of S4 S7"."""
    faces, parts = real.layout.deck.faces, []
    for zone, before, after in zip(real.layout.zones, real.zones, world.zones, strict=True):
        places = [(faces[old], faces[new]) for old, new in zip(before, after, strict=True) if old >= 0]
        if zone.hides_places:
            had, has = Counter(old for old, _ in places), Counter(new for _, new in places)
            out, put = list((had - has).elements()), list((has - had).elements())
        else:
            moved = [pair for pair in places if pair[0] != pair[1]]
            out, put = [old for old, _ in moved], [new for _, new in moved]
        if put:
            parts.append(f"{zone.name}: {_list_faces(put)} in place of {_list_faces(out)}")
    shown = sorted(parts, key=len)[:MAX_ZONES]
    return "; ".join(shown) or "no other cards: see what it chose"


def _list_faces(faces: Sequence[Face]) -> str:
    more = len(faces) - MAX_FACES
    return " ".join(map(str, faces[:MAX_FACES])) + (f" and {more} more" if more > 0 else "")
