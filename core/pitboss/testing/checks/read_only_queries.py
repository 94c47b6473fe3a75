"""Read-only queries: what may be asked of a state at any time changes nothing."""

from __future__ import annotations

from typing import Final

import msgspec

from pitboss.simulation.random_play import choose_from, play_decisions
from pitboss.testing.framework.check import CheckFailed, check
from pitboss.testing.framework.decision_point import DecisionPoint
from pitboss.testing.framework.expectations import expect_json_round_trip, expect_unchanged, require_positions
from pitboss.testing.framework.snapshot import take_public_snapshot, write_position

CHANGED: Final = "looking changed"


@check("decision")
def everybody_is_shown_something(point: DecisionPoint) -> None:
    """At every decision every seat and the spectator has a view that can be written as JSON."""
    point.played_game.snapshots[point.number] = take_public_snapshot(point.state)


@check("point")
def legal_changes_nothing(point: DecisionPoint) -> None:
    """Asking for the legal list changes nothing."""
    with expect_unchanged(point.state, CHANGED):
        point.state.legal()


@check("point")
def neutral_changes_nothing(point: DecisionPoint) -> None:
    """Asking for the neutral action changes nothing, and the answer is always the same."""
    with expect_unchanged(point.state, CHANGED):
        point.state.neutral()
    if point.state.neutral() != point.state.neutral():
        raise CheckFailed(f"neutral is {point.state.neutral()!r}, and asked again {point.state.neutral()!r}")


@check("point")
def view_changes_nothing(point: DecisionPoint) -> None:
    """Asking for the view of a seat or the spectator changes nothing, and the answer is always the same."""
    for seat in point.setup.observers:
        with expect_unchanged(point.state, CHANGED):
            point.state.view(seat)
        once, again = (msgspec.json.encode(point.state.view(seat)) for _ in range(2))
        if once != again:
            raise CheckFailed(f"view({seat}) is {once.decode()}, and asked again {again.decode()}")


@check("point")
def position_changes_nothing(point: DecisionPoint) -> None:
    """Writing the position down changes nothing."""
    require_positions(point.setup.game)
    with expect_unchanged(point.state, CHANGED):
        write_position(point.state)


@check("point")
def copy_changes_nothing(point: DecisionPoint) -> None:
    """Making a copy changes nothing."""
    with expect_unchanged(point.state, CHANGED):
        point.state.copy()


@check("point")
def imagine_changes_nothing(point: DecisionPoint) -> None:
    """Sampling worlds with `imagine` changes nothing."""
    for seat in point.setup.observers:
        with expect_unchanged(point.state, CHANGED):
            point.state.imagine(seat, point.random_stream("look"))


@check("end")
def outcome_changes_nothing(point: DecisionPoint) -> None:
    """Asking for the outcome changes nothing, and the answer is always the same."""
    with expect_unchanged(point.state, CHANGED):
        point.state.outcome()
    if point.state.outcome() != point.state.outcome():
        raise CheckFailed(f"the outcome is {point.state.outcome()!r}, and asked again {point.state.outcome()!r}")


@check("point")
def views_are_snapshots(point: DecisionPoint) -> None:
    """A view and a written position stay as they are while the game goes on."""
    twin = point.state.copy()
    kept = [*(twin.view(seat) for seat in point.setup.observers), write_position(twin)]
    before = [msgspec.json.encode(one) for one in kept]
    for _ in play_decisions(twin, choose_from(point.random_stream("snapshots")), 20):
        twin.view(0)
    for number, (one, old) in enumerate(zip(kept, before, strict=True)):
        if (now := msgspec.json.encode(one)) != old:
            what = f"view({number})" if number < len(kept) - 1 else "the position"
            raise CheckFailed(f"{what} was {old.decode()}; while the game went on it became {now.decode()}")


@check("point")
def views_survive_json(point: DecisionPoint) -> None:
    """Every view, written as JSON and read as the game's `View`, is the same view."""
    for seat in point.setup.observers:
        expect_json_round_trip(point.state.view(seat), point.setup.game.View, f"view({seat})")
