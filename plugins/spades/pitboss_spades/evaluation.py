"""Evaluation of a Spades state for search players: the expected totals after the deal, a fast heuristic."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Final

from pitboss.outcome import spread_over_sides
from pitboss.parts.trick_estimate import chance_of_at_least, share_tricks
from pitboss_spades.cards import CARD_RANKS
from pitboss_spades.scoring import TRICK_POINTS, helps_partner
from pitboss_spades.state import HAND, SIDES, SpadesStateBase

TRICK_DEVIATION: Final = 0.45  # of a side's tricks to come, by the square root of their number
SPADE_WORTH: Final = 1.6
WORTHS: Final = {  # by option, of each card: how much it adds to the share of the tricks to come that its hand takes
    one: [((rank + 2) / 14) ** 3 + (SPADE_WORTH if suit == "S" else 0) for suit, rank in ranked.values()]
    for one, ranked in CARD_RANKS.items()
}


def evaluate_state(state: SpadesStateBase) -> Sequence[float]:
    """Return by seat the expected total of its side after this deal."""
    if state.turn is None:
        return [float(total) for total in state.totals]
    won = state.tricks_won()
    to_come = share_tricks(state, WORTHS[state.options.high_trumps], state.hand_zones(), HAND - sum(won))
    expected = [
        state.totals[side[0]] + _expect_points(state, number, won, to_come) for number, side in enumerate(SIDES)
    ]
    return spread_over_sides(expected, SIDES)


def _expect_points(state: SpadesStateBase, number: int, won: Sequence[int], to_come: Sequence[float]) -> float:
    """Return the expected points of a side in this deal; a bid that has not been made yet is what the hand is worth."""
    options, side = state.options, SIDES[number]
    bids = [bid if (bid := state.bids[seat]) is not None else round(to_come[seat]) or 1 for seat in side]
    points = 0.0
    for seat, bid in zip(side, bids, strict=True):
        if bid == 0:
            worth = options.nil * (2 if state.blind[seat] else 1)
            stands = 0.0 if won[seat] else exp(-to_come[seat])
            points += worth * (2 * stands - 1)
    whole_bid, helping, bags = sum(bids), 0.0, 0.0
    for seat, bid in zip(side, bids, strict=True):
        if helps_partner(bid, options.failed_nil):
            helping += won[seat] + to_come[seat]
        elif won[seat]:
            bags += won[seat] + to_come[seat]
    made = chance_of_at_least(whole_bid, helping, HAND - sum(won), TRICK_DEVIATION)
    bags += max(0.0, helping - whole_bid) * made
    bag = 1 - (options.bag_penalty / options.bag_limit if options.bag_limit else 0)
    return points + TRICK_POINTS * whole_bid * (2 * made - 1) + bag * bags
