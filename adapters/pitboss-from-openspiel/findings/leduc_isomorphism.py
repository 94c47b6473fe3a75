"""OpenSpiel's Leduc poker with `suit_isomorphism`: `resample_from_infostate` never deals both players the same rank.

There are two cards of each rank. A player with one of them expects the other with the chance of one in five.
"""

from __future__ import annotations

import random
import sys
from collections import Counter

import pyspiel

state = pyspiel.load_game("leduc_poker", {"suit_isomorphism": True}).new_initial_state()
state.apply_action(0)
chances = dict(state.chance_outcomes())
state.apply_action(0)
rng = random.Random(1)
worlds = Counter(state.resample_from_infostate(0, rng.random).history()[1] for _ in range(1000))
print(f"player 1 is dealt a rank with the chances {chances}; 1,000 samples: {dict(worlds)}")
sys.exit(0 not in worlds)
