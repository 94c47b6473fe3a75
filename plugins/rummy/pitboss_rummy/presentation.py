"""How Basic Rummy looks and speaks: words for people, by the names of the messages."""

from __future__ import annotations

from typing import Final

from pitboss.rendering.appearance import ZoneHint
from pitboss.rendering.instruments import Track
from pitboss.rendering.presentation import PartSheet, Presentation

PRESENTATION: Final = Presentation(
    goal=(
        "Be the first without cards.",
        "Draw a card, or take the discard; lay sequences and groups on the table, and add to those there.",
        "End your turn with a discard; the cards that a player still holds at the end cost points.",
    ),
    zones={"box": ZoneHint("hidden")},
    phases={"draw": "draw a card, or take the discard", "play": "meld, lay off or discard"},
    actions={
        "draw": "draw from the stock",
        "take": "take the discard",
        "meld": "meld {cards}",
        "layoff": "lay off {card} on meld {meld}",
        "discard": "discard {card}",
    },
    events={
        "up_card": "{card} is turned up",
        "out": "goes out[ with rummy{rummy}]",
        "stalled": "nobody can go on: the deal ends",
        "deal": "deal {deal}: {dealer!p} deals {hand_size} cards each",
        "deal_end": "the deal ends[: {winner!p} wins]",
    },
    sheets={"deal_end": PartSheet("The deal is over", {"this deal": "scores", "score": "totals"}, ("out", "stalled"))},
    instruments=(Track(score="score", goal="points"),),
)
