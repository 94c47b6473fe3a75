"""Forecast of a trick: its outcome while cards are added, and likely plays; for the bot and the evaluation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Final, NamedTuple, TypeAlias

from pitboss_lucky_maker.trick import MASTERS

TOP_CARD_VALUE: Final = 4.0  # points that a card is worth which nobody can beat
LATE_SEAT_VALUE: Final = 1.0  # points that it is worth to be the last player of the next trick
SUITS_A_TRICK: Final = 2  # at each rival's cards: a trick is decided by one suit or the other


def strength_in_suit(higher: float, looks: int) -> float:
    """Return the chance that none of `looks` other cards is higher; `higher` is the share of cards that are."""
    return float((1 - higher) ** looks)


class SuitCount(NamedTuple):
    """One suit of the master in an unfinished trick: the cards that show it, and the highest number."""

    cards: int
    highest: int  # the master's own number at first
    holder: int | None  # who played it: of equal numbers the last one
    is_tie: bool

    def add_card(self, number: int, seat: int) -> SuitCount:
        """Return the count with one more card; 0 is a card that does not show the suit."""
        if not number:
            return self
        if number < self.highest:
            return SuitCount(self.cards + 1, self.highest, self.holder, self.is_tie)
        return SuitCount(self.cards + 1, number, seat, number == self.highest)


TrickCounts: TypeAlias = tuple[SuitCount, SuitCount]


class TrickForecast:
    """Outcome of a trick for one master card, as cards are added.

    A card is a pair of numbers, those of the master's two suits; 0 for a suit that it does not show.
    """

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

    def decide(self, trick_counts: TrickCounts) -> tuple[SuitCount, int]:
        """Return the suit that decides a trick which ends so, and the points for it."""
        suit = self.deciding_suit(trick_counts[0].cards, trick_counts[1].cards)
        return trick_counts[suit], self.points[suit]

    def add_card(self, trick_counts: TrickCounts, card: int, seat: int) -> TrickCounts:
        """Return the counts with one more card."""
        one, other = self.shows[card]
        return trick_counts[0].add_card(one, seat), trick_counts[1].add_card(other, seat)


def likely_play(
    forecast: TrickForecast,
    trick_counts: TrickCounts,
    cards: Sequence[int],
    prices: Mapping[int, float] | Sequence[float],
) -> int:
    """Return the card that wins the most points if the trick ends with it, minus its price; the first of equals."""
    (ones, one_highest, _, _), (others, other_highest, _, _) = trick_counts
    shows, (one_points, other_points), first_on_equal = forecast.shows, forecast.points, not forecast.suit_on_equal
    best, most = cards[0], -inf
    for card in cards:
        one, other = shows[card]
        lead = ones + (one > 0) - others - (other > 0)  # of the first suit
        if lead > 0 or (not lead and first_on_equal):
            worth = (one_points if one and one >= one_highest else 0) - prices[card]
        else:
            worth = (other_points if other and other >= other_highest else 0) - prices[card]
        if worth > most:
            best, most = card, worth
    return best
