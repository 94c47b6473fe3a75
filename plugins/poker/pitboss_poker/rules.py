"""The kinds of poker: their cards and streets. What happens at the table is in `pitboss.parts.betting`."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from pitboss import Deck
from pitboss.parts.betting.acts import DiscardAct
from pitboss.parts.betting.high_hands import HAND_RANKS
from pitboss.parts.betting.pots import MAX_PLAYERS, SEATS_IN, split_pots
from pitboss.parts.betting.rankings import EIGHT_LOW, HIGH, OMAHA, OMAHA_LOW, SHORT_DECK
from pitboss.parts.betting.variant import STANDARD_DECK, BettingStreet, BettingVariant
from pitboss.plugins.packs import rank_of

__all__ = [
    "DRAW",
    "HOLE_CARDS",
    "MAX_PLAYERS",
    "SEATS_IN",
    "STREETS",
    "STUD",
    "STUD_HI_LO",
    "PokerVariant",
    "find_variant",
    "make_deck",
    "split_pots",
]

PokerVariant = BettingVariant

SMALL_RANKS: Final = HAND_RANKS[:-1]  # D3: the n+1 ranks of a small deck end with the king
STREETS: Final = ("preflop", "flop", "turn", "river")
HOLE_CARDS: Final = {"holdem": 2, "omaha": 4, "omaha-hi-lo": 4, "short-deck": 2}
SHORT_FACES: Final = [face for face in STANDARD_DECK.faces if rank_of(face) not in ("2", "3", "4", "5")]
RANKINGS: Final = {
    "holdem": (HIGH,),
    "omaha": (OMAHA,),
    "omaha-hi-lo": (OMAHA, OMAHA_LOW),
    "short-deck": (SHORT_DECK,),
}
PHH_CODES: Final = {
    "holdem": (("no-limit", "NT"), ("limit", "FT")),
    "omaha": (("pot-limit", "PO"),),
    "omaha-hi-lo": (("limit", "FO/8"),),
    "short-deck": (("no-limit", "NS"),),
}
LEDUC_STREETS: Final = (BettingStreet("preflop", hole=1), BettingStreet("flop", board=1, bet_step=2))
KUHN_STREETS: Final = (BettingStreet("preflop", hole=1),)
DRAW: Final = BettingVariant(
    (
        BettingStreet("first", hole=5),
        BettingStreet("second", bet_step=2, before=(DiscardAct(most=5, draws=True, name="draw"),)),
    )
)
STUD_STREETS: Final = (
    BettingStreet("third", hole=2, up=1),
    BettingStreet("fourth", up=1, opener="high hand"),
    BettingStreet("fifth", up=1, bet_step=2, opener="high hand"),
    BettingStreet("sixth", up=1, bet_step=2, opener="high hand"),
    BettingStreet("seventh", hole=1, bet_step=2, opener="high hand"),
)
STUD: Final = BettingVariant(STUD_STREETS, phh=(("limit", "F7S"),))
STUD_HI_LO: Final = BettingVariant(STUD_STREETS, rankings=(HIGH, EIGHT_LOW), phh=(("limit", "F7S/8"),))


@lru_cache
def make_deck(cards: str, seats: int) -> Deck:
    """Return the deck: 52 cards; 36 from the six up; or one or two suits of n+1 ranks, up to the king."""
    if cards == "short-deck":
        return Deck(SHORT_FACES)
    if cards in HOLE_CARDS:
        return STANDARD_DECK
    suits = "S" if cards == "kuhn" else "SH"
    return Deck(suit + rank for suit in suits for rank in SMALL_RANKS[-seats - 1 :])


@lru_cache
def find_variant(cards: str, seats: int) -> BettingVariant:
    """Return the kind of poker that an option names."""
    deck = make_deck(cards, seats)
    if cards not in HOLE_CARDS:
        return BettingVariant(KUHN_STREETS if cards == "kuhn" else LEDUC_STREETS, deck=deck)
    streets = (
        BettingStreet("preflop", hole=HOLE_CARDS[cards]),
        BettingStreet("flop", board=3),
        BettingStreet("turn", board=1, bet_step=2),
        BettingStreet("river", board=1, bet_step=2),
    )
    return BettingVariant(streets, deck=deck, rankings=RANKINGS[cards], phh=PHH_CODES[cards])
