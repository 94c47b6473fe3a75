"""Games whose actions and phases learners cannot number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from pitboss.game import GameBounds
from pitboss_magpie import messages
from pitboss_magpie.magpie import Magpie
from pitboss_magpie.messages import MagpieOptions


class PhasesTooFew(Magpie):
    """A phase that occurs is not among those of the game."""

    phases: Sequence[str] = ("draw", "drop")


class Drop(Struct, frozen=True, tag_field="do", tag="drop", forbid_unknown_fields=True):
    """Discard a card from the hand, whose field is not marked as a card."""

    card: str


UnmarkedAction: TypeAlias = (
    messages.Draw | messages.Take | messages.Lay | Drop | messages.Bury | messages.Boast | messages.Wait
)


class CardsUnmarked(Magpie):
    """The field with a card may be any text."""

    Action = UnmarkedAction


class BoundsTooNarrow(Magpie):
    """A game has more decisions than the bounds say."""

    def bounds(self, seats: int, options: MagpieOptions) -> GameBounds | None:
        """Return bounds that forget what follows a draw."""
        return GameBounds(2, 0, 60)


MUTANTS: Final = (PhasesTooFew, CardsUnmarked, BoundsTooNarrow)
