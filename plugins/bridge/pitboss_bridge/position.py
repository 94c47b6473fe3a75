"""Positions of Bridge: written down, and set up again (section 6 of the rule book)."""

from __future__ import annotations

from collections.abc import Sequence

from pitboss import PositionError
from pitboss.parts.trick_position import set_up_tricks
from pitboss.table.position_setup import check_row_lengths
from pitboss_bridge.messages import CALLS, Position
from pitboss_bridge.scoring import GAME, ScoreSheet
from pitboss_bridge.state import CALL_TURNS, HAND, SEATS, SIDES, BridgeStateBase


def write_position(state: BridgeStateBase) -> Position:
    """Write down a state: every card of this deal, and the score before it."""
    return Position(
        **state.write_tricks(),
        calls=state.call_words(),
        part_scores=[*state.sheet_before.part_scores],
        games=[*state.sheet_before.games],
        board=state.board,
        redeals=state.redeals,
    )


def set_up_deal(state: BridgeStateBase, position: Position) -> None:
    """Set the score, make the calls that were made, and play the cards that were played.

    Raises:
        PositionError: it does not describe a table of this game.
    """
    _set_score(state, position)
    state.begin_deal()
    state.redeals = position.redeals
    state.turn = CALL_TURNS[state.dealer]
    if len(position.calls) > SEATS and {*position.calls[:SEATS]} == {"pass"}:
        raise PositionError(f"there is no call {SEATS + 1}; the deal is passed out")
    for number, word in enumerate(position.calls[:-1], 1):
        _make_call(state, number, word)
    set_up_tricks(state, position.hands, position.plays, HAND, lambda one: _make_last_call(one, position))


def _set_score(state: BridgeStateBase, position: Position) -> None:
    """Set the score and the number of the board, which say who deals and who is vulnerable."""
    options = state.options
    check_row_lengths(len(SIDES), part_scores=position.part_scores, games=position.games)
    first = position.board - position.deal_no + 1
    if not 1 <= first <= 16 or options.first_board not in (None, first):
        raise PositionError(f"board is {position.board} in deal {position.deal_no}; the first would be {first}")
    if options.scoring == "duplicate" and any(position.part_scores):
        raise PositionError(f"part_scores are {position.part_scores!r}; in duplicate there are none")
    if options.scoring != "rubber" and any(position.games):
        raise PositionError(f"games are {position.games!r}; {options.scoring} is no rubber")
    if position.redeals > (options.redeals or 0):
        raise PositionError(f"redeals is {position.redeals}; with these options it is {options.redeals} at most")
    if not all(0 <= points < GAME for points in position.part_scores):
        raise PositionError(f"part_scores are {position.part_scores!r}; {GAME} points are a game")
    state.first_board = first
    state.sheet = ScoreSheet(_pair(state.totals), _pair(position.part_scores), _pair(position.games))


def _make_last_call(state: BridgeStateBase, position: Position) -> None:
    """Make the last call, with the cards in the hands: it may begin the play, or end the deal."""
    for word in position.calls[-1:]:
        _make_call(state, len(position.calls), word)
    if position.plays and not state.trick_seats:
        raise PositionError(f"cards are played, and the calls {position.calls!r} do not end the auction")


def _make_call(state: BridgeStateBase, number: int, word: str) -> None:
    """B3, B4: make a call of the auction, which must be legal."""
    if state.turn is None or state.turn.phase != "call" or CALLS[word] not in state.legal_calls():
        raise PositionError(f"call {number} is {word!r}, which is not legal after {state.call_words()!r}")
    state.apply(CALLS[word])


def _pair(values: Sequence[int]) -> tuple[int, int]:
    return values[0], values[1]
