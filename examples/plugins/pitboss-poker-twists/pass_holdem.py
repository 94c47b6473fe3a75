"""Pass Hold'em: three cards in the hand; after the first round everybody passes one to the left, all at once.

On the turn one of the three is laid away, unseen, so that Hold'em goes on with two. A player knows the card that it has
passed for as long as its neighbour holds it.
"""

from __future__ import annotations

from typing import ClassVar, Final, TypeAlias

from pitboss.parts.betting.acts import DiscardAct, PassAct
from pitboss.parts.betting.betting_state import BettingState
from pitboss.parts.betting.game import BettingGame
from pitboss.parts.betting.messages import BettingAction, BettingOptions, Discard, GiveCards
from pitboss.parts.betting.variant import BettingStreet, BettingVariant
from pitboss.plugins.hookspec import hookimpl

VARIANT: Final = BettingVariant(
    [
        BettingStreet("preflop", hole=3, after=(PassAct(),)),
        BettingStreet("flop", board=3),
        BettingStreet("turn", board=1, bet_step=2, before=(DiscardAct(least=1),)),
        BettingStreet("river", board=1, bet_step=2),
    ]
)
PassAction: TypeAlias = BettingAction | GiveCards | Discard


class PassOptions(BettingOptions, frozen=True):
    """What people may choose."""

    title: ClassVar = "pass-holdem"
    variants: ClassVar = {"pass": VARIANT}


class PassState(BettingState[PassOptions, PassAction]):
    """A game at one moment."""


class PassHoldem(BettingGame[PassOptions, PassState]):
    """The game."""

    state = PassState
    name = "pass-holdem"
    title = "Pass Hold'em"


@hookimpl
def pitboss_games() -> list[PassHoldem]:
    """Return the game of this plugin."""
    return [PassHoldem()]
