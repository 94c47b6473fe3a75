"""In which line of a TOML file does a key stand? `tomllib` reads the values but forgets the places.

The scanner walks over a text that `tomllib` has accepted, so it need not tell right from wrong: it only has to find where keys, values, strings and
comments begin and end.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from contextlib import suppress
from typing import Final

from pitboss_tournament.planning.fitting import Place

_BLANK: Final = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
_SPACE: Final = re.compile(r"[ \t]*")
_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")
_STRING: Final = re.compile(
    r'"""(?:\\.|[^\\])*?"""(?:"{0,2})'  # up to two quotes may stand before the closing three
    r"|'''.*?'''(?:'{0,2})"
    r'|"(?:\\.|[^"\\])*"'
    r"|'[^']*'",
    re.DOTALL,
)
_SCALAR: Final = re.compile(r"[^,\]}#\n]+")


def key_lines(text: str) -> dict[Place, int]:
    """Return the line, from 1, of every key, table and list entry of a valid TOML text (lines ending in LF).

    The place of an entry of `[[bots]]` is ("bots", 0), ("bots", 1), …, and its line is that of its header.
    """
    scanner = _Scanner(text)
    with suppress(_Lost):
        scanner.document()
    return scanner.lines


class _Lost(Exception):
    """There is no value where one must be: a later TOML than this one. What was found so far is still right."""


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines: dict[Place, int] = {}
        self._starts = [0, *(newline.end() for newline in re.finditer("\n", text))]
        self._last_entry: dict[Place, int] = {}  # by array of tables

    def document(self) -> None:
        table: Place = ()
        while self._has_more():
            if self._take("[["):
                table = self._header(is_entry=True)
            elif self._take("["):
                table = self._header(is_entry=False)
            else:
                self._pair(table)

    def _header(self, *, is_entry: bool) -> Place:
        """Read a header from its first key on; return the place of the table that it opens."""
        line, parts = self._line(), self._key()
        self._take("]]" if is_entry else "]")
        place: Place = ()
        for depth, part in enumerate(parts, 1):
            place = (*place, part)
            self.lines.setdefault(place, line)
            if is_entry and depth == len(parts):
                self._last_entry[place] = self._last_entry.get(place, -1) + 1
            if place in self._last_entry:
                place = (*place, self._last_entry[place])
        self.lines[place] = line
        return place

    def _pair(self, table: Place) -> None:
        line, place = self._line(), table
        for part in self._key():
            place = (*place, part)
            self.lines.setdefault(place, line)
        self._take("=")
        self._read(_SPACE)
        self._value(place)

    def _key(self) -> list[str]:
        """Read a dotted key, and the space around it."""
        parts = []
        while True:
            self._read(_SPACE)
            quoted = self._read(_STRING)
            parts.append(str(tomllib.loads(f"key = {quoted}")["key"]) if quoted else self._read(_BARE_KEY))
            self._read(_SPACE)
            if not self._take("."):
                return parts

    def _value(self, place: Place) -> None:
        if self._take("["):
            self._elements(place)
        elif self._take("{"):
            while self._has_more() and not self._take("}"):
                self._pair(place)
                self._has_more()
                self._take(",")
        elif not self._read(_STRING) and not self._read(_SCALAR):
            raise _Lost

    def _elements(self, place: Place) -> None:
        index = 0
        while self._has_more() and not self._take("]"):
            self.lines[(*place, index)] = self._line()
            self._value((*place, index))
            self._has_more()
            self._take(",")
            index += 1

    def _has_more(self) -> bool:
        """Go past blanks, line ends and comments; tell whether there is text left."""
        self._read(_BLANK)
        return self.at < len(self.text)

    def _read(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return found[0] if found else ""

    def _take(self, mark: str) -> bool:
        found = self.text.startswith(mark, self.at)
        self.at += len(mark) if found else 0
        return found

    def _line(self) -> int:
        return bisect_right(self._starts, self.at)
