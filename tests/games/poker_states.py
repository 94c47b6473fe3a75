"""Poker games for tests: with given stacks, played by a given rule."""

from __future__ import annotations

from pitboss import Random
from pitboss.game import resolve_options
from pitboss_poker.game import Poker
from pitboss_poker.messages import Position
from pitboss_poker.state import PokerState

GAME = Poker()


def deal_poker(
    seats: int, preset: str | None = None, position: Position | None = None, **options: object
) -> PokerState:
    """Return a game, at a position if one is given; `seed` may stand among the options."""
    seed = str(options.pop("seed", "poker"))
    resolved = resolve_options(GAME, seats, preset, options)
    if position is None:
        return GAME.deal(seats, resolved, Random(seed))
    return GAME.setup(seats, resolved, position, Random(seed))
