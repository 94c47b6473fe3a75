"""How Euchre looks and speaks: words for people, by the names of the messages."""

from __future__ import annotations

from typing import Final

from pitboss.parts.deals import DEAL_SHEET
from pitboss.parts.trick_match import TRICK_EVENTS, TRICK_ZONES, TRICKS_RETOLD
from pitboss.rendering.appearance import SUIT_NAMES, ZoneHint
from pitboss.rendering.instruments import AimTally, Bidding, Track
from pitboss.rendering.presentation import Presentation

PRESENTATION: Final = Presentation(
    goal=(
        "Two against two: be the first side with ten points.",
        "Each hand has five cards; the side that makes trumps has to take three of the five tricks.",
        "All five tricks score two, alone four; a side that makes trumps and fails gives the others two.",
    ),
    zones={**TRICK_ZONES, "stock": ZoneHint("beside"), "laid_away": ZoneHint("beside")},
    phases={
        "benny": "name the suit of the joker",
        "call": "order the trumps, or pass",
        "discard": "discard a card",
        "defend": "defend with your partner, or alone",
        "play": "play a card",
    },
    actions={
        "pass": "pass",
        "order": "order it up[, and play alone{alone}]",
        "name": "name {suit}[, and play alone{alone}]",
        "defend": "defend[ alone{alone}]",
        "discard": "discard {card}",
        "play": "play {card}",
    },
    events={
        **TRICK_EVENTS,
        "pass": "passes",
        "benny": "names {suit} for the joker",
        "trumps": "makes {suit} trumps[, and plays alone{alone}]",
        "defend": "defends[ alone{alone}]",
        "up": "{card} is turned up",
    },
    values={"suit": {**SUIT_NAMES, "NT": "no trumps"}},
    sheets={"deal_end": DEAL_SHEET},
    retold=TRICKS_RETOLD,
    counts={"maker": ""},
    instruments=(
        Bidding(calls={"pass": "pass", "trumps": "{suit}[ alone{alone}]"}, ends=("trumps",)),
        AimTally(made="tricks", aim="aim", contract="maker"),
        Track(score="score", goal="target"),
    ),
)
