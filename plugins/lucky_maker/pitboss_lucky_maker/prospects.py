"""How well everybody stands in the middle of a game, for players who look ahead in any game: a quick guess, not the best one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

from pitboss_lucky_maker.deck import CATEGORIES, DECK, HIGHEST, IN_SUIT
from pitboss_lucky_maker.strategy import TrickOutlook, likely_play

if TYPE_CHECKING:
    from pitboss_lucky_maker.game import LuckyMakerState

PRICE: Final = 4.0  # points that a card is worth which nobody can beat
EITHER: Final = 2  # a trick is decided by one suit or the other: a card has twice as many rivals as there are players
IN_A_SUIT: Final = 0.5  # of all cards


def prospects(state: LuckyMakerState) -> list[float]:
    """Return by seat the total that it may expect after the game: what it has, the trick as it is likely to end, and what the cards that are left in its hand are good for."""
    board, zones = state.board, state.table.zones
    price = prices(board.seats)
    expected = [
        total + score + sum(map(price.__getitem__, zones[hand]))
        for total, score, hand in zip(state.totals, state.scores, board.hands, strict=True)
    ]
    if zones[board.trick]:
        _play_out(state, expected, price)
    return expected


def _play_out(state: LuckyMakerState, expected: list[float], price: Sequence[float]) -> None:
    """Let the others play what is likely to the trick, and count it."""
    board, zones, follows = state.board, state.table.zones, state.follows
    trick, seats = zones[board.trick], board.in_order[state.lead]
    outlook = _outlook(zones[board.master][0])
    standing = outlook.start
    for card, seat in zip(trick, seats, strict=False):
        standing = outlook.after(standing, card, seat)
    for seat in seats[len(trick) :]:
        hand = zones[board.hands[seat]]
        card = likely_play(outlook, standing, [card for card in hand if follows[card]] or hand, price)
        standing = outlook.after(standing, card, seat)
        expected[seat] -= price[card]
    suit = outlook.decides(standing[0].cards, standing[1].cards)
    winner = standing[suit].holder
    if winner is not None:
        expected[winner] += outlook.points[suit]


@cache
def _outlook(master: int) -> TrickOutlook:
    return TrickOutlook(master)


@cache
def prices(seats: int) -> Sequence[float]:
    """Return by card what it is good for in tricks to come: for each of its suits the chance that nobody has a higher number."""
    return [PRICE * sum(_stands(IN_SUIT[suit][card], seats) for suit in CATEGORIES[card // HIGHEST]) for card in range(len(DECK))]


def _stands(number: int, seats: int) -> float:
    higher = IN_A_SUIT * (HIGHEST - number) / HIGHEST
    return float((1 - higher) ** (EITHER * (seats - 1)))
