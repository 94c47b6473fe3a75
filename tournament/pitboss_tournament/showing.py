"""Actions and events as people say them, for any game; and text that fits a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

import msgspec

from pitboss.cards import Face
from pitboss.events import AnyEvent, Deal, Fact, Lay, Move, Reveal, Shuffle, Swap, TurnOver

HANGING = 4  # how much further what is left of a long line is set in


def action_text(action: Any) -> str:  # noqa: ANN401 - any game's action
    """Write an action as one would say it: "take slot 25"."""
    fields = msgspec.to_builtins(action)
    return " ".join(_said(value) if key == "do" else f"{key} {_said(value)}" for key, value in fields.items())


def event_text(event: AnyEvent) -> str:
    """Write an event as one would say it: "draw: 20, stock to hand 3"."""
    return f"{event.event}: {_what(event)}".removesuffix(": ")


def _what(event: AnyEvent) -> str:
    match event:
        case Deal():
            dealt = ", ".join(f"{len(cards)} to {zone}" for zone, cards in event.cards.items())
            return f"from {event.source} {dealt}"
        case Move():
            return f"{_face(event.card)}, {event.source} to {event.target}"
        case Lay():
            return f"{' '.join(map(_face, event.cards))}, {event.source} to {event.target}"
        case Swap():
            ways = f"from {event.source}, {_face(event.discarded)} out to {event.target}"
            return f"{_face(event.card)} into slot {event.slot} {ways}"
        case TurnOver():
            return f"{event.source}, {len(event.cards)} cards, to {event.target}"
        case Shuffle():
            return f"{event.zone}, {event.size} cards"
        case Reveal():
            return f"{event.zone} is {' '.join(map(_face, event.cards))}"
        case _:
            return ", ".join(f"{name} {_said(fact)}" for name, fact in event.facts.items())


def fitted(text: str, width: int | None) -> Iterator[str]:
    """Yield the lines of a text without what could confuse a terminal; with a width, longer lines are cut at blanks."""
    for raw in text.splitlines():
        line = "".join(sign if sign.isprintable() else "?" for sign in raw)
        indent = " " * (len(line) - len(line.lstrip()) + HANGING)
        if width is None or len(line) <= width:
            yield line
        else:
            yield from textwrap.wrap(line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def _face(face: Face | None) -> str:
    return "a card" if face is None else str(face)


def _said(value: Fact | Any) -> str:  # noqa: ANN401 - whatever a game's action holds
    match value:
        case None:
            return "none"
        case bool():
            return str(value).lower()
        case [*parts]:
            return " ".join(map(_said, parts))
        case _:
            return str(value)
