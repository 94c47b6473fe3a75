"""How Bridge looks and speaks: words for people, by the names of the messages."""

from __future__ import annotations

from typing import Final

from pitboss.parts.deals import DEAL_SHEET
from pitboss.parts.trick_match import TRICK_EVENTS, TRICK_ZONES, TRICKS_RETOLD
from pitboss.rendering.instruments import AimTally, Bidding, BidGrid
from pitboss.rendering.presentation import Presentation
from pitboss_bridge.messages import CALL_SIGNS, STRAIN_SIGNS, STRAINS

PRESENTATION: Final = Presentation(
    goal=(
        "Two against two: take the tricks that your side has bid, or keep the others from theirs.",
        "First the sides bid for trumps and tricks; then the cards are played, with the dummy's hand open.",
        "A contract that is made scores, with bonuses for games and slams; one that fails pays the others.",
    ),
    zones=TRICK_ZONES,
    phases={"call": "make a call", "play": "play a card", "dummy": "play a card of the dummy"},
    actions={
        "bid": "{level}{strain}",
        "double": "double",
        "redouble": "redouble",
        "pass": "pass",
        "play": "play {card}",
    },
    events={
        **TRICK_EVENTS,
        "board": "board {board}: {dealer!p} deals",
        "call": "calls {call}",
        "redeal": "all have passed: the cards are dealt again",
        "contract": "plays {contract}[ {doubled}]",
        "dummy": "lays the dummy down",
        "claim": "the rest is claimed: {tricks} tricks for the declarer's side",
    },
    values={
        "strain": STRAIN_SIGNS,
        "call": {**CALL_SIGNS, "X": "double", "XX": "redouble"},
        "contract": CALL_SIGNS,
        "doubled": {"1": "", "2": "doubled", "4": "redoubled"},
    },
    sheets={"deal_end": DEAL_SHEET},
    retold=(*TRICKS_RETOLD, "calls", "last_calls"),
    counts={"contract": "", "highest bid": ""},
    instruments=(
        Bidding(
            calls={"call": "{call}"},
            ends=("contract",),
            grid=BidGrid(
                action="bid",
                row="level",
                rows=range(1, 8),
                column="strain",
                columns=STRAINS,
                beside=("pass", "double", "redouble"),
            ),
            is_in_picture=True,
        ),
        AimTally(made="tricks", aim="aim", contract="contract", sides=("N–S", "E–W")),
    ),
)
