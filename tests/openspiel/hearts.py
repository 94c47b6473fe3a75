"""Hearts against OpenSpiel's `hearts`: one deal in both, legal actions at every step and points at the end.

There the game is one deal, and its points are 26 less ours. Players pass three cards one by one. The queen of spades
breaks hearts (our option `queen_breaks`).
"""

from __future__ import annotations

from typing import Any, Final

import pyspiel

from pitboss import Random
from pitboss.parts.tricks import PlayCard
from pitboss_hearts.messages import HeartsOptions, Pass
from pitboss_hearts.state import HeartsState
from tests.openspiel.deals import choose_named, number_actions

DIRECTIONS: Final = {"Left": 0, "Right": 1, "Across": 2, "No Pass": 3}  # deals played before: ours pass in rotation


def to_theirs(face: str) -> str:
    """Return a card as OpenSpiel's Hearts writes it."""
    return face[1:].replace("10", "T") + face[0]


def compare_hearts(number: int) -> int:
    """Play a deal of Hearts; return the number of decisions compared."""
    rng = Random(f"hearts/{number}")
    has_jack = number % 2 == 1
    theirs: Any = pyspiel.load_game("hearts", {"jd_bonus": has_jack}).new_initial_state()
    options = HeartsOptions(limit=1, queen_breaks=True, jack=has_jack)
    ours = HeartsState.create(4, options, rng.spawn("deal"))
    direction = rng.choice(sorted(DIRECTIONS))
    ours.totals, ours.deal_no = [0] * 4, DIRECTIONS[direction]
    ours.start_deal()
    choose_named(theirs, direction)
    hands = [ours.faces(hand) for hand in ours.hands]
    for place in range(52):
        choose_named(theirs, to_theirs(hands[place % 4][place // 4]))
    compared = 0
    while ours.turn is not None:
        action = rng.choice(ours.legal())
        assert ours.turn.seat == theirs.current_player()
        if isinstance(action, Pass):
            for card in action.cards:
                choose_named(theirs, to_theirs(card))
        else:
            told = sorted(to_theirs(one.card) for one in ours.legal() if isinstance(one, PlayCard))
            assert isinstance(action, PlayCard)
            assert told == sorted(number_actions(theirs)), (told, sorted(number_actions(theirs)))
            choose_named(theirs, to_theirs(action.card))
        ours.play(action)
        compared += 1
    assert theirs.is_terminal()
    assert [26 - points for points in ours.totals] == theirs.returns(), (ours.totals, theirs.returns())
    return compared
