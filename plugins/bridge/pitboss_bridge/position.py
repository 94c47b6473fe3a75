"""Positions of Bridge: written down, and set up again (section 6 of the rule book)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pitboss import PositionError
from pitboss.outcome import spread_over_sides
from pitboss.parts.trick_position import list_plays, set_up_tricks
from pitboss.table.position_setup import check_row_lengths
from pitboss_bridge.messages import CALLS, Position
from pitboss_bridge.scoring import GAME, ScoreSheet
from pitboss_bridge.state import CALL_TURNS, HAND, SIDES, BridgeStateBase


def write_position(state: BridgeStateBase) -> Position:
    """Write down a state: every card of this deal, and the score before it."""
    hands: list[list[Any]] = [state.faces(hand) for hand in state.hands]
    sheet = state.sheet_before
    return Position(
        hands=hands,
        calls=state.call_words(),
        plays=list_plays(state),
        totals=[*sheet.totals],
        part_scores=[*sheet.part_scores],
        games=[*sheet.games],
        board=state.board,
        deal_no=state.deal_no,
    )


def set_up_position(state: BridgeStateBase, position: Position) -> None:
    """Bring a fresh state to a position.

    Raises:
        PositionError: it does not describe a table of this game.
    """
    _check_score(state, position)
    state.deal_no, state.first_board = position.deal_no, position.board - position.deal_no + 1
    state.sheet = ScoreSheet(_pair(position.totals), _pair(position.part_scores), _pair(position.games))
    state.totals = [*spread_over_sides(position.totals, SIDES)]
    state.begin_deal()
    state.turn = CALL_TURNS[state.dealer]
    made = position.calls[:-1] if position.calls else []
    for number, word in enumerate(made, 1):
        _make_call(state, number, word)
    last = position.calls[-1:]
    set_up_tricks(state, position.hands, position.plays, HAND, lambda one: _begin_play(one, position, last))
    if not position.plays:
        _begin_play(state, position, last)


def _begin_play(state: BridgeStateBase, position: Position, last: Sequence[str]) -> None:
    """Make the last call, with the cards in the hands: it may begin the play, or end the deal."""
    for word in last:
        _make_call(state, len(position.calls), word)
    if position.plays and not state.trick_seats:
        raise PositionError(f"cards are played, and the calls {position.calls!r} do not end the auction")


def _make_call(state: BridgeStateBase, number: int, word: str) -> None:
    """B3, B4: make a call of the auction, which must be legal."""
    if state.turn is None or state.turn.phase != "call" or CALLS[word] not in state.legal_calls():
        raise PositionError(f"call {number} is {word!r}, which is not legal after {state.call_words()!r}")
    state.apply(CALLS[word])


def _check_score(state: BridgeStateBase, position: Position) -> None:
    options, deals = state.options, state.options.deals or 0
    check_row_lengths(len(SIDES), totals=position.totals, part_scores=position.part_scores, games=position.games)
    if position.deal_no > deals:
        raise PositionError(f"deal_no is {position.deal_no}; the match has {deals} deals")
    first = position.board - position.deal_no + 1
    if not 1 <= first <= 16 or options.first_board not in (None, first):
        raise PositionError(f"board is {position.board} in deal {position.deal_no}; the first would be {first}")
    if options.scoring == "duplicate" and any(position.part_scores):
        raise PositionError(f"part_scores are {position.part_scores!r}; in duplicate there are none")
    if options.scoring != "rubber" and any(position.games):
        raise PositionError(f"games are {position.games!r}; {options.scoring} is no rubber")
    if not all(0 <= points < GAME for points in position.part_scores):
        raise PositionError(f"part_scores are {position.part_scores!r}; {GAME} points are a game")


def _pair(values: Sequence[int]) -> tuple[int, int]:
    return values[0], values[1]
