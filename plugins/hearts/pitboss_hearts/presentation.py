"""How Hearts looks and speaks: words for people, by the names of the messages."""

from __future__ import annotations

from typing import Final

from pitboss.parts.deals import DEAL_SHEET
from pitboss.parts.trick_match import TRICK_EVENTS, TRICK_ZONES, TRICKS_RETOLD
from pitboss.rendering.instruments import Track
from pitboss.rendering.presentation import Presentation

PRESENTATION: Final = Presentation(
    goal=(
        "Have the fewest points when somebody reaches 100.",
        "Each heart that you take counts 1, the queen of spades 13; take all of them, and the others pay.",
        "Pass three cards on, then follow suit; the highest card of the suit that was led takes the trick.",
    ),
    zones=TRICK_ZONES,
    phases={
        "pass": "choose the cards that you pass on",
        "play": "play a card",
        "moon": "you have taken everything: add 26 to the others, or subtract 26 from your own points",
    },
    actions={"pass": "pass on {cards}", "play": "play {card}", "moon": "{points}"},
    events={**TRICK_EVENTS, "moon": "has shot the moon: {points}"},
    values={"points": {"add": "add 26 to the others", "subtract": "subtract 26 from your own"}},
    sheets={"deal_end": DEAL_SHEET},
    retold=TRICKS_RETOLD,
    counts={"taken": "points taken"},
    instruments=(Track(score="score", goal="limit"),),
)
