"""How Cribbage looks and speaks: words for people, by the names of the messages."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from pitboss.parts.deals import DEAL_SHEET
from pitboss.rendering.appearance import ZoneHint
from pitboss.rendering.instruments import Track
from pitboss.rendering.presentation import Presentation

SCORED: Final = {  # what is scored, by the name of its event, in the words of the players
    "heels": "two for his heels",
    "pair": "pairs",
    "run": "a run",
    "fifteen": "fifteen",
    "thirty_one": "thirty-one",
    "for_go": "for the go",
    "last_card": "the last card",
    "hand": "the hand",
    "crib": "the crib",
    "muggins": "muggins",
    "in_play": "in the play",
}

PRESENTATION: Final = Presentation(
    goal=(
        "Be the first side with 121 points.",
        "Lay cards away for the dealer's crib, then play the others in turn, up to a count of 31.",
        "Fifteens, pairs and runs score, first in play and then in the hands with the card turned up.",
    ),
    zones={"laid_away": ZoneHint("beside")},
    phases={
        "lay_away": "lay cards away into the crib",
        "play": "play a card",
        "claim": "say how many points your cards are worth",
    },
    actions={
        "lay_away": "lay away {cards}",
        "play": "play {card}",
        "go": "say go",
        "claim": "claim {points:point|points}",
    },
    events={
        "starter": "{card} is the starter",
        "go": "says go",
        **{name: f"{words}, {{points:point|points}}" for name, words in SCORED.items()},
        "claim": "claims {points:point|points}[ of {worth}]",
        "deal_end": "the deal ends",
    },
    sheets={"deal_end": replace(DEAL_SHEET, lines=(*SCORED, "claim"))},
    instruments=(Track(score="score", goal="target", is_board=True),),
)
