"""A match of Oh Hell at one moment: bids, play, the count, evaluation and positions.

Numbers (O3) are those of the rule book.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from pitboss import PositionError, PublicCount, PublicCounts, Turn, Zone, pile
from pitboss.parts.auction import Auction
from pitboss.parts.suits import TrickOrder, make_suited_deck
from pitboss.parts.trick_estimate import chance_of_at_least, share_tricks
from pitboss.parts.trick_match import TrickMatchState
from pitboss.parts.trick_position import set_up_tricks
from pitboss.plugins.packs import suit_of
from pitboss_oh_hell.messages import BIDS, PACK, Bid, OhHellAction, OhHellOptions, Position, View, list_hand_sizes

BONUS = 10  # points, of a bid that was kept
SUIT_SIZE: Final = 13
TRUMP_WORTH: Final = 1.2
PLAIN_WORTHS: Final = [((rank + 2) / 14) ** 3 for rank in range(SUIT_SIZE)]
TRICK_DEVIATION: Final = 0.55  # of a player's tricks to come, by the square root of their number


def count_player(bid: int, won: int, options: OhHellOptions) -> int:
    """O7: return the points of a player in a deal."""
    if bid == won:
        return BONUS + won
    return {"exact": 0, "tricks": won, "penalty": -abs(bid - won)}[options.scoring]


class OhHellState(TrickMatchState[OhHellOptions, OhHellAction]):
    """A match of Oh Hell at one moment."""

    deck = make_suited_deck()

    turned_up: Zone = pile()
    auction: Auction[int] = Auction(0)

    @property
    def hand_size(self) -> int:
        """O2: the cards of a hand in this deal."""
        return list_hand_sizes(self.options)[self.deal_no - 1]

    def deal_cards(self) -> None:
        """O2, O3: deal, and turn up a card, whose suit is trumps; if none is left, there are no trumps."""
        self.table.deal(self.stock, self.hands, self.hand_size)
        if self.table.zones[self.stock]:
            self.table.draw(self.stock, self.turned_up, "trump")
        self.begin_play()

    def begin_deal(self) -> None:
        """Set what a deal begins with."""
        super().begin_deal()
        self.set_trump(None)
        self.auction = Auction(self.seats, (self.deal_no - 1) % self.seats)

    def begin_play(self) -> None:
        """O3: the card turned up tells the trumps; somebody bids then, or the first bidder leads."""
        for face in self.faces(self.turned_up):
            self.set_trump(suit_of(face))
        self.ask_next_bid()

    def ask_next_bid(self) -> None:
        """O4: let the next seat bid; after the last bid the first bidder leads."""
        if len(self.auction.calls) < self.seats:
            self.turn = Turn(self.auction.caller, "bid")
        else:
            self.lead_trick(self.auction.first)

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
        """O4: bid."""
        assert isinstance(action, Bid)
        self.table.tell("bid", seat=self.auction.caller, tricks=action.tricks)
        self.auction = self.auction.add_call(action.tricks)
        self.ask_next_bid()

    def end_tricks(self) -> None:
        """O7: count the deal."""
        won = self.tricks_won()
        self.end_deal(
            [count_player(self.auction.call_of(seat) or 0, won[seat], self.options) for seat in range(self.seats)]
        )

    def count_deals(self) -> int:
        """O2: return how many deals a match has."""
        return len(list_hand_sizes(self.options))

    def bids(self) -> list[int | None]:
        """Return, by seat, its bid in this deal; None: it has not bid yet."""
        return [self.auction.call_of(seat) for seat in range(self.seats)]

    def view(self, seat: int) -> View:
        """Return what a seat may know: section 6."""
        turned_up = self.faces(self.turned_up)
        return View(
            **self.view_tricks(seat),
            turned_up=turned_up[0] if turned_up else None,
            bids=self.bids(),
            hand_sizes=list_hand_sizes(self.options),
        )

    def public_counts(self) -> PublicCounts:
        """Return the number of the deal and the trumps; of each seat its score, its bid and its tricks."""
        seats = []
        for total, bid, won in zip(self.totals, self.bids(), self.tricks_won(), strict=True):
            made = () if bid is None else (PublicCount("bid", bid), PublicCount("tricks", won))
            seats.append((PublicCount("score", total), *made))
        deal = PublicCount("deal", f"{self.deal_no} of {self.count_deals()}")
        return PublicCounts((deal, PublicCount("trumps", " ".join(self.faces(self.turned_up)) or "none")), seats)

    # ---- what search players expect

    def evaluate(self) -> Sequence[float]:
        """Return by seat the expected total after this deal: bids are kept as far as strong cards take tricks."""
        if self.turn is None:
            return [float(total) for total in self.totals]
        won = self.tricks_won()
        left = self.hand_size - sum(won)
        to_come = share_tricks(self, worths_of(self.order), self.hands, left)
        expected = []
        for seat, total in enumerate(self.totals):
            mean = won[seat] + to_come[seat]
            bid = self.auction.call_of(seat)
            aim = round(mean) if bid is None else bid
            at_least, more = (chance_of_at_least(tricks, mean, left, TRICK_DEVIATION) for tricks in (aim, aim + 1))
            kept = at_least - more
            missed = count_player(aim, aim + 1, self.options)
            expected.append(total + kept * count_player(aim, aim, self.options) + (1 - kept) * missed)
        return expected

    # ---- positions (section 6)

    def position(self) -> Position:
        """Write down a state: every card of this deal that is in play, and the points before it."""
        turned_up = self.faces(self.turned_up)
        return Position(
            **self.write_tricks(),
            turned_up=turned_up[0] if turned_up else None,
            stock=[*reversed(self.faces(self.stock))],
            bids=[bid or 0 for bid in self.auction.calls],
        )

    def set_up_deal(self, position: Position) -> None:
        """Make the bids that were made, and play the cards that were played.

        Raises:
            PositionError: it does not describe a table of this game.
        """
        seats = self.seats
        is_full = seats * self.hand_size == PACK
        if is_full and position.turned_up:
            raise PositionError(f"{position.turned_up!r} is turned up; all cards are dealt")
        for number, tricks in enumerate(position.bids):
            if number >= seats or Bid(tricks) not in self.legal_bids():
                raise PositionError(
                    f"bids are {position.bids!r}; bid {number + 1} is not one of {list(self.legal_bids())!r}"
                )
            self.auction = self.auction.add_call(tricks)
        if position.plays and len(position.bids) < seats:
            raise PositionError(f"cards are played, and {len(position.bids)} of {seats} have bid")
        beside: list[tuple[Zone, Sequence[str | None]]] = [] if is_full else [(self.turned_up, [position.turned_up])]
        if position.stock is not None:
            beside.append((self.stock, position.stock[::-1]))
        set_up_tricks(self, position.hands, position.plays, self.hand_size, OhHellState.begin_play, beside=beside)


@lru_cache(maxsize=8)
def worths_of(order: TrickOrder) -> list[float]:
    """Return by card how readily it takes a trick."""
    return [
        PLAIN_WORTHS[card % SUIT_SIZE] + TRUMP_WORTH * (suit == order.trump) for card, suit in enumerate(order.suits)
    ]
