"""Cards in a terminal: "♥10" in red for "H10", where the terminal can show it. Other places keep the letters."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from typing import Final

from pitboss.game import AnyGame
from pitboss.rendering.appearance import SUIT_SIGNS, CardLook, find_looks, word_faces
from pitboss.table.cards import Deck

SIGNS: Final = "".join(sign for sign, _, _ in SUIT_SIGNS.values())
LETTERS: Final = str.maketrans({sign: letter for letter, (sign, _, _) in SUIT_SIGNS.items()})
_RED, _DEFAULT = "\x1b[31m", "\x1b[39m"  # the latter leaves bold letters bold
_RANK_FIRST: Final = re.compile(rf"\b(10|[2-9AJQK])([{SIGNS}])", re.IGNORECASE)
_BETWEEN: Final = r"(?<![\w\"'?=-]){}(?![\w\"'=-])"  # a card in quotes is what a program has written


class CardSigns:
    """Puts signs of suits in place of letters; a text stays as wide as it was.

    Names of players, and texts in quotes, are left as they are.
    """

    def __init__(self, game: AnyGame, deck: Deck, names: Iterable[str] = (), *, has_colour: bool = False) -> None:
        looks = find_looks(game, deck)
        self._words = {face: word for face, word in word_faces(looks).items() if _is_suited(face, looks[face])}
        self._reds = {face for face in self._words if looks[face].colour == "red"} if has_colour else set[str]()
        spared = sorted({re.escape(name) for name in names if name}, key=len, reverse=True)
        faces = sorted(map(re.escape, self._words), key=len, reverse=True)
        self._pattern = re.compile("|".join([*spared, _BETWEEN.format(f"(?P<face>{'|'.join(faces)})")]))

    def show(self, text: str) -> str:
        """Return a text with signs."""
        return self._pattern.sub(self._word, text) if self._words else text

    def _word(self, found: re.Match[str]) -> str:
        face = found["face"]
        if face is None:
            return found[0]
        return f"{_RED}{self._words[face]}{_DEFAULT}" if face in self._reds else self._words[face]


def can_show_signs() -> bool:
    """Tell whether standard output is a terminal that can show the signs of suits."""
    if not sys.stdout.isatty() or os.environ.get("TERM", "dumb") == "dumb":
        return False
    try:
        SIGNS.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def can_show_colour() -> bool:
    """Tell whether the person has not forbidden colours (https://no-color.org)."""
    return not os.environ.get("NO_COLOR")


def read_signs(typed: str) -> str:
    """Return what somebody has typed with letters in place of signs: "D10" for "♦10" and for "10♦"."""
    return _RANK_FIRST.sub(r"\2\1", typed).translate(LETTERS)


def _is_suited(face: str, look: CardLook) -> bool:
    """Whether a card has a suit, by a letter that its sign can take the place of."""
    return look.text in SIGNS and face == f"{face[:1]}{look.corner}" and bool(look.corner)
