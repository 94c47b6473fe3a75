"""Pictures: what a game that draws its own shows people, at any moment."""

# ruff: noqa: D401 - the docstring of a check is what a game promises

from __future__ import annotations

from typing import Final

from pitboss.game import AnyState, Renderable, render_state
from pitboss.testing.framework.check_runner import CheckFailed
from pitboss.testing.framework.decision_point import DecisionPoint
from pitboss.testing.framework.snapshot import describe_difference, take_snapshot

NOT_RENDERED: Final = "the game has no picture of its own: its zones are shown"


def picture_is_always_drawn(point: DecisionPoint) -> str | None:
    """At every moment there is a picture for each seat, for the spectator and with every card, in lines of text."""
    if not isinstance(point.state, Renderable):
        return NOT_RENDERED
    twin = point.state.copy()  # whether drawing changes something is the next check's question
    for seat in (None, *point.setup.observers):
        lines = _render(point, twin, seat)
        odd = next((line for line in lines if not isinstance(line, str) or "\n" in line), None)
        if odd is not None or not lines:
            raise CheckFailed(f"picture({seat}) has {odd!r}; expected lines of text, and one at least")
    return None


def picture_changes_nothing(point: DecisionPoint) -> str | None:
    """Drawing a picture changes nothing."""
    if not isinstance(point.state, Renderable):
        return NOT_RENDERED
    for seat in (None, *point.setup.observers):
        before = take_snapshot(point.state)
        _render(point, point.state, seat)
        changed = describe_difference(before, take_snapshot(point.state))
        if changed:
            raise CheckFailed(f"picture({seat}) changed {changed}")
    return None


def picture_leaks_nothing(point: DecisionPoint) -> None:
    """The picture for a seat, and for the spectator, is the same in every world that it can imagine."""
    for seat, world in point.worlds:
        real, imagined = _render(point, point.state, seat), _render(point, world, seat)
        if real != imagined:
            pairs = [(one, other) for one, other in zip(real, imagined, strict=False) if one != other]
            one, other = pairs[0] if pairs else (f"{len(real)} lines", f"{len(imagined)} lines")
            raise CheckFailed(
                f"picture({seat}) tells something hidden: {one!r}, and {other!r} in a world it can imagine"
            )


def _render(point: DecisionPoint, state: AnyState, seat: int | None) -> list[str]:
    """Draw it for players with names of several lengths."""
    return render_state(state, seat, [f"player-{'x' * 7 * number}{number}" for number in range(point.setup.seats)])


DECISION_CHECKS: Final = (picture_is_always_drawn,)
POINT_CHECKS: Final = (picture_changes_nothing, picture_leaks_nothing)
END_CHECKS: Final = (picture_is_always_drawn, picture_changes_nothing)
