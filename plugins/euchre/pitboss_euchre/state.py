"""A match of Euchre at one moment: the calls, play, the count, evaluation and positions.

Numbers (E3) are those of the rule book.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final

from pitboss import (
    Deck,
    IllegalAction,
    PositionError,
    PublicCount,
    PublicCounts,
    Turn,
    Visibility,
    Zone,
    Zones,
    pile,
    pile_each,
    spread,
)
from pitboss.outcome import spread_over_sides
from pitboss.parts.auction import Auction
from pitboss.parts.suits import TrickOrder
from pitboss.parts.trick_estimate import chance_of_at_least, share_tricks
from pitboss.parts.trick_match import TrickMatchState
from pitboss.parts.trick_position import cards_as_dealt, set_up_dealt
from pitboss.parts.tricks import all_seats_from
from pitboss.plugins.packs import rank_of, suit_of
from pitboss.table.position_setup import set_up_zones
from pitboss_euchre.cards import make_deck, order_with_bowers, rank_with
from pitboss_euchre.messages import (
    BENNY,
    BENNY_SUITS,
    DEFENCES,
    NAMINGS,
    NO_TRUMP,
    NO_TRUMP_CALLS,
    ORDERS,
    Call,
    Defend,
    Discard,
    EuchreAction,
    EuchreOptions,
    FarmerHand,
    GoUnder,
    NameBenny,
    NameTrump,
    OrderUp,
    Pass,
    Position,
    ThrowIn,
    View,
)

SIDES: Final = ((0, 2), (1, 3))
SEATS: Final = 4
HAND: Final = 5  # cards, and tricks
MAJORITY: Final = 3
FARMER_RANKS: Final = {"9", "10"}
SUIT_WORDS: Final = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs", NO_TRUMP: "none"}
TRICK_DEVIATION: Final = 0.6  # of the makers' tricks to come, by the square root of their number
TRUMP_WORTH: Final = 1.0


def count_deal(tricks: int, is_alone: bool, is_defended_alone: bool, options: EuchreOptions) -> tuple[int, int]:
    """E12, E13: return the points of the makers and of the defenders for the tricks of the makers."""
    if tricks == HAND:
        return (4 if is_alone else 2), 0
    if tricks >= MAJORITY:
        return 1, 0
    is_dear = is_defended_alone or (is_alone and options.loner_euchre) or (tricks == 0 and options.super_euchre)
    return 0, 4 if is_dear else 2


@lru_cache
def active_seats_from(leader: int, loners: tuple[int, ...]) -> tuple[int, ...]:
    """E9: return who plays, from a seat on; the partners of who plays alone sit out."""
    return tuple(seat for seat in all_seats_from(leader, SEATS) if (seat + 2) % SEATS not in loners)


class EuchreState(TrickMatchState[EuchreOptions, EuchreAction]):
    """A match of Euchre at one moment."""

    sides = SIDES

    turned_up: Zone = pile()  # until it is picked up
    laid_away: Zones = pile_each(Visibility.OWNER)  # by the dealer
    exchanged: Zone = spread()  # of a farmer's hand
    turned_face: str = ""  # the card that was turned up
    turned_suit: str | None = None  # of the card turned up, or named for the Benny
    farmer: FarmerHand | None = None
    auction: Auction[Call] = Auction(SEATS)
    maker: int | None = None
    loners: tuple[int, ...] = ()  # who plays alone
    defences: tuple[bool, ...] = ()  # of each defender that was asked, whether it plays alone

    @classmethod
    def make_deck(cls, seats: int, options: EuchreOptions) -> Deck:
        """E1: return the pack."""
        return make_deck(options.cards, options.benny)

    def make_order(self, trump: str | None) -> TrickOrder:
        """E2: return which card is of which suit, and which is higher."""
        return order_with_bowers(self.table.layout.deck, trump)

    def count_deals(self) -> int:
        """E14: return how many deals there are at the most."""
        return self.options.deals

    def is_match_over(self) -> bool:
        """E14: return whether a side has the points, or all deals are played."""
        return max(self.totals) >= self.options.target or super().is_match_over()

    # ---- E3, E4: the deal

    @property
    def first_caller(self) -> int:
        """E3: the seat after the dealer, which calls first and leads."""
        return (self.deal_no - 1) % SEATS

    @property
    def dealer(self) -> int:
        """E3: the dealer."""
        return (self.deal_no + 2) % SEATS

    def begin_deal(self) -> None:
        """Set what a deal begins with."""
        super().begin_deal()
        self.set_trump(None)
        self.auction = Auction(SEATS, self.first_caller)
        self.turned_suit = self.farmer = self.maker = None
        self.loners, self.defences = (), ()

    def deal_cards(self) -> None:
        """E3, E4: turn up a card, and deal. A joker comes first: the dealer names its suit before it looks."""
        card = self.table.draw(self.stock, self.turned_up, "up")
        self.turned_face = str(self.table.layout.deck.faces[card])
        if self.turned_face == BENNY:
            self.turn = Turn(self.dealer, "benny")
        else:
            self.deal_to_all(suit_of(self.turned_face))

    def deal_to_all(self, turned_suit: str) -> None:
        """E3: deal five cards each; the first one calls."""
        self.turned_suit = turned_suit
        self.table.deal(self.stock, self.hands, HAND)
        self.turn = Turn(self.first_caller, "call")

    # ---- E5 to E8: the calls

    def legal(self) -> Sequence[EuchreAction]:
        """Return the actions of this moment."""
        if self.trick_seats or self.turn is None:
            return super().legal()
        match self.turn.phase:
            case "call":
                return self.legal_calls()
            case "discard":
                return self.legal_discards()
            case "benny":
                return BENNY_SUITS
            case _:
                return DEFENCES

    def legal_calls(self) -> Sequence[EuchreAction]:
        """E5 to E7: pass, or make the suit turned up trumps; in the second round another one, or none."""
        made, seat, options = len(self.auction.calls), self.auction.caller, self.options
        if made >= SEATS:
            assert self.turned_suit is not None
            calls = NAMINGS[self.turned_suit]
            if options.no_trumps:
                calls += NO_TRUMP_CALLS
            return calls[1:] if options.stick and made == 2 * SEATS - 1 else calls
        orders = ORDERS[::2] if options.partner_alone and (seat + 2) % SEATS == self.dealer else ORDERS
        if options.farmer == "none" or self.farmer is not None or not self.has_farmer_hand(seat):
            return orders
        if options.farmer == "redeal":
            return [*orders, ThrowIn()]
        return [*orders, *map(GoUnder, combinations(self.sorted_hand(seat), 3))]

    def legal_discards(self) -> list[Discard]:
        """E5: return the dealer's cards by suit and rank, with `bury` the one turned up too."""
        zones, printed = self.table.zones, self.table.layout.deck.faces
        cards = [*zones[self.hands[self.dealer]], *(zones[self.turned_up] if self.options.bury else ())]
        return [Discard(str(printed[card])) for card in sorted(cards)]

    def sorted_hand(self, seat: int) -> list[str]:
        """Return the cards of a hand by suit and rank, as the pack is."""
        printed = self.table.layout.deck.faces
        return [str(printed[card]) for card in sorted(self.table.zones[self.hands[seat]])]

    def has_farmer_hand(self, seat: int) -> bool:
        """E8: return whether a seat holds nines and tens alone."""
        return all(rank_of(face) in FARMER_RANKS for face in self.faces(self.hands[seat]))

    def apply(self, action: EuchreAction) -> None:
        """Do what is no play of a card."""
        seat = self.require_turn().seat
        match action:
            case NameBenny(suit):
                self.table.tell("benny", seat=seat, suit=suit)
                self.deal_to_all(suit)
            case Discard(card):
                self.pick_up(card)
            case Defend(alone):
                self.answer_defence(seat, alone)
            case ThrowIn():
                self.table.reveal(self.hands[seat], "farmer")
                self.end_deal([0] * SEATS)
            case GoUnder(cards):
                self.go_under(seat, cards)
            case OrderUp() | NameTrump():
                self.make_trump(seat, action)
            case _:
                self.pass_on(seat)

    def pass_on(self, seat: int) -> None:
        """E5, E6: pass; after two rounds the cards are thrown in."""
        self.table.tell("pass", seat=seat)
        self.auction = self.auction.add_call(None)
        if len(self.auction.calls) == 2 * SEATS:
            self.end_deal([0] * SEATS)
        else:
            self.turn = Turn(self.auction.caller, "call")

    def make_trump(self, seat: int, call: Call) -> None:
        """E5, E6, E9: make a suit trumps or none, perhaps alone; ordered up, the dealer takes the card turned up."""
        suit = call.suit if isinstance(call, NameTrump) else self.turned_suit
        assert suit is not None
        self.table.tell("trumps", seat=seat, suit=suit, alone=call.alone)
        self.auction = self.auction.add_call(call)
        self.maker = seat
        self.set_trump(suit)
        self.loners = (seat,) if call.alone else ()
        if isinstance(call, OrderUp):
            self.turn = Turn(self.dealer, "discard")
        else:
            self.ask_defenders()

    def pick_up(self, face: str) -> None:
        """E5: lay a card away, and take the one turned up; with `bury` it is taken first, and may be the one that goes.

        Without `bury` all know by the order of the two that the card turned up is not the one laid away.
        """
        hand, laid_away, table = self.hands[self.dealer], self.laid_away[self.dealer], self.table
        if self.options.bury:
            table.draw(self.turned_up, hand, "pick_up")
        table.play_face(face, hand, laid_away, "discard")
        if not self.options.bury:
            table.draw(self.turned_up, hand, "pick_up")
        self.ask_defenders()

    def go_under(self, seat: int, faces: Sequence[str]) -> None:
        """E8: show a farmer's hand, and exchange three of its cards for the top ones of the stock."""
        table, hand = self.table, self.hands[seat]
        self.farmer = FarmerHand(seat, self.faces(hand), list(faces))
        table.reveal(hand, "farmer")
        table.lay_faces(faces, hand, self.exchanged, "go_under")
        for _ in faces:
            table.draw(self.stock, hand, "draw")

    # ---- E10: defending alone

    def ask_defenders(self) -> None:
        """E10: ask the next defender whether it plays alone; if none is left, the first trick is led."""
        kind, maker = self.options.defend_alone, self.require_maker()
        if kind == "any" or (kind == "loner" and self.loners):
            defenders = [seat for seat in all_seats_from(self.first_caller, SEATS) if (seat - maker) % 2]
            if len(self.defences) < len(defenders) and True not in self.defences:
                self.turn = Turn(defenders[len(self.defences)], "defend")
                return
        is_switched = self.options.lead == "maker" and maker in self.loners
        self.lead_trick((maker + 1) % SEATS if is_switched else self.first_caller)

    def answer_defence(self, seat: int, is_alone: bool) -> None:
        """E10: say whether a defender plays alone."""
        self.table.tell("defend", seat=seat, alone=is_alone)
        self.defences = (*self.defences, is_alone)
        if is_alone:
            self.loners = (*self.loners, seat)
        self.ask_defenders()

    def require_maker(self) -> int:
        """Return the seat that made trumps, which somebody has."""
        assert self.maker is not None
        return self.maker

    # ---- E11 to E13: play and the count

    def seats_from(self, leader: int) -> tuple[int, ...]:
        """E9: return who plays to a trick: all but the partners of who plays alone."""
        return active_seats_from(leader, self.loners)

    def end_tricks(self) -> None:
        """E12, E13: count the deal."""
        maker, won = self.require_maker(), self.tricks_won()
        makers = won[maker] + won[(maker + 2) % SEATS]
        points = count_deal(makers, maker in self.loners, True in self.defences, self.options)
        self.end_deal(spread_over_sides(points if maker % 2 == 0 else points[::-1], SIDES))

    # ---- what is seen

    def view(self, seat: int) -> View:
        """Return what a seat may know: section 6."""
        laid_away = self.faces(self.laid_away[self.dealer]) if seat == self.dealer else []
        return View(
            **self.view_tricks(seat),
            dealer=self.dealer,
            turned_up=self.turned_face,
            turned_suit=self.turned_suit,  # type: ignore[arg-type]
            calls=self.auction.calls,
            trump=self.order.trump,  # type: ignore[arg-type]
            maker=self.maker,
            loners=self.loners,
            discard=laid_away[0] if laid_away else None,
            farmer=self.farmer,
        )

    def public_counts(self) -> PublicCounts:
        """Return the number of the deal and the trumps; of each seat its score and tricks, and what part it has."""
        trump = self.order.trump
        suit = ("trumps", SUIT_WORDS[trump]) if trump else ("turned up", self.turned_face)
        seats = []
        for seat, (total, won) in enumerate(zip(self.totals, self.tricks_won(), strict=True)):
            parts = [PublicCount("dealer", role="button")] if seat == self.dealer else []
            parts += [PublicCount("maker"), PublicCount("aim", MAJORITY, "aim")] if seat == self.maker else []
            parts += [PublicCount("alone")] if seat in self.loners else []
            parts += [PublicCount("out", role="out")] if (seat + 2) % SEATS in self.loners else []
            seats.append((PublicCount("score", total), PublicCount("tricks", won), *parts))
        return PublicCounts((PublicCount("deal", self.deal_no, "part"), PublicCount(*suit)), seats)

    # ---- what search players expect

    def evaluate(self) -> Sequence[float]:
        """Return by seat the expected total of its side after this deal; before somebody makes trumps that of now."""
        totals = [float(total) for total in self.totals]
        maker = self.maker
        if self.turn is None or maker is None:
            return totals
        won = self.tricks_won()
        left = HAND - sum(won)
        playing = [self.hands[seat] for seat in range(SEATS) if (seat + 2) % SEATS not in self.loners]
        shares = share_tricks(self, worths_of(self.table.layout.deck, self.order), playing, left)
        seats = [seat for seat in range(SEATS) if (seat + 2) % SEATS not in self.loners]
        made = sum(share for seat, share in zip(seats, shares, strict=True) if (seat - maker) % 2 == 0)
        taken = won[maker] + won[(maker + 2) % SEATS]
        is_alone, is_defended_alone = maker in self.loners, True in self.defences
        chances = [chance_of_at_least(tricks - taken, made, left, TRICK_DEVIATION) for tricks in (1, MAJORITY, HAND)]
        if left == 0:
            chances = [float(taken >= tricks) for tricks in (1, MAJORITY, HAND)]
        shares_of_results = (1 - chances[0], chances[0] - chances[1], chances[1] - chances[2], chances[2])
        results = [count_deal(tricks, is_alone, is_defended_alone, self.options) for tricks in (0, 1, MAJORITY, HAND)]
        makers, defenders = (
            sum(chance * result[side] for chance, result in zip(shares_of_results, results, strict=True))
            for side in (0, 1)
        )
        gained = (makers, defenders) if maker % 2 == 0 else (defenders, makers)
        return [total + more for total, more in zip(totals, spread_over_sides(gained, SIDES), strict=True)]

    # ---- positions (section 6)

    def position(self) -> Position:
        """Write down a state: every card of this deal, the calls, and the points before it."""
        laid_away = self.faces(self.laid_away[self.dealer])
        return Position(
            **self.write_tricks(),
            turned_up=self.turned_face,
            turned_suit=self.turned_suit if self.turned_face == BENNY else None,  # type: ignore[arg-type]
            stock=[*reversed(self.faces(self.stock))],
            farmer=self.farmer,
            calls=list(self.auction.calls),
            discard=laid_away[0] if laid_away else None,
            defences=list(self.defences),
        )

    def set_up_deal(self, position: Position) -> None:
        """Deal the cards as they were dealt, make the calls and play the plays again.

        Raises:
            PositionError: it does not describe a table of this game.
        """
        self.turned_face = position.turned_up or _draw_turned_up(self, position)
        if (self.turned_face == BENNY) < (position.turned_suit is not None):
            raise PositionError(
                f"turned_suit is {position.turned_suit!r}, but {self.turned_face!r} is turned up; turned_suit is "
                f"for {BENNY!r} alone, the joker"
            )
        if self.turned_face == BENNY and position.turned_suit is None:
            _set_up_benny(self, position)
            return
        self.turned_suit = position.turned_suit or suit_of(self.turned_face)
        dealt = cards_as_dealt(SEATS, position.hands, position.plays, HAND)
        if position.discard is not None:
            if not any(isinstance(call, OrderUp) for call in position.calls):
                raise PositionError(f"discard is {position.discard!r}, and nobody has ordered the dealer to pick up")
            if position.discard != self.turned_face or not self.options.bury:
                dealt[self.dealer] = [*_take_out(dealt[self.dealer], self.turned_face), position.discard]
        beside: list[tuple[Zone, Sequence[str | None]]] = [(self.turned_up, [self.turned_face])]
        stock = position.stock
        if position.farmer is not None:
            seat, shown = position.farmer.seat, position.farmer.shown
            drawn = dealt[seat]
            for face in shown:
                drawn = drawn if face in position.farmer.exchanged else _take_out(drawn, face)
            dealt[seat] = [*shown]
            stock = [*drawn, *(stock or ())]
        if stock is not None:
            beside.append((self.stock, stock[::-1]))
        set_up_dealt(self, dealt, position.plays, lambda one: _begin_play(one, position), beside=beside)


