"""PHH, the open format of hand histories, as the kit writes it."""

from __future__ import annotations

from pitboss.parts.betting.phh_writing import write_deals, write_hand_histories

__all__ = ["write_deals", "write_hand_histories"]
