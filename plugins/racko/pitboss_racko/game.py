"""Rack-O. Ten cards in a rack, in the order in which they were dealt; the first to have them go up from #5 to #50 ends the round.

A turn: draw from the stock, then swap the card into a slot or discard it; or take the top discard into a slot at once. Numbers in docstrings
(S1, D4, 2.3) are those of the rule book, `RULES.md`; scores are in `rack`, options in `options`, actions and views in `messages`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from pitboss import (
    IllegalAction,
    Outcome,
    Random,
    Seating,
    Table,
    Turn,
    outcome_by_side,
    solo_sides,
)
from pitboss.table.constraints import Constraint
from pitboss_racko import messages
from pitboss_racko import rack as racks
from pitboss_racko.board import (
    DECLARE_ACTIONS,
    DRAW_ACTIONS,
    DRAW_OR_PASS_ACTIONS,
    PLACE_ACTIONS,
    SLOT_INDEX,
    RackoBoard,
    board_for,
)
from pitboss_racko.evaluation import evaluate_state
from pitboss_racko.messages import Action, Declare, Discard, Draw, Pass, Position, Swap, Take, View, Wait
from pitboss_racko.options import PRESETS, RackoOptions
from pitboss_racko.position import set_up_position, write_position
from pitboss_racko.rendering import render_table

REVERSED: Final = slice(None, None, -1)


class RoundResult(Struct, frozen=True):
    """A finished round: who declared (None: stalled), and everybody's points."""

    declarer: int | None
    points: tuple[int, ...]
    racks: tuple[tuple[int, ...], ...]
    turns_done: int


