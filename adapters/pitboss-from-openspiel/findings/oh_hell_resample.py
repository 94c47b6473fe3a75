"""OpenSpiel's Oh Hell: `resample_from_infostate` returns the truth where the player cannot know it.

Before the last card of a deal the player on turn holds a card that others have not seen: it may be one that was never
dealt. All resampled states hold the true card.
"""

from __future__ import annotations

import random
import sys

import pyspiel

HISTORY = [2, 5, 39, 13, 25, 23, 34, 42, 4, 1, 44, 21, 40, 0, 22, 54, 54, 54]
HISTORY += [52, 54, 54, 4, 1, 44, 23, 40, 0, 25, 21, 34, 42, 39]
OTHER_CARD = 2  # in place of the card 13 that was dealt fourth
SEAT = 2

game = pyspiel.load_game("oh_hell", {"players": 6})
state, other = game.new_initial_state(), game.new_initial_state()
for at, action in enumerate(HISTORY):
    state.apply_action(action)
    other.apply_action(OTHER_CARD if at == 3 else action)
worlds = {str(state.resample_from_infostate(SEAT, random.Random(seed).random)) for seed in range(1000)}
same = state.information_state_string(SEAT) == other.information_state_string(SEAT)
differs = str(state) != str(other)
print(f"two states with one information state: {same and differs}; states in 1,000 samples: {len(worlds)}")
sys.exit(same and differs and worlds == {str(state)})
