"""How Poker looks and speaks: words for people, by the names of the messages."""

from __future__ import annotations

from typing import Final

from pitboss.rendering.appearance import ZoneHint
from pitboss.rendering.instruments import PotAndCall
from pitboss.rendering.presentation import PartSheet, Presentation

PRESENTATION: Final = Presentation(
    goal=(
        "Win chips.",
        "Check, bet, call, raise or fold, as often as cards are dealt.",
        "The pot goes to the last player left in the hand or, when hands are shown, to the best one.",
    ),
    zones={"stock": ZoneHint("beside"), "muck": ZoneHint("hidden"), "board": ZoneHint(size=5)},
    phases={
        "preflop": "bet before the flop",
        "flop": "bet on the flop",
        "turn": "bet on the turn",
        "river": "bet on the river",
    },
    events={
        "check": "checks",
        "fold": "folds",
        "call": "calls {chips}",
        "bet": "bets {to}",
        "raise": "raises to {to}",
        "small_blind": "small blind {chips}",
        "big_blind": "big blind {chips}",
        "ante": "ante {chips}",
        "all_in": "is all in",
        "return": "gets {chips} back",
        "pot": "{winners!p} wins {shares} of {chips}[ with {hand}]",
        "hand": "hand {hand}",
        "hand_end": "the hand ends",
    },
    retold=("history", "min_raise", "max_raise"),
    sheets={"hand_end": PartSheet("Hand {hand} is over", {"this hand": "won", "in all": "net"}, ("pot",))},
    instruments=(PotAndCall(call="call"),),
)
