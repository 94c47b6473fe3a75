"""Dou Dizhu against OpenSpiel's `dou_dizhu`: one deal in both, legal actions at every step and points at the end.

There a card turned up says who bids first: it is chosen to fall to our first player. All pass makes a deal void,
kickers may be alike, and there are no quads with kickers. Three differences are counted:

* 333444555666 leads there as four trios or as three with kickers, which are two actions; ours is one, four trios.
* There no chain of cards, pairs or trios without kickers begins with a rank of which the hand has all four cards.
* There bombs may be laid on the rocket, which beats everything in ours.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

import pyspiel

from pitboss import Random
from pitboss.game import resolve_options
from pitboss.parts.climbing import RANK_BITS, ranks_by_count
from pitboss_dou_dizhu.combinations import code_faces, read_play
from pitboss_dou_dizhu.game import DouDizhu
from pitboss_dou_dizhu.messages import Bid, Play
from pitboss_dou_dizhu.state import DouDizhuState
from tests.openspiel.deals import choose_named, number_actions

GAME: Final = DouDizhu()
OPTIONS: Final = {"auction": "bids", "all_pass": "void", "kickers": "any", "quads": False}
SUITS: Final = "CDHS"
JOKERS: Final = {"BJ": "(BWJ)", "RJ": "(CJ)"}
BY_JOKER: Final = {name: face for face, name in JOKERS.items()}
CHAINS: Final = ("chain", "pair chain", "trio chain")

differences: Final = Counter[str]()  # of the legal lists, by their reason


def read_name(name: str) -> str:
    """Return an action of OpenSpiel's by its cards, in the order of their ranks: "333-4" becomes "3 3 3 4"."""
    if name == "Pass" or name.startswith("Bid"):
        return name
    for joker, face in BY_JOKER.items():
        name = name.replace(joker, f" {face} ")
    words = name.replace("-", "").split()
    faces = [part for word in words for part in ([word] if word in JOKERS else word)]
    return " ".join(Play(tuple("10" if face == "T" else face for face in faces)).cards)


def name_action(action: object) -> str:
    """Return one of our actions by the same name."""
    if isinstance(action, Play):
        return " ".join(action.cards)
    return f"Bid {action.stake}" if isinstance(action, Bid) else "Pass"


def explain(ours: DouDizhuState, more: set[str]) -> None:
    """Count what ours allows and theirs does not: chains that begin with a rank of which all four cards are held."""
    assert ours.turn is not None
    fours = ranks_by_count(ours.read_hand(ours.turn.seat))[3]
    for name in more:
        cards = code_faces(name.split())
        (kind, *_), lowest = read_play(cards, ours.rules), cards & -cards
        head = 1 << (lowest.bit_length() - 1) // RANK_BITS * RANK_BITS
        assert kind.kind in CHAINS and head & fours, (name, str(ours.position()))
        differences["chains from four of a rank"] += 1


def deal_in_theirs(ours: DouDizhuState) -> Any:  # noqa: ANN401 - a state of OpenSpiel
    """Return OpenSpiel's state after the same deal."""
    theirs = pyspiel.load_game("dou_dizhu").new_initial_state()
    theirs.apply_action(ours.first_caller)
    hands, gone = [ours.faces(hand) for hand in ours.hands], Counter[str]()
    for row in range(17):
        for hand in hands:
            face = hand[row]
            suit = SUITS[gone[face]] if face not in JOKERS else ""
            gone[face] += 1
            choose_named(theirs, f"Deal {suit}{JOKERS.get(face, face.replace('10', 'T'))}")
    return theirs


def compare_dou_dizhu(number: int) -> int:
    """Play a deal of Dou Dizhu; return the number of decisions compared."""
    rng = Random(f"dou-dizhu/{number}")
    ours = GAME.deal(3, resolve_options(GAME, 3, None, OPTIONS), rng.spawn("deal"))
    theirs = deal_in_theirs(ours)
    compared = 0
    while ours.turn is not None:
        assert ours.turn.seat == theirs.current_player(), (ours.turn, str(theirs))
        numbers: dict[str, int] = {}
        for name, one in number_actions(theirs).items():
            cards = read_name(name)
            if cards in numbers:
                assert len(cards.split()) == 12 and ours.round.top is None, name
                differences["two readings"] += 1
            numbers[cards] = min(one, numbers.get(cards, one))  # four trios have the lower number
        legal = {name_action(action): action for action in ours.legal()}
        if beyond := numbers.keys() - legal.keys():
            top = ours.round.top
            assert top is not None and top.kind == "rocket", (beyond, str(theirs))
            assert all(read_play(code_faces(name.split()), ours.rules)[0].kind == "bomb" for name in beyond), beyond
            differences["bombs on the rocket"] += len(beyond)
            numbers = {name: one for name, one in numbers.items() if name not in beyond}
        explain(ours, legal.keys() - numbers.keys())
        names = sorted(numbers)
        longest = [name for name in names if len(name) > 8]
        name = rng.choice(longest if longest and number % 2 else names)
        theirs.apply_action(numbers[name])
        ours.play(legal[name])
        compared += 1
    assert theirs.is_terminal(), str(theirs)
    assert [float(total) for total in ours.totals] == theirs.returns(), (ours.totals, str(theirs))
    return compared
