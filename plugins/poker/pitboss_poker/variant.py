"""The three kinds of poker as the engine sees them: the deck, the cards in a hand and on the board, the rounds."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from pitboss import Deck, Turn
from pitboss.plugins.packs import STANDARD_PACK
from pitboss_poker.hand_strength import RANK_NAMES, card_key
from pitboss_poker.messages import Street

HOLDEM_DECK: Final = Deck(STANDARD_PACK.faces)
SMALL_RANKS: Final = RANK_NAMES[:-1]  # D3: the n+1 ranks of a small deck end with the king
STREETS: Final[tuple[Street, ...]] = ("preflop", "flop", "turn", "river")
HOLE_CARDS: Final = {"holdem": 2, "leduc": 1, "kuhn": 1}
BOARD_CARDS: Final = {"holdem": (0, 3, 1, 1), "leduc": (0, 1), "kuhn": (0,)}  # by round: cards dealt before it


class PokerVariant:
    """A kind of poker for a number of players: shared by all games with these."""

    def __init__(self, cards: str, seats: int) -> None:
        self.deck: Final = make_deck(cards, seats)
        self.card_keys: Final = [card_key(face) for face in self.deck.faces]
        self.hole_cards: Final = HOLE_CARDS[cards]
        self.board_cards: Final = BOARD_CARDS[cards]
        self.board_size: Final = sum(self.board_cards)
        self.last_street: Final = len(self.board_cards) - 1
        self.turns: Final = [[Turn(seat, street) for seat in range(seats)] for street in STREETS]  # by street and seat


@lru_cache
def make_deck(cards: str, seats: int) -> Deck:
    """Return the deck: 52 cards; or one or two suits of n+1 ranks, up to the king."""
    if cards == "holdem":
        return HOLDEM_DECK
    suits = "S" if cards == "kuhn" else "SH"
    return Deck(suit + rank for suit in suits for rank in SMALL_RANKS[-seats - 1 :])


@lru_cache
def find_variant(cards: str, seats: int) -> PokerVariant:
    """Return the kind of poker that an option names."""
    return PokerVariant(cards, seats)
