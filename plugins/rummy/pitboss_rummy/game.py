"""Basic Rummy. Draw a card, lay sequences and groups on the table, add to those that lie there, discard: the first
without a card ends the deal.

A turn: take the top card of the stock or of the discard pile; then any number of melds and layoffs; then a discard.
Numbers in docstrings (S1, D4, 2.3, note 5) are those of the rule book, `RULES.md`; a turn and its legal plays are in
`turn`, a deal and its scores in `deal`, the pack and melds in `melds`, views in `state`; options and actions
are in `messages`.
"""  # noqa: D205 - the first paragraph is printed

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pitboss import Outcome, TableGame, ZoneHint, outcome_by_side, solo_sides
from pitboss.game import GameBounds
from pitboss.parts.melds import CARDS
from pitboss_rummy.deal import BONUS, POINTS, start_game
from pitboss_rummy.evaluation import evaluate_state
from pitboss_rummy.melds import NO_CARD, RANKS, places_of
from pitboss_rummy.messages import PRESETS, Action, Discard, Position, RummyOptions
from pitboss_rummy.position import set_up_position, write_position
from pitboss_rummy.rendering import count_scores, render_table
from pitboss_rummy.state import DRAW, DRAW_ACTIONS, RummyStateBase, build_view
from pitboss_rummy.turn import discard_card, draw_card, lay_down, legal_plays


class RummyState(RummyStateBase):
    """A game of Rummy at one moment."""

    has_outcome_so_far = True

    start = start_game
    set_up = set_up_position
    view = build_view
    render = render_table
    public_counts = count_scores
    evaluate = evaluate_state
    position = write_position

    def legal(self) -> Sequence[Action]:
        """6.2: both ways to draw; or melds, layoffs and discards."""
        turn = self.turn
        if turn is None:
            return ()
        return DRAW_ACTIONS if turn.phase == "draw" else legal_plays(self, turn.seat)

    def play(self, action: Action) -> None:
        """2.1: do the action, and all that follows up to the next decision."""
        if (turn := self.turn) is None:
            self.refuse(action)
        seat, phase = turn
        if phase == "draw":
            done = draw_card(self, seat, action)
        else:
            done = discard_card(self, seat, action) if isinstance(action, Discard) else lay_down(self, seat, action)
        if not done:
            self.refuse(action)

    def neutral(self) -> Action:
        """D18: `draw`; the discard of the card just drawn from the stock, or else the last legal discard."""
        turn = self.require_turn()
        if turn.phase == "draw":
            return DRAW
        places, place = places_of(self.hand_masks[turn.seat]), self.drawn_place
        if place != NO_CARD and not self.has_taken and places >> place & 1:
            return self.board.discards[place // RANKS][1 << place % RANKS][0]
        return self.legal()[-1]

    def outcome(self) -> Outcome:
        """2.3: places by total, highest first, or in penalty scoring lowest first."""
        lowest_wins = self.options.scoring == "penalty"
        return outcome_by_side(self.totals, solo_sides(len(self.totals)), lowest_wins=lowest_wins)


class Rummy(TableGame[RummyOptions, RummyState]):
    """The game of Basic Rummy."""

    state = RummyState
    name = "rummy"
    title = "Basic Rummy"
    seats = (2, 3, 4, 5, 6)
    phases = ("draw", "play")
    Position = Position
    presets = PRESETS
    zone_hints: Mapping[str, ZoneHint] = {"box": ZoneHint("hidden")}

    def describe_action(self, action: Mapping[str, Any], faces: Mapping[str, str]) -> str:
        """Return the words of a player for the actions whose names alone do not say it."""
        match action:
            case {"do": "layoff", "card": card, "meld": meld}:
                return f"lay off {faces[card]} on meld {meld}"
            case {"do": "take"}:
                return "take the discard"
        return ""

    @staticmethod
    def bounds(seats: int, options: RummyOptions) -> GameBounds | None:
        """Return the bounds: a turn is a draw, a discard, and a meld or layoff for each card at most."""
        deals, pack = options.deals or 1, options.decks * sum(POINTS[:CARDS])
        decisions = deals * options.max_turns * seats * ((options.hand_size or 0) + 3)
        most = deals * (2 * pack + BONUS)
        is_paid = options.scoring == "chips"  # by the others
        return GameBounds(decisions, -most if is_paid else 0, most, 0 if is_paid else None)
