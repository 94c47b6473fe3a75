"""The cards of Euchre: the pack, the bowers and the Benny (section 1 of the rule book)."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from pitboss import Deck
from pitboss.parts.suits import ACE_HIGH, RANK_NUMBERS, TrickOrder, make_suited_deck
from pitboss.plugins.packs import rank_of, suit_of
from pitboss_euchre.messages import BENNY

SAME_COLOUR: Final = {"S": "C", "C": "S", "H": "D", "D": "H"}
LEFT, RIGHT, BEST = (len(ACE_HIGH) + step for step in range(3))  # ranks of the bowers and the Benny, above the ace


@lru_cache
def make_deck(cards: int, benny: bool) -> Deck:
    """E1: return the pack: the highest ranks of each suit, and perhaps a joker."""
    suited = make_suited_deck(ACE_HIGH[-cards // 4 :])
    return Deck([*map(str, suited.faces), BENNY]) if benny else suited


def suit_with(card: str, trump: str | None) -> str:
    """E2: return the suit that a card counts as: the left bower and the Benny are trumps."""
    if card == BENNY:
        return trump or ""
    suit = suit_of(card)
    return trump if trump is not None and rank_of(card) == "J" and SAME_COLOUR[suit] == trump else suit


def rank_with(card: str, trump: str | None) -> int:
    """E2: return the rank of a card among those of its suit, the Benny and the bowers above the ace."""
    if card == BENNY:
        return BEST
    rank = rank_of(card)
    if rank != "J" or trump is None or suit_with(card, trump) != trump:
        return RANK_NUMBERS[rank]
    return RIGHT if suit_of(card) == trump else LEFT


@lru_cache(maxsize=64)
def order_with_bowers(deck: Deck, trump: str | None) -> TrickOrder:
    """E2: return the suits and ranks of a pack with one suit as trumps."""
    faces = [*map(str, deck.faces)]
    return TrickOrder([suit_with(face, trump) for face in faces], [rank_with(face, trump) for face in faces], trump)
