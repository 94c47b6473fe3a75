"""A game of poker at one moment: the kit's, with the views and positions of this game."""

from __future__ import annotations

from pitboss.parts.betting.betting_state import BettingState
from pitboss.parts.betting.board_state import BoardState
from pitboss_poker.messages import (
    Action,
    DrawAction,
    DrawOptions,
    PokerOptions,
    Position,
    StudAction,
    StudOptions,
    View,
)


class PokerState(BoardState[PokerOptions, Action]):
    """A game of poker at one moment."""

    view_type = View

    def position(self) -> Position:
        """Write down a state: every card, all chips, and what the betting depends on."""
        return Position(**self.write_hand())


class DrawState(BettingState[DrawOptions, DrawAction]):
    """A game of five-card draw at one moment."""


class StudState(BettingState[StudOptions, StudAction]):
    """A game of seven-card stud at one moment."""
