"""How Gin Rummy looks and speaks: words for people, by the names of the messages."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from pitboss.parts.deals import DEAL_SHEET
from pitboss.rendering.instruments import Track
from pitboss.rendering.presentation import Presentation

PRESENTATION: Final = Presentation(
    goal=(
        "Form melds: three or four cards of a rank, or sequences of a suit.",
        "Draw a card and discard one; knock when ten points at most are loose beside your melds.",
        "Fewer loose points win the difference; the first player with 100 points wins.",
    ),
    phases={
        "first": "take the card that is turned up, or pass",
        "draw": "draw a card, or take the discard",
        "discard": "discard a card, or knock",
        "wall": "take the discard and knock with it, or pass",
        "arrange": "choose how your melds lie",
    },
    actions={
        "take": "take the discard",
        "draw": "draw from the stock",
        "pass": "pass",
        "discard": "discard {card}",
        "knock": "knock, discarding {card}",
        "arrange": "lay down {melds}",
    },
    events={
        "up_card": "{card} is turned up",
        "pass": "passes",
        "melds": "shows {melds}[, with {loose} left over]",
        "layoffs": "lays off {cards}[, with {loose} left over]",
        "won": "wins {points:point|points} by {way}",
        "no_winner": "nobody wins the deal",
        "deal_end": "the deal ends",
    },
    values={"way": {"knock": "a knock", "gin": "gin", "big_gin": "big gin", "undercut": "an undercut"}},
    sheets={"deal_end": replace(DEAL_SHEET, lines=("melds", "layoffs", "won", "no_winner"))},
    instruments=(Track(score="score", goal="target"),),
)