class RackoState:
    """A game of Rack-O at one moment."""

    __slots__ = (
        "board",
        "dealer",
        "last_round",
        "options",
        "round_no",
        "rounds_rng",
        "seating",
        "sides",
        "table",
        "totals",
        "turn",
        "turns_done",
    )

    table: Table
    turn: Turn | None

    def __init__(self, seats: int, options: RackoOptions, rng: Random) -> None:
        if options.deck_size is None:
            raise ValueError("the options are not resolved")
        self.options = options
        self.board: RackoBoard = board_for(seats, options.deck_size)
        self.seating = Seating.clockwise(seats)
        self.sides = ((0, 2), (1, 3)) if options.partners else solo_sides(seats)  # D15
        self.rounds_rng = rng
        self.table = Table(self.board.layout, rng, self.board.stock)
        self.turn = None
        self.dealer = 0
        self.round_no = 1
        self.turns_done = 0
        self.totals = [0] * len(self.sides)
        self.last_round: RoundResult | None = None  # the last round that ended

    # ---- the State protocol

    def legal(self) -> Sequence[Action]:
        """2.1: eleven actions in DRAW (twelve with `pass`), eleven in PLACE, two in DECLARE."""
        turn = self.turn
        if turn is None:
            return ()
        if turn.phase == "draw":
            return DRAW_OR_PASS_ACTIONS if self.options.may_return_discard else DRAW_ACTIONS
        return PLACE_ACTIONS if turn.phase == "place" else DECLARE_ACTIONS

    def play(self, action: Action) -> None:
        """2.1: do the action, and all that follows up to the next decision."""
        turn = self.turn
        if turn is None or not self._apply_action(turn, action):
            raise IllegalAction(f"{action!r} was played at {turn}; legal: {list(self.legal())!r}")

    def neutral(self) -> Action:
        """2.2: `draw`, `discard`, `declare`."""
        turn = self.turn
        if turn is None:
            raise IllegalAction("the game is over")
        return {"draw": DRAW_ACTIONS[0], "place": PLACE_ACTIONS[-1], "declare": DECLARE_ACTIONS[0]}[turn.phase]

    def view(self, seat: int) -> View:
        """6.2, without what the wire tells anyway; D8: everything that could be seen, and nothing else."""
        table, board, known = self.table, self.board, self.table.known_by
        zones, public, eyes = table.zones, 1 << table.layout.spectator, 1 << seat
        hand = zones[board.hands[self.turn.seat]] if self.turn else ()
        stock = zones[board.stock]
        return View(
            dealer=self.dealer,
            round=self.round_no,
            turns_done=self.turns_done + self.is_turn_over_for(seat),
            max_turns=self.options.max_turns,
            rack=[card + 1 for card in zones[board.racks[seat]]] if eyes != public else [],
            drawn=hand[0] + 1 if hand and known[hand[0]] & eyes else None,
            discard=[card + 1 for card in zones[board.discard]],
            stock=len(stock),
            stock_known=[card + 1 for card in stock[REVERSED]] if stock and known[stock[0]] & public else [],
            known_racks=[
                [card + 1 if known[card] & mask else None for card in zones[rack]]
                for rack, mask in zip(board.racks, self._rack_masks(seat), strict=True)
            ],
            scores=self.totals[:],
            sides=self.sides,
        )

    def is_turn_over_for(self, seat: int) -> bool:
        """D8: to all others the turn of a player who is asked to declare is over."""
        return self.turn is not None and self.turn.phase == "declare" and self.turn.seat != seat

    def _rack_masks(self, seat: int) -> list[int]:
        """Return for each rack the mask of knowledge that a seat is shown: its own, and of the others what is public."""
        public = 1 << self.table.layout.spectator
        return [1 << seat if owner == seat else public for owner in range(len(self.board.racks))]

    def render(self, seat: int | None, names: Sequence[str]) -> Iterable[str]:
        """Return the racks in one table, for people."""
        return render_table(self, seat, names)

    def outcome(self) -> Outcome:
        """Section 3: places by total, highest first."""
        return outcome_by_side(self.totals, self.sides)

    def evaluate(self) -> Sequence[float]:
        """Return by seat the total that its side may expect after the round: for players who look ahead."""
        return evaluate_state(self)

    def position(self) -> Position:
        """Write down everything but the past."""
        return write_position(self)

    def copy(self) -> RackoState:
        """Return an independent state for looking ahead."""
        return self._copy_with(self.table.copy(), self.rounds_rng)

    def imagine(self, seat: int, rng: Random) -> RackoState:
        """Return a state that the seat cannot tell from this one.

        D8: that somebody is being asked to declare tells the others nothing; but no state of that phase has another rack than a complete one.
        """
        turn = self.turn
        also = []
        if turn is not None and turn.phase == "declare" and turn.seat != seat:
            also.append(Constraint(self._is_declarable, tuple(self.table.zones[self.board.racks[turn.seat]])))
        return self._copy_with(self.table.imagine(seat, rng, also), rng)

    def _copy_with(self, table: Table, rng: Random) -> RackoState:
        twin = object.__new__(RackoState)
        twin.board, twin.options, twin.seating, twin.sides = self.board, self.options, self.seating, self.sides
        twin.table, twin.rounds_rng = table, rng
        twin.turn, twin.dealer, twin.round_no, twin.turns_done = self.turn, self.dealer, self.round_no, self.turns_done
        twin.totals = self.totals[:]
        twin.last_round = self.last_round
        return twin

    # ---- the turn: 2.1

    def _apply_action(self, turn: Turn, action: Action) -> bool:
        """Do the action if it is legal; tell whether it was."""
        seat, phase = turn
        table, board, kind = self.table, self.board, type(action)
        if phase == "draw":
            if kind is Draw:
                table.draw(board.stock, board.hands[seat])
                self.turn = board.place_turns[seat]
                return True
            if isinstance(action, Take) and action.slot in SLOT_INDEX:
                table.swap(board.discard, board.racks[seat], SLOT_INDEX[action.slot], board.discard, "take")
                self._resolve_turn(seat, True)
                return True
            if kind is Pass and self.options.may_return_discard:
                table.tell("pass", seat=seat)
                self._resolve_turn(seat, False)
                return True
        elif phase == "place":
            if isinstance(action, Swap) and action.slot in SLOT_INDEX:
                table.swap(board.hands[seat], board.racks[seat], SLOT_INDEX[action.slot], board.discard)
                self._resolve_turn(seat, True)
                return True
            if kind is Discard:
                table.draw(board.hands[seat], board.discard, "discard")
                self._resolve_turn(seat, False)
                return True
        elif kind is Declare:
            self._end_round(seat)
            return True
        elif kind is Wait:
            table.tell("wait", only=seat, seat=seat)  # D8: a secret
            self._end_turn(seat)
            return True
        return False

    def _is_declarable(self, cards: Iterable[int | None]) -> bool:
        return racks.is_racko([card for card in cards if card is not None], self.options.min_run)

    def _resolve_turn(self, seat: int, rack_changed: bool) -> None:
        """RESOLVE, D5: at the end of the own turn a complete rack is a RACK-O, or may be declared one."""
        rack = self.table.zones[self.board.racks[seat]]
        if racks.is_racko(rack, self.options.min_run):
            if self.options.declare == "choice":
                self.turn = self.board.declare_turns[seat]
            else:
                self._end_round(seat)
            return
        if self.options.declare == "auto" and (rack_changed or self.turns_done < len(self.board.racks)):
            self._state_incomplete(seat)
        self._end_turn(seat)

    def _state_incomplete(self, seat: int) -> None:
        """D5: with `auto` everybody knows that a player whose round did not end has no complete rack (and often sees it)."""
        table, cards = self.table, self.table.zones[self.board.racks[seat]]
        known, everybody, last = table.known_by, table.layout.everybody, -1
        for card in cards:
            if known[card] != everybody:
                last = -1
            elif card < last:
                return
            else:
                last = card
        table.constrain(
            racks.is_surely_not_racko_with_run if self.options.min_run else racks.is_surely_not_racko, cards
        )

    def state_incomplete_racks(self) -> None:
        """Say it of all who have had a turn in this round: for a position that was set up."""
        had_a_turn = self.seating.seats_from_left_of(self.dealer)[: self.turns_done]
        for seat in had_a_turn if self.options.declare == "auto" else ():
            if not racks.is_racko(self.table.zones[self.board.racks[seat]], self.options.min_run):
                self._state_incomplete(seat)

    def _end_turn(self, seat: int) -> None:
        """END-OF-TURN: the turn cap (D6), the restock (D4), the left neighbour."""
        self.turns_done += 1
        if self.turns_done >= self.options.max_turns * len(self.board.racks):
            self._end_round(None)
            return
        if not self.table.zones[self.board.stock]:
            self._restock()
        self.turn = self.board.draw_turns[self.seating.seat_after(seat)]

    def _restock(self) -> None:
        """RESTOCK: the discards are turned over unshuffled, and the top card is turned up."""
        table, board = self.table, self.board
        table.turn_over(board.discard, board.stock, "restock")
        if self.options.restock_shuffle:
            table.shuffle(board.stock)
        table.draw(board.stock, board.discard, "up_card")

    # ---- the round and the game: 2.3, 2.4

    def _end_round(self, declarer: int | None) -> None:
        """2.3: all racks are shown and scored."""
        table, board, options = self.table, self.board, self.options
        if declarer is None:
            table.tell("stalled")
        else:
            self.turns_done += 1  # the declarer's turn ends with the round
        for rack in board.racks:
            table.reveal(rack, "racko" if rack.owner == declarer else "rack")
        shown = tuple(tuple(card + 1 for card in table.zones[rack]) for rack in board.racks)
        points = round_points(shown, declarer, options)
        for side, members in enumerate(self.sides):
            self.totals[side] += sum(points[seat] for seat in members)
        self.last_round = RoundResult(declarer, points, shown, self.turns_done)
        table.tell("round_end", declarer=declarer, points=list(points), totals=list(self.totals))
        if is_over(self.totals, self.round_no, options):
            self.turn = None
        else:
            self.round_no += 1
            self.start_round(self.seating.seat_after(self.dealer))  # S10

    def start_game(self) -> None:
        """S5: everybody draws a card from the deck, the highest deals; unless the options name the dealer."""
        table, board, dealer = self.table, self.board, self.options.first_dealer
        if dealer == "draw":
            table.shuffle(board.stock)
            dealer = racks.first_dealer([table.draw(board.stock, board.discard, "cut") for _ in board.racks])
        self.start_round(dealer)

    def start_round(self, dealer: int) -> None:
        """S6, S8: all cards are collected, shuffled and dealt; the shuffle depends on the seed and the round alone."""
        table, board = self.table, self.board
        table.collect(board.stock)
        table.rng = self.rounds_rng.spawn(f"round-{self.round_no}")
        table.shuffle(board.stock)
        self.deal_round(dealer)

    def deal_round(self, dealer: int) -> None:
        """S7, S8, S9: deal from the stock as it lies, #50 first."""
        table, board = self.table, self.board
        self.dealer, self.turns_done = dealer, 0
        table.tell("round", round=self.round_no, dealer=dealer)
        to = [board.racks[seat] for seat in self.seating.seats_from_left_of(dealer)]  # D2
        table.deal(board.stock, to, 10, range(9, -1, -1))
        table.draw(board.stock, board.discard, "up_card")
        self.turn = board.draw_turns[self.seating.seat_after(dealer)]


