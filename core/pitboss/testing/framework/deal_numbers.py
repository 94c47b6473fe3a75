"""The deals of a match: which one a state is in, and in what order its cards were shuffled."""

from __future__ import annotations

from pitboss.game import AnyState, find_public_counts
from pitboss.parts.deals import DealsState


def read_deal_number(state: AnyState) -> int | None:
    """Return the number of the deal, from 1, or of the part that the public counts name; None if there is none."""
    if isinstance(state, DealsState):
        return state.deal_no
    counts = find_public_counts(state)
    parts = [count.value for count in counts.table if count.role == "part"] if counts is not None else []
    return next((value for value in parts if isinstance(value, int)), None)
