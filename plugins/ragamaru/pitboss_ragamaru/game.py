"""RAGAMARU. Match the colour, the number or the kind of the top card; first without cards wins, but only number cards may be the last ones.

Attacks make the next player draw unless he passes them on; other cards skip players, turn play round, move seats, send a player to rest, let cards be put
away, or name the colour. Numbers in docstrings (2.4, D13) are those of the rule book, `RULES.md`. Its state machine is in `phases` (what is decided),
`effects` (what cards do) and `landing` (where the turn goes); cards are in `deck`, fitting in `field`, plays in `plays`, options in `options`,
actions and views in `messages`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from pitboss import IllegalAction, Outcome, Random, Seating, Table, Turn
from pitboss_ragamaru import messages
from pitboss_ragamaru.board import board_for
from pitboss_ragamaru.deck import COLOURS, KICK_OFF
from pitboss_ragamaru.evaluation import evaluate_state
from pitboss_ragamaru.field import top_of
from pitboss_ragamaru.messages import Action, Colour, Position, Result, View
from pitboss_ragamaru.options import PRESETS, RagamaruOptions
from pitboss_ragamaru.pass_evidence import PassClaims, retell
from pitboss_ragamaru.phases import ACTIONS_BY_PHASE, LEGAL_BY_PHASE
from pitboss_ragamaru.position import set_up_position, write_position
from pitboss_ragamaru.rendering import render_table
from pitboss_ragamaru.scores import outcome_of
from pitboss_ragamaru.threats import Threat
from pitboss_ragamaru.turn_order import land
from pitboss_ragamaru.view import build_view


class RagamaruState:
    """A game of RAGAMARU at one moment: section 2.1.

    Beside the table it keeps each hand as a mask of its cards, for speed, and what no card shows.
    """

    __slots__ = (
        "board",
        "book",
        "circle",
        "discards_left",
        "hand_masks",
        "max_turns",
        "options",
        "pass_evidence",
        "passed_seats",
        "rests_left",
        "result",
        "seating",
        "starter",
        "table",
        "threat",
        "top",
        "turn",
        "turn_no",
    )

    table: Table
    turn: Turn | None

    def __init__(self, seats: int, options: RagamaruOptions, rng: Random) -> None:
        self.options = options
        self.board, self.book = board_for(seats, options)
        self.max_turns = options.max_turns
        self.table = Table(self.board.layout, rng, self.board.stock)
        self.turn = None
        self.turn_no = 0
        self.set_seating(Seating.clockwise(seats))
        self.hand_masks = [0] * seats  # by seat: the mask of its cards
        self.top = top_of(KICK_OFF, self.book.wild_advantage)
        self.threat: Threat = None
        self.rests_left = (0,) * seats  # by seat: the turns that it still has to rest
        self.discards_left = 0
        self.pass_evidence: PassClaims = {}  # what is known of hands by a free pass
        self.passed_seats = 0  # D33: the mask of the seats that have passed since a card could last be played or drawn
        self.starter: int | None = None  # until the first turn
        self.result: Result | None = None

    # ---- the State protocol

    def legal(self) -> Sequence[Action]:
        """2.3 and section 6: all legal actions."""
        turn = self.turn
        return () if turn is None else LEGAL_BY_PHASE[turn.phase](self, turn.seat)

    def play(self, action: Action) -> None:
        """2.3: do the action, and all that follows up to the next decision."""
        turn = self.turn
        if turn is None or not ACTIONS_BY_PHASE[turn.phase](self, turn.seat, action):
            raise IllegalAction(f"{action!r} was played at {turn}; legal: {list(self.legal())!r}")

    def neutral(self) -> Action:
        """D39: the last of the legal list: draw, pass, take, sit, stop; black; 15."""
        if self.turn is None:
            raise IllegalAction("the game is over")
        return self.legal()[-1]

    def view(self, seat: int) -> View:
        """2.7 and section 6, without what the wire tells anyway."""
        return build_view(self, seat)

    def render(self, seat: int | None, names: Sequence[str]) -> Iterable[str]:
        """Return the field and what threatens, whose turns come, piles and hands, for people."""
        return render_table(self, seat, names)

    def outcome(self) -> Outcome:
        """Section 3: places by cards left, the winner's side first; points by the option `scoring`."""
        left = [len(self.table.zones[hand]) for hand in self.board.hands]
        return outcome_of(left, self.board.sides, self.options)

    def evaluate(self) -> Sequence[float]:
        """Return by seat the points that its side may expect: for players who look ahead."""
        return evaluate_state(self)

    def position(self) -> Position:
        """Write down everything but the past."""
        return write_position(self)

    def copy(self) -> RagamaruState:
        """Return an independent state for looking ahead."""
        return self._copy_with(self.table.copy(), self.hand_masks[:])

    def imagine(self, seat: int, rng: Random) -> RagamaruState:
        """Return a state that the seat cannot tell from this one."""
        table, bit = self.table.imagine(seat, rng), self.book.bits.__getitem__
        world = self._copy_with(table, [sum(map(bit, table.zones[hand])) for hand in self.board.hands])
        if world.pass_evidence and table.chance_events is not None:
            retell(world, seat)
        return world

    def _copy_with(self, table: Table, held: list[int]) -> RagamaruState:
        """Return this state with another table, and the hands that lie there."""
        twin = object.__new__(RagamaruState)
        twin.table, twin.hand_masks = table, held
        twin.options, twin.board, twin.book, twin.max_turns = self.options, self.board, self.book, self.max_turns
        twin.turn, twin.turn_no, twin.top, twin.threat, twin.rests_left = (
            self.turn,
            self.turn_no,
            self.top,
            self.threat,
            self.rests_left,
        )
        twin.seating, twin.circle = self.seating, self.circle
        twin.discards_left, twin.passed_seats, twin.pass_evidence = (
            self.discards_left,
            self.passed_seats,
            self.pass_evidence,
        )
        twin.starter, twin.result = self.starter, self.result
        return twin

    # ---- the beginning

    def start_game(self) -> None:
        """Section 1: shuffle and deal (D37); D1, D2: lots tell who starts and who names the colour, or the colour itself."""
        table, board, seats = self.table, self.board, self.board.seats
        table.shuffle(board.stock)
        table.deal(board.stock, board.hands, self.options.hand_size)
        self.hand_masks = [sum(map(self.book.bits.__getitem__, table.zones[hand])) for hand in board.hands]
        self.starter = table.draw_lot(seats)
        table.tell("starter", seat=self.starter)
        if self.options.first_colour == "random":
            self.kick_off(COLOURS[table.draw_lot(len(COLOURS))])
        else:
            others = self.opponents_of(self.starter)
            self.turn = board.turns["first_colour"][others[table.draw_lot(len(others)) if len(others) > 1 else 0]]

    def opponents_of(self, seat: int) -> list[int]:
        """Return the seats that do not play together with one."""
        return [other for side in self.board.sides if seat not in side for other in side]

    def kick_off(self, colour: Colour) -> None:
        """2.3: the field is the kick-off card with its colour, and the starter has the first turn."""
        starter = self.starter
        if starter is None:
            raise IllegalAction("the game has begun")
        self.starter = None
        self.top = top_of(KICK_OFF, self.book.wild_advantage, colour)
        land(self, starter)

    # ---- seats and cards

    def set_seating(self, seating: Seating) -> None:
        """Take the seats, and the direction, for what is to come."""
        self.seating = seating
        self.circle = seating.orders_from_left()

    def seat_after(self, seat: int, steps: int) -> int:
        """2.1, D22: the seat so many places further in the direction of play, every seat counting."""
        round_the_table = self.circle[seat]
        return round_the_table[(steps - 1) % len(round_the_table)]

    @property
    def drawn_face(self) -> str:
        """In phase `drawn`: the card just drawn, which is the last of the hand."""
        seat = 0 if self.turn is None else self.turn.seat
        return self.book.faces[self.table.zones[self.board.hands[seat]][-1]]

    def choose_copies(self, seat: int, among: int, count: int) -> list[int]:
        """Return the cards that leave a hand, of several equal ones: those that the table numbers first, as nobody can tell them apart.

        But where the drawn card has to be played, everybody knows that it is the one that goes.
        """
        bits, held = self.book.bits, self.table.zones[self.board.hands[seat]]
        equal = sorted([card for card in held if bits[card] & among])
        if (
            self.options.after_draw == "drawn"
            and self.turn is not None
            and self.turn.phase == "drawn"
            and held[-1] in equal
        ):
            equal.remove(held[-1])
            equal.insert(0, held[-1])
        return equal[:count]


class Ragamaru:
    """The game of RAGAMARU."""

    name: Final = "ragamaru"
    title: Final = "RAGAMARU"
    version: Final = "1"
    seats: Final = (2, 3, 4, 5, 6, 7, 8, 9, 10)
    Options: Final = RagamaruOptions
    Action: Final = Action
    View: Final = View
    Position: Final = Position
    presets: Final = PRESETS

    def deal(self, seats: int, options: RagamaruOptions, rng: Random) -> RagamaruState:
        """Begin a game."""
        state = RagamaruState(seats, options, rng)
        state.start_game()
        return state

    def setup(self, seats: int, options: RagamaruOptions, position: messages.Position, rng: Random) -> RagamaruState:
        """Begin in the middle."""
        state = RagamaruState(seats, options, rng)
        set_up_position(state, position)
        return state
