"""The outcome of a game of poker: section 3 of the rule book."""

from __future__ import annotations

from pitboss import Outcome, competition_places, solo_sides
from pitboss_poker.state import PokerStateBase


def find_outcome(state: PokerStateBase) -> Outcome:
    """E2, E3: points are the chips won; of two who have lost all their chips, who lost them later stands before.

    Of two who lost them in the same hand, who had more before it stands before.
    """
    ranks = [
        (state.hand_no + 1, won) if not out else (out, stack)
        for won, out, stack in zip(state.net, state.out_hands, state.out_stacks, strict=True)
    ]
    order = sorted(set(ranks))
    return Outcome(
        points=tuple(map(float, state.net)),
        places=competition_places([order.index(rank) for rank in ranks]),
        sides=solo_sides(len(ranks)),
    )
