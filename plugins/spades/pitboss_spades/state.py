"""A match of Spades at one moment: bidding, play, the count, evaluation and positions.

Numbers (S3) are those of the rule book.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from math import exp
from typing import Final

from pitboss import Deck, PositionError, PublicCount, PublicCounts, Turn, Visibility, Zone, Zones, pile_each
from pitboss.outcome import spread_over_sides
from pitboss.parts.suits import TrickOrder
from pitboss.parts.trick_estimate import chance_of_at_least, share_tricks
from pitboss.parts.trick_match import TrickMatchState
from pitboss.parts.trick_position import set_up_tricks
from pitboss.parts.tricks import all_seats_from
from pitboss.table.position_setup import check_row_lengths
from pitboss_spades.cards import CARD_RANKS, DECKS, ORDERS
from pitboss_spades.messages import BIDS, Bid, BlindNil, Look, Position, SpadesAction, SpadesOptions, View
from pitboss_spades.scoring import TRICK_POINTS, PlayerResult, count_side, helps_partner

SIDES: Final = ((0, 2), (1, 3))
SEATS: Final = 4
HAND: Final = 13
TRICK_DEVIATION: Final = 0.45  # of a side's tricks to come, by the square root of their number
SPADE_WORTH: Final = 1.6
WORTHS: Final = {  # by option, of each card: how much it adds to the share of the tricks to come that its hand takes
    one: [((rank + 2) / 14) ** 3 + (SPADE_WORTH if suit == "S" else 0) for suit, rank in ranked.values()]
    for one, ranked in CARD_RANKS.items()
}


class SpadesState(TrickMatchState[SpadesOptions, SpadesAction]):
    """A match of Spades at one moment."""

    first_trump = "S"
    sides = SIDES

    unseen_hands: Zones = pile_each(Visibility.NOBODY)  # of players who may bid blind
    bids: list[int | None] = field(default_factory=list)  # by seat
    blind: list[bool] = field(default_factory=list)  # by seat
    bags: list[int] = field(default_factory=lambda: [0, 0])  # by side
    bags_before: tuple[int, ...] = (0, 0)  # this deal, by side

    # ---- S1: the cards

    @classmethod
    def make_deck(cls, seats: int, options: SpadesOptions) -> Deck:
        """S1: return the pack, with jokers or without."""
        return DECKS[options.high_trumps]

    def make_order(self, trump: str | None) -> TrickOrder:
        """S1: return which cards are spades, and which is higher."""
        return ORDERS[self.options.high_trumps]

    # ---- S2, S3: the deal, and the bids

    @property
    def first_bidder(self) -> int:
        """S2: the seat that bids first and leads to the first trick."""
        return (self.deal_no - 1) % SEATS

    def deal_cards(self) -> None:
        """S2: deal all cards; who may bid blind does not look at its hand."""
        self.table.deal(self.stock, [self.zone_dealt_to(seat) for seat in range(SEATS)], HAND)
        self.ask_next_bid()

    def count_deals(self) -> int:
        """S13: return how many deals there are at the most."""
        return self.options.deals

    def begin_deal(self) -> None:
        """Set what a deal begins with."""
        super().begin_deal()
        self.bids, self.blind = [None] * SEATS, [False] * SEATS
        self.bags_before = tuple(self.bags)

    def list_bidders(self) -> Sequence[int]:
        """S2: return all seats in the order of the bids."""
        return all_seats_from(self.first_bidder, SEATS)

    def hand_zones(self) -> Sequence[Zone]:
        """Return by seat where its cards lie: face down while it may bid blind."""
        zones = self.table.zones
        return [unseen if zones[unseen] else hand for unseen, hand in zip(self.unseen_hands, self.hands, strict=True)]

    def zone_dealt_to(self, seat: int) -> Zone:
        """Return where a seat's cards are dealt to."""
        return self.unseen_hands[seat] if self.may_bid_blind(seat) else self.hands[seat]

    def may_bid_blind(self, seat: int) -> bool:
        """S11: return whether the side of a seat is far enough behind."""
        behind = self.totals_before[(seat + 1) % SEATS] - self.totals_before[seat]
        return self.options.blind_nil and self.options.nil > 0 and behind >= self.options.blind_deficit

    def ask_next_bid(self) -> None:
        """S3, S11: let the next seat bid, perhaps blind; after the last bid the first bidder leads."""
        for seat in self.list_bidders():
            if self.bids[seat] is None:
                self.turn = Turn(seat, "blind" if self.table.zones[self.unseen_hands[seat]] else "bid")
                return
        self.lead_trick(self.first_bidder)

    def legal(self) -> Sequence[SpadesAction]:
        """Return the bids, or the cards that may be played."""
        if self.turn is None or self.trick_seats:
            return super().legal()
        if self.turn.phase == "blind":
            return [BlindNil(), Look()]
        return self.legal_bids(self.turn.seat)

    def legal_bids(self, seat: int) -> Sequence[SpadesAction]:
        """S3, S12: partners bid 13 tricks at most; in suicide one of them bids nil, and the other does not."""
        partners = self.bids[(seat + 2) % SEATS]
        least = 0 if self.options.nil else 1
        if partners is None:
            return BIDS[least : HAND + 1 - least]
        if self.options.suicide:
            return BIDS[:1] if partners else BIDS[1:]
        return BIDS[least : HAND + 1 - partners]

    def apply(self, action: SpadesAction) -> None:
        """S3: bid; after four bids the first bidder leads."""
        seat = self.require_turn().seat
        if isinstance(action, Look | BlindNil):
            unseen = self.unseen_hands[seat]
            self.table.lay(list(self.table.zones[unseen]), unseen, self.hands[seat], "look")
        if isinstance(action, Look):
            self.turn = Turn(seat, "bid")
        else:
            self.record_bid(seat, action.tricks if isinstance(action, Bid) else 0, isinstance(action, BlindNil))
            self.ask_next_bid()

    def record_bid(self, seat: int, tricks: int, is_blind: bool) -> None:
        """Keep a bid, and tell everybody."""
        self.bids[seat], self.blind[seat] = tricks, is_blind
        self.table.tell("bid", seat=seat, tricks=tricks, blind=is_blind)

    # ---- S4 to S6: play

    def duties(self) -> Sequence[frozenset[int]]:
        """S4, S5: follow suit; a spade is led once one has been played, or by who holds nothing else."""
        trick = self.table.zones[self.trick]
        if trick:
            return self.order.following[trick[0]]
        is_free = self.options.spade_lead == "any" or self.has_taken_any(self.order.cards_of["S"])
        return () if is_free else (self.order.cards_not_of["S"],)

    # ---- S7 to S13: the count

    def end_tricks(self) -> None:
        """S7 to S11: count the deal."""
        won = self.tricks_won()
        players = [PlayerResult(self.bids[seat] or 0, won[seat], self.blind[seat]) for seat in range(SEATS)]
        counted = [
            count_side([players[seat] for seat in side], self.bags[number], self.options)
            for number, side in enumerate(SIDES)
        ]
        self.bags = [bags for _, bags in counted]
        self.end_deal(spread_over_sides([points for points, _ in counted], SIDES))

    def is_match_over(self) -> bool:
        """S13: return whether a side leads with the target or more, or is at the floor, or all deals are played."""
        both, options = self.totals[:2], self.options
        has_reached = max(both) >= options.target and both[0] != both[1]
        return has_reached or min(both) <= options.floor or super().is_match_over()

    def view(self, seat: int) -> View:
        """Return what a seat may know: section 6."""
        return View(**self.view_tricks(seat), bids=self.bids[:], blind=self.blind[:], bags=self.bags)

    def public_counts(self) -> PublicCounts:
        """Return the number of the deal; of each seat the points and bags of its side, its bid and its tricks."""
        won, seats = self.tricks_won(), []
        for seat, total in enumerate(self.totals):
            counts = [PublicCount("score", total), PublicCount("bags", self.bags[seat % 2])]
            bid = self.describe_bid(seat)
            seats.append([*counts, PublicCount("bid", bid), PublicCount("tricks", won[seat])] if bid else counts)
        return PublicCounts((PublicCount("deal", self.deal_no),), seats)

    def describe_bid(self, seat: int) -> str:
        """Return what a seat has bid: "4", "nil", "blind" for a blind nil; "" if it has not bid yet."""
        bid = self.bids[seat] if self.bids else None
        if bid is None:
            return ""
        return str(bid) if bid else "blind" if self.blind[seat] else "nil"

    # ---- what search players expect

    def evaluate(self) -> Sequence[float]:
        """Return by seat the expected total of its side after this deal."""
        if self.turn is None:
            return [float(total) for total in self.totals]
        won = self.tricks_won()
        to_come = share_tricks(self, WORTHS[self.options.high_trumps], self.hand_zones(), HAND - sum(won))
        expected = [
            self.totals[side[0]] + _expect_points(self, number, won, to_come) for number, side in enumerate(SIDES)
        ]
        return spread_over_sides(expected, SIDES)

    # ---- positions (section 6)

    def position(self) -> Position:
        """Write down a state: every card of this deal, and points and bags before it."""
        turn = self.turn
        return Position(
            **self.write_tricks(),
            bids=self.bids[:],
            blind=self.blind[:],
            has_looked=turn is not None and turn.phase == "bid" and self.may_bid_blind(turn.seat),
            bags=[*self.bags_before],
        )

    def set_up_deal(self, position: Position) -> None:
        """Make the bids that were made, and play the cards that were played.

        Raises:
            PositionError: it does not describe a table of this game.
        """
        _set_bags(self, position)
        _make_bids(self, position)
        waiting = [seat for seat in self.list_bidders() if self.bids[seat] is None]
        unseen = [seat for seat in waiting[position.has_looked :] if self.may_bid_blind(seat)]
        instead = {seat: self.unseen_hands[seat] for seat in unseen}
        set_up_tricks(self, position.hands, position.plays, HAND, SpadesState.ask_next_bid, instead)


