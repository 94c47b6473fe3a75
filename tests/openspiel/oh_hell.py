"""Oh Hell against OpenSpiel's `oh_hell`: one deal in both, legal actions at every step and points at the end.

There each trick counts a point (our `scoring` = `tricks`), and the last bidder is bound by the hook. A dealer is drawn
by lot, the player after it bids first: ours is seat `deal_no` - 1.
"""

from __future__ import annotations

from typing import Any, Final

import pyspiel

from pitboss import Random
from pitboss.game import resolve_options
from pitboss.parts.tricks import PlayCard
from pitboss_oh_hell.game import OhHell
from pitboss_oh_hell.messages import Bid
from tests.openspiel.deals import choose_named, play_in_both

GAME: Final = OhHell()


def name_action(action: object) -> str:
    """Return one of our actions as OpenSpiel's Oh Hell writes it."""
    if isinstance(action, PlayCard):
        return action.card.replace("10", "T")
    assert isinstance(action, Bid)
    return str(action.tricks)


def compare_oh_hell(number: int) -> int:
    """Play a deal of Oh Hell; return the number of decisions compared."""
    rng = Random(f"oh hell/{number}")
    seats = 3 + number % 5
    size = 1 + rng.randbelow(51 // seats)
    theirs: Any = pyspiel.load_game("oh_hell", {"players": seats}).new_initial_state()
    options = {"most": size, "order": "most", "scoring": "tricks"}
    ours = GAME.deal(seats, resolve_options(GAME, seats, None, options), rng.spawn("deal"))
    choose_named(theirs, str(size))
    choose_named(theirs, str(seats - 1))
    hands = [ours.faces(hand) for hand in ours.hands]
    for row in range(size):
        for hand in hands:
            choose_named(theirs, hand[row].replace("10", "T"))
    choose_named(theirs, ours.faces(ours.turned_up)[0].replace("10", "T"))
    compared = play_in_both(ours, theirs, rng, name_action)
    assert ours.totals == theirs.returns(), (ours.totals, theirs.returns(), str(theirs))
    return compared
