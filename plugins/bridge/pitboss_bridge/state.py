"""A match of Bridge at one moment: the auction, play, the count, evaluation and positions.

Numbers (B3) are those of the rule book.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import erf, sqrt
from typing import Final

from pitboss import PositionError, PublicCount, PublicCounts, Turn
from pitboss.outcome import spread_over_sides
from pitboss.parts.auction import Auction
from pitboss.parts.suits import make_suited_deck
from pitboss.parts.trick_match import TrickMatchState
from pitboss.parts.trick_position import set_up_tricks
from pitboss.parts.trick_rendering import render_tricks
from pitboss.parts.tricks import play_turn
from pitboss.plugins.packs import SUITS, rank_of
from pitboss.table.position_setup import check_row_lengths
from pitboss.table.stacked_seed import DealRandom
from pitboss_bridge.bidding import HIGH_CARDS
from pitboss_bridge.messages import (
    BID_NAMES,
    BIDS,
    CALL_SIGNS,
    CALL_WORDS,
    CALLS,
    DOUBLE,
    PASS,
    REDOUBLE,
    STRAINS,
    Bid,
    BridgeAction,
    BridgeOptions,
    Call,
    CallName,
    Position,
    Strain,
    View,
)
from pitboss_bridge.pbn_deal import COMPASS, Claim, read_seed
from pitboss_bridge.scoring import BOOK, GAME, ContractResult, ScoreSheet, count_deal, count_honours, count_made

SIDES: Final = ((0, 2), (1, 3))
SEATS: Final = 4
HAND: Final = 13
NO_CALLS: Final = [None] * SEATS
CALL_TURNS: Final = tuple(Turn(seat, "call") for seat in range(SEATS))
DUMMY_TURNS: Final = tuple(Turn(seat, "dummy") for seat in range(SEATS))  # by declarer
BID_PLACES: Final = {bid: place for place, bid in enumerate(BIDS)}
CARD_POINTS: Final = tuple(HIGH_CARDS.get(rank_of(face), 0) for face in make_suited_deck().faces)
AUCTION_DEVIATION: Final = 1.3  # tricks, before a card is played
TRICK_DEVIATION: Final = 0.4  # of the tricks to come, by the square root of their number
TRUMP_WORTH: Final = 0.9
WORTHS: Final = tuple(((card % HAND + 2) / 14) ** 4 for card in range(4 * HAND))  # by card: its share of the tricks
NT_TRICKS: Final = (-3.9, 0.5)  # tricks, and for each high-card point of both hands: fits to double-dummy results
SUIT_TRICKS: Final = (-6.4, 0.36, 0.77, 0.27)  # tricks, for each point, each trump, and each card that short suits lack
STEPS: Final = 4  # an expected number of tricks is rounded to a quarter
VULNERABLE_SIDES: Final = {(False, False): "nobody", (True, False): "N-S", (False, True): "E-W", (True, True): "all"}


class BridgeState(TrickMatchState[BridgeOptions, BridgeAction]):
    """A match of Bridge at one moment."""

    deck = make_suited_deck()
    sides = SIDES

    auction: Auction[Call] = Auction(SEATS)
    call_words: tuple[CallName, ...] = ()  # the calls of this deal
    contract: Bid | None = None  # the last bid
    bidder: int = 0  # who made it
    doubled: int = 1  # 2, 4
    declarer: int | None = None
    first_board: int = 1
    redeals: int = 0  # of this deal
    claim: Claim | None = None  # that ends this deal; None: it is played to its end
    untold: frozenset[int] = frozenset()  # the seats whose hands of this deal nobody has told (D10)
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
        if named is not None:
            self.rng = DealRandom(self.rng.seed, [self.order_deck(named.hands)])
        self.first_board = given or (named.number if named else 1 + self.table.draw_lot(16))
        super().start()

    def deal_cards(self) -> None:
        """B2: deal all cards; the dealer calls first."""
        self.table.tell("board", board=self.board, dealer=self.dealer, vulnerable=[*self.vulnerable()])
        if self.deal_no == 1 and not self.redeals and (named := read_seed(self.rng.seed)):
            self.claim, self.untold = named.claim, named.untold
        self.table.deal(self.stock, self.hands, HAND)
        self.turn = CALL_TURNS[self.dealer]

    def order_deck(self, hands: Sequence[Sequence[str]]) -> list[int]:
        """D6: return the order in which these hands are dealt: that of the one shuffle, as in any other game."""
        dealt = [self.deck.copies(hand[row])[0] for row in range(HAND) for hand in hands]
        return dealt[::-1]

    def begin_deal(self) -> None:
        """Set what a deal begins with."""
        super().begin_deal()
        self.sheet_before = self.sheet
        self.auction, self.call_words = Auction(SEATS, self.dealer), ()
        self.contract, self.doubled, self.declarer = None, 1, None
        self.redeals = 0
        self.claim, self.untold = None, frozenset()

    def vulnerable(self) -> list[bool]:
        """B2, B14, B15: return by side whether it is vulnerable in this deal."""
        scoring, rule = self.options.scoring, self.options.vulnerable
        if scoring == "rubber":
            return [games > 0 for games in self.sheet_before.games]
        if scoring == "chicago":
            place = (self.deal_no - 1) % 4
            return [place == 3 or (place > 0 and self.dealer % 2 == side) for side in range(2)]
        if rule == "board":
            board = self.board - 1
            rule = BOARD_RULES[(board + board // 4) % 4]
        return [*VULNERABLE[rule]]

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
        caller, word = self.auction.caller, CALL_WORDS[call]
        self.table.tell("call", seat=caller, call=word)
        self.call_words = (*self.call_words, word)
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
        self.auction, self.call_words = Auction(SEATS, self.dealer), ()
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
        self.end_at_claim()

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
        self.end_at_claim()

    def end_at_claim(self) -> None:
        """D9: end the play after the cards that were played before a claim, and count the tricks that it gives."""
        claim, is_played = self.claim, self.trick_seats
        if claim is None or not is_played or self.count_cards_played() != claim.cards:
            return
        self.trick_seats = ()
        self.table.tell("claim", seat=self.declarer, tricks=claim.tricks)
        self.count_tricks(claim.tricks)

    def count_cards_played(self) -> int:
        """Return how many cards of this deal have been played."""
        return SEATS * len(self.tricks) + len(self.table.zones[self.trick])

    def is_dummy_open(self) -> bool:
        """B6: return whether the opening lead was made."""
        return self.declarer is not None and bool(self.tricks or self.table.zones[self.trick])

    # ---- B8 to B17: the count

    def end_tricks(self) -> None:
        """B8: count the tricks of the declarer's side."""
        assert self.declarer is not None
        self.count_tricks(sum(self.tricks_won()[self.declarer % 2 :: 2]))

    def count_tricks(self, tricks: int) -> None:
        """B8: count a deal in which the declarer's side took `tricks`, or gets them by a claim."""
        assert self.declarer is not None and self.contract is not None
        side = self.declarer % 2
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

    def count_aim(self) -> int:
        """B6: return how many tricks the declarer's side is to take; 0 without a contract."""
        return 0 if self.contract is None else BOOK + self.contract.level

    def count_deals(self) -> int:
        """B17: return how many deals there are at the most."""
        return self.options.deals or 0

    def is_match_over(self) -> bool:
        """B17: return whether all deals are played, or a side has won the rubber."""
        return super().is_match_over() or max(self.sheet.games) == 2

    def view(self, seat: int) -> View:
        """Return what a seat may know: section 6."""
        printed, zones, declarer, sheet = self.deck.faces, self.table.zones, self.declarer, self.sheet
        dummy: list[str] = []
        if declarer is not None and self.is_dummy_open():
            dummy = [str(printed[card]) for card in sorted(zones[self.hands[(declarer + 2) % SEATS]])]
        words, contract, board = self.call_words, self.contract, self.board
        dealer = (board - 1) % SEATS
        calls: list[CallName] = [*words]
        last: list[CallName | None] = [*NO_CALLS[len(words) :], *words[-SEATS:]]  # from the seat that calls next on
        after = SEATS - (dealer + len(words)) % SEATS
        return View(
            **self.view_tricks(seat),
            calls=calls,
            last_calls=last[after:] + last[:after],
            dealer=dealer,
            contract=None if contract is None else BID_NAMES[contract],
            doubled=self.doubled,
            declarer=declarer,
            dummy=dummy,
            vulnerable=self.vulnerable() * 2,
            part_scores=[*sheet.part_scores] * 2,
            games=[*sheet.games] * 2,
            board=board,
            redeals=self.redeals,
        )

    def describe_unknown(self, seat: int) -> str:
        """D10: return which of the hands that a seat sees are not told, "" if all are."""
        seen = {seat, *([self.dummy] if self.dummy is not None and self.is_dummy_open() else [])} & self.untold
        return f"the cards of {' and '.join(f'seat {one}' for one in sorted(seen))}" if seen else ""

    # ---- what search players expect

    def evaluate(self) -> Sequence[float]:
        """Return by seat the expected total of its side after this deal, as if each deal counted by itself."""
        points = [float(total) for total in self.totals]
        if self.turn is None:
            return points
        is_play = self.declarer is not None
        first = _expect_play(self) if is_play else _expect_auction(self)  # of side 0
        return [total + value for total, value in zip(points, spread_over_sides((first, -first), SIDES), strict=True)]

    # ---- positions (section 6)

    def position(self) -> Position:
        """Write down a state: every card of this deal, and the score before it."""
        return Position(
            **self.write_tricks(),
            calls=[*self.call_words],
            part_scores=[*self.sheet_before.part_scores],
            games=[*self.sheet_before.games],
            board=self.board,
            redeals=self.redeals,
        )

    def set_up_deal(self, position: Position) -> None:
        """Set the score, make the calls that were made, and play the cards that were played.

        Raises:
            PositionError: it does not describe a table of this game.
        """
        _set_score(self, position)
        self.begin_deal()
        self.redeals = position.redeals
        self.turn = CALL_TURNS[self.dealer]
        if len(position.calls) > SEATS and {*position.calls[:SEATS]} == {"pass"}:
            raise PositionError(f"there is no call {SEATS + 1}; the deal is passed out")
        for number, word in enumerate(position.calls[:-1], 1):
            _make_call(self, number, word)
        set_up_tricks(self, position.hands, position.plays, HAND, lambda one: _make_last_call(one, position))

    # ---- what people see

    def public_counts(self) -> PublicCounts:
        """Return deal, vulnerability and contract; of each seat the points of its side, its call and its tricks."""
        won, contract, is_vulnerable = self.tricks_won(), describe_contract(self), self.vulnerable()
        calls: dict[int, str] = {}
        for (seat, _), word in zip(self.auction.calls_by_seat(), self.call_words, strict=True):
            calls[seat] = word
        table = [
            PublicCount("deal", self.deal_no, "part"),
            PublicCount("board", self.board),
            PublicCount("vulnerable", VULNERABLE_SIDES[is_vulnerable[0], is_vulnerable[1]]),
            *([PublicCount("contract" if self.declarer is not None else "highest bid", contract)] if contract else []),
            *_count_sheet(self),
        ]
        seats = []
        for seat in range(SEATS):
            counts = [PublicCount(COMPASS[seat])]
            if self.declarer is None:
                counts += [PublicCount("dealer")] if seat == self.dealer else []
                counts += [PublicCount("call", CALL_SIGNS.get(calls[seat], calls[seat]))] if seat in calls else []
            else:
                if seat == self.declarer:
                    counts += [PublicCount("contract", contract), PublicCount("aim", self.count_aim(), "aim")]
                counts += [PublicCount("dummy")] if seat == self.dummy else []
                counts.append(PublicCount("tricks", won[seat]))
            seats.append([*counts, PublicCount("score", self.totals[seat])])
        return PublicCounts(table, seats)

    def render(self, seat: int | None, names: Sequence[str]) -> Iterator[str]:
        """Yield what `seat` may know of the table: the auction while it goes on, the contract then, and the tricks."""
        counts = self.public_counts()
        if self.declarer is None:
            yield from _render_auction(self)
        else:
            yield f"  contract {describe_contract(self)} by {COMPASS[self.declarer]}"
        yield from (f"  {count.name:<8} {count.value}" for count in _count_sheet(self))
        rows = [[count for count in row if count.name != "contract"] for row in counts.seats]
        yield from render_tricks(self, PublicCounts(counts.table[:3], rows), self.hands, seat, names)


