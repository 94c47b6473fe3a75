"""Moments: the subjects of most checks, one decision of one game each; and steps, from one decision to the next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, Final

import msgspec

from pitboss.game import AnyGame, AnyState
from pitboss.randomness import Random
from pitboss.testing.course import Course
from pitboss.testing.settings import Setting
from pitboss.testing.standing import Shown
from pitboss.turns import Turn

EARLY: Final = (0, 1, 2, 5, 17)  # decisions that are always looked at
EARLIER: Final = 300  # and some of those before this one: later ones cost more to come to
WORLDS: Final = 4  # of each seat, at each moment


class Moment:
    """A game at one decision (or at its end). The state is the game's own, with its log: a check leaves it as it is."""

    def __init__(self, course: Course, number: int, state: AnyState) -> None:
        self.course = course
        self.number = number
        self.state = state

    def __str__(self) -> str:
        turn = self.course.turns[self.number] if self.number < len(self.course) else None
        at = f"seat {turn.seat}, phase {turn.phase!r}" if turn is not None else "the game is over"
        return f"{self.course}, decision {self.number} ({at})"

    @property
    def setting(self) -> Setting:
        """Who plays, and with which options."""
        return self.course.setting

    @property
    def game(self) -> AnyGame:
        """The game."""
        return self.course.setting.game

    @cached_property
    def turn(self) -> Turn | None:
        """Who is on turn."""
        return self.state.turn

    @cached_property
    def legal(self) -> Sequence[Any]:
        """What is legal, asked once."""
        return self.state.legal()

    @cached_property
    def worlds(self) -> list[tuple[int, AnyState]]:
        """Some worlds of every seat and of the spectator: to be looked at only."""
        return list(self.imagined("worlds", WORLDS))

    def imagined(self, name: str, count: int) -> Iterator[tuple[int, AnyState]]:
        """Yield so many worlds of every seat and of the spectator, to be played in."""
        for seat in self.setting.everyone:
            rng = self.random(f"{name}/{seat}")
            for number in range(count):
                yield seat, self.state.imagine(seat, rng.spawn(str(number)))

    def random(self, name: str) -> Random:
        """Return a stream for a check of this moment: always the same."""
        return Random(f"{self.course.seed}/{self.number}/{name}")

    def logged_copy(self) -> AnyState:
        """Return a copy whose table goes on writing its log."""
        twin = self.state.copy()
        table = self.state.table
        twin.table.log = None if table.log is None else list(table.log)
        twin.table.chance = None if table.chance is None else list(table.chance)
        return twin

    def illegal(self) -> Iterator[Any]:
        """Yield actions that are not legal now: those that were at other moments, and those that are like one that is."""
        legal = {msgspec.json.encode(action) for action in self.legal}
        for encoded, action in self.setting.pool.items():
            if encoded not in legal:
                yield action
        for action in self.legal[:: max(1, len(self.legal) // 12)]:
            for like in _alike(action, self.game):
                encoded = msgspec.json.encode(like)
                if encoded not in legal and like not in self.legal:  # the game may say that two ways to write an action are one
                    legal.add(encoded)
                    yield like


class Step:
    """One play: how the table stood before it, and the state after it."""

    def __init__(
        self, course: Course, number: int, before: Shown, log: int, zones: list[list[int]], known: list[int], state: AnyState
    ) -> None:
        self.course = course
        self.number = number
        self.before = before
        self.log = log  # how long the log was
        self.zones = zones  # where the cards lay
        self.known = known  # and who knew it
        self.state = state

    def __str__(self) -> str:
        turn, action = self.course.turns[self.number], self.course.actions[self.number]
        return f"{self.course}, decision {self.number} (seat {turn.seat}, phase {turn.phase!r}) with action {action!r}"


def chosen(course: Course, many: int) -> list[int]:
    """Return the decisions of a course at which to look closely."""
    length = len(course)
    picks = {*EARLY, length // 4, length // 2, 3 * length // 4, length - 1}
    rng = Random(f"{course.seed}/moments")
    by_phase: dict[str, list[int]] = {}
    for number, turn in enumerate(course.turns):
        by_phase.setdefault(turn.phase, []).append(number)
    for numbers in by_phase.values():
        picks |= {numbers[0], numbers[len(numbers) // 2], rng.choice(numbers)}
    if length:
        picks |= {rng.below(length) for _ in range(many)}
        picks |= {rng.below(min(length, EARLIER)) for _ in range(many)}
    return sorted(number for number in picks if 0 <= number < length)


def _alike(action: object, game: AnyGame) -> Iterator[Any]:
    """Yield actions that differ from this one in one field, as far as the game's `Action` allows."""
    plain = msgspec.to_builtins(action)
    if not isinstance(plain, dict):
        return
    for key, value in plain.items():
        for other in _others(value):
            try:
                yield msgspec.convert({**plain, key: other}, game.Action)
            except msgspec.ValidationError:
                continue


def _others(value: object) -> Iterator[object]:
    match value:
        case bool():
            yield not value
        case int():
            yield from (value - 1, value + 1, -1, 0, -value, 1000)
        case str():
            yield from (value + "x", "", value.lower(), value.upper())
        case [*parts]:
            yield from ([], parts[::-1], parts[1:], parts + parts[-1:])
        case None:
            yield from (0, "", [])
        case _:
            return
