"""Terminal-safe text: actions and values of any game in words, escaping, wrapping and quoting."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from pitboss.action_range import RANGE_TYPES
from pitboss.options import find_seat_fields
from pitboss.rendering.presentation import SILENT, Speech, find_presentation
from pitboss.table.cards import Face
from pitboss.table.events import Fact
from pitboss.table.secrets import Scalar

AS_PRINTED: Final[Mapping[str, str]] = {}
FIELD_WORDS: Final = {"slot": "into slot"}  # where the name of a field alone is no word
HANGING_INDENT: Final = 4  # of the continuation of a long line
TAB_WIDTH: Final = 4
MIN_QUOTE_WIDTH: Final = 20  # room for what is quoted, however narrow the terminal


def action_text(
    action: Any,  # noqa: ANN401 - any game's action
    faces: Mapping[str, str] = AS_PRINTED,
    names: Sequence[str] = (),
    reader: int | None = None,
) -> str:
    """Return an action, or a range of actions, in words: "discard S4", "take into slot 25", "raise to 20–9,000".

    Of a field that is true or false stands its name, or nothing: "order alone", "order".
    `faces` has other words for faces: "discard ♠4". A seat (`pitboss.SeatIndex`) is told by the player's name, if
    `names` has it: "play Guard target ann"; `reader` is the seat called "you".
    """
    fields = msgspec.to_builtins(action)
    seat_fields = find_seat_fields(type(action)) if names and type(action) not in RANGE_TYPES else ()
    speech = Speech(SILENT, faces, names, reader)
    if type(action) in RANGE_TYPES:
        fields[action.ranged_field] = format_bounds(action.bounds)
    plain = ("do", "card", "cards", fields.get("do"))  # "colour R", not "colour colour R"
    words = []
    for key, value in fields.items():
        if isinstance(value, bool):
            words += [key.replace("_", " ")] if value else []
        elif key in seat_fields:
            words += [speech.name(value)] if key == "seat" else [FIELD_WORDS.get(key, key), speech.name(value)]
        else:
            words += (
                [_word_value(value, faces)] if key in plain else [FIELD_WORDS.get(key, key), _word_value(value, faces)]
            )
    return " ".join(words)


def word_action(
    game: object,
    action: Any,  # noqa: ANN401 - any game's action
    faces: Mapping[str, str] = AS_PRINTED,
    names: Sequence[str] = (),
    reader: int | None = None,
) -> str:
    """Return an action in the game's own words, if it has some, else as `action_text` does; of a range always so.

    `names` are the players by seat, `reader` the seat called "you".
    """
    if type(action) not in RANGE_TYPES:
        told = Speech(find_presentation(game), faces, names, reader).tell_action(msgspec.to_builtins(action))
        if told:
            return told
    return action_text(action, faces, names, reader)


def action_tag(action: object) -> str:
    """Return the word that tells an action from others: its tag, or its type's name."""
    config = getattr(type(action), "__struct_config__", None)
    return str(config.tag) if config is not None and config.tag is not None else type(action).__name__


def _word_value(value: object, faces: Mapping[str, str]) -> str:
    if isinstance(value, list | tuple):
        return _join_parts([_word_value(part, faces) for part in value])
    return faces.get(text := value_text(value), text)


def format_bounds(bounds: tuple[int, int]) -> str:
    """Return the smallest and the largest number: "20–9,000", "7" if they are equal."""
    lowest, highest = bounds
    return f"{lowest:,}–{highest:,}" if lowest < highest else f"{lowest:,}"


def decode_text(text: bytes) -> str:
    """Return bytes as text; bytes that are not UTF-8 are escaped."""
    return text.decode("utf-8", "backslashreplace")


def escape_line(text: str) -> str:
    """Return one line that is safe to print: control characters, line ends and direction marks are escaped."""
    return text if text.isprintable() else "".join(map(_escape_character, text))


def escape_lines(text: str) -> list[str]:
    """Return the lines of a text, each escaped; tabs become blanks."""
    return [escape_line(line.removesuffix("\r").expandtabs(TAB_WIDTH)) for line in text.removesuffix("\n").split("\n")]


def wrap_text(text: str, width: int | None) -> Iterator[str]:
    """Yield safe lines, wrapped at `width` with a hanging indent."""
    for line in escape_lines(text):
        indent = " " * (len(line) - len(line.lstrip()) + HANGING_INDENT)
        if width is None or len(line) <= width:
            yield line
        else:
            yield from textwrap.wrap(
                line, max(width, len(indent) + 1), subsequent_indent=indent, break_on_hyphens=False
            )


def set_behind_margin(line: str, margin: str, width: int | None, first: str | None = None) -> Iterator[str]:
    """Yield a line of foreign text behind a margin, split at `width`, so that it cannot be mistaken for ours.

    The first piece follows `first`.
    """
    before = margin if first is None else first
    for piece in _cut_pieces(escape_line(line), None if width is None else max(width - len(margin), MIN_QUOTE_WIDTH)):
        yield f"{before}{piece}".rstrip()
        before = margin


def _cut_pieces(line: str, room: int | None) -> Iterator[str]:
    if room is None or (len(line) <= room and line.isascii()):
        yield line
        return
    began = columns = 0
    for at, sign in enumerate(line):
        wide = count_cells(sign)
        if columns + wide > room:
            yield line[began:at]
            began, columns = at, 0
        columns += wide
    yield line[began:]


def count_cells(text: str) -> int:
    """Return how many columns of a terminal a line takes: a wide letter takes two, a combining mark none."""
    if text.isascii():
        return len(text)
    return sum(
        2 if unicodedata.east_asian_width(sign) in "WF" else unicodedata.category(sign) not in ("Mn", "Me", "Cf")
        for sign in text
    )


def pad_cells(text: str, width: int, *, is_right: bool = False) -> str:
    """Return a text padded to `width` columns, on its left side with `is_right`."""
    blanks = " " * (width - count_cells(text))
    return blanks + text if is_right else text + blanks


def truncate_cells(text: str, width: int) -> str:
    """Return a text of at most `width` columns; one that was cut ends in "…"."""
    return text if count_cells(text) <= width else f"{next(_cut_pieces(text, width - 1))}…"


def _escape_character(sign: str) -> str:
    return sign if sign.isprintable() else sign.encode("unicode_escape").decode()


def face_text(face: Face | None, faces: Mapping[str, str] = AS_PRINTED) -> str:
    """Return a face in words, that of a hidden card too."""
    return "a card" if face is None else faces.get(str(face), str(face))


def secret_text(values: Sequence[Scalar] | None) -> str:
    """Return the values of a secret in words, those too that may not be seen."""
    return "hidden" if values is None else " ".join(map(value_text, values))


def value_text(value: Fact | Any) -> str:  # noqa: ANN401 - whatever a game's action holds
    """Return a value of an action or a fact in words."""
    match value:
        case None:
            return "none"
        case bool():
            return str(value).lower()
        case [*parts]:
            return _join_parts([*map(value_text, parts)])
        case _:
            return str(value)


def _join_parts(words: Sequence[str]) -> str:
    """Return the parts of a list in a row; between parts of several words, such as melds, stand commas."""
    return (", " if any(" " in word for word in words) else " ").join(words)
