"""A match of Crazy Eights at one moment: what fits, drawing, action cards, the count, evaluation and positions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import exp
from typing import Final

from pitboss import Deck, Outcome, PositionError, PublicCount, PublicCounts, Turn, Visibility, Zone, Zones
from pitboss.outcome import outcome_by_side
from pitboss.parts.deals import DealsState
from pitboss.parts.stock import restock
from pitboss.plugins.packs import STANDARD_PACK, SUITS, rank_of, suit_of
from pitboss.rendering.appearance import SUIT_NAMES
from pitboss.rendering.table_text import NAME_WIDTH, player_heading, render_beside, render_zone
from pitboss.table.position_setup import check_row_lengths, check_seats, set_up_zones
from pitboss.table.zone_fields import hand_each, pile
from pitboss_eights.messages import DRAW, PASS, Draw, EightsAction, EightsOptions, Pass, Play, Position, View

EIGHT: Final = "8"
SPADE_QUEEN: Final = "SQ"
WORTHS: Final = {EIGHT: 50, "A": 1, "J": 10, "Q": 10, "K": 10}  # any other card its number
PLACES: Final = {str(face): place for place, face in enumerate(STANDARD_PACK.faces)}  # in which hands are shown
MAX_SEATS: Final = 10
PHASES: Final = ("play", "due")
TURNS: Final = {phase: tuple(Turn(seat, phase) for seat in range(MAX_SEATS)) for phase in PHASES}
CARD_WEIGHT: Final = 0.7  # a card more makes a win so much less likely, as a power of e
EIGHT_CARDS: Final = -0.3  # cards that an eight counts for: an eight always fits
CARD_COLUMN: Final = 26  # where cards begin; the picture is 60 wide
CARD_WIDTH: Final = 34
PILE_WIDTH: Final = 48


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


class EightsState(DealsState[EightsOptions, EightsAction]):
    """A match of Crazy Eights at one moment."""

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
        """E5, E7, E12: play a card; a seat without cards has won the deal."""
        table, hand, face = self.table, self.hands[seat], action.card
        table.play_face(face, hand, self.played, "play")
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

    def neutral(self) -> EightsAction:
        """D7: draw or pass, if that is allowed, else the last card that fits."""
        self.require_turn()
        return self.legal()[-1]

    def outcome(self) -> Outcome:
        """E16: the most points win, or the fewest."""
        return outcome_by_side(self.totals, lowest_wins=self.options.scoring == "penalty")

    # ---- what search players expect

    def evaluate(self) -> Sequence[float]:
        """Return by seat the expected total after this deal; negated where the fewest points win."""
        totals = [float(total) for total in self.totals]
        is_penalty = self.options.scoring == "penalty"
        if self.turn is not None:
            held = [self.faces(hand) for hand in self.hands]
            counts = [sum(EIGHT_CARDS if rank_of(face) == EIGHT else 1.0 for face in faces) for faces in held]
            points = [sum(count_card(face, self.options) for face in faces) for faces in held]
            weights = [exp(-CARD_WEIGHT * (count - min(counts))) for count in counts]
            everything = sum(points)
            for seat, (weight, own) in enumerate(zip(weights, points, strict=True)):
                chance = weight / sum(weights)
                totals[seat] += (1 - chance) * own if is_penalty else chance * (everything - own)
        return [-total for total in totals] if is_penalty else totals

    # ---- positions (section 6)

    def position(self) -> Position:
        """Write down a state: every card, what is to follow, and the points."""
        return Position(
            deal_no=self.deal_no,
            turn=self.turn.seat if self.turn else None,
            hands=[[*self.faces(hand)] for hand in self.hands],
            played=[*self.faces(self.played)],
            stock=[*reversed(self.faces(self.stock))],
            suit=self.suit,  # type: ignore[arg-type]
            direction=self.direction,  # type: ignore[arg-type]
            draws=self.draws,
            due=self.due,
            passes=self.passes,
            turns=self.turns,
            totals=list(self.totals),
            over=self.turn is None,
        )

    def set_up(self, position: Position) -> None:
        """Bring a fresh state to a position.

        Raises:
            PositionError: it does not describe a table of this game.
        """
        options, table, seats = self.options, self.table, self.seats
        check_seats(seats, turn=position.turn)
        check_row_lengths(seats, hands=position.hands, totals=position.totals)
        if position.deal_no > options.deals:
            raise PositionError(f"deal_no is {position.deal_no}; the match has {options.deals} deals")
        self.deal_no, self.totals = position.deal_no, list(position.totals or [0] * seats)
        hands: Sequence[Sequence[str | None]] = position.hands or [[None] * (options.hand or 0) for _ in self.hands]
        played = [None] if position.played is None else position.played
        if not played:
            raise PositionError("no card was played; the first one is turned up")
        piles = [(self.played, played), (self.stock, [*(position.stock or ())][::-1])]
        set_up_zones(table, self.stock, [*zip(self.hands, hands, strict=True), *piles])
        self.suit = position.suit or suit_of(self.faces(self.played)[-1])
        self.direction, self.draws, self.due = position.direction, position.draws, position.due
        self.passes, self.turns = position.passes, position.turns
        if position.over:
            _set_up_end(self)
            return
        _check_turn(self, position)
        self.turn = TURNS["due" if self.due else "play"][
            (self.dealer + 1) % seats if position.turn is None else position.turn
        ]

    # ---- what people see

    def render(self, seat: int | None, names: Sequence[str]) -> Iterator[str]:
        """Yield what `seat` may know of the table; None sees every card."""
        counts = self.public_counts()
        yield "  " + ", ".join(f"{one.name} {one.value}".strip() for one in counts.table if one.role != "order")
        for zone in (self.stock, self.played):
            yield f"  {zone.name:8}  {render_zone(self.table, zone, seat, PILE_WIDTH)[0]}"
        yield f"{'':{NAME_WIDTH + 4}}{'score':>6}"
        for owner, hand in enumerate(self.hands):
            is_on_turn = self.turn is not None and self.turn.seat == owner
            head = f"{player_heading(is_on_turn, owner, names[owner])}{self.totals[owner]:>6}"
            yield from render_beside(head, render_zone(self.table, hand, seat, CARD_WIDTH), CARD_COLUMN)

    def public_counts(self) -> PublicCounts:
        """Return deal, direction, the suit that an eight has named, the cards to be drawn; of seats the score."""
        table = [PublicCount("deal", self.deal_no, "part")]
        if any(rank_of(face) == EIGHT for face in self.faces(self.played)[-1:]):
            table.append(PublicCount("suit", SUIT_NAMES[self.suit]))
        if self.due:
            table.append(PublicCount("to draw", self.due))
        if self.options.reverse != "none":
            table.append(PublicCount("turns go", "up" if self.direction > 0 else "down"))
            if self.turn is not None:
                order = [(self.turn.seat + step * self.direction) % self.seats for step in range(self.seats)]
                table.append(PublicCount("order", " ".join(map(str, order)), "order"))
        seats = [
            (PublicCount("score", total), *[PublicCount("dealer", role="button")] * (seat == self.dealer))
            for seat, total in enumerate(self.totals)
        ]
        return PublicCounts(table, seats)


def _set_up_end(state: EightsState) -> None:
    """Show all hands of a match that is over."""
    if not state.is_match_over():
        raise PositionError(f"the match is not over after deal {state.deal_no} with totals {state.totals!r}")
    for hand in state.hands:
        for card in state.table.zones[hand]:
            state.table.known_by[card] = state.table.layout.everybody


def _check_turn(state: EightsState, position: Position) -> None:
    """Check that the deal goes on, and what is to be drawn."""
    options, zones = state.options, state.table.zones
    if empty := [seat for seat, hand in enumerate(state.hands) if not zones[hand]]:
        raise PositionError(f"seat {empty[0]} holds no card: then the deal is over")
    if max(state.totals) >= (options.target or 0):
        raise PositionError(f"the match is over with totals {state.totals!r}; it goes to {options.target}")
    if position.due and not (options.stack and zones[state.stock]):
        raise PositionError(f"due is {position.due}; that needs the option stack, and cards in the stock")
    if position.due and position.draws:
        raise PositionError(f"draws is {position.draws}, and {position.due} cards are yet to be drawn")
    if options.draws and position.draws > options.draws:
        raise PositionError(f"draws is {position.draws}; a turn has {options.draws} at most")
    if position.passes >= state.seats or (position.passes and zones[state.stock]):
        raise PositionError(
            f"passes is {position.passes}; {state.seats} play, and the stock is empty if any have passed"
        )
    if position.turns >= options.max_turns:
        raise PositionError(f"turns is {position.turns}; a deal has {options.max_turns}")
