"""Rack-O. Ten cards in a rack, in the order in which they were dealt; the first to have them go up from #5 to #50 ends
the round.

A turn: draw from the stock, then swap the card into a slot or discard it; or take the top discard into a slot at once.
Numbers in docstrings (S1, D4, 2.3) are those of the rule book, `RULES.md`; the rounds are in `rounds`, scores in
`rack`; options, actions and views are in `messages`.
"""  # noqa: D205 - the first paragraph is printed

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pitboss import Outcome, TableGame, ZoneHint, outcome_by_side
from pitboss.game import GameBounds
from pitboss_racko.evaluation import evaluate_draws, evaluate_state
from pitboss_racko.messages import (
    PRESETS,
    Action,
    Declare,
    Discard,
    Draw,
    Pass,
    Position,
    RackoOptions,
    Swap,
    Take,
    View,
    Wait,
)
from pitboss_racko.position import set_up_position, write_position
from pitboss_racko.rack import RACKO_POINTS, RUN_BONUS
from pitboss_racko.rendering import count_scores, render_table
from pitboss_racko.rounds import end_round, end_turn, resolve_turn, start_game
from pitboss_racko.state import (
    DECLARE_ACTIONS,
    DRAW_ACTIONS,
    DRAW_OR_PASS_ACTIONS,
    PLACE_ACTIONS,
    SLOT_INDEX,
    RackoStateBase,
    find_partners,
)


class RackoState(RackoStateBase):
    """A game of Rack-O at one moment."""

    has_outcome_so_far = True

    start = start_game
    set_up = set_up_position
    render = render_table
    public_counts = count_scores
    evaluate = evaluate_state
    evaluate_draws = evaluate_draws
    position = write_position

    def legal(self) -> Sequence[Action]:
        """2.1: eleven actions in DRAW (twelve with `pass`), eleven in PLACE, two in DECLARE."""
        turn = self.turn
        if turn is None:
            return ()
        if turn.phase == "draw":
            return DRAW_OR_PASS_ACTIONS if self.options.may_return_discard else DRAW_ACTIONS
        return PLACE_ACTIONS if turn.phase == "place" else DECLARE_ACTIONS

    def neutral(self) -> Action:
        """2.2: `draw`, `discard`, `declare`."""
        phase = self.require_turn().phase
        return {"draw": DRAW_ACTIONS[0], "place": PLACE_ACTIONS[-1], "declare": DECLARE_ACTIONS[0]}[phase]

    def view(self, seat: int) -> View:
        """6.2, without what the wire tells anyway; D8: everything that could be seen, and nothing else."""
        table, board, known = self.table, self.board, self.table.known_by
        zones, public, eyes = table.zones, 1 << table.layout.spectator, 1 << seat
        hand = zones[board.hands[self.turn.seat]] if self.turn else ()
        stock = zones[board.stock]
        own = [card + 1 for card in zones[board.racks[seat]]] if eyes != public else []
        return View(
            dealer=self.dealer,
            round=self.round_no,
            turns_done=self.turns_done + self.is_turn_over_for(seat),
            max_turns=self.options.max_turns,
            rack=own,
            drawn=hand[0] + 1 if hand and known[hand[0]] & eyes else None,
            discard=[card + 1 for card in zones[board.discard]],
            stock=len(stock),
            stock_known=[card + 1 for card in stock[::-1]] if stock and known[stock[0]] & public else [],
            known_racks=[
                [*own] if owner == seat else [card + 1 if known[card] & public else None for card in zones[rack]]
                for owner, rack in enumerate(board.racks)
            ],
            scores=self.totals[:],
            sides=self.sides,
        )

    def outcome(self) -> Outcome:
        """Section 3: places by total, highest first."""
        return outcome_by_side(self.totals, self.sides)

    def play(self, action: Action) -> None:
        """2.1: do the action, and all that follows up to the next decision."""
        if (turn := self.turn) is None:
            self.refuse(action)
        seat, phase = turn
        table, board, kind = self.table, self.board, type(action)
        if phase == "draw":
            if kind is Draw:
                table.draw(board.stock, board.hands[seat])
                self.turn = board.place_turns[seat]
                return
            if isinstance(action, Take) and action.slot in SLOT_INDEX:
                table.swap(board.discard, board.racks[seat], SLOT_INDEX[action.slot], board.discard, "take")
                resolve_turn(self, seat, True)
                return
            if kind is Pass and self.options.may_return_discard:
                table.tell("pass", seat=seat)
                resolve_turn(self, seat, False)
                return
        elif phase == "place":
            if isinstance(action, Swap) and action.slot in SLOT_INDEX:
                table.swap(board.hands[seat], board.racks[seat], SLOT_INDEX[action.slot], board.discard)
                resolve_turn(self, seat, True)
                return
            if kind is Discard:
                table.draw(board.hands[seat], board.discard, "discard")
                resolve_turn(self, seat, False)
                return
        elif kind is Declare:
            end_round(self, seat)
            return
        elif kind is Wait:
            table.tell("wait", only=seat, seat=seat)  # D8: a secret
            end_turn(self, seat)
            return
        self.refuse(action)


class Racko(TableGame[RackoOptions, RackoState]):
    """The game of Rack-O."""

    state = RackoState
    name = "racko"
    title = "Rack-O"
    seats = (2, 3, 4)
    phases = ("draw", "place", "declare")
    Position = Position
    presets = PRESETS
    zone_hints: Mapping[str, ZoneHint] = {"box": ZoneHint("hidden")}
    sides = staticmethod(find_partners)

    @staticmethod
    def bounds(seats: int, options: RackoOptions) -> GameBounds | None:
        """Return the bounds; None where a tie at the target is played off for as many rounds as it takes."""
        rounds = options.max_rounds
        if rounds is None and options.tie == "shared":
            rounds = -(-options.target // 5)  # every rack has a card in order
        if rounds is None:
            return None
        most = RACKO_POINTS + (RUN_BONUS[-1] if options.bonus_runs else 0)
        decisions = 3 * options.max_turns * seats  # a draw, a place, and perhaps a declaration
        return GameBounds(rounds * decisions, 0, rounds * most * (2 if options.partners else 1))
