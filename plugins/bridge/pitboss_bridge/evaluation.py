"""Evaluation of a Bridge state for search players: the expected score after the deal, a fast heuristic."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import erf, sqrt
from typing import Final

from pitboss.outcome import spread_over_sides
from pitboss.plugins.packs import SUITS, rank_of
from pitboss_bridge.bidding import HIGH_CARDS
from pitboss_bridge.messages import STRAINS, Bid, Strain
from pitboss_bridge.scoring import count_made
from pitboss_bridge.state import HAND, SIDES, BridgeStateBase

CARD_POINTS: Final = tuple(HIGH_CARDS.get(rank_of(face), 0) for face in BridgeStateBase.deck.faces)
AUCTION_DEVIATION: Final = 1.3  # tricks, before a card is played
TRICK_DEVIATION: Final = 0.4  # of the tricks to come, by the square root of their number
TRUMP_WORTH: Final = 0.9
WORTHS: Final = tuple(((card % HAND + 2) / 14) ** 4 for card in range(4 * HAND))  # by card: its share of the tricks
NT_TRICKS: Final = (-3.9, 0.5)  # tricks, and for each high-card point of both hands: fits to double-dummy results
SUIT_TRICKS: Final = (-6.4, 0.36, 0.77, 0.27)  # tricks, for each point, each trump, and each card that short suits lack
STEPS: Final = 4  # an expected number of tricks is rounded to a quarter


def evaluate_state(state: BridgeStateBase) -> Sequence[float]:
    """Return by seat the expected total of its side after this deal, as if each deal counted by itself."""
    points = [float(total) for total in state.totals]
    if state.turn is None:
        return points
    is_play = state.declarer is not None
    first = _expect_play(state) if is_play else _expect_auction(state)  # of side 0
    return [total + value for total, value in zip(points, spread_over_sides((first, -first), SIDES), strict=True)]


def _expect_play(state: BridgeStateBase) -> float:
    """Return what side 0 can expect while cards are played: tricks to come are shared by the strength of the hands."""
    assert state.contract is not None
    zones, won, side = state.table.zones, state.tricks_won(), state.bidder % 2
    trumps = state.order.cards_of.get(state.order.trump or "", frozenset())
    strengths = [
        sum([WORTHS[card] + TRUMP_WORTH * (card in trumps) for seat in seats for card in zones[state.hands[seat]]])
        for seats in SIDES
    ]
    left = HAND - len(state.tricks)
    share = strengths[side] / (sum(strengths) or 1)
    mean = won[side] + won[side + 2] + left * share
    quarters = round(TRICK_DEVIATION * sqrt(left) * STEPS)
    value = expect_contract(
        state.contract, state.doubled, round(mean * STEPS), quarters, is_vulnerable=state.vulnerable()[side]
    )
    return -value if side else value


def _expect_auction(state: BridgeStateBase) -> float:
    """Return what side 0 can expect of the last bid; of the best contract of the stronger side, if there is no bid."""
    counts = [_count_side(state, side) for side in range(2)]
    quarters = round(AUCTION_DEVIATION * STEPS)
    if state.contract is None:
        side = int(counts[1].points > counts[0].points)
        value = counts[side].best_value(is_vulnerable=state.vulnerable()[side]) / 2
    else:
        side = state.bidder % 2
        tricks, is_vulnerable = counts[side].tricks(state.contract.strain), state.vulnerable()[side]
        value = expect_contract(state.contract, state.doubled, tricks, quarters, is_vulnerable=is_vulnerable)
        if state.doubled == 1:
            value = min(value, expect_contract(state.contract, 2, tricks, quarters, is_vulnerable=is_vulnerable))
    return -value if side else value


class SideCount:
    """High-card points and lengths of the two hands of a side."""

    def __init__(self, points: int, lengths: Sequence[Sequence[int]]) -> None:
        self.points = points
        self.lengths = lengths  # by hand and suit

    def tricks(self, strain: Strain) -> int:
        """Return the tricks that the side is likely to take, in quarters."""
        return estimate_tricks(self.points, strain, tuple(self.lengths[0]), tuple(self.lengths[1]))

    def best_value(self, *, is_vulnerable: bool) -> float:
        """Return the expected points of the best contract."""
        return max([best_level(strain, self.tricks(strain), is_vulnerable=is_vulnerable) for strain in STRAINS])


def _count_side(state: BridgeStateBase, side: int) -> SideCount:
    held = [state.table.zones[state.hands[seat]] for seat in SIDES[side]]
    points = sum([CARD_POINTS[card] for hand in held for card in hand])
    lengths = [[0, 0, 0, 0], [0, 0, 0, 0]]
    for row, hand in zip(lengths, held, strict=True):
        for card in hand:
            row[card // HAND] += 1
    return SideCount(points, lengths)


@lru_cache(maxsize=1 << 14)
def estimate_tricks(points: int, strain: Strain, first: tuple[int, ...], second: tuple[int, ...]) -> int:
    """Return the tricks of two hands, in quarters, by their high-card points and the lengths of their suits."""
    if strain == "NT":
        return round(STEPS * (NT_TRICKS[0] + NT_TRICKS[1] * points))
    suit = SUITS.index(strain)
    fit = first[suit] + second[suit]
    short = sum([max(0, 3 - hand[other]) for hand in (first, second) for other in range(4) if other != suit])
    base, each_point, each_trump, each_short = SUIT_TRICKS
    return round(STEPS * (base + each_point * points + each_trump * fit + each_short * short))


@lru_cache(maxsize=1 << 12)
def best_level(strain: Strain, tricks: int, *, is_vulnerable: bool) -> float:
    """Return the expected points of the best level in a strain, which is doubled if that costs more."""
    quarters = round(AUCTION_DEVIATION * STEPS)
    return max(
        min(
            expect_contract(Bid(level, strain), doubled, tricks, quarters, is_vulnerable=is_vulnerable)
            for doubled in (1, 2)
        )
        for level in range(1, 8)
    )


@lru_cache(maxsize=1 << 15)
def expect_contract(contract: Bid, doubled: int, tricks: int, deviation: int, *, is_vulnerable: bool) -> float:
    """Return the expected points of the declarer's side; expected tricks and their deviation are in quarters."""
    spread = max(deviation, 1) * sqrt(2)
    shares = [erf((STEPS * (number + 0.5) - tricks) / spread) for number in range(-1, HAND + 1)]
    shares[0], shares[-1] = -1.0, 1.0
    return sum(
        (shares[number + 1] - shares[number]) / 2 * count_made(contract, doubled, number, is_vulnerable)
        for number in range(HAND + 1)
    )
