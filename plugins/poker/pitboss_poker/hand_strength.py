"""The strength of a hand of poker, as the kit has it."""

from __future__ import annotations

from pitboss.parts.betting.high_hands import (
    CATEGORIES,
    card_key,
    category_of,
    describe_strength,
    rank_hand,
)
from pitboss.parts.betting.high_hands import (
    HAND_RANKS as RANK_NAMES,
)

__all__ = ["CATEGORIES", "RANK_NAMES", "card_key", "category_of", "describe_strength", "rank_hand"]
