"""Crazy Eights. Play a card of the suit or rank of the last one, or an eight; the first without a card wins the deal.

An eight fits always, and its player names the suit that must follow. Who cannot or does not want to play draws. The
winner scores what the others hold: fifty for an eight, ten for a court card. Options have action cards: the next player
misses a turn, play turns round, cards are drawn.

Numbers in docstrings (E5) are those of the rule book, `RULES.md`; the rules are in `state`; options, actions and
views are in `messages`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pitboss import TableGame
from pitboss.game import GameBounds
from pitboss_eights.messages import PRESETS, EightsOptions, Position
from pitboss_eights.presentation import PRESENTATION
from pitboss_eights.state import (
    MAX_SEATS,
    PHASES,
    EightsState,
    count_card,
    make_deck,
)


class Eights(TableGame[EightsOptions, EightsState]):
    """The game: one object without state."""

    state = EightsState
    name = "eights"
    title = "Crazy Eights"
    seats: Sequence[int] = tuple(range(2, MAX_SEATS + 1))
    phases: Sequence[str] = PHASES
    Position = Position
    presets: Mapping[str, EightsOptions] = PRESETS
    presentation = PRESENTATION

    @staticmethod
    def bounds(seats: int, options: EightsOptions) -> GameBounds | None:
        """Return the bounds: a turn is some draws and a card, and no deal counts more than all cards."""
        deck = make_deck(options.packs or 1).faces
        draws = options.draws or len(deck)
        everything = sum(count_card(str(face), options) for face in deck)
        return GameBounds(options.deals * options.max_turns * (draws + 1), 0, (options.target or 0) - 1 + everything)
