"""Peek Hold'em: before the flop is bet on, each player in turn bids for a look at a card of its left neighbour.

A bid is 1, 2 or 4 big blinds, and higher than those before it. The highest bidder pays, and alone sees the first card.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Final

from msgspec import Meta

from pitboss.options import Action
from pitboss.parts.betting.betting_state import AnyBettingState, BettingState
from pitboss.parts.betting.game import BettingGame
from pitboss.parts.betting.messages import BettingAction, BettingOptions
from pitboss.parts.betting.pots import first_seat_after
from pitboss.parts.betting.variant import BettingStreet, BettingVariant, HandAct
from pitboss.plugins.hookspec import hookimpl


class Bid(Action, frozen=True):
    """Bid chips for a look; 0: none."""

    chips: Annotated[int, Meta(ge=0)]


class Auction(HandAct):
    """Each bids in turn; the highest bid is paid."""

    name, letter = "auction", "a"

    def list_actions(self, state: AnyBettingState, seat: int) -> list[Bid]:
        """Return no bid, and the bids above the last that leave a chip."""
        last = max((chips for _, chips in state.find_notes("a")), default=0)
        bids = [step * state.big_blind for step in (1, 2, 4)]
        return [Bid(0), *(Bid(chips) for chips in bids if last < chips < state.stacks[seat])]

    def apply(self, state: AnyBettingState, seat: int, action: Bid) -> int:
        """Tell everybody the bid."""
        state.table.tell("bid", seat=seat, chips=action.chips)
        return action.chips

    def end(self, state: AnyBettingState) -> None:
        """Let the highest bidder pay, and look."""
        chips, seat = max(((chips, seat) for seat, chips in state.find_notes("a")), default=(0, 0))
        if chips:
            state.pay_dead(seat, chips)
            hand = state.hands[first_seat_after(state.live, seat)]
            state.table.reveal(hand, "peek", state.table.zones[hand][:1], to=[seat])


FLOP: Final = BettingStreet("flop", board=3, before=(Auction(),))
LATER: Final = [BettingStreet(name, board=1, bet_step=2) for name in ("turn", "river")]


class PeekOptions(BettingOptions, frozen=True):
    """What people may choose."""

    title: ClassVar = "peek-holdem"
    variants: ClassVar = {"peek": BettingVariant([BettingStreet("preflop", hole=2), FLOP, *LATER])}

    def bound_other_payments(self, seats: int) -> int:
        """Return the highest bid."""
        return 4 * self.big_blind


class PeekState(BettingState[PeekOptions, BettingAction | Bid]):
    """A game at one moment."""


class PeekHoldem(BettingGame[PeekOptions, PeekState]):
    """The game."""

    state, name, title = PeekState, "peek-holdem", "Peek Hold'em"


@hookimpl
def pitboss_games() -> list[PeekHoldem]:
    """Return the game of this plugin."""
    return [PeekHoldem()]
