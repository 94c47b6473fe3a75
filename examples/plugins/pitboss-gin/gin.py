"""Gin Rummy. Draw and discard until your loose cards count ten at most, then knock: fewer loose points win the deal.

Melds are three or four of a rank, or three and more in sequence of a suit, the ace low. Who knocks discards and lays
down its hand; the other lays off loose cards to these melds, unless nothing was loose (gin). Melds and layoffs are
arranged so that least is loose. The difference goes to the knocker, or if it is none to the other (undercut). Gin and
undercut have 25 more. A match goes to 100. The card just taken may not be discarded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Final

from msgspec import Meta, Struct

from pitboss import Action, CardFace, Deck, Options, Outcome, TableGame, Turn, Visibility, Zone, Zones
from pitboss.action_range import find_entry
from pitboss.outcome import outcome_by_side
from pitboss.parts.deals import DealsState
from pitboss.parts.melds import BITS, DeadwoodTable, mask_of
from pitboss.plugins.hookspec import hookimpl
from pitboss.plugins.packs import STANDARD_PACK
from pitboss.table.zone_fields import hand_each, pile

HAND: Final = 10
MOST_TAKEN: Final = 50  # discards taken in a row, after which one has to draw
LAST_STOCK: Final = 2  # cards with which a deal ends without points
DEADWOOD: Final = DeadwoodTable()
FACES: Final = tuple(map(str, STANDARD_PACK.faces))
CARD_OF: Final = {face: card for card, face in enumerate(FACES)}


class GinOptions(Options, frozen=True):
    """What people may choose."""

    limit: Annotated[int, Meta(ge=1, le=500, description="Points that end the match.")] = 100
    deals: Annotated[int, Meta(ge=1, le=100, description="After so many deals the match is over anyway.")] = 40
    knock: Annotated[int, Meta(ge=0, le=10, description="What the loose cards of a knocker may count.")] = 10
    bonus: Annotated[int, Meta(ge=0, le=50, description="For gin, and for an undercut.")] = 25


class Pass(Action, frozen=True):
    """Leave the first card to the other."""


class Draw(Action, frozen=True):
    """Draw from the stock."""


class Take(Action, frozen=True):
    """Take the last card discarded."""


class Discard(Action, frozen=True):
    """Discard a card."""

    card: CardFace


class Knock(Action, frozen=True):
    """Discard a card, and knock."""

    card: CardFace


GinAction = Pass | Draw | Take | Discard | Knock
PASS_OR_TAKE: Final[tuple[GinAction, ...]] = (Pass(), Take())
DRAW_OR_TAKE: Final[tuple[GinAction, ...]] = (Draw(), Take())
DRAW: Final[tuple[GinAction, ...]] = (Draw(),)
DISCARDS: Final[tuple[GinAction, ...]] = tuple(map(Discard, FACES))  # by card
KNOCKS: Final[tuple[GinAction, ...]] = tuple(map(Knock, FACES))
TURNS: Final = {phase: (Turn(0, phase), Turn(1, phase)) for phase in ("first", "draw", "discard")}


class GinView(Struct, frozen=True):
    """What a seat may know."""

    hand: Annotated[list[str], Meta(description="Your cards; empty for a spectator.")]
    known: Annotated[list[list[str]], Meta(description="By seat, the cards that you know to be in its hand.")]
    discards: Annotated[list[str], Meta(description="The cards discarded, the last on top.")]
    stock: Annotated[int, Meta(description="How many cards can be drawn.")]
    totals: Annotated[list[int], Meta(description="By seat, the points of the earlier deals.")]
    deal_no: Annotated[int, Meta(description="The number of the deal, from 1.")]


class GinState(DealsState[GinOptions, Pass | Draw | Take | Discard | Knock]):
    """A match at one moment."""

    deck = Deck(FACES)
    stock: Zone = pile(Visibility.NOBODY)
    discards: Zone = pile()
    hands: Zones = hand_each()
    passes: int = 0
    taken_in_a_row: int = 0
    taken: int = -1  # the card that may not be discarded in this turn

    def deal_cards(self) -> None:
        """Deal ten cards each, and turn one up."""
        self.passes, self.taken_in_a_row, self.taken = 0, 0, -1
        self.table.deal(self.stock, self.hands, HAND)
        self.table.draw(self.stock, self.discards, "up_card")
        self.turn = TURNS["first"][(self.deal_no - 1) % 2]

    def is_match_over(self) -> bool:
        """Return whether somebody has reached the limit."""
        return max(self.totals) >= self.options.limit or self.deal_no >= self.options.deals

    def legal(self) -> Sequence[GinAction]:
        """Return the actions of the phase; knocks come last."""
        if self.turn is None:
            return ()
        seat, phase = self.turn
        if phase == "first":
            return PASS_OR_TAKE
        if phase == "draw":
            return DRAW if self.passes == 2 or self.taken_in_a_row >= MOST_TAKEN else DRAW_OR_TAKE
        held, taken = sorted(self.table.zones[self.hands[seat]]), self.taken
        actions = [DISCARDS[card] for card in held if card != taken]
        mask, most = mask_of(held), self.options.knock
        if DEADWOOD.find_least(mask) <= most + DEADWOOD.worth[-1]:  # a discard takes away no more
            actions += [KNOCKS[card] for card in held if DEADWOOD.find_least(mask ^ BITS[card]) <= most]
        return actions

    def play(self, action: GinAction) -> None:
        """Do an action. A card is looked for in the hand, so that no legal list is made anew."""
        turn = self.turn
        if turn is None or not self.is_legal(*turn, action):
            self.refuse(action)
        seat, table = turn.seat, self.table
        hand = self.hands[seat]
        if isinstance(action, Draw):
            self.passes, self.taken_in_a_row, self.taken = 0, 0, -1
            table.draw(self.stock, hand)
            self.turn = TURNS["discard"][seat]
        elif isinstance(action, Discard):
            table.move(CARD_OF[action.card], hand, self.discards, "discard")
            self.turn = TURNS["draw"][1 - seat]
            if len(table.zones[self.stock]) <= LAST_STOCK:
                self.end_deal([0, 0])
        elif isinstance(action, Take):
            self.passes, self.taken_in_a_row = 0, self.taken_in_a_row + 1
            self.taken = table.draw(self.discards, hand, "take")
            self.turn = TURNS["discard"][seat]
        elif isinstance(action, Pass):
            self.passes += 1
            table.tell("pass", seat=seat)
            self.turn = TURNS["first" if self.passes == 1 else "draw"][1 - seat]
        else:
            table.move(CARD_OF[action.card], hand, self.discards, "knock")
            self.end_deal(self.count_knock(seat))

    def is_legal(self, seat: int, phase: str, action: GinAction) -> bool:
        """Return whether an action is legal."""
        if phase == "discard" and isinstance(action, Discard):
            card = CARD_OF.get(action.card, -1)
            return card != self.taken and card in self.table.zones[self.hands[seat]]
        return find_entry(action, self.legal()) is not None

    def count_knock(self, knocker: int) -> list[int]:
        """Show the hands, and return the points by seat."""
        other, points = 1 - knocker, [0, 0]
        held = [mask_of(self.table.zones[hand]) for hand in self.hands]
        for hand in self.hands:
            self.table.reveal(hand, "show")
        loose = DEADWOOD.find_least(held[knocker])
        if loose == 0:
            points[knocker] = DEADWOOD.find_least(held[other]) + self.options.bonus
            return points
        left = DEADWOOD.find_least_after_layoffs(held[other], DEADWOOD.find_melds(held[knocker]))
        if loose < left:
            points[knocker] = left - loose
        else:
            points[other] = self.count_undercut(loose - left)
        return points

    def count_undercut(self, difference: int) -> int:
        """Return the points of who has no more loose than the knocker."""
        return difference + self.options.bonus

    def view(self, seat: int) -> GinView:
        """Return the seat's hand, and what lies open."""
        known = [self.table.faces_known_to(hand, seat) for hand in self.hands]
        return GinView(
            hand=sorted(self.faces(self.hands[seat])) if seat < self.seats else [],
            known=[sorted(str(face) for face in hand if face is not None) for hand in known],
            discards=self.faces(self.discards),
            stock=len(self.table.zones[self.stock]),
            totals=self.totals,
            deal_no=self.deal_no,
        )

    def evaluate(self) -> Sequence[float]:
        """Return by seat the points, and a part of what it has fewer loose: random play hardly ever knocks."""
        one, other = (DEADWOOD.find_least(mask_of(self.table.zones[hand])) for hand in self.hands)
        return [self.totals[0] + (other - one) / 2, self.totals[1] + (one - other) / 2]

    def outcome(self) -> Outcome:
        """Return the totals."""
        return outcome_by_side(self.totals)


class Gin(TableGame[GinOptions, GinState]):
    """The game: one object without state."""

    state = GinState
    name = "gin"
    title = "Gin Rummy"
    seats = (2,)
    phases: Sequence[str] = tuple(TURNS)
    presets: Mapping[str, GinOptions] = {"short": GinOptions(deals=1)}


pitboss_games = hookimpl(lambda: [Gin()])
