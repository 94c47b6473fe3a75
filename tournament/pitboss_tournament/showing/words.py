"""Actions and events as people say them, for any game; and text that fits a terminal."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from pitboss.cards import Face
from pitboss.events import AnyEvent, Deal, Fact, Lay, Move, Reveal, Shuffle, Swap, TurnOver

HANGING: Final = 4  # how much further what is left of a long line is set in
TAB: Final = 4
_IN_STRINGS: Final = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")  # where JSON may have them unescaped
NARROWEST: Final = 20  # room for what is quoted, however narrow the terminal


def action_text(action: Any) -> str:  # noqa: ANN401 - any game's action
    """Write an action as one would say it: "take slot 25"."""
    fields = msgspec.to_builtins(action)
    plain = ("do", fields.get("do"))  # "colour R", not "colour colour R"
    return " ".join(said(value) if key in plain else f"{key} {said(value)}" for key, value in fields.items())


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
            return ", ".join(f"{name} {said(fact)}" for name, fact in event.facts.items())


def readable(text: bytes) -> str:
    """Return bytes as text: what is not UTF-8 is shown by its bytes."""
    return text.decode("utf-8", "backslashreplace")


def harmless(text: str) -> str:
    """Return a text as one line that can do nothing to a terminal: an escape, a line end or a mark of direction stands there in letters."""
    return text if text.isprintable() else "".join(map(_shown, text))


def harmless_json(text: str) -> str:
    """Return JSON in which nothing can do anything to a terminal: the same values, such characters written by their numbers."""
    return _IN_STRINGS.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)


def harmless_lines(text: str) -> list[str]:
    """Return the lines of a text, each harmless; tabs become blanks."""
    return [harmless(line.removesuffix("\r").expandtabs(TAB)) for line in text.removesuffix("\n").split("\n")]


def fitted(text: str, width: int | None) -> Iterator[str]:
    """Yield the lines of a text without what could confuse a terminal; with a width, longer lines are cut at blanks, and words only if they must."""
    for line in harmless_lines(text):
        indent = " " * (len(line) - len(line.lstrip()) + HANGING)
        if width is None or len(line) <= width:
            yield line
        else:
            yield from textwrap.wrap(line, max(width, len(indent) + 1), subsequent_indent=indent, break_on_hyphens=False)


def quoted(line: str, margin: str, width: int | None, first: str | None = None) -> Iterator[str]:
    """Yield a foreign line behind a margin (the first piece behind `first`), so that nothing in it can be taken for a line of ours.

    With a width it is cut anywhere, the margin before each piece.
    """
    before = margin if first is None else first
    for piece in _pieces(harmless(line), None if width is None else max(width - len(margin), NARROWEST)):
        yield f"{before}{piece}".rstrip()
        before = margin


def _pieces(line: str, room: int | None) -> Iterator[str]:
    if room is None or (len(line) <= room and line.isascii()):
        yield line
        return
    began = columns = 0
    for at, sign in enumerate(line):
        wide = 2 if unicodedata.east_asian_width(sign) in "WF" else 1
        if columns + wide > room:
            yield line[began:at]
            began, columns = at, 0
        columns += wide
    yield line[began:]


def _shown(sign: str) -> str:
    return sign if sign.isprintable() else sign.encode("unicode_escape").decode()


def _face(face: Face | None) -> str:
    return "a card" if face is None else str(face)


def said(value: Fact | Any) -> str:  # noqa: ANN401 - whatever a game's action holds
    """Write a value of an action or a fact as one would say it."""
    match value:
        case None:
            return "none"
        case bool():
            return str(value).lower()
        case [*parts]:
            return " ".join(map(said, parts))
        case _:
            return str(value)
