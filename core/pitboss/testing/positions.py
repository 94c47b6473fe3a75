"""Positions: written down, read, set up again; and nonsense refused."""

# ruff: noqa: D401 - the docstring of a check is what a game promises

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from pitboss.errors import ConfigError, PositionError
from pitboss.game import AnyState
from pitboss.options import checked
from pitboss.randomness import Random
from pitboss.testing.examiner import Broken, crash
from pitboss.testing.moment import Moment
from pitboss.testing.placing import expect_conserved
from pitboss.testing.settings import Setting
from pitboss.testing.standing import difference_shown, first_difference, shown

AHEAD: Final = 40  # decisions that a position that was set up is followed
NONSENSE: Final[tuple[object, ...]] = (None, 7, "nonsense", [], [[]], {"nonsense": 1})

_encode = msgspec.json.encode


def position_survives_json(moment: Moment) -> None:
    """A position, written as JSON and read as the game's `Position`, is the same position."""
    position = moment.state.position()
    again = msgspec.json.decode(_encode(position), type=moment.game.Position)
    if again != position:
        raise Broken(f"position {position!r} comes back from JSON as {again!r}")


def setup_gives_the_position_back(moment: Moment) -> None:
    """A position that was written down and set up shows everybody what they were shown: turn, legal list, views."""
    again = _set_up_again(moment)
    one, other = shown(moment.state), shown(again)
    if one != other:
        raise Broken(f"set up again it has another {difference_shown(one, other)}")


def position_of_a_setup_is_the_same(moment: Moment) -> None:
    """The position of a position that was set up is that position."""
    one, other = _encode(moment.state.position()), _encode(_set_up_again(moment).position())
    if one != other:
        raise Broken(f"the position, set up and written again, is another one: {first_difference(one, other)}")


def setup_deals_nothing_anew(moment: Moment) -> None:
    """Setting up a full position is not a matter of chance: any stream gives the same state, all its cards in their places."""
    one, other = _set_up_again(moment, "one"), _set_up_again(moment, "other")
    for state in (one, other):
        expect_conserved(state)
    if shown(one) != shown(other) or _faces(one) != _faces(other) or _faces(one) != _faces(moment.state):
        raise Broken(
            f"set up with other seeds the cards lie otherwise: {_faces(one)!r}, {_faces(other)!r}; they lay {_faces(moment.state)!r}"
        )


def setup_plays_on(moment: Moment) -> str | None:
    """From a position that was set up the game goes on as it would have, as long as nothing is shuffled."""
    again, twin, rng = _set_up_again(moment), moment.state.copy(), moment.random("setup")
    again.table.chance, twin.table.chance = [], []
    for number in range(AHEAD):
        if twin.turn is None:
            return None
        action = rng.choice(twin.legal())
        twin.play(action)
        again.play(action)
        if twin.table.chance or again.table.chance:
            return None if number else "the cards are shuffled after the next decision"
        if shown(twin) != shown(again):
            raise Broken(
                f"{number + 1} decisions on, after {action!r}, it has another {difference_shown(shown(twin), shown(again))}"
            )
    return None


def empty_position_is_dealt(setting: Setting) -> str | None:
    """What a position leaves open is dealt at random: an empty one is a game that can be played."""
    try:
        position = msgspec.convert({}, setting.game.Position)
    except msgspec.ValidationError as wrong:
        return f"a position cannot be empty: {wrong}"
    for number in range(4):
        state = setting.game.setup(setting.seats, setting.options, position, Random(f"conformance/empty/{number}"))
        expect_conserved(state)
        if state.turn is None:
            raise Broken("the empty position, set up, is a game that is over")
        state.play(state.legal()[-1])
    return None


def wrong_types_are_refused(setting: Setting) -> None:
    """What is no position at all is refused with a `PositionError`."""
    for nonsense in NONSENSE:
        try:
            position = checked(nonsense, setting.game.Position, f"{setting.game.name}: position", PositionError)
        except PositionError:
            continue
        _expect_sound_or_refused(setting, position, nonsense)


def impossible_positions_are_refused(moment: Moment) -> str | None:
    """A position in which one thing is not as it was is either a sound table or refused with a `PositionError`."""
    plain = msgspec.to_builtins(moment.state.position())
    tried = 0
    for number, changed in enumerate(_changed(plain)):
        if number % 3 != moment.number % 3:
            continue
        try:
            position = msgspec.convert(changed, moment.game.Position)
        except msgspec.ValidationError:
            continue
        _expect_sound_or_refused(moment.setting, position, changed)
        tried += 1
    return None if tried else "no position like it can be written"


def _set_up_again(moment: Moment, name: str = "setup") -> AnyState:
    setting = moment.setting
    position = msgspec.json.decode(_encode(moment.state.position()), type=setting.game.Position)
    return setting.game.setup(setting.seats, setting.options, position, moment.random(name))


def _expect_sound_or_refused(setting: Setting, position: object, written: object) -> None:
    try:
        state = setting.game.setup(setting.seats, setting.options, position, Random("conformance/nonsense"))
    except ConfigError:
        return
    except Exception as wrong:  # noqa: BLE001 - the border to a plugin's code
        raise Broken(f"position {_json(written)}: expected a PositionError, got {crash(wrong)}") from None
    try:
        expect_conserved(state)
        shown(state)
        if state.turn is not None:
            state.play(state.legal()[0])
    except Exception as wrong:  # noqa: BLE001 - the border to a plugin's code
        raise Broken(f"position {_json(written)} was accepted, and then: {crash(wrong)}") from None


def _faces(state: AnyState) -> list[list[Any]]:
    return [[state.table.layout.deck.faces[card] if card >= 0 else None for card in cards] for cards in state.table.zones]


def _changed(plain: Any) -> Iterator[Any]:  # noqa: ANN401 - plain data
    """Yield the plain data with one thing changed, added or taken away."""
    match plain:
        case dict():
            for key, value in plain.items():
                yield {name: other for name, other in plain.items() if name != key}
                for other in _changed(value):
                    yield {**plain, key: other}
        case [*parts]:
            yield from ([], parts[1:], [*parts, *parts[-1:]], parts[::-1])
            for index, part in list(enumerate(parts))[:4]:
                for other in _changed(part):
                    yield [*parts[:index], other, *parts[index + 1 :]]
        case bool():
            yield not plain
        case int():
            yield from (-1, 0, plain + 1, 10_000)
        case str():
            yield from ("", "nonsense")
        case _:
            yield from (0, "nonsense", [])


def _json(written: object) -> str:
    text = _encode(written).decode()
    return text if len(text) <= 400 else f"{text[:397]}…"


OF_A_SETTING: Final = (empty_position_is_dealt, wrong_types_are_refused)
OF_A_MOMENT: Final = (
    position_survives_json,
    setup_gives_the_position_back,
    position_of_a_setup_is_the_same,
    setup_deals_nothing_anew,
    setup_plays_on,
    impossible_positions_are_refused,
)
