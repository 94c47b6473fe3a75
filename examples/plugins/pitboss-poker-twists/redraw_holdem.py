"""Redraw Hold'em: once in a hand, on the flop or the turn, a player on turn may change a card of its hand, and bets.

All see who has redrawn, and nobody which card was laid away.
"""

from __future__ import annotations

from typing import ClassVar, Final, TypeAlias

from pitboss.parts.betting.acts import DiscardAct
from pitboss.parts.betting.betting_state import BettingState
from pitboss.parts.betting.game import BettingGame
from pitboss.parts.betting.messages import BettingAction, BettingOptions, Discard
from pitboss.parts.betting.variant import BettingStreet, BettingVariant
from pitboss.plugins.hookspec import hookimpl

REDRAW: Final = DiscardAct(least=1, draws=True, once=True, name="redraw", letter="d")
VARIANT: Final = BettingVariant(
    [
        BettingStreet("preflop", hole=2),
        BettingStreet("flop", board=3, during=(REDRAW,)),
        BettingStreet("turn", board=1, bet_step=2, during=(REDRAW,)),
        BettingStreet("river", board=1, bet_step=2),
    ]
)
RedrawAction: TypeAlias = BettingAction | Discard


class RedrawOptions(BettingOptions, frozen=True):
    """What people may choose."""

    title: ClassVar = "redraw-holdem"
    variants: ClassVar = {"redraw": VARIANT}


class RedrawState(BettingState[RedrawOptions, RedrawAction]):
    """A game at one moment."""


class RedrawHoldem(BettingGame[RedrawOptions, RedrawState]):
    """The game."""

    state = RedrawState
    name = "redraw-holdem"
    title = "Redraw Hold'em"


@hookimpl
def pitboss_games() -> list[RedrawHoldem]:
    """Return the game of this plugin."""
    return [RedrawHoldem()]
