"""The contract of the constraints that a game has stated."""

from __future__ import annotations

from typing import Final

from pitboss.testing.framework.check import CheckFailed, NotApplicable, check
from pitboss.testing.framework.decision_point import DecisionPoint

MAX_TRIES: Final = 12  # ways to fill in the cards that a seat does not see


@check("point")
def constraints_mind_the_unknown(point: DecisionPoint) -> None:
    """A constraint that holds with None in place of the cards that a seat does not know holds whatever they are."""
    table, asked = point.state.table, False
    for nth, stated in enumerate(table.constraints):
        if any(card >= len(table.known_by) for card in stated.cards):
            continue  # about an empty slot, or cards as they were before they were mixed
        for seat in range(table.layout.seats + 1):
            seen = tuple([card if table.known_by[card] >> seat & 1 else None for card in stated.cards])
            asked = asked or None in seen
            if None not in seen or not stated.holds(seen):
                continue
            hidden = [card for card, seats in enumerate(table.known_by) if not seats >> seat & 1]
            rng = point.random_stream(f"unknown/{nth}/{seat}")
            for _ in range(MAX_TRIES):
                rng.shuffle(hidden)
                others = iter(hidden)
                filled = tuple([next(others) if card is None else card for card in seen])
                if not stated.holds(filled):
                    named = [None if card is None else table.layout.deck.faces[card] for card in seen]
                    raise CheckFailed(
                        f"constraint {nth} holds for {named}, as seat {seat} sees it, "
                        f"but not for {table.layout.deck.faces_of(filled)}"
                    )
    if not asked:
        raise NotApplicable("no constraint was about cards that a seat cannot see")
