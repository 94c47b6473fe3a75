"""What each card of RAGAMARU is and does, in a sentence, for people at a table: sections 1, 2.3 and 2.4."""

from __future__ import annotations

from typing import Final

from pitboss.table.cards import Face
from pitboss_ragamaru.deck import BOX, KICK_OFF, colour_of, kind_of

COLOUR_NAMES: Final = {"R": "red", "Y": "yellow", "B": "blue", "K": "black"}
EFFECT_TEXTS: Final = {
    "NUM": "a number. It fits its colour and its number",
    "TRY": "a Try. The next player draws 5 cards, or answers with a Try, a Conversion or a TMO",
    "PG": "a Penalty Goal. The next player draws 3 cards, or answers with a Penalty Goal or a TMO",
    "DG": "a Drop Goal. The next player draws 3 cards, or answers with a Drop Goal or a TMO",
    "CUT": "a Cut Pass. The next player is left out",
    "KICK": "a Kick Pass. The next two players are left out",
    "RET": "a Return Pass. It is the turn of the player before; the direction stays",
    "LOOP": "a Loop. You change places with the next player, whose turn it is",
    "TO": "a Turnover. The direction of play is reversed",
    "ADV": "an Advantage. You may discard another card",
    "CV": "a Conversion. It is played with a Try, which then costs 2 cards more, or answers one",
    "RES": "a Reserve. It always fits; you name the colour and the number that follow",
    "TMO": "a TMO. It cancels an attack on you; you name the colour that follows",
    "SIN": "a Sin Bin. It always fits; the next player rests for 2 turns or answers with one; you name the colour",
    "RAG": "a RAGAMARU. It always fits; every other player draws 2 cards, and you play again",
    KICK_OFF: "the Kick-off, from which play begins. Every card fits",
}


def describe_face(face: Face) -> str:
    """Return what a card is and does; "" for a face that no card has."""
    if face not in BOX and face != KICK_OFF:
        return ""
    colour = colour_of(str(face))
    effect = EFFECT_TEXTS[kind_of(str(face))]
    return f"{COLOUR_NAMES[colour]}, {effect}." if colour else f"{effect}."
