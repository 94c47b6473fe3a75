"""Spades against OpenSpiel's `spades`: one deal in both, legal actions at every step and points at the end.

There a spade is led only by who holds nothing else, even when spades were broken: the program never notes it. Such
decisions are counted apart (`compared_apart`), and a card that both allow is played.
"""

from __future__ import annotations

from typing import Any, Final

import pyspiel

from pitboss import Random
from pitboss.game import resolve_options
from pitboss.parts.tricks import PlayCard
from pitboss_spades.game import Spades
from pitboss_spades.messages import Bid

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
    global compared_apart
    rng = Random(f"spades/{number}")
    theirs: Any = pyspiel.load_game("spades").new_initial_state()
    ours = GAME.deal(4, resolve_options(GAME, 4, "single"), rng.spawn("deal"))
    hands = [ours.faces(hand) for hand in ours.hands]
    for place in range(52):
        face = hands[place % 4][place // 4].replace("10", "T")
        theirs.apply_action(next(one for one in theirs.legal_actions() if theirs.action_to_string(-1, one) == face))
    compared = 0
    while ours.turn is not None:
        seat = ours.turn.seat
        assert seat == theirs.current_player()
        numbers = {theirs.action_to_string(seat, one): one for one in theirs.legal_actions()}
        legal = {name_action(action): action for action in ours.legal()}
        if legal.keys() != numbers.keys():
            left_out = legal.keys() - numbers.keys()
            assert ours.tricks and not ours.table.zones[ours.trick], (legal, numbers)
            assert numbers.keys() < legal.keys() and all(name[0] == "S" for name in left_out), (legal, numbers)
            compared_apart += 1
        name = rng.choice(sorted(numbers))
        theirs.apply_action(numbers[name])
        ours.play(legal[name])
        compared += 1
    assert theirs.is_terminal()
    assert ours.totals == theirs.returns(), (ours.totals, theirs.returns(), str(theirs))
    return compared
