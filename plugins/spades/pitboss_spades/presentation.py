"""How Spades looks and speaks: words for people, by the names of the messages."""

from __future__ import annotations

from typing import Final

from pitboss.parts.deals import DEAL_SHEET
from pitboss.parts.trick_match import TRICK_EVENTS, TRICK_ZONES, TRICKS_RETOLD
from pitboss.rendering.instruments import AimTally, Bidding, BidGrid, Track
from pitboss.rendering.presentation import Presentation
from pitboss_spades.state import HAND

PRESENTATION: Final = Presentation(
    goal=(
        "Two against two: be the first side with 500 points.",
        "Bid how many tricks you will take; spades are trumps. The bids of partners are added up.",
        "A bid that is met scores ten a trick; each trick more is a bag, and ten bags cost 100.",
    ),
    zones=TRICK_ZONES,
    phases={
        "blind": "bid blind, or look at your cards",
        "bid": "say how many tricks you will take",
        "play": "play a card",
    },
    actions={"bid": "bid {tricks}", "look": "look at your cards", "play": "play {card}"},
    events={**TRICK_EVENTS, "bid": "bids {tricks}[ blind{blind}]", "look": "looks at the cards"},
    values={"tricks": {"0": "nil"}},
    sheets={"deal_end": DEAL_SHEET},
    retold=TRICKS_RETOLD,
    instruments=(
        Bidding(
            calls={"bid": "{tricks}[ blind{blind}]"},
            grid=BidGrid(action="bid", column="tricks", columns=range(HAND + 1), beside=("look",)),
        ),
        AimTally(made="tricks", aim="bid"),
        Track(score="score", goal="target"),
    ),
)
