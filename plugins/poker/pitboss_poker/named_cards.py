"""Cards that a seed names, as the kit has them."""

from __future__ import annotations

from pitboss.parts.betting.named_cards import NamedCards, read_cards, read_seed, write_cards, write_seed

__all__ = ["NamedCards", "read_cards", "read_seed", "write_cards", "write_seed"]
