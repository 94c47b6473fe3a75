"""How Lucky Maker looks and speaks: words for people, by the names of the messages."""

from __future__ import annotations

from typing import Final

from pitboss.rendering.appearance import ZoneHint
from pitboss.rendering.presentation import PartSheet, Presentation

PRESENTATION: Final = Presentation(
    goal=(
        "Score most points with the master cards that you win.",
        "Follow the two suits of the master card; the suit that was played more often decides.",
        "The highest number of that suit wins the master's number in the other suit.",
    ),
    zones={"masters": ZoneHint("beside"), "won": ZoneHint("beside"), "removed": ZoneHint("hidden")},
    phases={"play": "play a card"},
    actions={"play": "play {card}"},
    events={
        "trick": "{winner!p} wins the trick and {points:point|points}",
        "end": "the game ends",
        "game": "game {game}: {lead!p} leads",
    },
    retold=("history", "trick"),
    sheets={"end": PartSheet("Game {game} is over", {"this game": "scores", "score": "totals"})},
)
