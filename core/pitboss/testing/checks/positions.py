"""Positions: they are written, read and set up again, and nonsense is refused."""

from __future__ import annotations

from itertools import islice
from typing import Final

import msgspec

from pitboss.action_range import draw_action, sample_actions
from pitboss.errors import ConfigError, PositionError
from pitboss.game import AnyState
from pitboss.options import convert_value
from pitboss.table.randomness import Random
from pitboss.testing.framework.check import CheckFailed, NotApplicable, check
from pitboss.testing.framework.check_runner import fail_on_crash
from pitboss.testing.framework.checked_setup import CheckedSetup
from pitboss.testing.framework.decision_point import DecisionPoint, vary_plain
from pitboss.testing.framework.expectations import expect_cards_conserved, expect_json_round_trip, require_positions
from pitboss.testing.framework.snapshot import (
    describe_first_difference,
    describe_public_difference,
    faces_by_zone,
    take_public_snapshot,
    write_position,
)

POSITION_DECISIONS: Final = 40  # decisions that are played from a position that was set up
NONSENSE: Final[tuple[object, ...]] = (None, 7, "nonsense", [], [[]], {"nonsense": 1})


@check("point", "end")
def position_survives_json(point: DecisionPoint) -> None:
    """A position, written as JSON and read as the game's `Position`, is the same position."""
    game = require_positions(point.setup.game)
    expect_json_round_trip(write_position(point.state), game.Position, "position")


@check("point", "end")
def setup_gives_the_position_back(point: DecisionPoint) -> None:
    """A state's position, set up again, gives the same turn, legal list and views as the state."""
    shown, again = take_public_snapshot(point.state), take_public_snapshot(_set_up_again(point))
    if changed := describe_public_difference(shown, again):
        raise CheckFailed(f"set up again it has another {changed}")


@check("point", "end")
def position_of_a_setup_is_the_same(point: DecisionPoint) -> None:
    """A position, set up and written down again, is the same position."""
    one, other = (msgspec.json.encode(write_position(state)) for state in (point.state, _set_up_again(point)))
    if one != other:
        difference = describe_first_difference(one, other)
        raise CheckFailed(f"the position, set up and written again, is another one: {difference}")


@check("point", "end")
def setup_deals_nothing_anew(point: DecisionPoint) -> None:
    """A full position is set up without chance: every stream gives the same state, with all cards in their places."""
    one, other = _set_up_again(point, "one"), _set_up_again(point, "other")
    for state in (one, other):
        expect_cards_conserved(state)
    zones, other_zones, real_zones = map(faces_by_zone, (one, other, point.state))
    if take_public_snapshot(one) != take_public_snapshot(other) or not zones == other_zones == real_zones:
        raise CheckFailed(
            f"set up with other seeds the cards lie otherwise: {zones!r}, {other_zones!r}; they lay {real_zones!r}"
        )


@check("point")
def setup_plays_on(point: DecisionPoint) -> None:
    """A game that is set up from a position goes on as the original one until cards are shuffled."""
    again, twin, rng = _set_up_again(point), point.state.copy(), point.random_stream("setup")
    again.table.chance_events, twin.table.chance_events = [], []
    for number in range(POSITION_DECISIONS):
        if twin.turn is None:
            return
        action = draw_action(rng.choice(twin.legal()), rng.randbelow)
        twin.play(action)
        again.play(action)
        if twin.table.chance_events or again.table.chance_events:
            if number:
                return
            raise NotApplicable("the cards are shuffled after the next decision")
        if changed := describe_public_difference(take_public_snapshot(twin), take_public_snapshot(again)):
            raise CheckFailed(f"{number + 1} decisions on, after {action!r}, it has another {changed}")


@check("end")
def ended_games_come_back(point: DecisionPoint) -> None:
    """The position of a game that is over, set up again, is a game that is over, with the same outcome."""
    again = _set_up_again(point)
    if again.turn is not None:
        raise CheckFailed(f"the game is over; set up again it goes on with {again.turn}")
    if again.outcome() != point.state.outcome():
        raise CheckFailed(f"the outcome was {point.state.outcome()!r}; set up again it is {again.outcome()!r}")


@check("setup")
def empty_position_is_dealt(setup: CheckedSetup) -> None:
    """What a position leaves open is dealt at random: an empty position gives a game that can be played."""
    game = require_positions(setup.game)
    try:
        position = msgspec.convert({}, game.Position)
    except msgspec.ValidationError as wrong:
        raise NotApplicable(f"a position cannot be empty: {wrong}") from None
    for number in range(4):
        state = game.setup(setup.seats, setup.options, position, Random(f"conformance/empty/{number}"))
        expect_cards_conserved(state)
        if state.turn is None:
            raise CheckFailed("the empty position, set up, is a game that is over")
        state.play(sample_actions(state.legal())[-1])


@check("setup")
def wrong_types_are_refused(setup: CheckedSetup) -> None:
    """A value that is no position at all is refused with a `PositionError`."""
    game = require_positions(setup.game)
    for nonsense in NONSENSE:
        try:
            position = convert_value(nonsense, game.Position, f"{game.name}: position", PositionError)
        except PositionError:
            continue
        _expect_sound_or_refused(setup, position, nonsense)


@check("point", "end")
def impossible_positions_are_refused(point: DecisionPoint) -> None:
    """A position with one value changed is either set up as a sound table or refused with a `PositionError`."""
    game, tried = require_positions(point.setup.game), 0
    for changed in islice(vary_plain(msgspec.to_builtins(write_position(point.state))), point.number % 3, None, 3):
        try:
            position = msgspec.convert(changed, game.Position)
        except msgspec.ValidationError:
            continue
        _expect_sound_or_refused(point.setup, position, changed)
        tried += 1
    if not tried:
        raise NotApplicable("no position like it can be written")


def _set_up_again(point: DecisionPoint, name: str = "setup") -> AnyState:
    setting, game = point.setup, require_positions(point.setup.game)
    position = msgspec.json.decode(msgspec.json.encode(write_position(point.state)), type=game.Position)
    return game.setup(setting.seats, setting.options, position, point.random_stream(name))


def _expect_sound_or_refused(setup: CheckedSetup, position: object, plain: object) -> None:
    try:
        with fail_on_crash(f"position {_to_short_json(plain)}: expected a PositionError, got ", ConfigError):
            state = require_positions(setup.game).setup(
                setup.seats, setup.options, position, Random("conformance/nonsense")
            )
    except ConfigError:
        return
    with fail_on_crash(f"position {_to_short_json(plain)} was accepted, and then: "):
        expect_cards_conserved(state)
        take_public_snapshot(state)
        if state.turn is not None:
            state.play(sample_actions(state.legal())[0])
        else:
            state.outcome()


def _to_short_json(plain: object) -> str:
    text = msgspec.json.encode(plain).decode()
    return text if len(text) <= 400 else f"{text[:397]}…"
