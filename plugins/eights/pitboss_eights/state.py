"""The rules of a deal of Crazy Eights: what fits, drawing, action cards, and the count (sections 1 to 4)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from pitboss import Deck, Turn, Visibility, Zone, Zones
from pitboss.parts.deals import DealsState
from pitboss.parts.stock import restock
from pitboss.plugins.packs import STANDARD_PACK, SUITS, rank_of, suit_of
from pitboss.table.zone_fields import hand_each, pile
from pitboss_eights.messages import DRAW, PASS, Draw, EightsAction, EightsOptions, Pass, Play, View

EIGHT: Final = "8"
SPADE_QUEEN: Final = "SQ"
WORTHS: Final = {EIGHT: 50, "A": 1, "J": 10, "Q": 10, "K": 10}  # any other card its number
PLACES: Final = {str(face): place for place, face in enumerate(STANDARD_PACK.faces)}  # in which hands are shown
MAX_SEATS: Final = 10
PHASES: Final = ("play", "due")
TURNS: Final = {phase: tuple(Turn(seat, phase) for seat in range(MAX_SEATS)) for phase in PHASES}


@lru_cache
def make_deck(packs: int) -> Deck:
    """E1: return one ordinary pack, or two."""
    return Deck([*STANDARD_PACK.faces] * packs)


@lru_cache(maxsize=1024)
def count_card(face: str, options: EightsOptions) -> int:
    """E14: return what a card counts in a hand."""
    rank = rank_of(face)
    if options.action_points and is_action(face, options):
        return options.action_points
    return WORTHS.get(rank) or int(rank)


def is_action(face: str, options: EightsOptions) -> bool:
    """Return whether a card is an action card."""
    return rank_of(face) in (options.skip, options.reverse) or count_due(face, options) > 0


def count_due(face: str, options: EightsOptions) -> int:
    """E10: return how many cards are to be drawn after a card."""
    if options.draw_five and face == SPADE_QUEEN:
        return 5
    return 2 if rank_of(face) == options.draw_two else 0


def count_deal(points: Sequence[int], winner: int | None, options: EightsOptions) -> list[int]:
    """E13, E15: return what everybody scores; `points` are those of the hands. Without a winner the deal is blocked."""
    if options.scoring == "penalty":
        return list(points)
    least = min(points)
    scores = [0] * len(points)
    if winner is None and points.count(least) > 1:
        return scores
    seat = points.index(least) if winner is None else winner
    scores[seat] = sum(one - points[seat] for one in points)
    return scores


class EightsStateBase(DealsState[EightsOptions, EightsAction]):
    """The rules, and the data of a match."""

    stock: Zone = pile(Visibility.NOBODY)
    played: Zone = pile()
    hands: Zones = hand_each()
    suit: str = ""  # that must follow
    direction: int = 1
    draws: int = 0  # in this turn
    due: int = 0  # cards that the player on turn is to draw
    passes: int = 0  # in a row, with an empty stock
    turns: int = 0  # of this deal

    @classmethod
    def make_deck(cls, seats: int, options: EightsOptions) -> Deck:
        """E1: return the cards."""
        return make_deck(options.packs or 1)

    # ---- section 1: the deal

    @property
    def dealer(self) -> int:
        """E2: who deals."""
        return (self.deal_no - 2) % self.seats

    def begin_deal(self) -> None:
        """Set what a deal begins with."""
        self.suit, self.direction = "", 1
        self.draws = self.due = self.passes = self.turns = 0

    def deal_cards(self) -> None:
        """E3: deal, and turn cards up until one is no eight; it counts as played by the dealer."""
        dealer, table = self.dealer, self.table
        order = [self.hands[(dealer + step) % self.seats] for step in range(1, self.seats + 1)]
        table.deal(self.stock, order, self.options.hand or 0)
        face = ""
        while not face or (rank_of(face) == EIGHT and table.zones[self.stock]):
            face = str(table.layout.deck.faces[table.draw(self.stock, self.played, "up_card")])
        self.suit = suit_of(face)
        self.refill()
        self.pass_turn(dealer, face)

    def is_match_over(self) -> bool:
        """E16: return whether somebody has the points, or all deals are played."""
        return max(self.totals) >= (self.options.target or 0) or self.deal_no >= self.options.deals

    # ---- section 2: a turn

    def legal(self) -> Sequence[EightsAction]:
        """Return the cards that fit, each eight with each suit; then draw, or pass."""
        if self.turn is None:
            return ()
        seat, phase = self.turn
        held = self.faces(self.hands[seat])
        faces = sorted(self.list_fitting(held), key=PLACES.__getitem__)
        announcements = [False, True] if self.options.last_card and len(held) == 2 else [False]
        plays: list[EightsAction] = [
            Play(face, suit, last)
            for face in faces
            for suit in (SUITS if rank_of(face) == EIGHT else (None,))
            for last in announcements
        ]
        return [*plays, DRAW if phase == "due" or self.can_draw() else PASS]

    def list_fitting(self, held: Sequence[str]) -> set[str]:
        """E5, E11: return which of some cards fit; if cards are to be drawn, only such as make others draw."""
        if self.due:
            return {face for face in held if count_due(face, self.options)}
        top = rank_of(str(self.table.layout.deck.faces[self.table.zones[self.played][-1]]))
        suit = self.suit
        return {face for face in held if face[1:] in (EIGHT, top) or face[0] == suit}

    def can_draw(self) -> bool:
        """E6: return whether the player on turn may draw."""
        most = self.options.draws
        return bool(self.table.zones[self.stock]) and (most == 0 or self.draws < most)

    def apply(self, action: EightsAction) -> None:
        """Do a legal action."""
        seat, phase = self.require_turn()
        match action:
            case Play():
                self.play_card(seat, action)
            case Draw() if phase == "due":
                self.turns += 1
                self.draw_due(seat)
                self.pass_turn(seat)
            case Draw():
                self.draws += 1
                self.draw_cards(seat, 1)
            case Pass():
                self.table.tell("pass", seat=seat)
                self.turns += 1
                self.passes = 0 if self.table.zones[self.stock] else self.passes + 1
                self.pass_turn(seat)

    def play_card(self, seat: int, action: Play) -> None:
        """E5, E7, E12: play a card; who has none left has won the deal."""
        table, hand, face = self.table, self.hands[seat], action.card
        table.move(table.find_card(hand, face), hand, self.played, "play")
        self.suit = action.suit or suit_of(face)
        self.turns, self.passes = self.turns + 1, 0
        if action.suit:
            table.tell("suit", seat=seat, suit=action.suit)
        self.refill()
        left = len(table.zones[hand])
        if not left:
            self.count_hands(seat)
            return
        if action.last:
            table.tell("last_card", seat=seat)
        elif left == 1 and self.options.last_card:
            table.tell("last_card_forgotten", seat=seat)
            self.draw_cards(seat, self.options.last_card)
        self.pass_turn(seat, face)

    def draw_cards(self, seat: int, count: int) -> None:
        """E6, E8: draw some cards, as long as there are any."""
        for _ in range(count):
            if self.table.zones[self.stock]:
                self.table.draw(self.stock, self.hands[seat])
                self.refill()

    def draw_due(self, seat: int) -> None:
        """E10: draw all that is to be drawn."""
        self.draw_cards(seat, self.due)
        self.due = 0

    def refill(self) -> None:
        """E8: make the stock again when it is used up."""
        if self.options.restock and not self.table.zones[self.stock]:
            restock(self.table, self.played, self.stock)

    # ---- section 3: whose turn comes

    def pass_turn(self, seat: int, face: str | None = None) -> None:
        """E9 to E11: do what an action card says, and give the turn on; a deal that takes too long is blocked."""
        options, seats, steps = self.options, self.seats, 1
        if face and (due := count_due(face, options)):
            self.due += due if self.table.zones[self.stock] else 0
        elif face and rank_of(face) == options.reverse:
            self.direction = -self.direction
        elif face and rank_of(face) == options.skip:
            steps = 2
        following = (seat + self.direction * steps) % seats
        if self.due and not options.stack:
            self.draw_due(following)
            following = (following + self.direction) % seats
        self.draws = 0
        if self.passes >= seats or self.turns >= options.max_turns:
            self.count_hands(None)
        else:
            self.turn = TURNS["due" if self.due else "play"][following]

    # ---- section 4: the count

    def count_hands(self, winner: int | None) -> None:
        """E12 to E15: show the hands, and count."""
        points = [sum(count_card(face, self.options) for face in self.faces(hand)) for hand in self.hands]
        for hand in self.hands:
            if self.table.zones[hand]:
                self.table.reveal(hand, "show")
        self.table.tell("out" if winner is not None else "blocked", seat=winner, held=" ".join(map(str, points)))
        self.end_deal(count_deal(points, winner, self.options))

    # ---- what is seen

    def view(self, seat: int) -> View:
        """Return what a seat may know: section 6."""
        zones = self.table.zones
        held = self.faces(self.hands[seat]) if seat < self.seats else []
        return View(
            hand=sorted(held, key=PLACES.__getitem__),
            counts=[len(zones[hand]) for hand in self.hands],
            played=self.faces(self.played),
            suit=self.suit,  # type: ignore[arg-type]
            stock=len(zones[self.stock]),
            direction=self.direction,
            draws=self.draws,
            due=self.due,
            passes=self.passes,
            turns=self.turns,
            dealer=self.dealer,
            totals=self.totals,
            deal_no=self.deal_no,
        )
