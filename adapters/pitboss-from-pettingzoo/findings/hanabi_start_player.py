"""PettingZoo's Hanabi with `random_start_player`: `agent_selection` is the first agent, also where another one begins.

All actions of the first agent are illegal then, and the agent that may act is never asked.
"""

from __future__ import annotations

import sys

from pettingzoo.classic import hanabi_v5

env = hanabi_v5.raw_env(random_start_player=True, players=2)
wrong = 0
for seed in range(20):
    env.reset(seed=seed)
    mask = env.observe(env.agent_selection)["action_mask"]
    wrong += not any(mask)
print(f"in {wrong} of 20 games the agent on turn has no legal action")
sys.exit(wrong > 0)
