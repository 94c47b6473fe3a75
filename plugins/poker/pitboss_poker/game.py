"""Poker. Kuhn, Leduc, and Texas Hold'em with fixed limit, pot limit or no limit, for 2 to 10 players.

Everybody bets on the hand that it will have in the end: fold, check or call, bet or raise. Who is alone in the hand
wins the pot, otherwise the best five of seven cards do. Points are chips won and lost.
What happens at the table is in `pitboss.parts.betting`, which the games of this plugin share; the rule book is
`RULES.md`.
"""

from __future__ import annotations

from collections.abc import Mapping

from pitboss.errors import RefusedGame
from pitboss.parts.betting.foreign_hand import draw_board
from pitboss.parts.betting.game import BettingGame
from pitboss.parts.betting.named_cards import read_seed, write_seed
from pitboss.parts.betting.phh_reading import read_deals, read_hand_histories
from pitboss.parts.betting.phh_writing import write_deals
from pitboss.records.record import DealFormat, ImportFunction
from pitboss_poker.acpc_log import read_dealer_log
from pitboss_poker.messages import (
    DRAW_PRESETS,
    PRESETS,
    STUD_PRESETS,
    DrawOptions,
    PokerOptions,
    Position,
    StudOptions,
    View,
)
from pitboss_poker.presentation import DRAW_PRESENTATION, PRESENTATION, STUD_PRESENTATION
from pitboss_poker.rules import HOLE_CARDS, STREETS, find_variant
from pitboss_poker.state import DrawState, PokerState, StudState


class Poker(BettingGame[PokerOptions, PokerState]):
    """The game of poker."""

    state = PokerState
    name = "poker"
    title = "Poker"
    version = "2"
    phases = STREETS
    View = View
    Position = Position
    presets = PRESETS
    imports: Mapping[str, ImportFunction] = {"phh": read_hand_histories, "acpc": read_dealer_log}
    deal_files: Mapping[str, DealFormat] = {"phh": DealFormat(read_deals), "phhs": DealFormat(read_deals, write_deals)}
    presentation = PRESENTATION

    @staticmethod
    def extract_deal(seed: str) -> str:
        """Return the seed with a whole board, of which an imported hand may tell a part.

        Raises:
            RefusedGame: the cards of a player are not told.
        """
        named = read_seed(seed)
        if named is None or not (named.untold or None in [face for row in (*named.hands, named.board) for face in row]):
            return seed
        kind = "omaha" if len(named.hands[0]) == HOLE_CARDS["omaha"] else "holdem"
        try:
            return write_seed(draw_board(named, find_variant(kind, len(named.hands))))
        except ValueError as wrong:
            raise RefusedGame(None, str(wrong)) from None


class FiveCardDraw(BettingGame[DrawOptions, DrawState]):
    """Five-card draw: five cards, a round, cards are exchanged once, a round (section 9 of the rule book)."""

    state = DrawState
    name = "five-card-draw"
    title = "Five-card draw"
    presets = DRAW_PRESETS
    presentation = DRAW_PRESENTATION


class SevenCardStud(BettingGame[StudOptions, StudState]):
    """Seven-card stud: three cards down, four open, five rounds with fixed limit (section 10 of the rule book)."""

    state = StudState
    name = "seven-card-stud"
    title = "Seven-card stud"
    presets = STUD_PRESETS
    presentation = STUD_PRESENTATION
