"""Likelihood: which legal action most likely shows a seat the event that it has seen. It costs time to be wrong, nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, TypeAlias

import msgspec

from pitboss.events import AnyEvent

Word: TypeAlias = str | int

MOST: Final = 1 << 12  # actions whose words are kept


class Likelihood:
    """The words of some events, to compare those of actions with."""

    def __init__(self, events: Sequence[AnyEvent]) -> None:
        self._events = events
        self._said: dict[int, frozenset[Word]] = {}

    def order(self, legal: Sequence[Any], told: int) -> Sequence[Any]:
        """Return the legal actions, those first that share most words with the next event."""
        if len(legal) < 2 or told >= len(self._events):
            return legal
        if told not in self._said:
            self._said[told] = frozenset(_scalars(msgspec.to_builtins(self._events[told])))
        said = self._said[told]
        scores = [sum(1 if word in said else -1 for word in self.words(action)) for action in legal]
        return [legal[at] for at in sorted(range(len(legal)), key=lambda at: -scores[at])]

    def words(self, action: Any) -> tuple[Word, ...]:  # noqa: ANN401 - an action of any game
        """Return the words and numbers of an action."""
        try:
            known = _WORDS.get(action)
        except TypeError:  # it holds a list
            return tuple(_scalars(msgspec.to_builtins(action)))
        if known is None:
            if len(_WORDS) >= MOST:
                _WORDS.clear()
            known = _WORDS[action] = tuple(_scalars(msgspec.to_builtins(action)))
        return known


_WORDS: Final[dict[Any, tuple[Word, ...]]] = {}


def _scalars(plain: Any) -> Iterator[Word]:  # noqa: ANN401 - plain data
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
            yield from _all(plain.values())
        case [*parts]:
            yield from _all(parts)


def _all(parts: Iterable[Any]) -> Iterator[Word]:
    for part in parts:
        yield from _scalars(part)
