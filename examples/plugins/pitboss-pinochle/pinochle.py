"""Pinochle. Two against two bid, the highest bidder names trumps, all lay melds, and tricks must be headed.

Single-deck partnership auction pinochle: 48 cards, two of each, A 10 K Q J 9. The bidder's side has to make its bid by
melds and tricks together, or loses it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cache
from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta

from pitboss import Action, CardFace, Deck, IllegalAction, Options, PositionError, PublicCount, PublicCounts, Turn
from pitboss.outcome import spread_over_sides
from pitboss.parts.auction import Auction
from pitboss.parts.shown_melds import ShownMelds, list_shown
from pitboss.parts.suits import TrickOrder, order_by_rank
from pitboss.parts.trick_match import TrickGame, TrickMatchState, TrickMatchView, TrickPosition
from pitboss.parts.trick_position import set_up_tricks
from pitboss.parts.tricks import PlayCard
from pitboss.plugins.hookspec import hookimpl
from pitboss.plugins.packs import rank_of, suit_of

RANKS: Final = ("9", "J", "Q", "K", "10", "A")
SUITS: Final = "SHDC"
SIDES: Final = ((0, 2), (1, 3))
HAND: Final = 12
DECK: Final = Deck([suit + rank for suit in SUITS for rank in RANKS for _ in range(2)])
CLASSIC: Final = {"A": 11, "10": 10, "K": 4, "Q": 3, "J": 2}
RUN: Final = ("A", "10", "K", "Q", "J")
WORTHS: Final = {  # of one and of two melds of a kind; a marriage of trumps counts twice
    "run": (0, 15, 150),
    "around A": (0, 10, 100),
    "around K": (0, 8, 80),
    "around Q": (0, 6, 60),
    "around J": (0, 4, 40),
    "pinochle": (0, 4, 30),
    "nine": (0, 1, 2),
}

Suit: TypeAlias = Literal["S", "H", "D", "C"]


class PinochleOptions(Options, frozen=True):
    """What people may choose."""

    scoring: Annotated[
        Literal["modern", "classic"],
        Meta(description="A, 10 and K count 1 each, or 11, 10, 4 and Q 3, J 2 with melds and bids ten times as high."),
    ] = "modern"
    heading: Annotated[
        Literal["always", "trumps", "never"], Meta(description="When a trick has to be headed by who can.")
    ] = "always"
    all_melds: Annotated[bool, Meta(description="Each player has to lay all melds that it holds.")] = False
    least_bid: Annotated[int, Meta(ge=1, le=40, description="The least bid (times ten in classic scoring).")] = 20
    stick: Annotated[bool, Meta(description="If all pass, the dealer has the least bid; else the deal is void.")] = True
    target: Annotated[int, Meta(ge=1, le=500, description="Points that win (times ten in classic scoring).")] = 150
    deals: Annotated[int, Meta(ge=1, le=60, description="Deals of a match at the most.")] = 30


class Bid(Action, frozen=True):
    """Bid a number of points that your side makes."""

    points: Annotated[int, Meta(ge=1, le=600)]


class Pass(Action, frozen=True):
    """Leave the auction."""


class NameTrump(Action, frozen=True, tag="trump"):
    """Name the trump suit."""

    suit: Suit


class LayMeld(Action, frozen=True, tag="meld"):
    """Lay one meld for all to see; a second one of its kind is laid by itself."""

    cards: tuple[CardFace, ...]


class EndMelds(Action, frozen=True, tag="done"):
    """Lay no more melds."""


Call: TypeAlias = Bid | Pass
PinochleAction: TypeAlias = Call | NameTrump | LayMeld | EndMelds | PlayCard


class PinochleView(TrickMatchView, frozen=True, kw_only=True):
    """What a seat may know."""

    calls: Annotated[list[tuple[int, int | None]], Meta(description="[seat, points] of each call; null: a pass.")]
    bidder: Annotated[int | None, Meta(description="Who has bid most so far.")]
    bid: Annotated[int, Meta(description="The highest bid; 0 if there is none.")]
    trump: Annotated[str, Meta(description="The trump suit; empty before it is named.")]
    melds: Annotated[list[list[str]], Meta(description="By seat, the cards that it has shown.")]
    meld_points: Annotated[list[int], Meta(description="By seat, what its melds are worth.")]
    trick_points: Annotated[list[int], Meta(description="By side, what its tricks are worth so far.")]


class PinochlePosition(TrickPosition, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A position written down. Cards that are null, or hands left out, are dealt at random."""

    auction: Annotated[tuple[Call, ...], Meta(description="The calls of the auction in turn.")] = ()
    trump: Annotated[Suit | None, Meta(description="The trump suit, once it is named.")] = None
    melding: Annotated[tuple[LayMeld | EndMelds, ...], Meta(description="What was laid, from the bidder on.")] = ()


