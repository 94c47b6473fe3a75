"""Poker. Kuhn, Leduc, and Texas Hold'em with fixed limit, pot limit or no limit, for 2 to 10 players.

Everybody bets on the hand that it will have in the end: fold, check or call, bet or raise. Who is alone in the hand
wins the pot, otherwise the best five of seven cards do. Points are chips won and lost.
Numbers in docstrings (S1, B4, P2, D5) are those of the rule book, `RULES.md`; betting is in `betting`, hands in `deal`,
the showdown and the pots in `showdown`; options, actions and views are in `messages`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

from pitboss import TableGame, ZoneHint
from pitboss.game import GameBounds, PointUnit
from pitboss.records.record import ExportFunction, ImportFunction
from pitboss_poker.acpc_log import read_dealer_log
from pitboss_poker.betting import CHECK, FOLD, list_legal, play_action
from pitboss_poker.deal import play_on, start_game
from pitboss_poker.evaluation import evaluate_state
from pitboss_poker.hand_history import write_hand_histories
from pitboss_poker.messages import PRESETS, Action, PokerOptions, Position, Pot, View
from pitboss_poker.phh_reading import read_hand_histories
from pitboss_poker.position import set_up_position, write_position
from pitboss_poker.rendering import count_chips, render_table
from pitboss_poker.showdown import find_outcome, list_pots
from pitboss_poker.state import MAX_SEATS, SEATS_IN, STREETS, PokerStateBase


def build_view(state: PokerStateBase, seat: int) -> View:
    """Return what a seat, or the spectator, may know. Of all cards it shows only the seat's own and the board."""
    zones, faces, seats = state.table.zones, state.variant.deck.faces, len(state.stacks)
    players, live = state.players, state.live
    all_in = live & ~state.able if state.turn else 0
    own = zones[state.hands[seat]] or zones[state.mucks[seat]] if seat < seats else []
    return View(  # in the order of its fields: of a call with more than fifteen names Python makes a dict
        state.hand_no,
        STREETS[state.street],
        [faces[card] for card in own],  # type: ignore[misc]
        [faces[card] for card in zones[state.board]],  # type: ignore[misc]
        sum(state.paid),
        [Pot(chips, SEATS_IN[mask]) for chips, mask in list_pots(state)] if all_in else [],
        state.stacks[:],
        state.bets[:],
        state.paid[:],
        state.button,
        state.small_seat if state.small_blind and players >> state.small_seat & 1 else None,
        state.big_seat if state.big_blind else None,
        (state.small_blind, state.big_blind),
        SEATS_IN[players & ~live],
        SEATS_IN[all_in],
        SEATS_IN[(1 << seats) - 1 & ~players],
        state.to_call,
        state.min_to or None,
        state.max_to or None,
        state.net[:],
        [*state.past_history, state.history[:-1]],
    )


class PokerState(PokerStateBase):
    """A game of poker at one moment."""

    has_outcome_so_far = True

    # without slots Python is slow to find the attributes of an object that has more than 30
    __slots__ = tuple(one.name for one in fields(PokerStateBase))

    start = start_game
    set_up = set_up_position
    legal = list_legal
    view = build_view
    render = render_table
    public_counts = count_chips
    evaluate = evaluate_state
    evaluates_unseen = True  # the cards of the board that are still to come
    position = write_position
    outcome = find_outcome

    def play(self, action: Action) -> None:
        """2: do the action, and all that follows up to the next decision."""
        if (turn := self.turn) is None or not play_action(self, turn.seat, action):
            self.refuse(action)
        if self.turn is None:
            play_on(self)

    def neutral(self) -> Action:
        """D2: check, if that is possible; else fold."""
        self.require_turn()
        return FOLD if self.to_call else CHECK


class Poker(TableGame[PokerOptions, PokerState]):
    """The game of poker."""

    state = PokerState
    name = "poker"
    title = "Poker"
    version = "2"
    seats = tuple(range(2, MAX_SEATS + 1))
    phases = STREETS
    Position = Position
    presets = PRESETS
    exports: Mapping[str, ExportFunction] = {"phh": write_hand_histories}
    imports: Mapping[str, ImportFunction] = {"phh": read_hand_histories, "acpc": read_dealer_log}
    zone_hints: Mapping[str, ZoneHint] = {
        "stock": ZoneHint("beside"),
        "muck": ZoneHint("hidden"),
        "board": ZoneHint(size=5),
    }

    @staticmethod
    def point_unit(options: PokerOptions) -> PointUnit | None:
        """Thousandths of a big blind a hand, where all hands are played for the same; without blinds chips a hand."""
        if options.hands is None or options.level_hands is not None:
            return None
        if not options.big_blind:
            return PointUnit("chips a hand", options.hands)
        return PointUnit("mbb a hand", options.big_blind * options.hands / 1000)

    @staticmethod
    def bounds(seats: int, options: PokerOptions) -> GameBounds | None:
        """Return the bounds: with stacks that carry there may be any number of hands."""
        hands = options.hands or 1
        largest = max(options.list_stacks(seats))
        lost = largest * (hands if options.stacks == "reset" else 1)
        raises = [min(most, largest) for most in options.list_most_bets()]
        decisions = None if options.hands is None else hands * seats * sum(count + 2 for count in raises)
        return GameBounds(decisions, -lost, lost * (seats - 1), 0)
