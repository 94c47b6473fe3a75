"""Bridge against OpenSpiel's `bridge`: one deal in both, legal actions at every step, and points at the end.

There the dealer is always the first player, and is vulnerable as a parameter says; ours is seat 0 of board 1, 5, 9 or
13. The cards are played there too (`use_double_dummy_result=false`), and the declarer is asked for the dummy's cards.
Nothing differs.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import pyspiel

from pitboss import Random
from pitboss.game import resolve_options
from pitboss.parts.tricks import PlayCard
from pitboss_bridge.game import Bridge, BridgeState
from pitboss_bridge.messages import CALL_WORDS, BridgeAction

GAME: Final = Bridge()
SUIT_SIGNS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
CALL_NAMES: Final = {"pass": "Pass", "X": "Dbl", "XX": "RDbl"}


@lru_cache
def load_bridge(*, dealer_vul: bool, others_vul: bool) -> Any:  # noqa: ANN401 - a game of OpenSpiel
    """Return OpenSpiel's Bridge, whose cards are played."""
    parameters = {"use_double_dummy_result": False, "dealer_vul": dealer_vul, "non_dealer_vul": others_vul}
    return pyspiel.load_game("bridge", parameters)


def name_card(face: str) -> str:
    """Return a card as OpenSpiel's Bridge writes it."""
    return SUIT_SIGNS[face[0]] + face[1:]


def name_action(action: BridgeAction) -> str:
    """Return one of our actions as OpenSpiel's Bridge writes it."""
    if isinstance(action, PlayCard):
        return name_card(action.card)
    word = CALL_WORDS[action]
    return CALL_NAMES.get(word) or word[0] + SUIT_SIGNS.get(word[1:], word[1:])


def choose_action(state: BridgeState, rng: Random) -> BridgeAction:
    """Return a random action; two calls of three are passes, doubles or low bids, so that auctions are of all kinds."""
    legal = state.legal()
    is_low = state.turn is not None and state.turn.phase == "call" and rng.randbelow(3) > 0
    return rng.choice(legal[:4] if is_low else legal)


def compare_bridge(number: int) -> int:
    """Play a deal of Bridge; return the number of decisions compared."""
    rng = Random(f"bridge/{number}")
    options = resolve_options(GAME, 4, None, {"deals": 1, "first_board": 1 + 4 * (number % 4)})
    ours = GAME.deal(4, options, rng.spawn("deal"))
    dealer_vul, others_vul = ours.vulnerable()
    theirs: Any = load_bridge(dealer_vul=dealer_vul, others_vul=others_vul).new_initial_state()
    hands = [ours.faces(hand) for hand in ours.hands]
    for place in range(52):
        face = name_card(hands[place % 4][place // 4])
        theirs.apply_action(next(one for one in theirs.legal_actions() if theirs.action_to_string(-1, one) == face))
    compared = 0
    while ours.turn is not None:
        seat = ours.turn.seat
        assert seat == theirs.current_player()
        numbers = {theirs.action_to_string(seat, one): one for one in theirs.legal_actions()}
        names = {name_action(action) for action in ours.legal()}
        assert names == numbers.keys(), (names, numbers, str(theirs))
        action = choose_action(ours, rng)
        theirs.apply_action(numbers[name_action(action)])
        ours.play(action)
        compared += 1
    assert theirs.is_terminal()
    assert ours.totals == theirs.returns(), (ours.totals, theirs.returns(), str(theirs))
    return compared