def round_points(shown: Sequence[Sequence[int]], declarer: int | None, options: RackoOptions) -> tuple[int, ...]:
    """Section 3: the points of all seats for their racks; `declarer` None: the round is stalled."""
    if declarer is None and options.stalled_round == "void":
        return (0,) * len(shown)
    return tuple(
        racks.declarer_points(rack, options.bonus_runs) if seat == declarer else racks.points(rack)
        for seat, rack in enumerate(shown)
    )


def is_over(totals: Sequence[int], rounds_played: int, options: RackoOptions) -> bool:
    """2.4: somebody has the target (D7: with `extra_round`, alone in the lead), or enough rounds have been played."""
    if options.max_rounds is not None and rounds_played >= options.max_rounds:
        return True
    best = max(totals)
    return best >= options.target and (options.tie == "shared" or totals.count(best) == 1)


class Racko:
    """The game of Rack-O."""

    name: Final = "racko"
    title: Final = "Rack-O"
    version: Final = "1"
    seats: Final = (2, 3, 4)
    Options: Final = RackoOptions
    Action: Final = Action
    View: Final = View
    Position: Final = Position
    presets: Final = PRESETS

    def deal(self, seats: int, options: RackoOptions, rng: Random) -> RackoState:
        """Begin a game."""
        state = RackoState(seats, options, rng)
        state.start_game()
        return state

    def setup(self, seats: int, options: RackoOptions, position: messages.Position, rng: Random) -> RackoState:
        """Begin in the middle."""
        state = RackoState(seats, options, rng)
        set_up_position(state, position)
        return state
