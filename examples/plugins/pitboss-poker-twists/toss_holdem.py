"""Toss Hold'em: five cards in the hand; before each later betting round everybody tosses one, unseen.

Two are left on the river. Otherwise the game is Hold'em, by default with no limit.
"""

from __future__ import annotations

from typing import ClassVar, Final, TypeAlias

from pitboss.parts.betting.acts import DiscardAct
from pitboss.parts.betting.betting_state import BettingState
from pitboss.parts.betting.game import BettingGame
from pitboss.parts.betting.messages import BettingAction, BettingOptions, Discard
from pitboss.parts.betting.variant import BettingStreet, BettingVariant
from pitboss.plugins.hookspec import hookimpl

TOSS: Final = DiscardAct(least=1, most=1, name="toss", letter="t")
VARIANT: Final = BettingVariant(
    [
        BettingStreet("preflop", hole=5),
        BettingStreet("flop", board=3, before=(TOSS,)),
        BettingStreet("turn", board=1, bet_step=2, before=(TOSS,)),
        BettingStreet("river", board=1, bet_step=2, before=(TOSS,)),
    ]
)
TossAction: TypeAlias = BettingAction | Discard


class TossOptions(BettingOptions, frozen=True):
    """What people may choose."""

    title: ClassVar = "toss-holdem"
    variants: ClassVar = {"toss": VARIANT}


class TossState(BettingState[TossOptions, TossAction]):
    """A game at one moment."""


class TossHoldem(BettingGame[TossOptions, TossState]):
    """The game."""

    state = TossState
    name = "toss-holdem"
    title = "Toss Hold'em"


@hookimpl
def pitboss_games() -> list[TossHoldem]:
    """Return the game of this plugin."""
    return [TossHoldem()]