BOARD_RULES: Final = ("none", "ns", "ew", "both")
VULNERABLE: Final = {"none": (False, False), "ns": (True, False), "ew": (False, True), "both": (True, True)}  # by rule


@lru_cache
def list_calls(highest: int, extra: Call | None) -> Sequence[Call]:
    """Return the calls after a bid, given by its place among all bids, with a double or redouble if it is legal."""
    return (PASS, *BIDS[highest + 1 :]) if extra is None else (PASS, extra, *BIDS[highest + 1 :])


def _expect_play(state: BridgeState) -> float:
    """Return what side 0 can expect while cards are played: tricks to come are shared by the strength of the hands."""
    assert state.contract is not None
    zones, won, side = state.table.zones, state.tricks_won(), state.bidder % 2
    trumps = state.order.cards_of.get(state.order.trump or "", frozenset())
    strengths = [
        sum([WORTHS[card] + TRUMP_WORTH * (card in trumps) for seat in seats for card in zones[state.hands[seat]]])
        for seats in SIDES
    ]
    left = HAND - len(state.tricks)
    share = strengths[side] / (sum(strengths) or 1)
    mean = won[side] + won[side + 2] + left * share
    quarters = round(TRICK_DEVIATION * sqrt(left) * STEPS)
    value = expect_contract(
        state.contract, state.doubled, round(mean * STEPS), quarters, is_vulnerable=state.vulnerable()[side]
    )
    return -value if side else value


