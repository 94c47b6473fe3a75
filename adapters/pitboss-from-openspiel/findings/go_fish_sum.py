"""OpenSpiel's Go Fish with `most_books_wins=False`: the returns of a finished game do not add up to `utility_sum`."""

from __future__ import annotations

import random
import sys

import pyspiel

game = pyspiel.load_game("go_fish", {"most_books_wins": False})
rng, state = random.Random(0), game.new_initial_state()
while not state.is_terminal():
    if state.is_chance_node():
        numbers, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(rng.choices(numbers, chances)[0])
    else:
        state.apply_action(rng.choice(state.legal_actions()))
print(f"utility_sum {game.utility_sum()}, returns {state.returns()}")
sys.exit(sum(state.returns()) != game.utility_sum())
