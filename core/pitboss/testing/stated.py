"""What a game has stated to its table: constraints that keep to their contract."""

# ruff: noqa: D401 - the docstring of a check is what a game promises

from __future__ import annotations

from typing import Final

from pitboss.testing.examiner import Broken
from pitboss.testing.moment import Moment

TRIES: Final = 12  # ways to fill in the cards that a seat does not see


def constraints_mind_the_unknown(moment: Moment) -> str | None:
    """A constraint that holds where a seat cannot see some of its cards (None) holds whatever those cards are."""
    table, asked = moment.state.table, False
    for nth, stated in enumerate(table.constraints):
        if any(card >= len(table.known) for card in stated.cards):
            continue  # about an empty slot, or cards as they were before they were mixed
        for seat in range(table.layout.seats + 1):
            seen = [card if table.known[card] >> seat & 1 else None for card in stated.cards]
            asked = asked or None in seen
            if None not in seen or not stated.holds(seen):
                continue
            hidden = [card for card, seats in enumerate(table.known) if not seats >> seat & 1]
            rng = moment.random(f"unknown/{nth}/{seat}")
            for _ in range(TRIES):
                rng.shuffle(hidden)
                others = iter(hidden)
                filled = [next(others) if card is None else card for card in seen]
                if not stated.holds(filled):
                    named = [None if card is None else table.layout.deck.faces[card] for card in seen]
                    raise Broken(
                        f"constraint {nth} holds of {named}, as seat {seat} sees it, but not of {table.layout.deck.named(filled)}"
                    )
    return None if asked else "no constraint was about cards that a seat cannot see"


OF_A_MOMENT: Final = (constraints_mind_the_unknown,)
