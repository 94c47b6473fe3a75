"""Bounty Hold'em: a rank is drawn for each hand, for all to see; who wins all pots with a card of it gets a bounty.

The winner shows its cards of that rank, and each other player of the hand pays it `bounty` chips, or what it has left.
In the history the rank is a word of the button: "1y0" is the two, "1y12" the ace.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar, Final

from msgspec import Meta

from pitboss.parts.betting.betting_state import BettingState
from pitboss.parts.betting.game import BettingGame
from pitboss.parts.betting.high_hands import HAND_RANKS
from pitboss.parts.betting.messages import BettingAction, BettingOptions, SomeChips
from pitboss.parts.betting.pots import SEATS_IN
from pitboss.parts.betting.variant import BettingStreet, BettingVariant
from pitboss.plugins.hookspec import hookimpl
from pitboss.plugins.packs import rank_of

LATER: Final = [BettingStreet(name, board=1, bet_step=2) for name in ("turn", "river")]
VARIANT: Final = BettingVariant([BettingStreet("preflop", hole=2), BettingStreet("flop", board=3), *LATER])


class BountyOptions(BettingOptions, frozen=True):
    """What people may choose."""

    title: ClassVar = "bounty-holdem"
    variants: ClassVar = {"bounty": VARIANT}
    bounty: Annotated[SomeChips, Meta(description="What a winner with a card of the rank gets of each other.")] = 200

    def bound_other_payments(self, seats: int) -> int:
        """Return what a player pays in one hand at most beside bets."""
        return self.bounty


class BountyState(BettingState[BountyOptions, BettingAction]):
    """A game at one moment."""

    def begin_hand(self) -> None:
        """Draw the rank of the hand."""
        super().begin_hand()
        rank = self.table.draw_lot(len(HAND_RANKS))
        self.note(self.button, "y", rank)
        self.table.tell("rank", rank=HAND_RANKS[rank])

    def end_hand(self, winnings: Sequence[int]) -> None:
        """Pay the bounty, if one player has won all chips and holds a card of the rank."""
        won, winners = [*winnings], [seat for seat, chips in enumerate(winnings) if chips]
        ranks = [HAND_RANKS[number] for _, number in self.find_notes("y") if number < len(HAND_RANKS)]
        for winner in winners if len(winners) == 1 else []:
            hand = self.hands[winner]
            if faces := [face for face in self.faces(hand) if rank_of(face) in ranks]:
                self.table.reveal(hand, "bounty", self.table.choose_cards(hand, faces))
                for seat in SEATS_IN[self.players & ~(1 << winner)]:
                    chips = min(self.options.bounty, self.stacks[seat])
                    self.stacks[seat] -= chips
                    self.stacks[winner] += chips
                    self.paid[seat] += chips
                    won[winner] += chips
        super().end_hand(won)


class BountyHoldem(BettingGame[BountyOptions, BountyState]):
    """The game."""

    state, name, title = BountyState, "bounty-holdem", "Bounty Hold'em"


@hookimpl
def pitboss_games() -> list[BountyHoldem]:
    """Return the game of this plugin."""
    return [BountyHoldem()]
