"""Order legal actions by how well their words match the next observed event.

A heuristic: a bad order costs time, never correctness.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, TypeAlias

import msgspec

from pitboss.table.events import AnyEvent

Word: TypeAlias = str | int

MAX_CACHED_ACTIONS: Final = 1 << 12


class ActionOrdering:
    """Orders actions by the words of observed events."""

    def __init__(self, events: Sequence[AnyEvent]) -> None:
        self._events = events
        self._words_by_event: dict[int, frozenset[Word]] = {}

    def order_actions(self, legal: Sequence[Any], matched: int) -> Sequence[Any]:
        """Return the legal actions, those first that share most words with event number `matched`."""
        if len(legal) < 2 or matched >= len(self._events):
            return legal
        if matched not in self._words_by_event:
            self._words_by_event[matched] = frozenset(_iterate_words(msgspec.to_builtins(self._events[matched])))
        event_words = self._words_by_event[matched]
        scores = [sum(1 if word in event_words else -1 for word in words_of(action)) for action in legal]
        return [legal[at] for at in sorted(range(len(legal)), key=lambda at: -scores[at])]


def words_of(action: Any) -> tuple[Word, ...]:  # noqa: ANN401 - an action of any game
    """Return the words and numbers of an action."""
    try:
        return _cached_words(action)
    except TypeError:  # it holds a list
        return tuple(_iterate_words(msgspec.to_builtins(action)))


@lru_cache(MAX_CACHED_ACTIONS)
def _cached_words(action: Any) -> tuple[Word, ...]:  # noqa: ANN401 - an action of any game
    return tuple(_iterate_words(msgspec.to_builtins(action)))


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
            yield from _iterate_all_words(plain.values())
        case [*parts]:
            yield from _iterate_all_words(parts)


def _iterate_all_words(parts: Iterable[Any]) -> Iterator[Word]:
    for part in parts:
        yield from _iterate_words(part)
