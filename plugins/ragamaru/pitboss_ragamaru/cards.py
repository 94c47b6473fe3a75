"""The cards of RAGAMARU: section 1 of the rule book, and D38, the box as a pack of ordinary playing cards.

Everything but the table itself uses *places in the box*, 0 to 107, in the card order of section 6: the numbers of each
colour, the kinds that have a colour, each in all four, and the cards without colour, of which there are several copies.
A deck may lack some of them.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from pitboss.table.cards import Face

Colour: TypeAlias = Literal["R", "Y", "B", "K"]
AttackKind: TypeAlias = Literal["TRY", "PG", "DG"]

COLOURS: Final[tuple[Colour, ...]] = ("R", "Y", "B", "K")  # red, yellow, blue, black
HIGHEST: Final = 15
ATTACKS: Final[tuple[AttackKind, ...]] = ("TRY", "PG", "DG")
KINDS: Final = (*ATTACKS, "CUT", "KICK", "RET", "LOOP", "TO", "ADV")  # those that have a colour
COPIES: Final = {"CV": 2, "RES": 4, "TMO": 2, "SIN": 2, "RAG": 2}  # those that have none
_COLOUR: Final = {str(colour): colour for colour in COLOURS}
NUMBER: Final = "NUM"  # the kind of a number card
KICK_OFF: Final = "KO"  # a marker: never dealt or shuffled in

BOX: Final = (
    *(f"{colour}{number}" for colour in COLOURS for number in range(1, HIGHEST + 1)),
    *(f"{colour}-{kind}" for kind in KINDS for colour in COLOURS),
    *(face for face, copies in COPIES.items() for _ in range(copies)),
)
CARDS: Final = len(BOX)
NUMBERS: Final = len(COLOURS) * HIGHEST  # the places before this one are those of the number cards
FIRST_PLACE: Final = {face: place for place, face in reversed([*enumerate(BOX)])}  # of the copies of a face


def kind_of(face: str) -> str:
    """Return the kind of a card: `NUM`, or what is printed on it."""
    if face in COPIES or face == KICK_OFF:
        return face
    return face[2:] if face[1] == "-" else NUMBER


def colour_of(face: str) -> Colour | None:
    """Return the colour of a card, None if it has none."""
    return None if face in COPIES or face == KICK_OFF else _COLOUR[face[0]]


def number_of(face: str) -> int | None:
    """Return the number of a number card, None for others."""
    return int(face[1:]) if kind_of(face) == NUMBER else None


def places_in(conversion: bool, loop: bool) -> tuple[int, ...]:
    """Section 1: return the places of the cards that are played with: 102, 104, 106 or 108 of them."""
    left_out = {kind for kind, is_in in (("CV", conversion), ("LOOP", loop)) if not is_in}
    return tuple(place for place, face in enumerate(BOX) if kind_of(face) not in left_out)


# ---- D38: ordinary playing cards

SUITS: Final[dict[Colour, str]] = {"R": "H", "Y": "D", "B": "C", "K": "S"}
RANKS: Final = ("A", *map(str, range(2, 11)), "J", "Q", "K")
JOKER: Final = "JOKER"


def playing_card(face: str) -> str | None:
    """D38: return the ordinary card that a card stands for: `AH`, `10S`, `JOKER`; None for one that is left out."""
    if face == "RAG":
        return JOKER
    number, colour = number_of(face), colour_of(face)
    return (
        RANKS[number - 1] + SUITS[colour]
        if number is not None and colour is not None and number <= len(RANKS)
        else None
    )


_FACE_OF: Final = {playing_card(face): face for face in BOX}
STANDARD_FACES: Final = tuple(
    _FACE_OF[rank + suit] for suit in "SHDC" for rank in RANKS
)  # the 52 faces, spades first, ace first
JOKERS: Final = tuple(face for face in BOX if playing_card(face) == JOKER)


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
