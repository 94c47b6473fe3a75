"""Pictures: what a game that draws its own shows people, at any moment."""

# ruff: noqa: D401 - the docstring of a check is what a game promises

from __future__ import annotations

from typing import Final

from pitboss.game import AnyState, Pictured
from pitboss.picture import picture
from pitboss.testing.examiner import Broken
from pitboss.testing.moment import Moment
from pitboss.testing.standing import difference, standing

PLAIN: Final = "the game has no picture of its own: its zones are shown"


def picture_is_always_drawn(moment: Moment) -> str | None:
    """At every moment there is a picture for each seat, for the spectator and with every card, in lines of text."""
    if not isinstance(moment.state, Pictured):
        return PLAIN
    twin = moment.state.copy()  # whether drawing changes something is the next check's question
    for seat in (None, *moment.setting.everyone):
        lines = _drawn(moment, twin, seat)
        odd = next((line for line in lines if not isinstance(line, str) or "\n" in line), None)
        if odd is not None or not lines:
            raise Broken(f"picture({seat}) has {odd!r}; expected lines of text, and one at least")
    return None


def picture_changes_nothing(moment: Moment) -> str | None:
    """Drawing a picture changes nothing."""
    if not isinstance(moment.state, Pictured):
        return PLAIN
    for seat in (None, *moment.setting.everyone):
        before = standing(moment.state)
        _drawn(moment, moment.state, seat)
        changed = difference(before, standing(moment.state))
        if changed:
            raise Broken(f"picture({seat}) changed {changed}")
    return None


def picture_leaks_nothing(moment: Moment) -> None:
    """The picture for a seat, and for the spectator, is the same in every world that it can imagine."""
    for seat, world in moment.worlds:
        real, imagined = _drawn(moment, moment.state, seat), _drawn(moment, world, seat)
        if real != imagined:
            pairs = [(one, other) for one, other in zip(real, imagined, strict=False) if one != other]
            one, other = pairs[0] if pairs else (f"{len(real)} lines", f"{len(imagined)} lines")
            raise Broken(f"picture({seat}) tells something hidden: {one!r}, and {other!r} in a world it can imagine")


def _drawn(moment: Moment, state: AnyState, seat: int | None) -> list[str]:
    """Draw it for players with names of several lengths."""
    return picture(state, seat, [f"player-{'x' * 7 * number}{number}" for number in range(moment.setting.seats)])


OF_A_DECISION: Final = (picture_is_always_drawn,)
OF_A_MOMENT: Final = (picture_changes_nothing, picture_leaks_nothing)
OF_AN_END: Final = (picture_is_always_drawn, picture_changes_nothing)
