"""OpenSpiel's EinStein würfelt nicht: the observation does not show the die, which decides what is legal."""

from __future__ import annotations

import sys

import pyspiel

state = pyspiel.load_game("einstein_wurfelt_nicht").new_initial_state()
state.apply_action(0)
state.apply_action(0)
one, six = state.clone(), state.clone()
one.apply_action(0)
six.apply_action(5)
for thrown in (one, six):
    print([thrown.action_to_string(action) for action in thrown.legal_actions()])
same = one.observation_string(0) == six.observation_string(0)
print(f"the same observation after a 1 and a 6: {same}")
sys.exit(same and one.legal_actions() != six.legal_actions())
