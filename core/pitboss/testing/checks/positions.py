"""Positions: written down, read, set up again; and nonsense refused."""

# ruff: noqa: D401 - the docstring of a check is what a game promises

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from pitboss.errors import ConfigError, PositionError
from pitboss.game import AnyState
from pitboss.options import convert_value
from pitboss.table.randomness import Random
from pitboss.testing.checks.card_conservation import expect_cards_conserved
from pitboss.testing.framework.check_runner import CheckFailed, describe_crash
from pitboss.testing.framework.decision_point import DecisionPoint
from pitboss.testing.framework.game_setup import GameSetup
from pitboss.testing.framework.snapshot import (
    describe_first_difference,
    describe_public_difference,
    take_public_snapshot,
)

AHEAD: Final = 40  # decisions that a position that was set up is followed
NONSENSE: Final[tuple[object, ...]] = (None, 7, "nonsense", [], [[]], {"nonsense": 1})

_encode = msgspec.json.encode


def position_survives_json(point: DecisionPoint) -> None:
    """A position, written as JSON and read as the game's `Position`, is the same position."""
    position = point.state.position()
    again = msgspec.json.decode(_encode(position), type=point.game.Position)
    if again != position:
        raise CheckFailed(f"position {position!r} comes back from JSON as {again!r}")


def setup_gives_the_position_back(point: DecisionPoint) -> None:
    """A position that was written down and set up shows everybody what they were shown: turn, legal list, views."""
    again = _set_up_again(point)
    one, other = take_public_snapshot(point.state), take_public_snapshot(again)
    if one != other:
        raise CheckFailed(f"set up again it has another {describe_public_difference(one, other)}")


def position_of_a_setup_is_the_same(point: DecisionPoint) -> None:
    """The position of a position that was set up is that position."""
    one, other = _encode(point.state.position()), _encode(_set_up_again(point).position())
    if one != other:
        raise CheckFailed(
            f"the position, set up and written again, is another one: {describe_first_difference(one, other)}"
        )


def setup_deals_nothing_anew(point: DecisionPoint) -> None:
    """Setting up a full position is not a matter of chance: any stream gives the same state, all its cards in their places."""
    one, other = _set_up_again(point, "one"), _set_up_again(point, "other")
    for state in (one, other):
        expect_cards_conserved(state)
    if (
        take_public_snapshot(one) != take_public_snapshot(other)
        or _faces_by_zone(one) != _faces_by_zone(other)
        or _faces_by_zone(one) != _faces_by_zone(point.state)
    ):
        raise CheckFailed(
            f"set up with other seeds the cards lie otherwise: {_faces_by_zone(one)!r}, {_faces_by_zone(other)!r}; they lay {_faces_by_zone(point.state)!r}"
        )


def setup_plays_on(point: DecisionPoint) -> str | None:
    """From a position that was set up the game goes on as it would have, as long as nothing is shuffled."""
    again, twin, rng = _set_up_again(point), point.state.copy(), point.random_stream("setup")
    again.table.chance_events, twin.table.chance_events = [], []
    for number in range(AHEAD):
        if twin.turn is None:
            return None
        action = rng.choice(twin.legal())
        twin.play(action)
        again.play(action)
        if twin.table.chance_events or again.table.chance_events:
            return None if number else "the cards are shuffled after the next decision"
        if take_public_snapshot(twin) != take_public_snapshot(again):
            raise CheckFailed(
                f"{number + 1} decisions on, after {action!r}, it has another {describe_public_difference(take_public_snapshot(twin), take_public_snapshot(again))}"
            )
    return None


def empty_position_is_dealt(setup: GameSetup) -> str | None:
    """What a position leaves open is dealt at random: an empty one is a game that can be played."""
    try:
        position = msgspec.convert({}, setup.game.Position)
    except msgspec.ValidationError as wrong:
        return f"a position cannot be empty: {wrong}"
    for number in range(4):
        state = setup.game.setup(setup.seats, setup.options, position, Random(f"conformance/empty/{number}"))
        expect_cards_conserved(state)
        if state.turn is None:
            raise CheckFailed("the empty position, set up, is a game that is over")
        state.play(state.legal()[-1])
    return None


def wrong_types_are_refused(setup: GameSetup) -> None:
    """What is no position at all is refused with a `PositionError`."""
    for nonsense in NONSENSE:
        try:
            position = convert_value(nonsense, setup.game.Position, f"{setup.game.name}: position", PositionError)
        except PositionError:
            continue
        _expect_sound_or_refused(setup, position, nonsense)


def impossible_positions_are_refused(point: DecisionPoint) -> str | None:
    """A position in which one thing is not as it was is either a sound table or refused with a `PositionError`."""
    plain = msgspec.to_builtins(point.state.position())
    tried = 0
    for number, changed in enumerate(_vary_plain(plain)):
        if number % 3 != point.number % 3:
            continue
        try:
            position = msgspec.convert(changed, point.game.Position)
        except msgspec.ValidationError:
            continue
        _expect_sound_or_refused(point.setup, position, changed)
        tried += 1
    return None if tried else "no position like it can be written"


def _set_up_again(point: DecisionPoint, name: str = "setup") -> AnyState:
    setting = point.setup
    position = msgspec.json.decode(_encode(point.state.position()), type=setting.game.Position)
    return setting.game.setup(setting.seats, setting.options, position, point.random_stream(name))


def _expect_sound_or_refused(setup: GameSetup, position: object, plain: object) -> None:
    try:
        state = setup.game.setup(setup.seats, setup.options, position, Random("conformance/nonsense"))
    except ConfigError:
        return
    except Exception as wrong:  # noqa: BLE001 - the border to a plugin's code
        raise CheckFailed(
            f"position {_to_short_json(plain)}: expected a PositionError, got {describe_crash(wrong)}"
        ) from None
    try:
        expect_cards_conserved(state)
        take_public_snapshot(state)
        if state.turn is not None:
            state.play(state.legal()[0])
    except Exception as wrong:  # noqa: BLE001 - the border to a plugin's code
        raise CheckFailed(f"position {_to_short_json(plain)} was accepted, and then: {describe_crash(wrong)}") from None


def _faces_by_zone(state: AnyState) -> list[list[Any]]:
    return [
        [state.table.layout.deck.faces[card] if card >= 0 else None for card in cards] for cards in state.table.zones
    ]


def _vary_plain(plain: Any) -> Iterator[Any]:  # noqa: ANN401 - plain data
    """Yield the plain data with one thing changed, added or taken away."""
    match plain:
        case dict():
            for key, value in plain.items():
                yield {name: other for name, other in plain.items() if name != key}
                for other in _vary_plain(value):
                    yield {**plain, key: other}
        case [*parts]:
            yield from ([], parts[1:], [*parts, *parts[-1:]], parts[::-1])
            for index, part in list(enumerate(parts))[:4]:
                for other in _vary_plain(part):
                    yield [*parts[:index], other, *parts[index + 1 :]]
        case bool():
            yield not plain
        case int():
            yield from (-1, 0, plain + 1, 10_000)
        case str():
            yield from ("", "nonsense")
        case _:
            yield from (0, "nonsense", [])


def _to_short_json(plain: object) -> str:
    text = _encode(plain).decode()
    return text if len(text) <= 400 else f"{text[:397]}…"


SETUP_CHECKS: Final = (empty_position_is_dealt, wrong_types_are_refused)
POINT_CHECKS: Final = (
    position_survives_json,
    setup_gives_the_position_back,
    position_of_a_setup_is_the_same,
    setup_deals_nothing_anew,
    setup_plays_on,
    impossible_positions_are_refused,
)
