"""Plays the actions of a case of any game."""

from __future__ import annotations

from pitboss import AnyGame, AnyState, IllegalAction
from pitboss.action_range import find_entry
from pitboss.options import convert_value
from pitboss.testing.framework.snapshot import write_position
from tests.rules.case_input import CaseError


def play_case_action(game: AnyGame, state: AnyState, number: int, action: object) -> str:
    """Play an action; return why it was refused, and see that the legal list tells the same.

    Raises:
        CaseError: the list and the refusal do not agree, or what was refused has changed the table.
    """
    before = write_position(state)
    try:
        known = convert_value(action, game.Action, "action", IllegalAction)
        listed = find_entry(known, state.legal()) is not None
        state.play(known)
    except IllegalAction as wrong:
        if write_position(state) != before:
            raise CaseError(f"action {number} was refused, but changed the table: {wrong}") from None
        return f"action {number}, {action!r}, was refused: {wrong}"
    if not listed:
        raise CaseError(f"{action!r} was played, but does not stand in the legal list")
    return ""
