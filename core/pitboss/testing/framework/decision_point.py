"""Decision points, the subject of most checks: a game at one decision or at its end; and play steps between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, Final

import msgspec

from pitboss.action_range import find_entry, sample_actions
from pitboss.game import AnyGame, AnyState
from pitboss.table.events import LogEntry
from pitboss.table.randomness import Random
from pitboss.table.turns import Turn
from pitboss.testing.framework.checked_setup import CheckedSetup
from pitboss.testing.framework.played_game import PlayedGame

ALWAYS_CHOSEN: Final = (0, 1, 2, 5, 17)  # decisions
RANDOM_POINTS: Final = 3  # anywhere, and as many among the cheap decisions
CHEAP_DECISIONS: Final = 300  # some points before this decision: later ones cost more to reach
WORLDS_PER_OBSERVER: Final = 4  # at each point


class DecisionPoint:
    """A game at one decision (or at its end). `state` has its log; a check must leave it unchanged."""

    def __init__(self, played_game: PlayedGame, number: int, state: AnyState) -> None:
        self.played_game = played_game
        self.number = number
        self.state = state

    def __str__(self) -> str:
        turn = self.played_game.turns[self.number] if self.number < len(self.played_game) else None
        at = f"seat {turn.seat}, phase {turn.phase!r}" if turn is not None else "the game is over"
        return f"{self.played_game}, decision {self.number} ({at})"

    @property
    def setup(self) -> CheckedSetup:
        """The setup of the game."""
        return self.played_game.setup

    @cached_property
    def turn(self) -> Turn | None:
        """The turn."""
        return self.state.turn

    @cached_property
    def legal(self) -> Sequence[Any]:
        """The legal actions, asked once."""
        return self.state.legal()

    @cached_property
    def worlds(self) -> list[tuple[int, AnyState]]:
        """Some worlds of every seat and of the spectator, which a check must leave unchanged."""
        return list(self.sample_worlds("worlds", WORLDS_PER_OBSERVER))

    def sample_worlds(self, name: str, count: int) -> Iterator[tuple[int, AnyState]]:
        """Yield `count` new worlds of every seat and of the spectator."""
        for seat in self.setup.observers:
            for world in self.sample_worlds_of(seat, name, count):
                yield seat, world

    def sample_worlds_of(self, seat: int, name: str, count: int) -> Iterator[AnyState]:
        """Yield `count` new worlds of one seat."""
        rng = self.random_stream(f"{name}/{seat}")
        for number in range(count):
            yield self.state.imagine(seat, rng.spawn(str(number)))

    def random_stream(self, name: str) -> Random:
        """Return the random stream of a check at this point."""
        return Random(f"{self.played_game.seed}/{self.number}/{name}")

    def copy_with_log(self) -> AnyState:
        """Return a copy that keeps writing its log."""
        twin = self.state.copy()
        twin.table.continue_log(self.state.table)
        return twin

    def illegal_actions(self) -> Iterator[Any]:
        """Yield illegal actions: legal ones of other decisions, and variations of legal ones in one field."""
        legal = {msgspec.json.encode(action) for action in self.legal}
        for encoded, action in self.setup.action_pool.items():
            if encoded not in legal and find_entry(action, self.legal) is None:
                yield action
        tried = sample_actions(self.legal)
        for action in tried[:: max(1, len(tried) // 12)]:
            for like in _vary_action(action, self.setup.game):
                encoded = msgspec.json.encode(like)
                # the game may say that two ways to write an action are one
                if encoded not in legal and find_entry(like, self.legal) is None:
                    legal.add(encoded)
                    yield like


class PlayStep:
    """One played action: the zones and knowledge before it, and the state, which after the play is the next one."""

    def __init__(self, point: DecisionPoint) -> None:
        self.point = point
        self.state = point.state
        self.log_length = len(point.state.table.log or ())  # before the play
        self.zones_before = [cards[:] for cards in point.state.table.zones]
        self.known_before = point.state.table.known_by[:]

    def __str__(self) -> str:
        return f"{self.point} with action {self.point.played_game.actions[self.point.number]!r}"

    @property
    def new_entries(self) -> list[LogEntry]:
        """The log entries of the play."""
        return (self.state.table.log or [])[self.log_length :]


def choose_points(played_game: PlayedGame, most: int | None = None) -> list[int]:
    """Return the decisions of a game at which the expensive checks run, no more than `most` of them.

    Fixed early decisions, quarters, some of each phase, and random ones. If these are too many, a random part of them:
    over many games every kind is checked.
    """
    length = len(played_game)
    chosen = {*ALWAYS_CHOSEN, length // 4, length // 2, 3 * length // 4, length - 1}
    rng = Random(f"{played_game.seed}/moments")
    by_phase: dict[str, list[int]] = {}
    for number, turn in enumerate(played_game.turns):
        by_phase.setdefault(turn.phase, []).append(number)
    for numbers in by_phase.values():
        chosen |= {numbers[0], numbers[len(numbers) // 2], rng.choice(numbers)}
    if length:
        chosen |= {rng.randbelow(length) for _ in range(RANDOM_POINTS)}
        chosen |= {rng.randbelow(min(length, CHEAP_DECISIONS)) for _ in range(RANDOM_POINTS)}
    points = sorted(number for number in chosen if 0 <= number < length)
    if most is not None:
        rng.shuffle(points)
    return sorted(points[:most])


def _vary_action(action: object, game: AnyGame) -> Iterator[Any]:
    """Yield the actions that differ from this one in one value and can be converted to the game's `Action`."""
    for plain in vary_plain(msgspec.to_builtins(action)):
        try:
            yield msgspec.convert(plain, game.Action)
        except msgspec.ValidationError:
            continue


def vary_plain(plain: Any) -> Iterator[Any]:  # noqa: ANN401 - plain data
    """Yield variants of plain data with one value changed, added or removed."""
    match plain:
        case dict():
            for key, value in plain.items():
                yield {name: other for name, other in plain.items() if name != key}
                for other in vary_plain(value):
                    yield {**plain, key: other}
        case [*parts]:
            yield from ([], parts[1:], [*parts, *parts[-1:]], parts[::-1])
            for index, part in list(enumerate(parts))[:4]:
                for other in vary_plain(part):
                    yield [*parts[:index], other, *parts[index + 1 :]]
        case bool():
            yield not plain
        case int():
            yield from sorted({-1, 0, plain - 1, plain + 1, -plain, 1000, 10_000} - {plain})
        case str():
            yield from sorted({"", "nonsense", plain + "x", plain.lower(), plain.upper()} - {plain})
        case _:
            yield from (0, "", "nonsense", [])
