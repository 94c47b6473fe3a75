"""How Crazy Eights looks and speaks: words for people, by the names of the messages."""

from __future__ import annotations

from typing import Final

from pitboss.parts.deals import DEAL_SHEET
from pitboss.rendering.appearance import SUIT_NAMES
from pitboss.rendering.instruments import Direction, Track
from pitboss.rendering.presentation import Presentation

PRESENTATION: Final = Presentation(
    goal=(
        "Get rid of all your cards.",
        "Play a card of the suit or the rank of the last one, or an eight, which names the next suit; or draw.",
        "The first without cards scores what the others still hold.",
    ),
    phases={"play": "play a card that fits, or draw", "due": "play a card that passes the draw on, or draw"},
    actions={
        "play": "play {card}[, {suit} must follow][, and announce the last card{last}]",
        "draw": "draw a card",
        "pass": "pass",
    },
    events={
        "suit": "{suit} must follow",
        "pass": "passes",
        "up_card": "{card} is turned up",
        "out": "is out of cards",
        "blocked": "nobody can go on: the deal ends",
        "last_card": "announces the last card",
        "last_card_forgotten": "has forgotten to announce the last card",
        "deal_end": "the deal ends",
    },
    values={"suit": SUIT_NAMES},
    sheets={"deal_end": DEAL_SHEET},
    counts={"turns go": ""},
    instruments=(Direction(), Track(score="score", goal="target")),
)
