"""The cards of Fireworks: colours, numbers, copies, and which cards a hint is about (sections 1 and 2).

A seed can name the cards of a game in the order in which they are dealt, as those of imported games do (D7).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from pitboss import Deck

COPIES: Final = {"1": 3, "2": 2, "3": 2, "4": 2, "5": 1}  # of a colour, by number
NUMBERS: Final = "".join(COPIES)
HIGHEST: Final = len(NUMBERS)
PLAIN_COLOURS: Final = "RYGBWP"
RAINBOW: Final = "M"
SPECIAL_LETTERS: Final = {  # by what the last colour is
    "rainbow": RAINBOW, "colourless": "C", "pink": "K", "brown": "N", "omni": "O", "null": "U", "prism": "I",
    "light_pink": "L", "muddy_rainbow": "D",
}  # fmt: skip
COLOUR_NAMES: Final = {
    "R": "red", "Y": "yellow", "G": "green", "B": "blue", "W": "white", "P": "purple",
    **{letter: name.replace("_", " ") for name, letter in SPECIAL_LETTERS.items()},
}  # fmt: skip
OF_EACH_COLOUR: Final = "MOD"  # letters of cards that a hint of any colour is about
OF_NO_COLOUR: Final = "CUL"  # and of cards that none is about
OF_EACH_NUMBER: Final = "KOL"  # letters of cards that a hint of any number is about
OF_NO_NUMBER: Final = "NUD"
PRISM: Final = "I"  # of which each number has one of the plain colours, in turn
UNNAMED: Final = OF_EACH_COLOUR + OF_NO_COLOUR + PRISM  # colours that no hint can name
MIXED: Final = OF_EACH_NUMBER + OF_NO_NUMBER + PRISM  # of which a hint ties colours to numbers
SEED: Final = re.compile(r"deck:((?:[RYGBWPMCKNOUILD][1-5])+)")


class FireworksCards(NamedTuple):
    """The cards that a game is played with; a card is its index in the deck."""

    colours: str  # the letters of the fireworks, in order
    hints: tuple[str, ...]  # the colours and numbers of which a hint can be
    signs: str  # all colours and numbers: what a card may be that nothing is known of
    rows: tuple[int, ...]  # by card, the number of its colour
    numbers: tuple[int, ...]  # by card
    touched: dict[str, frozenset[int]]  # by colour or number: the cards that such a hint is about
    hint_masks: tuple[int, ...]  # by card: the hints that are about it, by their bits
    copies: tuple[tuple[int, ...], ...]  # by colour, then number from 1: the copies of the card
    plain: int  # the number of colours that are not special


@lru_cache
def make_deck(colours: int, rainbow: bool, single: bool, special: str | None = None) -> Deck:
    """F1, F2: return the deck; the last of the colours may be a special one, and have each number once."""
    letters = list_colours(colours, rainbow, special)
    return Deck(
        colour + number
        for colour in letters
        for number, copies in COPIES.items()
        for _ in range(1 if single and colour == letters[-1] else copies)
    )


def list_colours(colours: int, rainbow: bool, special: str | None = None) -> str:
    """F1: return the letters of the colours, in order."""
    last = RAINBOW if rainbow else SPECIAL_LETTERS[special] if special else PLAIN_COLOURS[colours - 1]
    return PLAIN_COLOURS[: colours - 1] + last


@lru_cache
def read_cards(deck: Deck) -> FireworksCards:
    """Return what is asked of the cards of a deck again and again."""
    faces = [*map(str, deck.faces)]
    colours = "".join(dict.fromkeys(face[0] for face in faces))
    hints = (*[colour for colour in colours if colour not in UNNAMED], *NUMBERS)
    plain = len(colours) - (colours[-1] not in PLAIN_COLOURS)
    return FireworksCards(
        colours,
        hints,
        colours + NUMBERS,
        tuple(colours.index(face[0]) for face in faces),
        tuple(int(face[1]) for face in faces),
        {sign: frozenset(card for card, face in enumerate(faces) if is_about(sign, face, plain)) for sign in hints},
        tuple(sum(is_about(sign, face, plain) << bit for bit, sign in enumerate(hints)) for face in faces),
        tuple(tuple(len(deck.copies(colour + number)) for number in NUMBERS) for colour in colours),
        plain,
    )


def is_about(sign: str, face: str, plain: int = 5) -> bool:
    """F6: return whether a hint is about a card; `plain` is the number of colours that are not special."""
    colour = face[0]
    if sign in NUMBERS:
        return colour not in OF_NO_NUMBER and (sign == face[1] or colour in OF_EACH_NUMBER)
    if colour == PRISM:
        return sign == PLAIN_COLOURS[(int(face[1]) - 1) % plain]
    return sign == colour or colour in OF_EACH_COLOUR


@lru_cache(maxsize=4096)
def narrow_signs(signs: str, sign: str, is_touched: bool, plain: int = 5) -> str:
    """F6: return the colours and numbers that are left of those of a card, when a hint is about it or is not.

    Those of each card that is left are among them; where a hint ties colours to numbers, those of others may be, too.
    """
    left = [face for face in list_faces(signs) if is_about(sign, face, plain) == is_touched]
    return "".join(one for one in signs if any(one in face for face in left))


def list_faces(signs: str) -> Iterable[str]:
    """Yield the cards that have one of some colours and one of some numbers."""
    return (one + other for one in signs if one not in NUMBERS for other in signs if other in NUMBERS)


def write_seed(faces: Sequence[str]) -> str:
    """Return the seed of a game with these cards, the first one dealt first."""
    return f"deck:{''.join(faces)}"


def read_seed(seed: str) -> list[str] | None:
    """Return the cards that a seed names, the first one dealt first; None if it names none."""
    found = SEED.fullmatch(seed)
    return re.findall("..", found[1]) if found else None
