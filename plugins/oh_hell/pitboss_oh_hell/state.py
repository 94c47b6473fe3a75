"""A match of Oh Hell at one moment: bids, play and the count. Numbers (O3) are those of the rule book."""

from __future__ import annotations

from collections.abc import Sequence

from pitboss import Outcome, Turn, Zone, outcome_by_side, pile
from pitboss.parts.auction import Auction
from pitboss.parts.deals import DealsState
from pitboss.parts.suits import make_suited_deck
from pitboss.parts.tricks import TrickState
from pitboss.plugins.packs import suit_of
from pitboss_oh_hell.messages import BIDS, Bid, OhHellAction, View
from pitboss_oh_hell.options import OhHellOptions, list_hand_sizes

BONUS = 10  # points, of a bid that was kept


def count_player(bid: int, won: int, options: OhHellOptions) -> int:
    """O7: return the points of a player in a deal."""
    if bid == won:
        return BONUS + won
    return {"exact": 0, "tricks": won, "penalty": -abs(bid - won)}[options.scoring]


class OhHellStateBase(TrickState[OhHellOptions, OhHellAction], DealsState[OhHellOptions, OhHellAction]):
    """The rules, and the data of a match."""

    deck = make_suited_deck()

    turned_up: Zone = pile()
    auction: Auction[int] = Auction(0)
    totals_before: tuple[int, ...] = ()  # this deal, by seat

    @property
    def hand_size(self) -> int:
        """O2: the cards of a hand in this deal."""
        return list_hand_sizes(self.options)[self.deal_no - 1]

    def deal_cards(self) -> None:
        """O2, O3: deal, and turn up a card, whose suit is trumps; if none is left, there are no trumps."""
        self.begin_deal()
        self.table.deal(self.stock, self.hands, self.hand_size)
        if self.table.zones[self.stock]:
            self.set_trump(suit_of(self.deck.faces[self.table.draw(self.stock, self.turned_up, "trump")]))
        self.turn = Turn(self.auction.caller, "bid")

    def begin_deal(self) -> None:
        """Set what a deal begins with."""
        self.clear_tricks()
        self.set_trump(None)
        self.auction = Auction(self.seats, (self.deal_no - 1) % self.seats)
        self.totals_before = tuple(self.totals)

    def legal(self) -> Sequence[OhHellAction]:
        """Return the bids, or the cards that may be played."""
        return self.legal_bids() if self.turn is not None and not self.trick_seats else super().legal()

    def legal_bids(self) -> Sequence[OhHellAction]:
        """O4: any number of tricks; with the hook the last bid does not make the sum that of the tricks."""
        size, made = self.hand_size, self.auction.calls
        bids = BIDS[: size + 1]
        if not self.options.hook or len(made) < self.seats - 1:
            return bids
        forbidden = size - sum(bid or 0 for bid in made)
        return [bid for bid in bids if bid.tricks != forbidden]

    def apply(self, action: OhHellAction) -> None:
        """O4: bid; after the last bid the first bidder leads."""
        assert isinstance(action, Bid)
        self.table.tell("bid", seat=self.auction.caller, tricks=action.tricks)
        self.auction = self.auction.add_call(action.tricks)
        if len(self.auction.calls) < self.seats:
            self.turn = Turn(self.auction.caller, "bid")
        else:
            self.lead_trick(self.auction.first)

    def end_tricks(self) -> None:
        """O7: count the deal."""
        won = self.tricks_won()
        self.end_deal(
            [count_player(self.auction.call_of(seat) or 0, won[seat], self.options) for seat in range(self.seats)]
        )

    def is_match_over(self) -> bool:
        """O8: return whether all deals are played."""
        return self.deal_no == len(list_hand_sizes(self.options))

    def outcome(self) -> Outcome:
        """O8: the most points win."""
        return outcome_by_side(self.totals)

    def bids(self) -> list[int | None]:
        """Return by seat what it has bid in this deal."""
        return [self.auction.call_of(seat) for seat in range(self.seats)]

    def view(self, seat: int) -> View:
        """Return what a seat may know: section 6."""
        turned_up = self.faces(self.turned_up)
        return View(
            **self.view_tricks(seat),
            turned_up=turned_up[0] if turned_up else None,
            bids=self.bids(),
            totals=self.totals,
            deal_no=self.deal_no,
            hand_sizes=list_hand_sizes(self.options),
        )
