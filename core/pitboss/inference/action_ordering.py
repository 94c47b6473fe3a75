"""Likelihood: which legal action most likely shows a seat the event that it has seen. It costs time to be wrong, nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, TypeAlias

import msgspec

from pitboss.table.events import AnyEvent

Word: TypeAlias = str | int

MAX_CACHED_ACTIONS: Final = 1 << 12  # actions whose words are kept


class ActionOrdering:
    """The words of some events, to compare those of actions with."""

    def __init__(self, events: Sequence[AnyEvent]) -> None:
        self._events = events
        self._words_by_event: dict[int, frozenset[Word]] = {}

    def order_actions(self, legal: Sequence[Any], matched: int) -> Sequence[Any]:
        """Return the legal actions, those first that share most words with the next event."""
        if len(legal) < 2 or matched >= len(self._events):
            return legal
        if matched not in self._words_by_event:
            self._words_by_event[matched] = frozenset(_iterate_words(msgspec.to_builtins(self._events[matched])))
        said = self._words_by_event[matched]
        scores = [sum(1 if word in said else -1 for word in self.words_of(action)) for action in legal]
        return [legal[at] for at in sorted(range(len(legal)), key=lambda at: -scores[at])]

    def words_of(self, action: Any) -> tuple[Word, ...]:  # noqa: ANN401 - an action of any game
        """Return the words and numbers of an action."""
        try:
            known = _WORDS_BY_ACTION.get(action)
        except TypeError:  # it holds a list
            return tuple(_iterate_words(msgspec.to_builtins(action)))
        if known is None:
            if len(_WORDS_BY_ACTION) >= MAX_CACHED_ACTIONS:
                _WORDS_BY_ACTION.clear()
            known = _WORDS_BY_ACTION[action] = tuple(_iterate_words(msgspec.to_builtins(action)))
        return known


_WORDS_BY_ACTION: Final[dict[Any, tuple[Word, ...]]] = {}


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
