"""The data of a RAGAMARU game at one moment, with copies of it; the rules are in other modules."""

from __future__ import annotations

from functools import partial
from typing import Self

from pitboss import Random, Seating, Table, Turn
from pitboss.determinization.sampling import sample_world
from pitboss_ragamaru.board import board_for
from pitboss_ragamaru.deck import KICK_OFF
from pitboss_ragamaru.field import top_of
from pitboss_ragamaru.messages import Result
from pitboss_ragamaru.options import RagamaruOptions
from pitboss_ragamaru.pass_evidence import PassEvidence, holds_fitting
from pitboss_ragamaru.threats import Threat


class RagamaruStateBase:
    """The data of a game: section 2.1.

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
        self.pass_evidence: dict[int, tuple[PassEvidence, ...]] = {}  # by seat; replaced, never changed
        self.passed_seats = 0  # D33: the mask of the seats that have passed since a card could last be played or drawn
        self.starter: int | None = None  # until the first turn
        self.result: Result | None = None

    def copy(self) -> Self:
        """Return an independent state for looking ahead."""
        return self._copy_with(self.table.copy(), self.hand_masks[:])

    def imagine(self, seat: int, rng: Random) -> Self:
        """Return a state that the seat cannot tell from this one."""
        table, bit = sample_world(self.table, seat, rng), self.book.bits.__getitem__
        return self._copy_with(table, [sum(map(bit, table.zones[hand])) for hand in self.board.hands])

    def _copy_with(self, table: Table, held: list[int]) -> Self:
        """Return this state with another table, and the hands that lie there."""
        twin = object.__new__(type(self))
        twin.table, twin.hand_masks = table, held
        twin.options, twin.board, twin.book, twin.max_turns = self.options, self.board, self.book, self.max_turns
        twin.turn, twin.turn_no, twin.top, twin.threat = self.turn, self.turn_no, self.top, self.threat
        twin.seating, twin.circle, twin.rests_left = self.seating, self.circle, self.rests_left
        twin.discards_left, twin.passed_seats = self.discards_left, self.passed_seats
        twin.pass_evidence, twin.starter, twin.result = self.pass_evidence, self.starter, self.result
        return twin

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
        """Return the cards that leave a hand, of several equal ones: those that the table numbers first.

        Nobody can tell them apart. But where the drawn card has to be played, everybody knows that it is the one that
        goes.
        """
        bits, held = self.book.bits, self.table.zones[self.board.hands[seat]]
        equal = sorted([card for card in held if bits[card] & among])
        is_drawn = self.turn is not None and self.turn.phase == "drawn"
        if is_drawn and self.options.after_draw == "drawn" and held[-1] in equal:
            equal.remove(held[-1])
            equal.insert(0, held[-1])
        return equal[:count]

    def opponents_of(self, seat: int) -> list[int]:
        """Return the seats that do not play together with one."""
        return [other for side in self.board.sides if seat not in side for other in side]

    def set_pass_evidence(self, seat: int, evidence: tuple[PassEvidence, ...]) -> None:
        """D9: replace the evidence about a hand, and state the evidence about all hands to the table anew."""
        others = {owner: kept for owner, kept in self.pass_evidence.items() if owner != seat}
        self.pass_evidence = {**others, seat: evidence} if evidence else others
        self.table.retract_constraints()
        for owner, about_hand in self.pass_evidence.items():
            cards = self.table.zones[self.board.hands[owner]]
            for fits, prefix_size in about_hand:
                self.table.constrain(partial(holds_fitting, self.book.bits, fits), cards[:prefix_size])
