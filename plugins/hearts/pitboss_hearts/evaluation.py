"""Evaluation of a Hearts state for search players: the points after the deal, a fast heuristic."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from pitboss.parts.suits import order_by_rank
from pitboss.plugins.packs import rank_of
from pitboss.table.cards import Deck
from pitboss_hearts.state import ALL_POINTS, QUEEN_POINTS, HeartsStateBase, count_points

HIGH_RANKS: Final = {"A": 1.0, "K": 0.8, "Q": 0.6, "J": 0.4, "10": 0.25, "9": 0.15, "8": 0.1}
QUEEN_RISK: Final = 0.5  # how much of the queen's points fall to her holder, beside its share of all points
MIN_RISK: Final = 0.3  # of any hand


def evaluate_state(state: HeartsStateBase) -> Sequence[float]:
    """Return by seat the expected total after this deal, negated: the fewest points win."""
    if state.turn is None:
        return [-float(total) for total in state.totals]
    cards, zones, points = state.cards, state.table.zones, state.points_taken()
    if ALL_POINTS in points:
        counted = count_points([zones[pile] for pile in state.taken], cards, state.options, state.moon_choice)
        return [-float(total + count) for total, count in zip(state.totals, counted, strict=True)]
    left = float(ALL_POINTS - sum(points))
    risks, expected = risk_of_cards(state.table.layout.deck), [float(one) for one in points]
    held = [[*zones[hand], *zones[state.passed[seat]]] for seat, hand in enumerate(state.hands)]
    for seat, hand in enumerate(held):
        if cards.queen in hand:
            expected[seat] += QUEEN_RISK * QUEEN_POINTS
            left -= QUEEN_RISK * QUEEN_POINTS
    weights = [MIN_RISK + sum([risks[card] for card in hand]) for hand in held]
    whole = sum(weights)
    return [
        -(total + count + left * weight / whole)
        for total, count, weight in zip(state.totals, expected, weights, strict=True)
    ]


@lru_cache
def risk_of_cards(deck: Deck) -> list[float]:
    """Return by card how readily it takes a trick; hearts take points too."""
    hearts = order_by_rank(deck).cards_of["H"]
    return [HIGH_RANKS.get(rank_of(face), 0.0) * (1.5 if card in hearts else 1) for card, face in enumerate(deck.faces)]