@cache
def melds_of(trump: str) -> ShownMelds:
    """Return the melds while a suit is trumps."""
    melds = {"run": [trump + rank for rank in RUN]}
    melds |= {f"marriage {suit}": [suit + "K", suit + "Q"] for suit in SUITS}
    melds |= {f"around {rank}": [suit + rank for suit in SUITS] for rank in "AKQJ"}
    return ShownMelds(DECK, {**melds, "pinochle": ["SQ", "DJ"], "nine": [trump + "9"]})


@cache
def lay_actions(trump: str) -> dict[str, LayMeld]:
    """Return the actions that lay a meld, by its name."""
    return {name: LayMeld(tuple(map(str, faces))) for name, faces in melds_of(trump).faces.items()}


def count_melds(trump: str, shown: Sequence[int]) -> int:
    """Return what the melds in some cards are worth."""
    melds = melds_of(trump)
    points = sum(worths[melds.count(name, shown)] for name, worths in WORTHS.items())
    for suit in SUITS:
        points += 2 * melds.count(f"marriage {suit}", shown)
    return points + 2 * melds.count(f"marriage {trump}", shown) - 4 * melds.count("run", shown)


@cache
def higher_cards(card: int) -> frozenset[int]:
    """Return the cards of the same suit that are higher."""
    suit, rank = suit_of(DECK.faces[card]), RANKS.index(rank_of(DECK.faces[card]))
    return frozenset(c for c, f in enumerate(DECK.faces) if suit_of(f) == suit and RANKS.index(rank_of(f)) > rank)


