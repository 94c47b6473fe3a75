"""A trick and who wins it: sections 2.2 and 2.3 of the rule book; and a forecast of that, while it is played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Final, NamedTuple, TypeAlias

from pitboss_lucky_maker.cards import CATEGORIES, DECK, NUMBER_SUM, SUIT_NUMBERS, Suit
from pitboss_lucky_maker.messages import LuckyMakerOptions

TrickExceptions: TypeAlias = tuple[int, ...]
# a finished trick: its master, who led, the cards in time order, how it was decided
PastTrick: TypeAlias = "tuple[int, int, tuple[int, ...], TrickResult]"

ON_EQUAL_COUNTS: Final = 1
MASTER_WINS: Final = 2
NOBODY_FOLLOWED: Final = 3
TIE_AT_THE_TOP: Final = 4
SECOND_SUIT: Final = 8  # more than cards in a trick


class MasterSuit(NamedTuple):
    """One suit of a master."""

    suit: Suit
    numbers: tuple[int, ...]  # by card: its number in the suit
    strength: int  # the master's own number
    points: int  # 2.2: the master's number in its other suit


class Master(NamedTuple):
    """A master card: its two suits, and the cards that show them."""

    shows: tuple[int, ...]  # by card: 1 if it shows the first suit, and 8 if the second one
    first: MasterSuit
    second: MasterSuit
    higher: MasterSuit  # exception 1


def _read_master(card: int) -> Master:
    suits = CATEGORIES[card // 10]
    first, second = (
        MasterSuit(suit, SUIT_NUMBERS[suit], SUIT_NUMBERS[suit][card], NUMBER_SUM - SUIT_NUMBERS[suit][card])
        for suit in suits
    )
    shows = tuple((one > 0) + SECOND_SUIT * (two > 0) for one, two in zip(first.numbers, second.numbers, strict=True))
    return Master(shows, first, second, max(first, second, key=lambda one: one.strength))


MASTERS: Final = tuple(map(_read_master, range(len(DECK))))


class TrickResult(NamedTuple):
    """How a trick was decided. `winner` is the winner's place in time, 0 being the leader."""

    counts: tuple[int, int]  # of the master's two suits
    follow: Suit | None  # the suit that decided
    winner: int | None
    points: int
    rules: TrickExceptions  # the exceptions that applied


def decide_trick(master: int, cards: Sequence[int]) -> TrickResult:
    """2.2: decide a trick; the cards are in time order."""
    suits = MASTERS[master]
    shows, shown = suits.shows, 0
    for card in cards:  # D4: not the master
        shown += shows[card]
    counts = one, two = shown % SECOND_SUIT, shown // SECOND_SUIT
    rules: TrickExceptions = ()
    if one == two:
        if not one:
            return TrickResult(counts, None, None, 0, (NOBODY_FOLLOWED,))  # D8
        decides, rules = suits.higher, (ON_EQUAL_COUNTS,)
    else:
        decides = suits.first if one > two else suits.second
    numbers, best, winner, is_tie = decides.numbers, decides.strength, None, False
    # D5: the master was the first card on the table; of equal numbers the last one wins
    for place, card in enumerate(cards):
        number = numbers[card]
        if number >= best:
            is_tie = number == best
            best, winner = number, place
    if winner is None:
        return TrickResult(counts, decides.suit, None, 0, (*rules, MASTER_WINS))
    return TrickResult(counts, decides.suit, winner, decides.points, (*rules, TIE_AT_THE_TOP) if is_tie else rules)


def lead_after(decision: TrickResult, lead: int, seats: int, options: LuckyMakerOptions) -> int:
    """2.3: return who leads to the trick after a finished one."""
    winner = None if decision.winner is None else (lead + decision.winner) % seats
    is_tie, is_followed = TIE_AT_THE_TOP in decision.rules, NOBODY_FOLLOWED not in decision.rules
    return next_lead(winner, is_tie, is_followed, lead, seats, options.tie_lead, options.void_lead)


def next_lead(
    winner: int | None, is_tie: bool, is_followed: bool, lead: int, seats: int, tie_lead: str, void_lead: str
) -> int:
    """2.3: return who leads to the next trick (D2, D3); `winner` is the seat that won this one."""
    if winner is not None:
        return lead if is_tie and tie_lead == "same" else winner
    return (lead + 1) % seats if not is_followed and void_lead == "next" else lead


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
        """Return which suit decides if `one` and `other` cards show each suit."""
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
