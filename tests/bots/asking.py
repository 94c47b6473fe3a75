"""Asks the function of a bot for its choice, without a process."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

from msgspec import to_builtins

from pitboss import AnyState
from pitboss.bot import Choice, Question


def ask_bot(choose: Callable[[Question], Choice], state: AnyState) -> dict[str, Any]:
    """Return what the bot chooses as the seat on turn, as it would send it."""
    assert state.turn is not None
    legal: list[dict[str, Any]] = to_builtins(list(state.legal()))
    question = SimpleNamespace(
        legal=legal,
        view=to_builtins(state.view(state.turn.seat)),
        seat=state.turn.seat,
        phase=state.turn.phase,
        hello=SimpleNamespace(seats=state.table.layout.seats, options=to_builtins(getattr(state, "options", None))),
    )
    chosen = choose(cast(Question, question))
    assert isinstance(chosen, int)
    return legal[chosen]
