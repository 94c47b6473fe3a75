"""How Fireworks looks and speaks: words for people, by the names of the messages."""

from __future__ import annotations

from typing import Final

from pitboss.rendering.appearance import ZoneHint
from pitboss.rendering.instruments import Marks
from pitboss.rendering.presentation import Presentation
from pitboss_fireworks.cards import COLOUR_NAMES, HIGHEST

TOLD: Final = {  # what is known of a card, as it is drawn on it
    f"{colour}{number}": f"{COLOUR_NAMES.get(colour, '')} {number.strip('?')}".strip()
    for colour in ("?", *COLOUR_NAMES)
    for number in ("?", *map(str, range(1, HIGHEST + 1)))
}

PRESENTATION: Final = Presentation(
    goal=(
        "Together, play each colour from 1 up to 5.",
        "You see all hands but your own: play a card, discard one, or pay a token for a hint.",
        "A card that does not fit costs a life; each card that fits is a point for all.",
    ),
    zones={"discards": ZoneHint("beside")},
    phases={"play": "play or discard a card of yours, or tell somebody about theirs"},
    actions={
        "play": "play card {slot}",
        "discard": "discard card {slot}",
        "hint": "tell {seat!p} which cards are {sign}",
    },
    events={
        "play": "plays card {slot}",
        "discard": "discards card {slot}",
        "fits": "{card} fits",
        "lost": "{card} is lost",
        "draw": "draws {card}",
        "hint": "is told which cards are {sign}: {slots}",
    },
    values={"told": TOLD, "sign": {**COLOUR_NAMES, **{str(number): f"{number}s" for number in range(1, HIGHEST + 1)}}},
    counts={"points": "cards played", "lives": "fuses", "stock": ""},
    instruments=(Marks(count="told", zone="hand"),),
)
