"""How Dou Dizhu looks and speaks: words for people, by the names of the messages."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from pitboss.parts.deals import DEAL_SHEET
from pitboss.rendering.appearance import ZoneHint
from pitboss.rendering.instruments import Bidding, BidGrid
from pitboss.rendering.presentation import Presentation
from pitboss_dou_dizhu.messages import RANKS

PRESENTATION: Final = Presentation(
    goal=(
        "Get rid of all cards: the landlord alone, or one of the others for all of them.",
        "The highest bid makes the landlord, who takes the cards that are left and leads.",
        "In turn lay a higher combination of the same kind, or pass; each bomb doubles the stake.",
    ),
    zones={"bottom": ZoneHint("beside"), "played": ZoneHint("beside")},
    order=RANKS,
    phases={
        "bid": "bid for the landlord's place, or pass",
        "call": "call for the landlord's place, or pass",
        "rob": "rob the landlord's place, or pass",
        "play": "play a combination that beats the last, or pass",
    },
    actions={"bid": "bid {stake}", "call": "call", "rob": "rob", "pass": "pass", "play": "lay {cards}"},
    events={
        "bid": "bids {stake}",
        "call": "calls",
        "rob": "robs",
        "pass": "passes",
        "landlord": "is the landlord",
        "spring": "spring: one side has played no card",
        "deal_end": "the deal ends",
    },
    retold=("plays", "calls"),
    sheets={"deal_end": replace(DEAL_SHEET, lines=("landlord", "spring"))},
    buttons=("bid", "call", "rob", "pass"),
    instruments=(
        Bidding(
            calls={"bid": "{stake}", "call": "call", "rob": "rob", "pass": "pass"},
            ends=("landlord",),
            grid=BidGrid(action="bid", column="stake", beside=("call", "rob", "pass")),
        ),
    ),
)
