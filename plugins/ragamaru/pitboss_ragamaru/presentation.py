"""How RAGAMARU looks and speaks: words for people, by the names of the messages."""

from __future__ import annotations

from typing import Final

from pitboss.rendering.appearance import ZoneHint
from pitboss.rendering.instruments import Direction
from pitboss.rendering.presentation import Presentation

PRESENTATION: Final = Presentation(
    goal=(
        "Be the first without cards; the last cards have to be numbers.",
        "Play cards that match the top card in colour, number or kind, or draw.",
        "Attacks make the next player draw; other cards skip, turn, strike, or name a colour.",
    ),
    zones={"box": ZoneHint("hidden"), "discards": ZoneHint("beside")},
    phases={
        "first_colour": "name the first colour",
        "play": "play cards, or draw",
        "defend": "answer the attack, or take its cards",
        "drawn": "play the card that you have drawn, or pass",
        "discard": "discard a card",
        "bin": "put a card into the bin",
        "colour": "name a colour",
        "number": "name a number",
    },
    actions={
        "play": "play {cards}",
        "draw": "draw a card",
        "take": "take the cards of the attack",
        "sit": "rest",
        "stop": "stop here",
        "pass": "pass",
        "discard": "discard {card}",
        "colour": "name {colour}",
        "number": "name {number}",
    },
    events={
        "starter": "{seat!p} begins",
        "colour": "names {colour}",
        "namer": "{seat!p} names the colour",
        "number": "names {number}",
        "pass": "passes",
        "take": "takes {count:card|cards}",
        "rest": "rests[, and has {left} more to rest]",
        "direction": "turns go {direction}",
        "seats": "the order of turns is {seats!p}",
        "stop": "stops",
        "end": "the game is over",
    },
    values={
        "colour": {"R": "red", "Y": "yellow", "B": "blue", "K": "black"},
        "direction": {"1": "to the left", "-1": "to the right"},
    },
    instruments=(Direction(),),
)
