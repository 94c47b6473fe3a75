"""Every game of Pitboss for PettingZoo (`make_env`) and Gymnasium (`pitboss/OneSeat-v0`)."""

from __future__ import annotations

import gymnasium

from pitboss_pettingzoo.one_seat import OneSeatEnv
from pitboss_pettingzoo.table_env import TableEnv, make_env

gymnasium.register("pitboss/OneSeat-v0", entry_point="pitboss_pettingzoo.one_seat:OneSeatEnv")

__all__ = ["OneSeatEnv", "TableEnv", "make_env"]
