"""How well everybody stands in the middle of a game, for players who look ahead in any game: a quick guess, not the best one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from pitboss_lucky_maker.deck import CATEGORIES, DECK, HIGHEST, SUIT_NUMBERS, SUITS
from pitboss_lucky_maker.state import LuckyMakerStateBase
from pitboss_lucky_maker.strategy import (
    LATE_SEAT_VALUE,
    SUITS_A_TRICK,
    TOP_CARD_VALUE,
    TrickForecast,
    likely_play,
    next_lead_by_count,
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


def evaluate_state(state: LuckyMakerStateBase) -> list[float]:
    """Return by seat the total that it may expect after the game: what it has, the trick as it is likely to end, and what the cards that are left in its hand are good for."""
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
    """Return by seat what each of its cards is good for in tricks to come: for each of its suits the chance that nobody has a higher number."""
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
                * ((1 - (rest & one).bit_count() / count) ** looks + (1 - (rest & other).bit_count() / count) ** looks)
                for card, (one, other) in ((card, RIVALS[card]) for card in hand)
            }
        )
    return prices


def _play_out(state: LuckyMakerStateBase, expected: list[float], prices: Sequence[Mapping[int, float]]) -> int:
    """Let the others play what is likely to the trick, count it, and return who leads to the next one."""
    board, zones, follows = state.board, state.table.zones, state.follows
    trick, seats = zones[board.trick], board.seats_from[state.lead]
    outlook = _forecast(zones[board.master][0])
    standing = outlook.start
    for card, seat in zip(trick, seats, strict=False):
        standing = outlook.add_card(standing, card, seat)
    for seat in seats[len(trick) :]:
        hand = zones[board.hands[seat]]
        card = likely_play(outlook, standing, [card for card in hand if follows[card]] or hand, prices[seat])
        standing = outlook.add_card(standing, card, seat)
        expected[seat] -= prices[seat][card]
    suit = outlook.deciding_suit(standing[0].cards, standing[1].cards)
    winner = standing[suit].holder
    if winner is not None:
        expected[winner] += outlook.points[suit]
    return next_lead_by_count(standing[suit], state.lead, board.seats, state.options.tie_lead, state.options.void_lead)


@cache
def _forecast(master: int) -> TrickForecast:
    return TrickForecast(master)
