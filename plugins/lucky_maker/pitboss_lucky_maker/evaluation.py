"""Evaluation of a Lucky Maker state for search players: expected total by seat, a fast heuristic."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from pitboss_lucky_maker.deck import CATEGORIES, DECK, HIGHEST, SUIT_NUMBERS, SUITS
from pitboss_lucky_maker.state import LuckyMakerStateBase
from pitboss_lucky_maker.trick import (
    LATE_SEAT_VALUE,
    SUITS_A_TRICK,
    TOP_CARD_VALUE,
    TrickForecast,
    likely_play,
    next_lead,
    strength_in_suit,
)

BITS: Final = tuple(1 << card for card in range(len(DECK)))
HIGHER_CARDS: Final = {  # by suit and number: the mask of the cards with a higher number
    suit: tuple(
        sum(bit for bit, number in zip(BITS, SUIT_NUMBERS[suit], strict=True) if number > than)
        for than in range(HIGHEST + 1)
    )
    for suit in SUITS
}
RIVALS: Final = [
    tuple(HIGHER_CARDS[suit][SUIT_NUMBERS[suit][card]] for suit in CATEGORIES[card // HIGHEST])
    for card in range(len(DECK))
]

forecast_of: Final = cache(TrickForecast)  # by master


@cache
def strengths_in_suit(count: int, looks: int) -> tuple[float, ...]:
    """Return the strength of a card in a suit by the number of cards, of `count` others, that are higher."""
    return tuple(strength_in_suit(higher / count, looks) for higher in range(count + 1))


def evaluate_state(state: LuckyMakerStateBase) -> list[float]:
    """Return by seat the expected total after the game.

    It is the sum of the points so far, the likely points of this trick, and the prices of the cards left in the hand.
    """
    board, zones = state.board, state.table.zones
    prices = _card_prices(state)
    expected = [
        total + score + sum(price) for total, score, price in zip(state.totals, state.scores, prices, strict=True)
    ]
    lead = _play_out(state, expected, prices) if zones[board.trick] else state.lead
    if zones[board.masters]:
        for place, seat in enumerate(board.seats_from[lead]):
            expected[seat] += LATE_SEAT_VALUE * place / (board.seats - 1)
    return expected


def _card_prices(state: LuckyMakerStateBase) -> list[list[float]]:
    """Return by seat the expected points of each card of its hand in later tricks: its strength times a top card's."""
    board, zones = state.board, state.table.zones
    hands, bit = [zones[hand] for hand in board.hands], BITS.__getitem__
    masks = [sum(map(bit, hand)) for hand in hands]
    live = sum(masks) + sum(map(bit, zones[board.masters]))
    looks, rivals, value = SUITS_A_TRICK * (board.seats - 1), RIVALS, TOP_CARD_VALUE
    prices = []
    for hand, mask in zip(hands, masks, strict=True):
        rest = live ^ mask
        strengths = strengths_in_suit(rest.bit_count() or 1, looks)
        price = []
        for card in hand:
            one, other = rivals[card]
            price.append(value * (strengths[(rest & one).bit_count()] + strengths[(rest & other).bit_count()]))
        prices.append(price)
    return prices


def _play_out(state: LuckyMakerStateBase, expected: list[float], prices: Sequence[Sequence[float]]) -> int:
    """Complete the trick with likely plays, add it to `expected`, and return who leads to the next one."""
    board, zones, follows = state.board, state.table.zones, state.follows
    trick, seats = zones[board.trick], board.seats_from[state.lead]
    forecast = forecast_of(zones[board.master][0])
    standing = forecast.start
    for card, seat in zip(trick, seats, strict=False):
        standing = forecast.add_card(standing, card, seat)
    for seat in seats[len(trick) :]:
        hand = zones[board.hands[seat]]
        price_of = dict(zip(hand, prices[seat], strict=True))
        card = likely_play(forecast, standing, [card for card in hand if follows[card]] or hand, price_of)
        standing = forecast.add_card(standing, card, seat)
        expected[seat] -= price_of[card]
    decisive, points = forecast.decide(standing)
    if decisive.holder is not None:
        expected[decisive.holder] += points
    tie_lead, void_lead = state.options.tie_lead, state.options.void_lead
    is_followed = decisive.cards > 0
    return next_lead(decisive.holder, decisive.is_tie, is_followed, state.lead, board.seats, tie_lead, void_lead)
