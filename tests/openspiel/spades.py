"""Spades against OpenSpiel's `spades`: one deal in both, legal actions at every step and points at the end.

There the tricks of a failed nil help the partner (our option `failed_nil`), and a spade is led only by who holds
nothing else, even when spades were broken: the program never notes it. Such decisions are counted apart
(`compared_apart`), and a card that both allow is played.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

import pyspiel

from pitboss import Random
from pitboss.game import resolve_options
from pitboss.parts.tricks import PlayCard
from pitboss_spades.game import Spades
from pitboss_spades.messages import Bid
from tests.openspiel.deals import choose_named, play_in_both

GAME: Final = Spades()

compared_apart = 0  # leads after spades were broken


def name_action(action: object) -> str:
    """Return one of our actions as OpenSpiel's Spades writes it."""
    if isinstance(action, PlayCard):
        return action.card.replace("10", "T")
    assert isinstance(action, Bid)
    return str(action.tricks or "Nil")


def compare_spades(number: int) -> int:
    """Play a deal of Spades; return the number of decisions compared."""
    rng = Random(f"spades/{number}")
    theirs: Any = pyspiel.load_game("spades").new_initial_state()
    ours = GAME.deal(4, resolve_options(GAME, 4, "single", {"failed_nil": "helps"}), rng.spawn("deal"))
    hands = [ours.faces(hand) for hand in ours.hands]
    for place in range(52):
        choose_named(theirs, hands[place % 4][place // 4].replace("10", "T"))

    def explain(legal: Collection[str], told: Collection[str]) -> bool:
        global compared_apart
        compared_apart += 1
        is_lead = bool(ours.tricks) and not ours.table.zones[ours.trick]
        return is_lead and {*told} < {*legal} and all(name[0] == "S" for name in {*legal} - {*told})

    compared = play_in_both(ours, theirs, rng, name_action, explain)
    assert ours.totals == theirs.returns(), (ours.totals, theirs.returns(), str(theirs))
    return compared
