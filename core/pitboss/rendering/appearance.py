"""Appearance: how cards look and where zones lie, for programs that draw a table.

All of this is optional: `guess_look` reads the printed faces ("H10", "R7B4", 37). A game that knows better has a
method `card_look`, and says in its `presentation` where its zones lie.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Final, Literal, Protocol, TypeAlias, runtime_checkable

from msgspec import Meta, Struct

from pitboss.table.cards import Deck, Face
from pitboss.table.zones import Zone

Colour: TypeAlias = Literal["black", "red", "yellow", "green", "blue", "orange", "purple", "white", "brown"]
Place: TypeAlias = Literal["owner", "centre", "beside", "hidden"]

SUIT_SIGNS: Final[Mapping[str, tuple[str, str, Colour]]] = {
    "S": ("♠", "spades", "black"),
    "H": ("♥", "hearts", "red"),
    "D": ("♦", "diamonds", "red"),
    "C": ("♣", "clubs", "black"),
}
SUIT_NAMES: Final = {letter: name for letter, (_, name, _) in SUIT_SIGNS.items()}
RANK_NAMES: Final = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}
LETTER_COLOURS: Final[Mapping[str, Colour]] = {
    "R": "red",
    "Y": "yellow",
    "G": "green",
    "B": "blue",
    "K": "black",
    "O": "orange",
    "P": "purple",
    "W": "white",
}
_SUITED: Final = re.compile(r"([SHDC])([2-9]|10|[AJQK])")
_COLOURED: Final = re.compile(r"([A-Z])(\d+|-\w+)")
_HALVES: Final = re.compile(r"([A-Z])(\d+)([A-Z])(\d+)")


class CardLook(Struct, frozen=True, omit_defaults=True):
    """How a card looks."""

    text: Annotated[str, Meta(description="Large, in the middle.")]
    name: Annotated[str, Meta(description="What a screen reader says.")]
    corner: Annotated[str, Meta(description="Small, in the corner.")] = ""
    colour: Colour = "black"
    is_filled: Annotated[bool, Meta(description="The card has this colour, and its text is white.")] = False
    level: Annotated[float | None, Meta(description="Where it stands among all cards, 0 to 1: drawn as a bar.")] = None
    second: Annotated[CardLook | None, Meta(description="The look of its lower half.")] = None


class ZoneHint(Struct, frozen=True, omit_defaults=True):
    """Where a zone is drawn."""

    place: Annotated[
        Place,
        Meta(
            description="With its owner, in the centre, small beside it, or not at all; by default with its owner, "
            "else in the centre. A pile of an owner that lies beside is face down."
        ),
    ] = "centre"
    group: Annotated[str, Meta(description="Zones of one group are drawn side by side.")] = ""
    size: Annotated[int, Meta(description="Number of cards that will lie there: pictures reserve places for them.")] = 0


@runtime_checkable
class CardIllustrator(Protocol):
    """A game that says how its cards look."""

    def card_look(self, face: Face) -> CardLook | None:
        """Return the look of a card with this face; None leaves it to `guess_look`."""


def find_looks(game: object, deck: Deck) -> dict[str, CardLook]:
    """Return the look of each different face of a deck, by the face as text."""
    looks = {}
    for face in dict.fromkeys(deck.faces):
        own = game.card_look(face) if isinstance(game, CardIllustrator) else None
        looks[str(face)] = own if own is not None else guess_look(face, deck)
    return looks


def guess_look(face: Face, deck: Deck) -> CardLook:
    """Return a look for a face: a number, a suit and rank, a colour letter with a number or word, two of these."""
    text = str(face)
    if isinstance(face, int):
        highest = max(one for one in deck.faces if isinstance(one, int))
        return CardLook(text, text, level=face / highest if 0 <= face and highest else None)
    if (found := _SUITED.fullmatch(text)) and deck.copies("SA"):
        symbol, suit, colour = SUIT_SIGNS[found[1]]
        return CardLook(symbol, f"{RANK_NAMES.get(found[2], found[2])} of {suit}", found[2], colour)
    if (found := _HALVES.fullmatch(text)) and {found[1], found[3]} <= LETTER_COLOURS.keys():
        upper, lower = (_make_coloured_look(letter, word) for letter, word in (found.group(1, 2), found.group(3, 4)))
        return CardLook(upper.text, f"{upper.name} and {lower.name}", colour=upper.colour, is_filled=True, second=lower)
    if (found := _COLOURED.fullmatch(text)) and found[1] in LETTER_COLOURS:
        return _make_coloured_look(found[1], found[2].removeprefix("-"))
    return CardLook(text, text, colour="purple", is_filled=True)


def word_faces(looks: Mapping[str, CardLook]) -> dict[str, str]:
    """Return what each face is called in a sentence: "♠4" for a suit and a rank, else as it is printed."""
    return {face: f"{look.text}{look.corner}" if look.corner else face for face, look in looks.items()}


def _make_coloured_look(letter: str, word: str) -> CardLook:
    colour = LETTER_COLOURS[letter]
    return CardLook(word, f"{colour} {word}", colour=colour, is_filled=True)


def zone_stem(zone: Zone) -> str:
    """Return the name of a zone without the number at its end: "hand" of "hand 0", "meld" of "meld 12"."""
    return re.sub(r" \d+$", "", zone.name)
