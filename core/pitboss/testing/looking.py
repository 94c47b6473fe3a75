"""Looking changes nothing: what may be asked of a state at any time."""

# ruff: noqa: D401 - the docstring of a check is what a game promises

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from pitboss.testing.examiner import Broken
from pitboss.testing.moment import Moment
from pitboss.testing.standing import difference, shown, standing


def everybody_is_shown_something(moment: Moment) -> None:
    """At every decision every seat and the spectator has a view that can be written as JSON."""
    moment.course.trace[moment.number] = shown(moment.state)


def legal_changes_nothing(moment: Moment) -> None:
    """Asking what is legal changes nothing."""
    _look(moment, moment.state.legal)


def neutral_changes_nothing(moment: Moment) -> None:
    """Asking for the neutral action changes nothing, and the answer is always the same."""
    _look(moment, moment.state.neutral)
    if moment.state.neutral() != moment.state.neutral():
        raise Broken(f"neutral is {moment.state.neutral()!r}, and asked again {moment.state.neutral()!r}")


def view_changes_nothing(moment: Moment) -> None:
    """Showing a seat or the spectator its view changes nothing, and the view is always the same."""
    for seat in moment.setting.everyone:
        _look(moment, lambda seat=seat: moment.state.view(seat))  # type: ignore[misc]
        once, again = (msgspec.json.encode(moment.state.view(seat)) for _ in range(2))
        if once != again:
            raise Broken(f"view({seat}) is {once.decode()}, and asked again {again.decode()}")


def position_changes_nothing(moment: Moment) -> None:
    """Writing the position down changes nothing."""
    _look(moment, moment.state.position)


def copy_changes_nothing(moment: Moment) -> None:
    """Making a copy changes nothing."""
    _look(moment, moment.state.copy)


def imagine_changes_nothing(moment: Moment) -> None:
    """Imagining worlds changes nothing."""
    for seat in moment.setting.everyone:
        _look(moment, lambda seat=seat: moment.state.imagine(seat, moment.random("look")))  # type: ignore[misc]


def outcome_changes_nothing(moment: Moment) -> None:
    """Asking for the outcome changes nothing, and the answer is always the same."""
    _look(moment, moment.state.outcome)
    if moment.state.outcome() != moment.state.outcome():
        raise Broken(f"the outcome is {moment.state.outcome()!r}, and asked again {moment.state.outcome()!r}")


def views_are_snapshots(moment: Moment) -> str | None:
    """A view and a written position stay as they are while the game goes on."""
    twin = moment.state.copy()
    rng = moment.random("snapshots")
    kept = [*(twin.view(seat) for seat in moment.setting.everyone), twin.position()]
    before = [msgspec.json.encode(one) for one in kept]
    for _ in range(20):
        if twin.turn is None:
            break
        twin.play(rng.choice(twin.legal()))
        twin.view(0)
    for number, (one, old) in enumerate(zip(kept, before, strict=True)):
        if msgspec.json.encode(one) != old:
            what = f"view({number})" if number < len(kept) - 1 else "the position"
            raise Broken(f"{what} was {old.decode()}; while the game went on it became {msgspec.json.encode(one).decode()}")
    return None


def views_survive_json(moment: Moment) -> None:
    """Every view, written as JSON and read as the game's `View`, is the same view."""
    for seat in moment.setting.everyone:
        view = moment.state.view(seat)
        again = msgspec.json.decode(msgspec.json.encode(view), type=moment.game.View)
        if again != view:
            raise Broken(f"view({seat}) {view!r} comes back from JSON as {again!r}")


def _look(moment: Moment, look: Callable[[], object]) -> None:
    before = standing(moment.state)
    look()
    changed = difference(before, standing(moment.state))
    if changed:
        raise Broken(f"looking changed {changed}")


OF_A_DECISION: Final = (everybody_is_shown_something,)
OF_A_MOMENT: Final = (
    legal_changes_nothing,
    neutral_changes_nothing,
    view_changes_nothing,
    position_changes_nothing,
    copy_changes_nothing,
    imagine_changes_nothing,
    views_are_snapshots,
    views_survive_json,
)
OF_AN_END: Final = (outcome_changes_nothing,)
