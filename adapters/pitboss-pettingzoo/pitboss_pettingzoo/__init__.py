"""Every game of Pitboss for PettingZoo (`make_env`, `pitboss/Table-v0`) and Gymnasium (`pitboss/OneSeat-v0`)."""

from __future__ import annotations

import gymnasium
import pettingzoo

from pitboss_pettingzoo.one_seat import OneSeatEnv
from pitboss_pettingzoo.opponents import FrozenPolicy
from pitboss_pettingzoo.table_env import TableEnv, make_env
from pitboss_pettingzoo.vector import OneSeatVectorEnv

pettingzoo.register("aec", "pitboss/Table-v0", entry_point="pitboss_pettingzoo.table_env:make_env")
gymnasium.register(
    "pitboss/OneSeat-v0",
    entry_point="pitboss_pettingzoo.one_seat:OneSeatEnv",
    vector_entry_point="pitboss_pettingzoo.vector:OneSeatVectorEnv",
)

__all__ = ["FrozenPolicy", "OneSeatEnv", "OneSeatVectorEnv", "TableEnv", "make_env"]
