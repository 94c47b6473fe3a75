"""Compute the average strategies of CFR+ in Kuhn and Leduc poker: `pitboss build` runs this. It takes some seconds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyspiel

ITERATIONS = {"kuhn": 1000, "leduc": 300}


def solve_game(game: Any, iterations: int) -> Any:
    """Return a solver that has found a strategy."""
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    return solver


def list_decisions(state: Any) -> Iterator[Any]:
    """Yield all states from this one on in which a player decides."""
    if not state.is_terminal():
        if not state.is_chance_node():
            yield state
        for action in state.legal_actions():
            yield from list_decisions(state.child(action))


def main() -> None:
    """Write for each game a table: by information state the chances of the actions."""
    folder = Path(__file__).with_name("build")
    folder.mkdir(exist_ok=True)
    for cards, iterations in ITERATIONS.items():
        game = pyspiel.load_game(f"{cards}_poker")
        solver = solve_game(game, iterations)  # the policy reads from it
        policy = solver.average_policy()
        table = {
            state.information_state_string(): list(policy.action_probabilities(state).items())
            for state in list_decisions(game.new_initial_state())
        }
        (folder / f"{cards}.json").write_text(json.dumps(table), encoding="utf-8")


if __name__ == "__main__":
    main()
