"""A match of Bridge at one moment: the auction, play and the count. Numbers (B3) are those of the rule book."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from pitboss import Turn
from pitboss.outcome import spread_over_sides
from pitboss.parts.auction import Auction
from pitboss.parts.suits import make_suited_deck
from pitboss.parts.trick_match import TrickMatchState
from pitboss.parts.tricks import play_turn
from pitboss_bridge.messages import (
    BID_NAMES,
    BIDS,
    CALL_WORDS,
    DOUBLE,
    PASS,
    REDOUBLE,
    Bid,
    BridgeAction,
    BridgeOptions,
    Call,
    CallName,
    View,
)
from pitboss_bridge.pbn_deal import read_seed
from pitboss_bridge.scoring import ContractResult, ScoreSheet, count_deal, count_honours

SIDES: Final = ((0, 2), (1, 3))
SEATS: Final = 4
HAND: Final = 13
CALL_TURNS: Final = tuple(Turn(seat, "call") for seat in range(SEATS))
DUMMY_TURNS: Final = tuple(Turn(seat, "dummy") for seat in range(SEATS))  # by declarer
BID_PLACES: Final = {bid: place for place, bid in enumerate(BIDS)}


class BridgeStateBase(TrickMatchState[BridgeOptions, BridgeAction]):
    """The rules, and the data of a match."""

    deck = make_suited_deck()
    sides = SIDES

    auction: Auction[Call] = Auction(SEATS)
    contract: Bid | None = None  # the last bid
    bidder: int = 0  # who made it
    doubled: int = 1  # 2, 4
    declarer: int | None = None
    first_board: int = 1
    redeals: int = 0  # of this deal
    sheet: ScoreSheet = ScoreSheet()
    sheet_before: ScoreSheet = ScoreSheet()  # this deal

    # ---- B2: the deal

    @property
    def board(self) -> int:
        """B2: the number of the board, from 1."""
        return self.first_board + self.deal_no - 1

    @property
    def dealer(self) -> int:
        """B2: the seat that calls first."""
        return (self.board - 1) % SEATS

    @property
    def dummy(self) -> int | None:
        """B6: the declarer's partner; None while there is no declarer."""
        return None if self.declarer is None else (self.declarer + 2) % SEATS

    def start(self) -> None:
        """B2: draw the number of the first board where neither the options nor the seed give it (D6)."""
        given, named = self.options.first_board, read_seed(self.rng.seed)
        self.first_board = given or (named[0] if named else 1 + self.table.draw_lot(16))
        super().start()

    def deal_cards(self) -> None:
        """B2: deal all cards; the dealer calls first."""
        self.table.tell("board", board=self.board, dealer=self.dealer, vulnerable=[*self.vulnerable()])
        if self.deal_no == 1 and not self.redeals and (named := read_seed(self.rng.seed)):
            self.stack_deck(named[1])
        self.table.deal(self.stock, self.hands, HAND)
        self.turn = CALL_TURNS[self.dealer]

    def stack_deck(self, hands: Sequence[Sequence[str]]) -> None:
        """D6: put the cards in the order in which these hands are dealt."""
        dealt = [self.deck.copies(hand[row])[0] for row in range(HAND) for hand in hands]
        self.table.shuffle(self.stock, order=dealt[::-1])

    def begin_deal(self) -> None:
        """Set what a deal begins with."""
        super().begin_deal()
        self.sheet_before = self.sheet
        self.auction = Auction(SEATS, self.dealer)
        self.contract, self.doubled, self.declarer = None, 1, None
        self.redeals = 0

    def vulnerable(self) -> list[bool]:
        """B2, B14, B15: return by side whether it is vulnerable in this deal."""
        scoring, rule = self.options.scoring, self.options.vulnerable
        if scoring == "rubber":
            return [games > 0 for games in self.sheet_before.games]
        if scoring == "chicago":
            place = (self.deal_no - 1) % 4
            return [place == 3 or (place > 0 and self.dealer % 2 == side) for side in range(2)]
        if rule == "board":
            rule = BOARD_RULES[(self.board - 1 + (self.board - 1) // 4) % 4]
        return [rule in (side, "both") for side in ("ns", "ew")]

    # ---- B3 to B5: the auction

    def legal(self) -> Sequence[BridgeAction]:
        """Return the calls, or the cards that may be played."""
        if self.trick_seats:
            return self.legal_plays()
        return [] if self.turn is None else self.legal_calls()

    def legal_calls(self) -> Sequence[Call]:
        """B3, B4: pass; double the others' bid, redouble one of the own side; bid more than the last bid."""
        if self.contract is None:
            return list_calls(-1, None)
        is_own = (self.auction.caller - self.bidder) % 2 == 0
        extra = REDOUBLE if is_own and self.doubled == 2 else DOUBLE if not is_own and self.doubled == 1 else None
        return list_calls(BID_PLACES[self.contract], extra)

    def apply(self, action: BridgeAction) -> None:
        """B3 to B5: call; three passes after a bid end the auction, and four without one the deal."""
        assert isinstance(action, Call)
        self.record_call(action)
        if not self.is_auction_over():
            self.turn = CALL_TURNS[self.auction.caller]
        elif self.contract is None:
            self.pass_out()
        else:
            self.begin_play()

    def record_call(self, call: Call) -> None:
        """B3, B4: keep a call, and tell everybody."""
        caller = self.auction.caller
        self.table.tell("call", seat=caller, call=CALL_WORDS[call])
        self.auction = self.auction.add_call(None if call is PASS or call == PASS else call)
        if isinstance(call, Bid):
            self.contract, self.bidder, self.doubled = call, caller, 1
        elif call != PASS:
            self.doubled *= 2

    def is_auction_over(self) -> bool:
        """B5: return whether all others have passed since the last other call."""
        auction = self.auction
        return auction.passes >= 3 and len(auction.calls) >= SEATS

    def pass_out(self) -> None:
        """B5, B15: count nothing, or in Chicago let the same dealer deal again, as often as the options say (D3)."""
        if self.redeals == self.options.redeals:
            self.count_result(None)
            return
        self.redeals += 1
        self.table.tell("redeal", deal=self.deal_no, redeals=self.redeals)
        self.auction = Auction(SEATS, self.dealer)
        self.collect_and_shuffle(self.stock, f"deal-{self.deal_no}/{self.redeals}")
        self.deal_cards()

    # ---- B6, B7: play

    def begin_play(self) -> None:
        """B6: of the side that made the last bid, who first bid its strain is the declarer; the next seat leads."""
        assert self.contract is not None
        strain, side = self.contract.strain, self.bidder % 2
        self.declarer = next(
            seat
            for seat, call in self.auction.calls_by_seat()
            if isinstance(call, Bid) and call.strain == strain and seat % 2 == side
        )
        self.set_trump(None if strain == "NT" else strain)
        self.table.tell("contract", seat=self.declarer, contract=CALL_WORDS[self.contract], doubled=self.doubled)
        self.lead_trick((self.declarer + 1) % SEATS)

    def turn_of(self, seat: int) -> Turn:
        """B6: the declarer plays the cards of the dummy too."""
        declarer = self.declarer
        return DUMMY_TURNS[declarer] if declarer is not None and seat == (declarer + 2) % SEATS else play_turn(seat)

    def play_card(self, card: int, lacking: Sequence[frozenset[int]]) -> None:
        """B6: after the first card the dummy's hand lies open."""
        is_first = not self.tricks and not self.table.zones[self.trick]
        super().play_card(card, lacking)
        if is_first and self.dummy is not None:
            self.table.reveal(self.hands[self.dummy], "dummy")

    def is_dummy_open(self) -> bool:
        """B6: return whether the opening lead was made."""
        return self.declarer is not None and bool(self.tricks or self.table.zones[self.trick])

    # ---- B8 to B17: the count

    def end_tricks(self) -> None:
        """B8: count the tricks of the declarer's side."""
        assert self.declarer is not None and self.contract is not None
        side, won = self.declarer % 2, self.tricks_won()
        tricks = won[side] + won[side + 2]
        self.count_result(ContractResult(self.contract, self.doubled, side, tricks, self.vulnerable()[side]))

    def count_result(self, result: ContractResult | None) -> None:
        """B13 to B16: count the deal."""
        before = self.sheet
        self.sheet = count_deal(before, self.options, self.deal_no, result, self.count_honours())
        points = [after - total for after, total in zip(self.sheet.totals, before.totals, strict=True)]
        self.end_deal(spread_over_sides(points, SIDES))

    def count_honours(self) -> tuple[int, int]:
        """B16: return, by side, the points for honours that lay in one hand."""
        if not self.options.honours or not self.tricks:
            return 0, 0
        played = [play for trick in self.tricks for play in trick.cards]
        hands = [[card for owner, card in played if owner == seat] for seat in range(SEATS)]
        points = [count_honours(hand, self.order.trump) for hand in hands]
        return points[0] + points[2], points[1] + points[3]

    def count_deals(self) -> int:
        """B17: return how many deals there are at the most."""
        return self.options.deals or 0

    def is_match_over(self) -> bool:
        """B17: return whether all deals are played, or a side has won the rubber."""
        return super().is_match_over() or max(self.sheet.games) == 2

    def view(self, seat: int) -> View:
        """Return what a seat may know: section 6."""
        printed, zones = self.deck.faces, self.table.zones
        opened = sorted(zones[self.hands[self.dummy]]) if self.dummy is not None and self.is_dummy_open() else []
        words = self.call_words()
        made = len(words) - 1
        last = [made - (self.dealer + made - caller) % SEATS for caller in range(SEATS)]
        return View(
            **self.view_tricks(seat),
            calls=[*words],
            last_calls=[words[place] if place >= 0 else None for place in last],
            dealer=self.dealer,
            contract=None if self.contract is None else BID_NAMES[self.contract],
            doubled=self.doubled,
            declarer=self.declarer,
            dummy=[str(printed[card]) for card in opened],
            vulnerable=self.vulnerable() * 2,
            part_scores=[*self.sheet.part_scores] * 2,
            games=[*self.sheet.games] * 2,
            board=self.board,
            redeals=self.redeals,
        )

    def call_words(self) -> list[CallName]:
        """Return the calls of this deal in words."""
        return [CALL_WORDS[call or PASS] for call in self.auction.calls]


BOARD_RULES: Final = ("none", "ns", "ew", "both")


@lru_cache
def list_calls(highest: int, extra: Call | None) -> Sequence[Call]:
    """Return the calls after a bid, given by its place among all bids, with a double or redouble if it is legal."""
    return (PASS, *BIDS[highest + 1 :]) if extra is None else (PASS, extra, *BIDS[highest + 1 :])