def _expect_auction(state: BridgeState) -> float:
    """Return what side 0 can expect of the last bid; of the best contract of the stronger side, if there is no bid."""
    counts = [_count_side(state, side) for side in range(2)]
    quarters = round(AUCTION_DEVIATION * STEPS)
    if state.contract is None:
        side = int(counts[1].points > counts[0].points)
        value = counts[side].best_value(is_vulnerable=state.vulnerable()[side]) / 2
    else:
        side = state.bidder % 2
        tricks, is_vulnerable = counts[side].tricks(state.contract.strain), state.vulnerable()[side]
        value = expect_contract(state.contract, state.doubled, tricks, quarters, is_vulnerable=is_vulnerable)
        if state.doubled == 1:
            value = min(value, expect_contract(state.contract, 2, tricks, quarters, is_vulnerable=is_vulnerable))
    return -value if side else value


class SideCount:
    """High-card points and lengths of the two hands of a side."""

    def __init__(self, points: int, lengths: Sequence[Sequence[int]]) -> None:
        self.points = points
        self.lengths = lengths  # by hand and suit

    def tricks(self, strain: Strain) -> int:
        """Return the tricks that the side is likely to take, in quarters."""
        return estimate_tricks(self.points, strain, tuple(self.lengths[0]), tuple(self.lengths[1]))

    def best_value(self, *, is_vulnerable: bool) -> float:
        """Return the expected points of the best contract."""
        return max([best_level(strain, self.tricks(strain), is_vulnerable=is_vulnerable) for strain in STRAINS])


