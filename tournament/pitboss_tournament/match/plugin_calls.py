"""Calls of a game's plugin during a game: whatever goes wrong in them is the plugin's fault, and never a bot's.

The plugin may raise, return garbage, or never return. The error names the distribution, and the file and line of the
plugin's code.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from math import isfinite
from pathlib import Path
from time import process_time
from types import TracebackType
from typing import Any, Final, NoReturn

import msgspec
import trio

from pitboss.errors import PitbossError, ReplayDiffers
from pitboss.game import AnyGame
from pitboss.outcome import Outcome, Sides
from pitboss.plugins.registry import find_distribution
from pitboss.table.turns import Turn
from pitboss.text import describe_exception
from pitboss_tournament.processes.interrupt import interrupt_block

CALL_CPU_SECONDS: Final = 10.0  # processor time that one call of a plugin may take
CALL_WALL_SECONDS: Final = 60.0  # and how long it may wait, for whatever it waits
_FRAMEWORK: Final = ("pitboss", "pitboss_tournament")  # packages whose code is not a plugin's


class GamePluginError(PitbossError):
    """A game plugin failed during a game; no bot is at fault."""


# what ends a block of calls and is no failure of the plugin, or is told already
_PASSED_ON: Final = (KeyboardInterrupt, trio.Cancelled, ReplayDiffers, GamePluginError)


class EndlessCall(BaseException):
    """A call of a plugin did not return; raised within the call, past any `except Exception` of the plugin."""


class CallsInProgress:
    """Counters of this process: calls of plugins begun, and calls that have not returned."""

    __slots__ = ("begun", "depth")

    def __init__(self) -> None:
        self.depth = 0  # calls that have not returned; one may be made within another
        self.begun = 0


_calls: Final = CallsInProgress()  # no attributes of a class: each change of one makes Python forget what it looked up


class PluginCalls:
    """Context manager around calls of a game's plugin: whatever it raises becomes a GamePluginError."""

    def __init__(self, game: AnyGame, describe_place: Callable[[], str]) -> None:
        """`describe_place` is called after an error; its text ends the error's."""
        self._game = game
        self._describe_place = describe_place

    def __enter__(self) -> None:
        """Begin the calls."""
        _calls.depth += 1
        _calls.begun += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Raise the error of the game instead of the plugin's; a replay that differs is no failure of the plugin."""
        _calls.depth -= 1
        if error is not None and not isinstance(error, _PASSED_ON):
            what = str(error) if isinstance(error, EndlessCall) else describe_exception(error)
            raise self._make_error(what, locate_raise(trace) or _locate_code(type(self._game))) from error

    def refuse(self, what: str, method: object) -> NoReturn:
        """Raise the error for something that a method of the plugin returned."""
        raise self._make_error(what, _locate_code(method)) from None

    # ---- what a plugin returns

    def check_question(self, turn: object, legal: object, seats: int, method: object) -> None:
        """Check whose turn it is, and that something is legal; `method` returned the legal actions.

        Raises:
            GamePluginError: it is nobody's turn at this table, or there is no list of legal actions.
        """
        if not (isinstance(turn, Turn) and isinstance(turn.seat, int) and 0 <= turn.seat < seats):
            self.refuse(f"the turn is {turn!r}; a turn has a seat, 0 to {seats - 1}, and a phase", method)
        if not (isinstance(legal, (list, tuple, Sequence)) and legal):
            self.refuse(
                f"the legal actions of seat {turn.seat} are {legal!r}; until the game is over there is at least one",
                method,
            )

    def check_encoding(self, value: object, what: str, method: object) -> None:
        """Check that a value can be sent to a bot and be written into a record.

        Raises:
            GamePluginError: it cannot be written as JSON.
        """
        try:
            msgspec.json.encode(value)
        except Exception as error:  # noqa: BLE001 - the border to a plugin's values
            self.refuse(f"{what} cannot be written as JSON: {describe_exception(error)}", method)

    def check_outcome(self, outcome: object, seats: int, sides: Sides, method: object) -> None:
        """Check that an outcome has a place and points for each seat, and the sides of the game.

        Raises:
            GamePluginError: it has not.
        """
        if not isinstance(outcome, Outcome) or not _is_complete(outcome, seats):
            self.refuse(
                f"the outcome is {outcome!r}; it must have points and a place for each of {seats} seats", method
            )
        if outcome.sides != sides:
            self.refuse(
                f"the sides of the outcome are {outcome.sides!r}, and those of the game with these options are "
                f"{sides!r}; a game in which seats play together has a method `sides`",
                method,
            )

    def _make_error(self, what: str, where: str) -> GamePluginError:
        name, source = self._game.name, find_distribution(self._game)
        return GamePluginError(f"the plugin of {name!r} failed ({source}, {where}): {what}; {self._describe_place()}")


def _is_complete(outcome: Outcome, seats: int) -> bool:
    """Tell whether an outcome has a finite number of points and a place for each seat."""
    try:
        return (
            len(outcome.points) == len(outcome.places) == seats
            and all(map(isfinite, outcome.points))
            and all(1 <= place <= seats for place in outcome.places)
        )
    except TypeError:
        return False


@contextmanager
def break_endless_calls(
    cpu_seconds: float = CALL_CPU_SECONDS,
    wall_seconds: float = CALL_WALL_SECONDS,
    tick_seconds: float = 1.0,
) -> Iterator[None]:
    """Context manager: raise `EndlessCall` in a call of a plugin that takes too long. For the main thread only.

    A timer looks at the call in progress every `tick_seconds`. Processor time counts, so that a busy machine breaks
    off no call that would have returned. A wait is counted in looks: they are none while this process is stopped.
    """
    seen = (0, 0.0, 0)  # the call in progress, and when it was first seen: processor time and number of the look
    looks = 0

    def look() -> None:
        nonlocal seen, looks
        looks += 1
        if not _calls.depth or _calls.begun != seen[0]:
            seen = (_calls.begun, process_time(), looks)
            return
        computed, waited = process_time() - seen[1], (looks - seen[2]) * tick_seconds
        if computed > cpu_seconds or waited > wall_seconds:
            raise EndlessCall(f"it has not returned after {waited:.0f} s, in which it computed for {computed:.0f} s")

    with interrupt_block(look, tick_seconds, tick_seconds):
        yield


def locate_raise(trace: TracebackType | None) -> str:
    """Return the line of the plugin, its file and function where an exception came from; "" if it was not in a plugin.

    That is the innermost line that is neither the framework's nor the standard library's.
    """
    found = ""
    while trace is not None:
        code = trace.tb_frame.f_code
        package = str(trace.tb_frame.f_globals.get("__name__", "")).split(".")[0]
        if package not in _FRAMEWORK and package not in sys.stdlib_module_names:
            found = f"{Path(code.co_filename).name}, line {trace.tb_lineno}, in {code.co_name}"
        trace = trace.tb_next
    return found


def _locate_code(code: Any) -> str:  # noqa: ANN401 - a method, a function or a class of a plugin
    """Return the file and line where a method or class is defined."""
    with suppress(OSError, TypeError):
        _, line = inspect.getsourcelines(code)
        return f"{Path(inspect.getsourcefile(code) or '?').name}, line {line}, {code.__qualname__}"
    return repr(code)
