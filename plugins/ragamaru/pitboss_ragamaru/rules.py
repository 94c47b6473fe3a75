"""The data of a RAGAMARU game at one moment, the deal and the turn order; decisions are in `phases`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache, partial
from typing import Final, NamedTuple, Self, get_args

from pitboss import IllegalAction, Layout, Random, Seating, Sides, Table, TableState, Turn, Visibility, solo_sides
from pitboss_ragamaru.cards import BOX, COLOURS, HIGHEST, KICK_OFF, Colour
from pitboss_ragamaru.field import Attack, SinBin, Threat, Top, top_of
from pitboss_ragamaru.messages import (
    Action,
    Discard,
    Draw,
    NameColour,
    NameNumber,
    Pass,
    Phase,
    RagamaruOptions,
    Result,
    Sit,
    Stop,
    Take,
)
from pitboss_ragamaru.plays import Playbook, playbook


class PassEvidence(NamedTuple):
    """One of the first `prefix_size` cards of a hand, those held when its owner passed, is in the mask `fits`."""

    fits: int
    prefix_size: int

    def implies(self, other: PassEvidence) -> bool:
        """Whether `other` follows from this evidence."""
        return not self.fits & ~other.fits and self.prefix_size <= other.prefix_size


def add_evidence(known: tuple[PassEvidence, ...], new: PassEvidence) -> tuple[PassEvidence, ...]:
    """Return the evidence about a hand with a new pass, without what other evidence implies."""
    if any(old.implies(new) for old in known):
        return known
    return (*(old for old in known if not new.implies(old)), new)


def holds_fitting(bits: Sequence[int], fits: int, cards: Iterable[int | None]) -> bool:
    """Whether one of the cards is in the mask `fits`; None, an unknown card, counts as not."""
    return any(card is not None and bits[card] & fits for card in cards)


DRAW: Final = Draw()
PASS: Final = Pass()
TAKE: Final = Take()
SIT: Final = Sit()
STOP: Final = Stop()
NAME_COLOUR: Final = tuple(NameColour(colour) for colour in COLOURS)
NAME_NUMBER: Final = tuple(NameNumber(number) for number in range(1, HIGHEST + 1))
DISCARDS: Final = {face: Discard(face) for face in BOX}


def team_sides(seats: int, teams: int) -> Sides:
    """D36: return the sides: `teams` teams, whose members sit evenly round the table; 0: each plays for itself."""
    return tuple(tuple(range(team, seats, teams)) for team in range(teams)) if teams else solo_sides(seats)


class RagamaruBoard:
    """The layout for a number of players and a deck, the turns of all seats and phases, and the sides."""

    def __init__(self, seats: int, teams: int, book: Playbook) -> None:
        self.seats = seats
        self.layout = Layout(book.deck, seats)
        self.stock = self.layout.add_pile("stock", Visibility.NOBODY)
        self.pile = self.layout.add_pile(
            "pile", Visibility.EVERYBODY
        )  # played cards; the top one is the field's card, if there is one
        self.discards = self.layout.add_pile("discards", Visibility.EVERYBODY)  # D28: they count as below the top
        self.box = self.layout.add_pile("box", Visibility.EVERYBODY)  # cards that a written position leaves out
        self.hands = self.layout.add_hands()
        self.turns: dict[str, tuple[Turn, ...]] = {
            phase: tuple(Turn(seat, phase) for seat in range(seats)) for phase in get_args(Phase)
        }
        self.to_play = self.turns["play"]
        self.team = [seat % teams for seat in range(seats)] if teams else None  # D36
        self.sides = team_sides(seats, teams)


board_for: Final = lru_cache(RagamaruBoard)


class RagamaruRules(TableState[RagamaruOptions, Action]):
    """The data of a game: section 2.1.

    Beside the table it has what no card shows, and each hand as a mask of its cards, for speed.
    """

    board: RagamaruBoard
    book: Playbook
    seating: Seating
    circle: tuple[tuple[int, ...], ...]  # by seat: all seats from its left round to itself
    hand_masks: list[int]  # by seat: the mask of its cards
    top: Top
    rests_left: tuple[int, ...]  # by seat: the turns that it still has to rest
    pass_evidence: dict[int, tuple[PassEvidence, ...]]  # by seat
    turn_no: int = 0
    threat: Threat = None
    discards_left: int = 0
    passed_seats: int = 0  # D33: the mask of the seats that have passed since a card could last be played or drawn
    starter: int | None = None  # until the first turn
    result: Result | None = None

    @classmethod
    def create(cls, seats: int, options: RagamaruOptions, rng: Random) -> Self:
        """Return a state before the deal."""
        if options.conversion is None:
            raise ValueError("the options are not resolved")
        book = playbook(options.conversion, options.loop, options.max_same, options.advantage == "wild")
        board = board_for(seats, options.teams, book)
        seating = Seating.clockwise(seats)
        return cls(
            options=options,
            table=Table(board.layout, rng, board.stock),
            rng=rng,
            board=board,
            book=book,
            seating=seating,
            circle=seating.orders_from_left(),
            hand_masks=[0] * seats,
            top=top_of(KICK_OFF, book.wild_advantage),
            rests_left=(0,) * seats,
            pass_evidence={},
        )

    def imagine(self, seat: int, rng: Random) -> Self:
        """Return a determinization: a state sampled from the information set of `seat`; `rng` is its future."""
        twin = super().imagine(seat, rng)
        twin.count_hands()
        return twin

    def count_hands(self) -> None:
        """Set the masks of all hands from the table."""
        bit = self.book.bits.__getitem__
        self.hand_masks = [sum(map(bit, self.table.zones[hand])) for hand in self.board.hands]

    def set_seating(self, seating: Seating) -> None:
        """Set the order of the seats and the direction of play from now on."""
        self.seating = seating
        self.circle = seating.orders_from_left()

    def seat_after(self, seat: int, steps: int) -> int:
        """2.1, D22: return the seat `steps` places further in the direction of play, counting every seat."""
        round_the_table = self.circle[seat]
        return round_the_table[(steps - 1) % len(round_the_table)]

    @property
    def drawn_face(self) -> str:
        """In phase `drawn`: the face of the card just drawn, which is the last of the hand."""
        seat = 0 if self.turn is None else self.turn.seat
        return self.book.faces[self.table.zones[self.board.hands[seat]][-1]]

    def choose_copies(self, seat: int, among: int, count: int) -> list[int]:
        """Return `count` cards of a hand out of the equal ones in the mask `among`: those of the lowest card numbers.

        Nobody can tell equal cards apart. But with `after_draw` = `drawn` everybody knows that the drawn card is the
        one played: it comes first.
        """
        bits, held = self.book.bits, self.table.zones[self.board.hands[seat]]
        equal = sorted([card for card in held if bits[card] & among])
        is_drawn = self.turn is not None and self.turn.phase == "drawn"
        if is_drawn and self.options.after_draw == "drawn" and held[-1] in equal:
            equal.remove(held[-1])
            equal.insert(0, held[-1])
        return equal[:count]

    def opponents_of(self, seat: int) -> list[int]:
        """Return the seats of the other sides."""
        return [other for side in self.board.sides if seat not in side for other in side]

    def set_pass_evidence(self, seat: int, evidence: tuple[PassEvidence, ...]) -> None:
        """D9: replace the evidence about a hand, and restate the evidence about all hands to the table."""
        others = {owner: kept for owner, kept in self.pass_evidence.items() if owner != seat}
        self.pass_evidence = {**others, seat: evidence} if evidence else others
        self.table.retract_constraints()
        for owner, about_hand in self.pass_evidence.items():
            cards = self.table.zones[self.board.hands[owner]]
            for fits, prefix_size in about_hand:
                self.table.constrain(partial(holds_fitting, self.book.bits, fits), cards[:prefix_size])

    # ---- the deal and the turn order

    def can_draw(self) -> bool:
        """D32: whether there is a card to draw: in the stock, or beneath the top card."""
        zones, board = self.table.zones, self.board
        return bool(zones[board.stock] or len(zones[board.pile]) > 1 or zones[board.discards])

    def draw_cards(self, seat: int, count: int) -> None:
        """2.6: draw `count` cards, one at a time; D32: if no card is left, the missing ones are waived."""
        table, board, bits = self.table, self.board, self.book.bits
        zones, stock, hand = table.zones, board.stock, board.hands[seat]
        for _ in range(count):
            if not zones[stock]:
                if not self.can_draw():
                    return
                self.reshuffle()
            self.hand_masks[seat] |= bits[table.draw(stock, hand)]
            if self.passed_seats:
                self.passed_seats = 0  # D33: a card was drawn

    def reshuffle(self) -> None:
        """D31: everything beneath the top card, discards too, is shuffled into a new stock."""
        table, board = self.table, self.board
        top = table.zones[board.pile][-1]
        table.turn_over(board.pile, board.stock, "gather")
        table.move(top, board.stock, board.pile, "top")
        if table.zones[board.discards]:
            table.turn_over(board.discards, board.stock, "gather")
        table.shuffle(board.stock, "reshuffle")

    def start(self) -> None:
        """Section 1: shuffle and deal (D37).

        D1, D2: one lot decides who starts, another who names the colour, or the colour itself.
        """
        table, board, seats = self.table, self.board, self.board.seats
        table.shuffle(board.stock)
        table.deal(board.stock, board.hands, self.options.hand_size)
        self.count_hands()
        self.starter = table.draw_lot(seats)
        table.tell("starter", seat=self.starter)
        if self.options.first_colour == "random":
            colour = COLOURS[table.draw_lot(len(COLOURS))]
            table.tell("colour", seat=None, colour=colour)
            self.kick_off(colour)
        else:
            others = self.opponents_of(self.starter)
            namer = others[table.draw_lot(len(others)) if len(others) > 1 else 0]
            table.tell("namer", seat=namer)
            self.turn = board.turns["first_colour"][namer]

    def kick_off(self, colour: Colour) -> None:
        """2.3: the field is the kick-off card with its colour, and the starter has the first turn."""
        starter = self.starter
        if starter is None:
            raise IllegalAction("the game has begun")
        self.starter = None
        self.top = top_of(KICK_OFF, self.book.wild_advantage, colour)
        self.land(starter)

    def land(self, seat: int) -> None:
        """2.3: give the turn to a seat; if it has to rest, it serves one rest and the turn goes on to the next seat."""
        while True:
            self.turn_no += 1
            if self.turn_no > self.options.max_turns:
                self.end_game("limit")
                return
            if not self.rests_left[seat]:
                break
            self.serve_rest(seat)
            seat = self.circle[seat][0]
        pending = self.threat
        if pending is None:
            self.turn = self.board.to_play[seat]
        else:
            self.turn = self.board.turns["defend" if isinstance(pending, Attack) else "bin"][seat]

    def serve_rest(self, seat: int) -> None:
        """Serve a rest: an attack is drawn, as it cannot be answered (D20); a Sin Bin adds to the rests (D18)."""
        if isinstance(self.threat, Attack):
            self.draw_cards(seat, self.threat.draw)
        elif isinstance(self.threat, SinBin):
            self.add_rests(seat, self.threat.rests)
        self.threat = None
        self.add_rests(seat, -1)
        self.table.tell("rest", seat=seat, left=self.rests_left[seat])

    def add_rests(self, seat: int, rests: int) -> None:
        """Add to the turns that a player has to rest; `rests` may be negative."""
        sin = self.rests_left
        self.rests_left = (*sin[:seat], sin[seat] + rests, *sin[seat + 1 :])

    def end_game(self, result: Result) -> None:
        """Section 3: the game is over."""
        self.turn, self.result, self.threat = None, result, None
        hands = [len(self.table.zones[hand]) for hand in self.board.hands]
        self.table.tell("end", result=result, counts=[*hands])
