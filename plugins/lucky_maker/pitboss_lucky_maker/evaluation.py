"""Evaluation of a Lucky Maker state for search players: expected total by seat, a fast heuristic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from pitboss_lucky_maker.deck import CATEGORIES, DECK, HIGHEST, SUIT_NUMBERS, SUITS
from pitboss_lucky_maker.state import LuckyMakerStateBase
from pitboss_lucky_maker.trick import next_lead
from pitboss_lucky_maker.trick_forecast import (
    LATE_SEAT_VALUE,
    SUITS_A_TRICK,
    TOP_CARD_VALUE,
    TrickForecast,
    card_strength,
    likely_play,
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


def evaluate_state(state: LuckyMakerStateBase) -> list[float]:
    """Return by seat the expected total after the game.

    It is the sum of the points so far, the likely points of this trick, and the prices of the cards left in the hand.
    """
    board, zones = state.board, state.table.zones
    prices = _card_prices(state)
    expected = [
        total + score + sum(price.values())
        for total, score, price in zip(state.totals, state.scores, prices, strict=True)
    ]
    lead = _play_out(state, expected, prices) if zones[board.trick] else state.lead
    if zones[board.masters]:
        for place, seat in enumerate(board.seats_from[lead]):
            expected[seat] += LATE_SEAT_VALUE * place / (board.seats - 1)
    return expected


def _card_prices(state: LuckyMakerStateBase) -> list[dict[int, float]]:
    """Return by seat the expected points of each card in later tricks: its strength times the value of a top card."""
    board, zones = state.board, state.table.zones
    hands = [zones[hand] for hand in board.hands]
    masks = [sum([BITS[card] for card in hand]) for hand in hands]
    live = sum(masks) + sum([BITS[card] for card in zones[board.masters]])
    looks = SUITS_A_TRICK * (board.seats - 1)
    prices = []
    for hand, mask in zip(hands, masks, strict=True):
        rest = live & ~mask
        count = rest.bit_count() or 1
        prices.append(
            {
                card: TOP_CARD_VALUE
                * card_strength((rest & one).bit_count() / count, (rest & other).bit_count() / count, looks)
                for card, (one, other) in ((card, RIVALS[card]) for card in hand)
            }
        )
    return prices


def _play_out(state: LuckyMakerStateBase, expected: list[float], prices: Sequence[Mapping[int, float]]) -> int:
    """Complete the trick with likely plays, add it to `expected`, and return who leads to the next one."""
    board, zones, follows = state.board, state.table.zones, state.follows
    trick, seats = zones[board.trick], board.seats_from[state.lead]
    forecast = forecast_of(zones[board.master][0])
    standing = forecast.start
    for card, seat in zip(trick, seats, strict=False):
        standing = forecast.add_card(standing, card, seat)
    for seat in seats[len(trick) :]:
        hand = zones[board.hands[seat]]
        card = likely_play(forecast, standing, [card for card in hand if follows[card]] or hand, prices[seat])
        standing = forecast.add_card(standing, card, seat)
        expected[seat] -= prices[seat][card]
    decisive, points = forecast.decide(standing)
    if decisive.holder is not None:
        expected[decisive.holder] += points
    tie_lead, void_lead = state.options.tie_lead, state.options.void_lead
    is_followed = decisive.cards > 0
    return next_lead(decisive.holder, decisive.is_tie, is_followed, state.lead, board.seats, tie_lead, void_lead)
