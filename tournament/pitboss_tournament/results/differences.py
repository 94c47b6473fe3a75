"""What differs between two values of plain data (objects, lists, numbers, strings), told by the paths of the keys."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

MOST_TOLD: Final = 4
LONGEST_VALUE: Final = 60
_NOTHING: Final = object()


class Difference(NamedTuple):
    """One value that is not the same: `options.target`, what it was, what it is."""

    path: str
    was: object
    now: object

    def __str__(self) -> str:
        """Say it."""
        if self.was is _NOTHING:
            return f"{self.path} was not there, is {_short(self.now)}"
        if self.now is _NOTHING:
            return f"{self.path} was {_short(self.was)}, is not there"
        return f"{self.path} was {_short(self.was)}, is {_short(self.now)}"


def differences(was: object, now: object, path: str = "") -> Iterator[Difference]:
    """Yield what differs. Only objects are looked into: a list is one value."""
    if isinstance(was, dict) and isinstance(now, dict):
        for key in [*now, *(key for key in was if key not in now)]:
            yield from differences(was.get(key, _NOTHING), now.get(key, _NOTHING), f"{path}.{key}" if path else str(key))
    elif was != now:
        yield Difference(path, was, now)


def told(found: Sequence[Difference]) -> str:
    """Say what differs in one line; of many differences the first ones, and how many more there are."""
    more = len(found) - MOST_TOLD
    return "; ".join([*map(str, found[:MOST_TOLD]), *([f"and {more} more"] if more > 0 else [])])


def _short(value: Any) -> str:  # noqa: ANN401 - plain data
    text = repr(value)
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1] + "…"
