"""Order legal actions by the words that they share with an event: a bad order costs time, never correctness."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from functools import lru_cache
from typing import Any, Final, TypeAlias

import msgspec

Word: TypeAlias = str | int

MAX_CACHED_ACTIONS: Final = 1 << 12


def order_actions(legal: Sequence[Any], event_words: Set[Word]) -> Sequence[Any]:
    """Return the legal actions by the number of words shared with the event less those not shared, highest first."""

    def count_shared_words(action: Any) -> int:  # noqa: ANN401 - an action of any game
        return sum(1 if word in event_words else -1 for word in words_of(action))

    return sorted(legal, key=count_shared_words, reverse=True) if len(legal) > 1 else legal


def words_of(value: Any) -> tuple[Word, ...]:  # noqa: ANN401 - an event, or an action of any game
    """Return the words and numbers of an action or an event."""
    try:
        return _cached_words(value)
    except TypeError:  # it holds a list
        return tuple(_iterate_words(msgspec.to_builtins(value)))


@lru_cache(MAX_CACHED_ACTIONS)
def _cached_words(value: Any) -> tuple[Word, ...]:  # noqa: ANN401 - as above
    return tuple(_iterate_words(msgspec.to_builtins(value)))


def _iterate_words(plain: Any) -> Iterator[Word]:  # noqa: ANN401 - plain data
    """Yield the words and numbers of plain data; the numbers in a zone's name too, as in `meld 3`."""
    match plain:
        case bool() | None:
            return
        case str():
            yield plain
            if " " in plain:
                yield from map(int, re.findall(r"\b\d+\b", plain))
        case int():
            yield plain
        case dict():
            yield from _iterate_words([*plain.values()])
        case [*parts]:
            for part in parts:
                yield from _iterate_words(part)
