"""How Oh Hell looks and speaks: words for people, by the names of the messages."""

from __future__ import annotations

from typing import Final

from pitboss.parts.deals import DEAL_SHEET
from pitboss.parts.trick_match import TRICK_EVENTS, TRICK_ZONES, TRICKS_RETOLD
from pitboss.rendering.appearance import ZoneHint
from pitboss.rendering.instruments import AimTally, Bidding, BidGrid
from pitboss.rendering.presentation import Presentation

PRESENTATION: Final = Presentation(
    goal=(
        "Take exactly as many tricks as you have bid.",
        "Say how many tricks you will take, then follow suit; the card that is turned up tells the trumps.",
        "A bid that is met scores ten points and one for each trick; any other scores nothing.",
    ),
    zones={**TRICK_ZONES, "stock": ZoneHint("beside")},
    phases={"bid": "say how many tricks you will take", "play": "play a card"},
    actions={"bid": "bid {tricks}", "play": "play {card}"},
    events={**TRICK_EVENTS, "bid": "bids {tricks}", "trump": "{card} is turned up: its suit is trumps"},
    sheets={"deal_end": DEAL_SHEET},
    retold=TRICKS_RETOLD,
    instruments=(
        Bidding(calls={"bid": "{tricks}"}, grid=BidGrid(action="bid", column="tricks")),
        AimTally(made="tricks", aim="bid"),
    ),
)