def _count_side(state: BridgeState, side: int) -> SideCount:
    held = [state.table.zones[state.hands[seat]] for seat in SIDES[side]]
    points = sum([CARD_POINTS[card] for hand in held for card in hand])
    lengths = [[0, 0, 0, 0], [0, 0, 0, 0]]
    for row, hand in zip(lengths, held, strict=True):
        for card in hand:
            row[card // HAND] += 1
    return SideCount(points, lengths)


@lru_cache(maxsize=1 << 14)
def estimate_tricks(points: int, strain: Strain, first: tuple[int, ...], second: tuple[int, ...]) -> int:
    """Return the tricks of two hands, in quarters, by their high-card points and the lengths of their suits."""
    if strain == "NT":
        return round(STEPS * (NT_TRICKS[0] + NT_TRICKS[1] * points))
    suit = SUITS.index(strain)
    fit = first[suit] + second[suit]
    short = sum([max(0, 3 - hand[other]) for hand in (first, second) for other in range(4) if other != suit])
    base, each_point, each_trump, each_short = SUIT_TRICKS
    return round(STEPS * (base + each_point * points + each_trump * fit + each_short * short))


@lru_cache(maxsize=1 << 12)
def best_level(strain: Strain, tricks: int, *, is_vulnerable: bool) -> float:
    """Return the expected points of the best level in a strain, which is doubled if that costs more."""
    quarters = round(AUCTION_DEVIATION * STEPS)
    return max(
        min(
            expect_contract(Bid(level, strain), doubled, tricks, quarters, is_vulnerable=is_vulnerable)
            for doubled in (1, 2)
        )
        for level in range(1, 8)
    )


@lru_cache(maxsize=1 << 15)
def expect_contract(contract: Bid, doubled: int, tricks: int, deviation: int, *, is_vulnerable: bool) -> float:
    """Return the expected points of the declarer's side; expected tricks and their deviation are in quarters."""
    spread = max(deviation, 1) * sqrt(2)
    shares = [erf((STEPS * (number + 0.5) - tricks) / spread) for number in range(-1, HAND + 1)]
    shares[0], shares[-1] = -1.0, 1.0
    return sum(
        (shares[number + 1] - shares[number]) / 2 * count_made(contract, doubled, number, is_vulnerable)
        for number in range(HAND + 1)
    )


def _set_score(state: BridgeState, position: Position) -> None:
    """Set the score and the number of the board, which give the dealer and the vulnerable side."""
    options = state.options
    check_row_lengths(len(SIDES), part_scores=position.part_scores, games=position.games)
    first = position.board - position.deal_no + 1
    if not 1 <= first <= 16 or options.first_board not in (None, first):
        raise PositionError(f"board is {position.board} in deal {position.deal_no}; the first would be {first}")
    if options.scoring == "duplicate" and any(position.part_scores):
        raise PositionError(f"part_scores are {position.part_scores!r}; in duplicate there are none")
    if options.scoring != "rubber" and any(position.games):
        raise PositionError(f"games are {position.games!r}; {options.scoring} is no rubber")
    if position.redeals > (options.redeals or 0):
        raise PositionError(f"redeals is {position.redeals}; with these options it is {options.redeals} at most")
    if not all(0 <= points < GAME for points in position.part_scores):
        raise PositionError(f"part_scores are {position.part_scores!r}; {GAME} points are a game")
    state.first_board = first
    state.sheet = ScoreSheet(_pair(state.totals), _pair(position.part_scores), _pair(position.games))


def _make_last_call(state: BridgeState, position: Position) -> None:
    """Make the last call, with the cards in the hands: it may begin the play, or end the deal."""
    for word in position.calls[-1:]:
        _make_call(state, len(position.calls), word)
    if position.plays and not state.trick_seats:
        raise PositionError(f"cards are played, and the calls {position.calls!r} do not end the auction")


def _make_call(state: BridgeState, number: int, word: str) -> None:
    """B3, B4: make a call of the auction, which must be legal."""
    if state.turn is None or state.turn.phase != "call" or CALLS[word] not in state.legal_calls():
        raise PositionError(f"call {number} is {word!r}, which is not legal after {[*state.call_words]!r}")
    state.apply(CALLS[word])


def _pair(values: Sequence[int]) -> tuple[int, int]:
    return values[0], values[1]


def describe_contract(state: BridgeState) -> str:
    """Return the last bid with its double: "4♠ X"; "" if there is none."""
    if state.contract is None:
        return ""
    return " ".join([CALL_SIGNS[CALL_WORDS[state.contract]], *{2: ["X"], 4: ["XX"]}.get(state.doubled, [])])


def _count_sheet(state: BridgeState) -> Iterator[PublicCount]:
    """Yield what both sides have below the line, their games in a rubber, and how often the deal was dealt again."""
    if state.options.scoring != "duplicate":
        yield PublicCount("below", "N-S {}, E-W {}".format(*state.sheet.part_scores))
    if state.options.scoring == "rubber":
        yield PublicCount("games", "N-S {}, E-W {}".format(*state.sheet.games))
    if state.redeals:
        yield PublicCount("redealt", state.redeals)


def _render_auction(state: BridgeState) -> Iterator[str]:
    """Yield the calls in four columns, the dealer's first."""
    yield "  calls   " + "".join(f" {COMPASS[(state.dealer + place) % SEATS]:<5}" for place in range(SEATS)).rstrip()
    words = state.call_words
    for start in range(0, len(words), SEATS):
        yield "          " + "".join(f" {word:<5}" for word in words[start : start + SEATS]).rstrip()
