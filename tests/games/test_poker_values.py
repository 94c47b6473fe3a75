"""Exact values of small poker games, from the states of the engine: every deal, every line of play."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from typing import TypeAlias

import pytest

from pitboss_poker.messages import Action, Bet, Call, Position
from pitboss_poker.state import PokerState
from tests.games.poker_states import deal_poker

Strategy: TypeAlias = Callable[[PokerState], list[tuple[Action, Fraction]]]  # actions with their probabilities


def value_of(state: PokerState, strategy: Strategy) -> Fraction:
    """Return the expected points of seat 0."""
    if state.turn is None:
        return Fraction(state.net[0])
    value = Fraction(0)
    for action, probability in strategy(state):
        if probability:
            twin = state.copy()
            twin.play(action)
            value += probability * value_of(twin, strategy)
    return value


def mean_value(preset: str, strategy: Strategy) -> Fraction:
    """Return the expected points of seat 0 over all deals for two players, the board included."""
    blank = deal_poker(2, preset, hands=1)
    faces = list(map(str, blank.variant.deck.faces))
    values = []
    for first, second, *board in permutations(faces, 2 + blank.variant.board_size):
        position = Position(hands=[[first], [second]], stock=[*board] or None)
        values.append(value_of(deal_poker(2, preset, position, hands=1), strategy))
    return sum(values, Fraction(0)) / len(values)


def kuhn_equilibrium(bluff: Fraction) -> Strategy:
    """Return the equilibrium of Kuhn's paper in which the first player bets a jack with this probability, up to 1/3."""
    third = Fraction(1, 3)
    bets = [{"J": bluff, "Q": Fraction(0), "K": 3 * bluff}, {"J": third, "Q": Fraction(0), "K": Fraction(1)}]
    calls = [{"J": Fraction(0), "Q": bluff + third, "K": Fraction(1)}, {"J": Fraction(0), "Q": third, "K": Fraction(1)}]

    def choose(state: PokerState) -> list[tuple[Action, Fraction]]:
        assert state.turn is not None
        seat = state.turn.seat
        rank = state.faces(state.hands[seat])[0][1:]
        passive, active = state.legal()
        probability = (bets if isinstance(active, Bet) else calls)[seat][rank]
        assert isinstance(active, Bet | Call)
        assert not isinstance(passive, Bet | Call)
        return [(passive, 1 - probability), (active, probability)]  # type: ignore[list-item]

    return choose


def choose_uniformly(state: PokerState) -> list[tuple[Action, Fraction]]:
    """Give all legal actions the same probability."""
    legal = state.legal()
    return [(action, Fraction(1, len(legal))) for action in legal]  # type: ignore[misc]


@pytest.mark.parametrize("bluff", [Fraction(0), Fraction(1, 5), Fraction(1, 3)])
def test_kuhn_equilibrium(bluff: Fraction) -> None:
    """Each equilibrium of Kuhn poker gives the first player -1/18 a hand."""
    assert Fraction(-1, 18) == mean_value("kuhn", kuhn_equilibrium(bluff))


def test_kuhn_at_random() -> None:
    """Two players who choose at random share what OpenSpiel 2.0.2 finds."""
    assert Fraction(1, 8) == mean_value("kuhn", choose_uniformly)


@pytest.mark.once
def test_leduc_at_random() -> None:
    """Two players who choose at random in Leduc poker share what OpenSpiel 2.0.2 finds."""
    assert Fraction(-5, 64) == mean_value("leduc", choose_uniformly)
