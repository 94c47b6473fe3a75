"""A loop over OpenSpiel's own states, with the strategy that the bridge plays."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any, TypeAlias

import pyspiel

from tests.ports.pair_result import ChipsPerHand, summarize_hands

Strategy: TypeAlias = dict[str, list[tuple[int, float]]]  # by information state the chances of the actions


def play_openspiel(cards: str, table: Path, hands: int) -> ChipsPerHand:
    """Return what a strategy, a table as the bridge has it, wins against uniformly random play; seats alternate."""
    game, rng, strategy = pyspiel.load_game(f"{cards}_poker"), Random(0), _read_strategy(table)
    return summarize_hands([_play_hand(game, strategy, number % 2, rng) for number in range(hands)])


def compute_openspiel(cards: str, table: Path) -> ChipsPerHand:
    """Return what it wins in the mean of all hands, in both seats."""
    start, strategy = pyspiel.load_game(f"{cards}_poker").new_initial_state(), _read_strategy(table)
    return ChipsPerHand(fmean(_expect_chips(start, strategy, seat) for seat in range(2)), 0.0)


def _read_strategy(table: Path) -> Strategy:
    strategy: Strategy = json.loads(table.read_text(encoding="utf-8"))
    return strategy


def _list_chances(state: Any, strategy: Strategy, seat: int) -> list[tuple[int, float]]:  # noqa: ANN401
    """Return the actions of a state with their chances."""
    if state.is_chance_node():
        return list(state.chance_outcomes())
    if state.current_player() == seat:
        return strategy[state.information_state_string()]
    actions = state.legal_actions()
    return [(action, 1 / len(actions)) for action in actions]


def _expect_chips(state: Any, strategy: Strategy, seat: int) -> float:  # noqa: ANN401
    if state.is_terminal():
        return float(state.returns()[seat])
    chances = _list_chances(state, strategy, seat)
    return sum(chance * _expect_chips(state.child(action), strategy, seat) for action, chance in chances)


def _play_hand(game: Any, strategy: Strategy, seat: int, rng: Random) -> float:  # noqa: ANN401
    state = game.new_initial_state()
    while not state.is_terminal():
        actions, chances = zip(*_list_chances(state, strategy, seat), strict=True)
        state.apply_action(rng.choices(actions, chances)[0])
    return float(state.returns()[seat])
