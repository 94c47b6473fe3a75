"""Fireworks. All together: play each colour from 1 to 5. Everybody sees all hands but its own, and hints cost tokens.

On your turn play a card of your hand; or discard one, which gives a token back; or pay a token and tell a player which
of its cards have a colour or a number. A card that does not fit costs a life, and the last life the game. After the
last card of the stock has been drawn everybody has one more turn. The cards that fitted are the points of all.

Numbers in docstrings (F6) are those of the rule book, `RULES.md`; the rules are in `state`, the cards in `cards`;
options, actions and views are in `messages`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from pitboss import Sides, TableGame
from pitboss.game import GameBounds
from pitboss.records.record import ImportFunction
from pitboss.rendering.appearance import CardLook, Colour
from pitboss.table.cards import Face
from pitboss_fireworks.cards import COLOUR_NAMES, HIGHEST, PLAIN_COLOURS, RAINBOW, make_deck
from pitboss_fireworks.hanab_reading import read_games
from pitboss_fireworks.messages import PRESETS, FireworksOptions, Position
from pitboss_fireworks.presentation import PRESENTATION
from pitboss_fireworks.state import FireworksState, one_side

SPECIAL_LOOKS: Final[Mapping[str, tuple[str, Colour]]] = {  # by letter: the sign in the corner, and the colour
    RAINBOW: ("★", "orange"),
    "C": ("○", "black"),
    "K": ("✿", "red"),
    "N": ("■", "orange"),
    "O": ("✦", "purple"),
    "U": ("∅", "black"),
    "I": ("◆", "blue"),
    "L": ("❀", "red"),
    "D": ("☁", "orange"),
}


class Fireworks(TableGame[FireworksOptions, FireworksState]):
    """The game: one object without state."""

    state = FireworksState
    name = "fireworks"
    title = "Fireworks"
    seats: Sequence[int] = (2, 3, 4, 5)
    phases = ("play",)
    Position = Position
    presets: Mapping[str, FireworksOptions] = PRESETS
    imports: Mapping[str, ImportFunction] = {"hanab-live": read_games}
    presentation = PRESENTATION

    def sides(self, seats: int, options: FireworksOptions) -> Sides:
        """Return one side of all."""
        return one_side(seats)

    @staticmethod
    def bounds(seats: int, options: FireworksOptions) -> GameBounds:
        """Return the bounds: each card leaves a hand once, and a token comes back with it at most."""
        cards = len(make_deck(options.colours, options.rainbow, options.single, options.special))
        return GameBounds(2 * cards + options.tokens, 0, HIGHEST * options.colours)

    def card_look(self, face: Face) -> CardLook | None:
        """Return the look of a card of the rainbow or of a special colour; that of the others is guessed."""
        colour, number = str(face)[0], str(face)[1:]
        if colour in PLAIN_COLOURS:
            return None
        sign, tint = SPECIAL_LOOKS[colour]
        return CardLook(number, f"{COLOUR_NAMES[colour]} {number}", sign, tint, is_filled=True)
