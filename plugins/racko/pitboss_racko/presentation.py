"""How Rack-O looks and speaks: words for people, by the names of the messages."""

from __future__ import annotations

from typing import Final

from pitboss.rendering.appearance import ZoneHint
from pitboss.rendering.instruments import Track
from pitboss.rendering.presentation import PartSheet, Presentation

PRESENTATION: Final = Presentation(
    goal=(
        "Be the first whose ten cards go up, from slot 5 to slot 50.",
        "Draw a card, or take the discard, and put it in the place of one of your cards, which is discarded.",
        "Cards that you have seen stay where they are: no other way sorts a rack.",
    ),
    zones={"box": ZoneHint("hidden")},
    phases={
        "draw": "draw a card, or take the discard",
        "place": "put the card into your rack, or discard it",
        "declare": "say RACK-O, or wait",
    },
    actions={
        "take": "take into slot {slot}",
        "swap": "put it into slot {slot}",
        "discard": "discard it",
        "declare": "say RACK-O",
        "pass": "put the discard back",
    },
    events={
        "up_card": "{card} is turned up",
        "pass": "puts the discard back",
        "wait": "does not say RACK-O yet",
        "stalled": "nobody can go on: the round ends",
        "round_end": "the round ends[: {declarer!p} has RACK-O]",
        "round": "round {round}: {dealer!p} deals",
    },
    sheets={"round_end": PartSheet("The round is over", {"this round": "points", "score": "totals"})},
    instruments=(Track(score="score", goal="target"),),
)
