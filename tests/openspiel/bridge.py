"""Bridge against OpenSpiel's `bridge`: one deal in both, legal actions at every step, and points at the end.

There the dealer is always the first player, and is vulnerable as a parameter says; ours is seat 0 of board 1, 5, 9 or
13. The cards are played there too (`use_double_dummy_result=false`), and the declarer is asked for the dummy's cards.
Nothing differs.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

import pyspiel

from pitboss import Random
from pitboss.game import resolve_options
from pitboss.parts.tricks import PlayCard
from pitboss_bridge.game import Bridge
from pitboss_bridge.messages import CALL_WORDS, BridgeAction
from tests.openspiel.deals import choose_named, play_in_both

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


def choose_name(rng: Random, names: Sequence[str]) -> str:
    """Return a random action; two calls of three are low ones, so that contracts are of all kinds."""
    is_low = "Pass" in names and rng.randbelow(3) > 0
    return rng.choice([name for name in names if name[0] not in "234567"] if is_low else names)


def compare_bridge(number: int) -> int:
    """Play a deal of Bridge; return the number of decisions compared."""
    rng = Random(f"bridge/{number}")
    options = resolve_options(GAME, 4, None, {"deals": 1, "first_board": 1 + 4 * (number % 4)})
    ours = GAME.deal(4, options, rng.spawn("deal"))
    dealer_vul, others_vul = ours.vulnerable()
    theirs: Any = load_bridge(dealer_vul=dealer_vul, others_vul=others_vul).new_initial_state()
    hands = [ours.faces(hand) for hand in ours.hands]
    for place in range(52):
        choose_named(theirs, name_card(hands[place % 4][place // 4]))
    compared = play_in_both(ours, theirs, rng, name_action, choose=choose_name)
    assert ours.totals == theirs.returns(), (ours.totals, theirs.returns(), str(theirs))
    return compared