class PinochleState(TrickMatchState[PinochleOptions, PinochleAction]):
    """A match at one moment."""

    deck = DECK
    sides = SIDES
    auction: Auction[int] = Auction(4, is_pass_final=True)  # points
    stuck: int | None = None  # who has the least bid, as all have passed
    is_trump_named: bool = False
    melding: tuple[LayMeld | EndMelds, ...] = ()
    melds: list[list[str]] = field(default_factory=list)  # shown, by seat
    meld_points: list[int] = field(default_factory=list)

    def make_order(self, trump: str | None) -> TrickOrder:
        """Return the order of the cards: the ten is higher than the king."""
        return order_by_rank(self.deck, trump, RANKS)

    def count_deals(self) -> int:
        """Return how many deals there are at the most."""
        return self.options.deals

    @property
    def unit(self) -> int:
        """What bids and melds are multiplied by."""
        return 10 if self.options.scoring == "classic" else 1

    @property
    def bidder(self) -> int | None:
        """Who has bid most so far."""
        return self.auction.last_caller if self.stuck is None else self.stuck

    @property
    def bid(self) -> int:
        """The highest bid; 0 if there is none."""
        return self.options.least_bid * self.unit if self.stuck is not None else self.auction.last_call or 0

    # -- the auction -----------------------------------------------------------------------------------------------

    def begin_deal(self) -> None:
        """Forget the deal before."""
        super().begin_deal()
        self.auction = Auction(4, (self.deal_no - 1) % 4, is_pass_final=True)
        self.stuck, self.is_trump_named = None, False
        self.melding, self.melds, self.meld_points = (), [[] for _ in range(4)], [0] * 4
        self.set_trump(None)

    def deal_cards(self) -> None:
        """Deal all cards, and begin the auction."""
        self.deal_hands(HAND)
        self.begin_auction()

    def begin_auction(self) -> None:
        """Ask the player left of the dealer."""
        self.turn = Turn(self.auction.caller, "bid")

    def legal(self) -> Sequence[PinochleAction]:
        """Return the calls, the trump suits, the melds, or the cards that may be played."""
        match self.turn:
            case Turn(phase="bid"):
                least = self.bid // self.unit + 1 if self.bid else self.options.least_bid
                return [Pass(), *(Bid(points * self.unit) for points in range(least, min(least + 10, 61)))]
            case Turn(phase="trump"):
                return [NameTrump("S"), NameTrump("H"), NameTrump("D"), NameTrump("C")]
            case Turn(seat, "meld"):
                trump = self.order.trump or ""
                laid = [lay_actions(trump)[name] for name in melds_of(trump).list_melds(self.table, self.hands[seat])]
                return laid if laid and self.options.all_melds else [*laid, EndMelds()]
        return super().legal()

    def apply(self, action: PinochleAction) -> None:
        """Call, name the trump suit, or lay melds."""
        seat = self.require_turn().seat
        match action:
            case NameTrump(suit):
                self.is_trump_named = True
                self.set_trump(suit)
                self.table.tell("trump", suit=suit)
                self.turn = Turn(seat, "meld")
            case LayMeld() | EndMelds():
                self.melding = (*self.melding, action)
                self.lay_meld(seat, action)
            case Bid() | Pass():
                points = action.points if isinstance(action, Bid) else None
                self.auction = self.auction.add_call(points)
                self.table.tell("call", seat=seat, points=points or 0)
                self.ask_next()

    def ask_next(self) -> None:
        """Let the next player call; the last one left names trumps."""
        left = self.auction.bidders
        if not left and not self.options.stick:
            self.table.tell("thrown_in")
            self.end_deal([0] * 4)
            return
        if not left:
            self.stuck = (self.deal_no + 2) % 4
            self.table.tell("stuck", seat=self.stuck)
        is_over = not left or left == (self.bidder,)
        self.turn = Turn(self.bidder or 0, "trump") if is_over else Turn(self.auction.caller, "bid")

    def lay_meld(self, seat: int, action: LayMeld | EndMelds) -> None:
        """Show a meld; after the last player has laid what he wants, the bidder leads."""
        trump, hand, melds = self.order.trump or "", self.hands[seat], melds_of(self.order.trump or "")
        if isinstance(action, LayMeld):
            melds.show(self.table, hand, next(name for name, lay in lay_actions(trump).items() if lay == action))
            shown = list_shown(self.table, hand)
            self.melds = [*self.melds[:seat], sorted(map(str, self.deck.faces_of(shown))), *self.melds[seat + 1 :]]
            self.meld_points[seat] = count_melds(trump, shown) * self.unit
            return
        if self.options.all_melds:
            melds.tell_no_more(self.table, hand)
        self.table.tell("melded", seat=seat, points=self.meld_points[seat])
        if self.melding.count(EndMelds()) == 4:
            self.lead_trick(self.bidder or 0)
        else:
            self.turn = Turn((seat + 1) % 4, "meld")

    # -- play ------------------------------------------------------------------------------------------------------

    def duties(self) -> Sequence[frozenset[int]]:
        """Follow suit, else trump; in both cases higher than what lies there, if the trick has to be headed."""
        trick = self.table.zones[self.trick]
        if not trick:
            return ()
        order = self.order
        trumps, led = order.trump_cards, self.cards_of_suit_led(trick)
        best = trick[order.find_winner(trick)]
        must_head = self.options.heading == "always" or (self.options.heading == "trumps" and led == trumps)
        duties = [higher_cards(best), led] if best in led else [led, higher_cards(best)]
        duties = duties if must_head else [led]
        return duties if led == trumps else [*duties, trumps]

    def worth_of(self, face: str) -> int:
        """Return what a card counts in a trick."""
        if self.options.scoring == "classic":
            return CLASSIC.get(rank_of(face), 0)
        return int(rank_of(face) in ("A", "10", "K"))

    def trick_points(self) -> list[int]:
        """Return by side what its tricks are worth so far."""
        points = [0, 0]
        for trick in self.tricks:
            points[trick.winner % 2] += sum(self.worth_of(face) for _, face in trick.cards)
        if len(self.tricks) == HAND:
            points[self.tricks[-1].winner % 2] += self.unit
        return points

    def side_melds(self, side: int) -> int:
        """Return what the melds of a side are worth."""
        return sum(self.meld_points[seat] for seat in SIDES[side])

    def end_tricks(self) -> None:
        """Count: the bidder's side makes its bid, or loses it; melds count only with a point in tricks."""
        points = [taken + self.side_melds(side) if taken else 0 for side, taken in enumerate(self.trick_points())]
        side = (self.bidder or 0) % 2
        if points[side] < self.bid:
            points[side] = -self.bid
        self.end_deal(spread_over_sides(points, SIDES))

    def is_match_over(self) -> bool:
        """Return whether a side has reached the target, or all deals are played."""
        both = self.totals[:2]
        return super().is_match_over() or (max(both) >= self.options.target * self.unit and both[0] != both[1])

    def evaluate(self) -> Sequence[float]:
        """Return the totals and what the deal is likely to bring."""
        totals = [float(self.totals[0]), float(self.totals[1])]
        if self.turn is None or not self.is_trump_named:
            return spread_over_sides(totals, SIDES)
        taken = self.trick_points()
        strength, left = [1.0, 1.0], float(self.unit)
        for seat, hand in enumerate(self.hands):
            for face in self.faces(hand):
                strength[seat % 2] += RANKS.index(rank_of(face)) ** 2 * (2 if suit_of(face) == self.order.trump else 1)
                left += self.worth_of(face)
        made = [taken[side] + left * strength[side] / sum(strength) + self.side_melds(side) for side in (0, 1)]
        side = (self.bidder or 0) % 2
        chance = min(1.0, max(0.0, 0.5 + (made[side] - self.bid) / (4.0 * self.unit)))
        made[side] = chance * max(made[side], self.bid) - (1 - chance) * self.bid
        return spread_over_sides([total + points for total, points in zip(totals, made, strict=True)], SIDES)

    # -- what is shown ---------------------------------------------------------------------------------------------

    def view(self, seat: int) -> PinochleView:
        """Return what a seat may know."""
        return PinochleView(
            **self.view_tricks(seat),
            calls=[*self.auction.calls_by_seat()],
            bidder=self.bidder,
            bid=self.bid,
            trump=(self.order.trump or "") if self.is_trump_named else "",
            melds=self.melds,
            meld_points=self.meld_points[:],
            trick_points=self.trick_points(),
        )

    def public_counts(self) -> PublicCounts:
        """Return the deal, trumps, the bid; of each seat its side's score, its melds and tricks."""
        won = self.tricks_won()
        seats = []
        for seat, total in enumerate(self.totals):
            bid = [PublicCount("bid", self.bid)] if seat == self.bidder else []
            counts = [PublicCount("score", total), PublicCount("meld", self.meld_points[seat])]
            seats.append([*counts, *bid, PublicCount("tricks", won[seat])])
        trump = [PublicCount("trump", self.order.trump or "")] if self.is_trump_named else []
        return PublicCounts([PublicCount("deal", self.deal_no, "part"), *trump], seats)

    # -- positions -------------------------------------------------------------------------------------------------

    def position(self) -> PinochlePosition:
        """Write down the state."""
        return PinochlePosition(
            **self.write_tricks(),
            auction=tuple(Pass() if points is None else Bid(points) for points in self.auction.calls),
            trump=self.order.trump if self.is_trump_named else None,  # type: ignore[arg-type]
            melding=self.melding,
        )

    def set_up_deal(self, position: PinochlePosition) -> None:
        """Make the calls, name trumps, lay the melds, and play what was played.

        Raises:
            PositionError: it does not describe a table of this game.
        """
        trump = [NameTrump(position.trump)] if position.trump else []
        actions: list[PinochleAction] = [*position.auction, *trump, *position.melding]

        def begin_play(state: PinochleState) -> None:
            state.begin_auction()
            for action in actions:
                if state.deal_no != position.deal_no:
                    raise PositionError(f"{action!r} comes after the end of deal {position.deal_no}")
                try:
                    state.play(action)
                except IllegalAction as error:
                    raise PositionError(str(error)) from None

        set_up_tricks(self, position.hands, position.plays, HAND, begin_play)


class Pinochle(TrickGame[PinochleOptions, PinochleState]):
    """The game."""

    state = PinochleState
    name = "pinochle"
    title = "Pinochle"
    seats = (4,)
    Position = PinochlePosition
    presets: Mapping[str, PinochleOptions] = {
        "short": PinochleOptions(deals=1),
        "classic": PinochleOptions(scoring="classic", heading="trumps", least_bid=25, target=100),
        "all-melds": PinochleOptions(all_melds=True),
    }


pitboss_games = hookimpl(lambda: [Pinochle()])
