"""OpenSpiel's Hearts: `resample_from_infostate` returns states in which a player has no card left for the last trick.

The seat that resampled sees the same information state, but play goes on to a state in which nothing is legal.
"""

from __future__ import annotations

import random
import sys

import pyspiel

GAMES = 100

game = pyspiel.load_game("hearts")
rng = random.Random(1)
sampled = stuck = 0


def play(state: pyspiel.State) -> bool:
    """Play an action or an outcome at random; return whether there was one."""
    actions = [one for one, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
    if actions:
        state.apply_action(rng.choice(actions))
    return bool(actions)


for _ in range(GAMES):
    state = game.new_initial_state()
    while not state.is_terminal():
        if not state.is_chance_node() and rng.random() < 0.05:
            world = state.resample_from_infostate(rng.randrange(4), rng.random)
            sampled += 1
            while not world.is_terminal() and play(world):
                pass
            stuck += not world.is_terminal()
        assert play(state), "the true game never stops"

print(f"{sampled} states sampled in {GAMES} games; in {stuck} of them play stops where nothing is legal")
sys.exit(stuck > 0)
