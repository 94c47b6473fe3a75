"""Differences between two values of plain data (objects, lists, numbers, strings), with the path of each."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from pitboss.text import truncate_text

MAX_DIFFERENCES: Final = 4
LONGEST_VALUE: Final = 60
_ABSENT: Final = object()


class Difference(NamedTuple):
    """A difference: `options.target`, its old and its new value."""

    path: str
    was: object
    now: object

    def __str__(self) -> str:
        """Say it, with the values as JSON."""
        was, now = (
            "not there" if value is _ABSENT else truncate_text(json.dumps(value, ensure_ascii=False), LONGEST_VALUE)
            for value in (self.was, self.now)
        )
        return f"{self.path}: was {was}, is {now}"


def find_differences(was: object, now: object, path: str = "") -> Iterator[Difference]:
    """Yield the differences. Objects are compared key by key; lists as a whole."""
    if isinstance(was, dict) and isinstance(now, dict):
        for key in [*now, *(key for key in was if key not in now)]:
            yield from find_differences(
                was.get(key, _ABSENT), now.get(key, _ABSENT), f"{path}.{key}" if path else str(key)
            )
    elif was != now:
        yield Difference(path, was, now)


def join_differences(found: Sequence[Difference]) -> str:
    """Return the differences in one line: the first ones, and the number of the others."""
    return join_some(found, "; ")


def join_some(items: Sequence[object], separator: str = ", ") -> str:
    """Return the first items in one line, and the number of the others."""
    more = len(items) - MAX_DIFFERENCES
    return separator.join([*map(str, items[:MAX_DIFFERENCES]), *([f"and {more} more"] if more > 0 else [])])
