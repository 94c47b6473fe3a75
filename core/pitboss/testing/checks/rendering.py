"""Rendering: the text of games that render their own tables, and their words for actions."""

from __future__ import annotations

import msgspec

from pitboss.action_range import RANGE_TYPES
from pitboss.game import AnyState, Renderable, render_state
from pitboss.rendering.appearance import find_looks, word_faces
from pitboss.rendering.presentation import Speech, find_presentation
from pitboss.testing.framework.check import CheckFailed, NotApplicable, check
from pitboss.testing.framework.decision_point import DecisionPoint
from pitboss.testing.framework.expectations import expect_same_in_worlds, expect_unchanged


@check("decision", "end")
def picture_is_always_drawn(point: DecisionPoint) -> None:
    """A state is rendered as lines of text at any time, for each seat, for the spectator and with every card shown."""
    _require_renderable(point.state)
    twin = point.state.copy()  # whether drawing changes something is the next check's question
    for seat in (None, *point.setup.observers):
        lines = _render(point, twin, seat)
        odd = next((line for line in lines if not isinstance(line, str) or "\n" in line), None)
        if odd is not None or not lines:
            raise CheckFailed(f"render({seat}) has {odd!r}; expected lines of text, and one at least")


@check("point", "end")
def picture_changes_nothing(point: DecisionPoint) -> None:
    """Rendering a state changes nothing."""
    _require_renderable(point.state)
    for seat in (None, *point.setup.observers):
        with expect_unchanged(point.state, f"render({seat}) changed"):
            _render(point, point.state, seat)


@check("point")
def picture_leaks_nothing(point: DecisionPoint) -> None:
    """The rendering for a seat, and for the spectator, is the same in every world of its information set."""
    expect_same_in_worlds(point, "render({})", lambda state, seat: _render(point, state, seat))


@check("point")
def actions_read_apart(point: DecisionPoint) -> None:
    """No two legal actions have the same words, where the game has words of its own for actions."""
    game = point.setup.game
    if not (presentation := find_presentation(game)).actions:
        raise NotApplicable("the game has no words of its own for actions")
    speech = Speech(presentation, word_faces(find_looks(game, point.state.table.layout.deck)))
    known: dict[str, object] = {}
    for action in point.legal:
        if type(action) in RANGE_TYPES:
            continue
        words = speech.tell_action(msgspec.to_builtins(action))
        other = known.setdefault(words, action) if words else action
        if other is not action:
            raise CheckFailed(f"{other!r} and {action!r} read alike: {words!r}")


def _require_renderable(state: AnyState) -> None:
    if not isinstance(state, Renderable):
        raise NotApplicable("the game has no picture of its own: its zones are shown")


def _render(point: DecisionPoint, state: AnyState, seat: int | None) -> list[str]:
    """Return the rendering of a state with player names of several lengths."""
    return render_state(state, seat, [f"player-{'x' * 7 * number}{number}" for number in range(point.setup.seats)])