def _expect_points(state: SpadesState, number: int, won: Sequence[int], to_come: Sequence[float]) -> float:
    """Return the expected points of a side in this deal; a bid that has not been made yet is what the hand is worth."""
    options, side = state.options, SIDES[number]
    bids = [bid if (bid := state.bids[seat]) is not None else round(to_come[seat]) or 1 for seat in side]
    points = 0.0
    for seat, bid in zip(side, bids, strict=True):
        if bid == 0:
            worth = options.nil * (2 if state.blind[seat] else 1)
            stands = 0.0 if won[seat] else exp(-to_come[seat])
            points += worth * (2 * stands - 1)
    whole_bid, helping, bags = sum(bids), 0.0, 0.0
    for seat, bid in zip(side, bids, strict=True):
        if helps_partner(bid, options.failed_nil):
            helping += won[seat] + to_come[seat]
        elif won[seat]:
            bags += won[seat] + to_come[seat]
    made = chance_of_at_least(whole_bid, helping, HAND - sum(won), TRICK_DEVIATION)
    bags += max(0.0, helping - whole_bid) * made
    bag = 1 - (options.bag_penalty / options.bag_limit if options.bag_limit else 0)
    return points + TRICK_POINTS * whole_bid * (2 * made - 1) + bag * bags


def _set_bags(state: SpadesState, position: Position) -> None:
    check_row_lengths(len(SIDES), bags=position.bags)
    limit = state.options.bag_limit
    if min(position.bags) < 0 or (limit and max(position.bags) >= limit):
        raise PositionError(f"bags are {position.bags!r}; a side has 0 to {limit - 1} of them")
    state.bags, state.bags_before = position.bags[:], tuple(position.bags)


def _make_bids(state: SpadesState, position: Position) -> None:
    """Make the bids, each of which must be legal."""
    check_row_lengths(SEATS, bids=position.bids, blind=position.blind)
    bidders = state.list_bidders()
    made = [position.bids[seat] is not None for seat in bidders]
    if made != sorted(made, reverse=True):
        raise PositionError(f"bids are {position.bids!r}; seat {state.first_bidder} bids first")
    if position.plays and not all(made):
        raise PositionError(f"cards are played, and bids are {position.bids!r}")
    for seat in bidders[: sum(made)]:
        tricks, is_blind = position.bids[seat] or 0, position.blind[seat]
        if tricks not in [getattr(bid, "tricks", None) for bid in state.legal_bids(seat)]:
            raise PositionError(f"seat {seat} bids {tricks}; legal: {list(state.legal_bids(seat))!r}")
        if is_blind and (tricks or not state.may_bid_blind(seat)):
            raise PositionError(f"seat {seat} bids {tricks} blind, which it may not")
        state.record_bid(seat, tricks, is_blind)
    waiting = bidders[sum(made) :]
    if position.has_looked and not (waiting and state.may_bid_blind(waiting[0])):
        raise PositionError("has_looked is true; nobody on turn may bid blind")