@lru_cache(maxsize=64)
def worths_of(deck: Deck, order: TrickOrder) -> list[float]:
    """Return by card how readily it takes a trick."""
    worths = []
    for face, suit in zip(map(str, deck.faces), order.suits, strict=True):
        height = ((rank_with(face, order.trump) - 6) / 9) ** 2 if rank_with(face, order.trump) > 6 else 0.0
        worths.append(height + (TRUMP_WORTH if suit == order.trump else 0.0))
    return worths


def _draw_turned_up(state: EuchreState, position: Position) -> str:
    """Return a card that the position names nowhere, no joker.

    Raises:
        PositionError: there is none.
    """
    given = [*(position.hands or ()), position.stock or (), [face for _, face in position.plays], [position.discard]]
    named = {face for row in given for face in row}
    rest = sorted({*map(str, state.table.layout.deck.faces)} - named - {BENNY})
    if not rest:
        raise PositionError("no card is left that could have been turned up")
    return state.table.rng.choice(rest)


def _set_up_benny(state: EuchreState, position: Position) -> None:
    """Set up the moment in which a joker is turned up, before the other cards are dealt."""
    if any(position.hands or ()) or position.calls or position.plays:
        raise PositionError("a joker is turned up, and turned_suit is open: nobody has cards yet")
    rows: list[tuple[Zone, Sequence[str | None]]] = [(state.turned_up, [BENNY])]
    set_up_zones(state.table, state.stock, [*rows, (state.stock, (position.stock or [])[::-1])])
    state.turn = Turn(state.dealer, "benny")


