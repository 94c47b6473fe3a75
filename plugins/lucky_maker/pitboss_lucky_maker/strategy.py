"""Strategy of `house:lucky-maker`: the unseen cards, the strength of each card, and hands that the others may hold.

Cards are the indices of `cards`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final, TypeAlias

from pitboss_lucky_maker.cards import CARD_BY_FACE, CATEGORIES, COMPLEMENT, DECK, FOLLOWS, SUIT_NUMBERS, SUITS
from pitboss_lucky_maker.trick import SUITS_A_TRICK, strength_in_suit

Hands: TypeAlias = dict[int, list[int]]


class UnseenCards:
    """The cards that the seat has not seen, and the category left to a seat that did not follow."""

    def __init__(self, view: Mapping[str, Any]) -> None:
        # by seat that did not follow: the one category that it can still hold
        self.only_category: Final[dict[int, int]] = {}
        seen = {CARD_BY_FACE[face] for face in view["hand"]}
        for past in view["history"]:
            seen |= self._note_trick(past["master"], past["cards"])
        seen |= self._note_trick(view["master"], view["trick"])
        self.cards: Final = [card for card in range(len(DECK)) if card not in seen]
        self.higher_shares: Final = {suit: self._higher_shares(SUIT_NUMBERS[suit]) for suit in SUITS}

    def _note_trick(self, master_face: str, played: Sequence[tuple[int, str]]) -> set[int]:
        master = CARD_BY_FACE[master_face]
        for seat, face in played:
            if not FOLLOWS[master // 10][CARD_BY_FACE[face]]:
                self.only_category[seat] = COMPLEMENT[master // 10]
        return {master, *(CARD_BY_FACE[face] for _, face in played)}

    def _higher_shares(self, numbers: Sequence[int]) -> list[float]:
        """Return by number the share of the unseen cards with a higher one in the suit."""
        held = [numbers[card] for card in self.cards]
        return [sum(number > than for number in held) / max(1, len(held)) for than in range(11)]

    def strength(self, card: int, others: int) -> float:
        """Return the strength of a card in later tricks against a number of other players."""
        one, other = (self.higher_shares[suit][SUIT_NUMBERS[suit][card]] for suit in CATEGORIES[card // 10])
        looks = SUITS_A_TRICK * others
        return strength_in_suit(one, looks) + strength_in_suit(other, looks)

    def deal_hands(self, seats: Sequence[int], size: int, rng: Random) -> Hands:
        """Deal unseen cards to seats; those that can hold only one category come first."""
        pool = sorted(self.cards, key=lambda _: rng.random())
        dealt: Hands = {}
        for seat in sorted(seats, key=lambda seat: seat not in self.only_category):
            if seat in self.only_category:
                dealt[seat] = [card for card in pool if card // 10 == self.only_category[seat]][:size]
                pool = [card for card in pool if card not in dealt[seat]]
            else:
                dealt[seat], pool = pool[:size], pool[size:]
        return dealt
