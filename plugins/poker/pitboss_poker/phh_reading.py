"""PHH read again, as the kit does it."""

from __future__ import annotations

from pitboss.parts.betting.phh_reading import read_deals, read_hand_histories

__all__ = ["read_deals", "read_hand_histories"]