def _begin_play(state: EuchreState, position: Position) -> None:
    """Make the calls up to the first lead, each of which must be legal."""
    state.turn = Turn(state.first_caller, "call")
    for call in position.calls:
        _go_under(state, position)
        _do(state, Pass() if call is None else call)
    _go_under(state, position)
    if position.discard is not None:
        _do(state, Discard(position.discard))
    for is_alone in position.defences:
        _do(state, Defend(is_alone))
    if position.farmer != state.farmer:
        raise PositionError(f"seat {position.farmer.seat if position.farmer else None} has not been asked for a call")
    if position.plays and not state.trick_seats:
        raise PositionError("cards are played, and the first trick is not led yet")


def _go_under(state: EuchreState, position: Position) -> None:
    """Exchange the cards of a farmer's hand, when its owner is to call for the first time."""
    farmer = position.farmer
    if farmer is not None and state.farmer is None and state.turn == Turn(farmer.seat, "call"):
        first, second, third = farmer.exchanged
        _do(state, GoUnder((first, second, third)))


def _do(state: EuchreState, action: EuchreAction) -> None:
    try:
        state.play(action)
    except IllegalAction as error:
        raise PositionError(f"before the first trick: {error}") from None


def _take_out(cards: Sequence[str | None], face: str) -> list[str | None]:
    """Return cards without one, for which an open place stands too.

    Raises:
        PositionError: it cannot be among them.
    """
    rest = [*cards]
    if face not in rest and None not in rest:
        raise PositionError(f"{face!r} is not among {rest!r}")
    rest.remove(face if face in rest else None)
    return rest
