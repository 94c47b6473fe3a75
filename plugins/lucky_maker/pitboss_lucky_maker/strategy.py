"""How `house:lucky-maker` thinks: what is still unseen, what each card is good for, and how the rest of a trick may go. `bot` talks.

Cards are the indices of `deck`. In a trick a card is what it shows of the master's two suits: a pair of numbers, 0 for a suit that it does not show.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

from pitboss_lucky_maker.deck import CARD_BY_FACE, CATEGORIES, COMPLEMENT, FOLLOWS, SUIT_NUMBERS, SUITS
from pitboss_lucky_maker.trick import MASTERS

CARDS: Final = 60
TOP_CARD_VALUE: Final = 4.0  # points that a card is worth which nobody can beat
LATE_SEAT_VALUE: Final = 1.0  # points that it is worth to be the last player of the next trick
SUITS_A_TRICK: Final = 2  # at each rival's cards: a trick is decided by one suit or the other
Hands: TypeAlias = dict[int, list[int]]


class UnseenCards:
    """The cards that the seat has not seen, and what is known of the hands that they may lie in."""

    def __init__(self, view: Mapping[str, Any]) -> None:
        self.only_category: Final[
            dict[int, int]
        ] = {}  # by seat that did not follow: the one category that it can still hold
        seen = {CARD_BY_FACE[face] for face in view["hand"]}
        for past in view["history"]:
            seen |= self._note_trick(past["master"], past["cards"])
        seen |= self._note_trick(view["master"], view["trick"])
        self.cards: Final = [card for card in range(CARDS) if card not in seen]
        self.higher_shares: Final = {suit: self._higher_shares(SUIT_NUMBERS[suit]) for suit in SUITS}

    def _note_trick(self, master_face: str, played: Sequence[tuple[int, str]]) -> set[int]:
        master = CARD_BY_FACE[master_face]
        for seat, face in played:
            if not FOLLOWS[master // 10][CARD_BY_FACE[face]]:
                self.only_category[seat] = COMPLEMENT[master // 10]
        return {master, *(CARD_BY_FACE[face] for _, face in played)}

    def _higher_shares(self, numbers: Sequence[int]) -> list[float]:
        """Return by number which part of the unseen cards shows a higher one in the suit."""
        held = [numbers[card] for card in self.cards]
        return [sum(number > than for number in held) / max(1, len(held)) for than in range(11)]

    def strength(self, card: int, others: int) -> float:
        """Return how good a card is for tricks to come: for each of its suits the chance that nobody has a higher number."""
        return sum(
            (1 - self.higher_shares[suit][SUIT_NUMBERS[suit][card]]) ** (SUITS_A_TRICK * others)
            for suit in CATEGORIES[card // 10]
        )

    def deal_hands(self, seats: Sequence[int], size: int, rng: Random) -> Hands:
        """Deal unseen cards to seats as they may lie; those that can hold one category alone come first."""
        pool = sorted(self.cards, key=lambda _: rng.random())
        dealt: Hands = {}
        for seat in sorted(seats, key=lambda seat: seat not in self.only_category):
            if seat in self.only_category:
                dealt[seat] = [card for card in pool if card // 10 == self.only_category[seat]][:size]
                pool = [card for card in pool if card not in dealt[seat]]
            else:
                dealt[seat], pool = pool[:size], pool[size:]
        return dealt


class SuitCount(NamedTuple):
    """What a trick shows of one suit of the master so far."""

    cards: int
    highest: int  # the master's own number at first
    holder: int | None  # who played it: of equal numbers the last one
    is_tie: bool

    def add_card(self, number: int, seat: int) -> SuitCount:
        """Return the same with one more card; 0 is a card that does not show the suit."""
        if not number:
            return self
        if number < self.highest:
            return SuitCount(self.cards + 1, self.highest, self.holder, self.is_tie)
        return SuitCount(self.cards + 1, number, seat, number == self.highest)


TrickCounts: TypeAlias = tuple[SuitCount, SuitCount]


class TrickForecast:
    """A master, and what becomes of a trick that follows it."""

    def __init__(self, master: int) -> None:
        suits = MASTERS[master]
        self.shows: Final = list(zip(suits.first.numbers, suits.second.numbers, strict=True))
        self.points: Final = (suits.first.points, suits.second.points)
        self.suit_on_equal: Final = 0 if suits.higher is suits.first else 1
        self.start: Final[TrickCounts] = (
            SuitCount(0, suits.first.strength, None, False),
            SuitCount(0, suits.second.strength, None, False),
        )

    def deciding_suit(self, one: int, other: int) -> int:
        """Return which suit decides if so many cards show each."""
        return self.suit_on_equal if one == other else int(other > one)

    def points_won(self, trick_counts: TrickCounts, card: int) -> int:
        """Return the points that a card would win if the trick ended with it."""
        numbers = self.shows[card]
        suit = self.deciding_suit(trick_counts[0].cards + (numbers[0] > 0), trick_counts[1].cards + (numbers[1] > 0))
        return self.points[suit] if numbers[suit] and numbers[suit] >= trick_counts[suit].highest else 0

    def add_card(self, trick_counts: TrickCounts, card: int, seat: int) -> TrickCounts:
        """Return the trick with one more card."""
        one, other = self.shows[card]
        return trick_counts[0].add_card(one, seat), trick_counts[1].add_card(other, seat)


def likely_play(
    forecast: TrickForecast,
    trick_counts: TrickCounts,
    cards: Sequence[int],
    prices: Mapping[int, float] | Sequence[float],
) -> int:
    """Return what a player may well play: the card that wins most as things stand, less what it is worth later."""
    return max(cards, key=lambda card: forecast.points_won(trick_counts, card) - prices[card])


def iter_playable_cards(master: int, hands: Hands) -> Iterator[tuple[int, list[int]]]:
    """Yield the seats with the cards that they may play; what cannot follow cannot win either, so one such card is enough."""
    for seat, hand in hands.items():
        yield seat, [card for card in hand if FOLLOWS[master // 10][card]] or hand[:1]


def next_lead_by_count(decisive: SuitCount, lead: int, seats: int, tie_lead: str, void_lead: str) -> int:
    """2.3: return who leads to the next trick, by what this one showed of the suit that decided: nothing if nobody followed."""
    if decisive.holder is None:
        return (lead + 1) % seats if not decisive.cards and void_lead == "next" else lead
    return lead if decisive.is_tie and tie_lead == "same" else decisive.holder
