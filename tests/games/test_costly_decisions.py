"""The decision that cost most: a blunder is found, bad luck is not taken for one."""

from __future__ import annotations

from typing import Any

from pitboss.game import resolve_options
from pitboss.plugins.registry import Registry
from pitboss.records.costly_decisions import CostlyDecisions
from pitboss.table.randomness import Random

BLUNDER = 21  # a decision that puts a card into a slot


def rank_actions(state: Any) -> list[Any]:  # noqa: ANN401 - a state of Rack-O
    """Return the legal actions, the best first, as the game evaluates what they lead to."""
    seat = state.turn.seat

    def measure_lead(action: object) -> float:
        after = state.copy()
        after.play(action)
        values = after.evaluate() if after.turn else after.outcome().signed_points()
        return float(values[seat] - sum(values) / len(values))

    return sorted(state.legal(), key=measure_lead, reverse=True)


def test_a_blunder_among_good_moves() -> None:
    """The one bad swap of a game that is played well otherwise is found."""
    game = Registry().find_game("racko")
    state: Any = game.deal(2, resolve_options(game, 2), Random("blunder"))
    costly = CostlyDecisions("blunder")
    number = worst = 0
    while number < 40 and state.turn is not None:
        number += 1
        ranked = rank_actions(state)
        is_blunder = not worst and number >= BLUNDER and state.turn.phase == "place"
        worst = number if is_blunder else worst
        before, action = state.copy(), ranked[-1 if is_blunder else 0]
        state.play(action)
        costly.add(number, before, action, state)

    assert worst
    assert costly.find() == worst


def test_nothing_that_can_be_evaluated() -> None:
    """A game without falls of the estimate has no costly decision."""
    assert CostlyDecisions("none").find() is None
