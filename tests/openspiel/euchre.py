"""Euchre against OpenSpiel's `euchre`: one deal in both, legal actions at every step and points at the end.

Every second deal the dealer is stuck (`stick`), and in half of the deals a defender may play alone (`defend_alone` =
`any`). There the maker says after the dealer's discard whether it goes alone: ours says so with its call, so that this
decision is made there when it is asked for. Its points are the makers' less the others'.
"""

from __future__ import annotations

from typing import Any, Final

import pyspiel

from pitboss import Random
from pitboss.game import resolve_options
from pitboss.parts.tricks import PlayCard
from pitboss_euchre.game import Euchre
from pitboss_euchre.messages import Defend, Discard, NameTrump, OrderUp, Pass
from pitboss_euchre.state import EuchreState
from tests.openspiel.deals import choose_named, number_actions

GAME: Final = Euchre()
SUITS: Final = {"S": "Spades", "H": "Hearts", "D": "Diamonds", "C": "Clubs"}
ALONE: Final = {True: "Alone", False: "Partner"}


def name_action(ours: EuchreState, action: object) -> str:
    """Return one of our actions as OpenSpiel's Euchre writes it, without what it says about going alone."""
    match action:
        case PlayCard(card) | Discard(card):
            return card.replace("10", "T")
        case OrderUp():
            return SUITS[str(ours.turned_suit)]
        case NameTrump(suit):
            return SUITS[suit]
        case Defend(alone):
            return ALONE[alone]
        case _:
            assert isinstance(action, Pass)
            return "Pass"


def compare_euchre(number: int) -> int:
    """Play a deal of Euchre; return the number of decisions compared."""
    rng = Random(f"euchre/{number}")
    is_stuck, may_defend = number % 2 == 1, number % 4 < 2
    settings = {"stick_the_dealer": is_stuck, "allow_lone_defender": may_defend}
    theirs: Any = pyspiel.load_game("euchre", settings).new_initial_state()
    options = {"deals": 1, "stick": is_stuck, "defend_alone": "any" if may_defend else "never"}
    ours = GAME.deal(4, resolve_options(GAME, 4, None, options), rng.spawn("deal"))
    choose_named(theirs, "NESW"[ours.dealer])
    hands = [ours.faces(hand) for hand in ours.hands]
    for row in range(5):
        for step in range(4):
            choose_named(theirs, hands[(ours.dealer + step) % 4][row].replace("10", "T"))
    choose_named(theirs, ours.turned_face.replace("10", "T"))
    compared = 0
    while ours.turn is not None:
        assert ours.turn.seat == theirs.current_player(), (ours.turn, str(theirs))
        legal = ours.legal()
        named = {name_action(ours, action) for action in legal}
        assert named == number_actions(theirs).keys(), (legal, number_actions(theirs), str(theirs))
        action = rng.choice(legal)
        choose_named(theirs, name_action(ours, action))
        ours.play(action)
        compared += 1
        if isinstance(action, NameTrump | Discard):
            assert number_actions(theirs).keys() == {*ALONE.values()}
            choose_named(theirs, ALONE[ours.maker in ours.loners])
    assert theirs.is_terminal(), str(theirs)
    difference = ours.totals[0] - ours.totals[1]
    assert [difference, -difference, difference, -difference] == theirs.returns(), (ours.totals, str(theirs))
    return compared
