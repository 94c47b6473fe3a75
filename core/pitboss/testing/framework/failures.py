"""Failures of checks, folded by their cause: a bug in a game breaks many promises, in many games."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from pitboss.simulation.game_setup import GameSetup
from pitboss.testing.framework.check_runner import find_crash
from pitboss.text import format_count

_VALUES: Final = (  # what differs from game to game in the text of one failure, as it is taken out one after the other
    re.compile(r"…[^…]*…"),  # pieces of JSON
    re.compile(r"'[^']*'|\"[^\"]*\""),
    re.compile(r"[(\[{][^()\[\]{}]*[)\]}]"),
    re.compile(r"[(\[{][^()\[\]{}]*[)\]}]"),  # a list in a list
    re.compile(r"\d+"),
)


class Failure(Struct, frozen=True):
    """A check that failed in one game, or, where `game` is None, not in a game."""

    name: str  # of the check
    detail: str
    cause: str  # the same for all failures of one cause
    game: int | None = None  # its number in the run, from 0
    seats: int = 0
    preset: str | None = None
    options: Mapping[str, object] = {}  # those that were set on top of the preset
    is_exact: bool = False  # it names the decision where it happened; else the check had played on from there

    def __str__(self) -> str:
        return f"{self.name} failed: {self.detail}"

    @property
    def variant(self) -> str:
        """The preset, or "default"; "" where options were changed on top of the defaults."""
        return self.preset or ("" if self.options else "default")


class FailureCause(Struct, frozen=True):
    """The failures of one cause, in the order in which they were seen."""

    failures: Sequence[Failure]

    @property
    def first(self) -> Failure:
        """The failure to show: of the first game that has one, the exact one if there is one; else that of no game."""
        begin = min(self.failures, key=lambda failure: failure.game is None)
        return next((one for one in self.failures if one.is_exact and one.game == begin.game), begin)

    @property
    def more_games(self) -> str:
        """The other games: "and in 3 more games (seats 2, 3; presets default, short)"; "" if there is none."""
        more = {one.game: one for one in self.failures if one.game not in (None, self.first.game)}
        return f"and in {format_count(len(more), 'more game')} ({_describe_games(more.values())})" if more else ""

    @property
    def more_checks(self) -> str:
        """The other checks: "and 2 more checks: games-end, record-replays"; "" if there is none."""
        names = [name for name in dict.fromkeys(one.name for one in self.failures) if name != self.first.name]
        return f"and {format_count(len(names), 'more check')}: {', '.join(names)}" if names else ""

    def __str__(self) -> str:
        return "\n    ".join(filter(None, [str(self.first), self.more_games, self.more_checks]))


def make_failure(name: str, detail: str, hint: str, *, is_exact: bool = False) -> Failure:
    """Return the failure of a check, not in a game; `hint` says how to see it again, and is no part of the cause."""
    cause = find_crash(detail) or f"{name}: {_blank_values(detail)}"
    return Failure(name, detail + hint, cause, is_exact=is_exact)


def put_in_game(failure: Failure, game: int, setup: GameSetup) -> Failure:
    """Return a failure with the number of the game, and the setup, in which it was seen."""
    preset, changes = setup.variant
    return replace(failure, game=game, seats=setup.seats, preset=preset, options=dict(changes))


def fold_failures(failures: Iterable[Failure]) -> list[FailureCause]:
    """Return the failures by their cause, in the order of the games in which the causes were seen, exact ones first.

    A cause is an error at one line of the game, whichever checks met it, or one message of one check, whatever the
    cards and numbers in it.
    """
    by_cause: dict[str, list[Failure]] = {}
    for failure in failures:
        by_cause.setdefault(failure.cause, []).append(failure)
    return sorted(map(FailureCause, by_cause.values()), key=_order_key)


def _order_key(cause: FailureCause) -> tuple[int, bool]:
    return (-1 if cause.first.game is None else cause.first.game, not cause.first.is_exact)


def _describe_games(failures: Iterable[Failure]) -> str:
    """Return the seats, presets and changed options: "seats 2, 3; presets default, short"."""
    found = list(failures)
    parts = {
        "seats": [str(seats) for seats in sorted({one.seats for one in found})],
        "presets": sorted({one.variant for one in found if one.variant}, key=lambda name: (name != "default", name)),
        "options": [*dict.fromkeys(f"{name}={value}" for one in found for name, value in one.options.items())],
    }
    return "; ".join(f"{kind} {', '.join(values)}" for kind, values in parts.items() if values)


def _blank_values(text: str) -> str:
    for pattern in _VALUES:
        text = pattern.sub("…", text)
    return text
