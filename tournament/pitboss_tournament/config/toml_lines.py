"""Lines of the keys in a TOML file. `tomllib` reads the values but forgets their positions.

The scanner walks over a text that `tomllib` has accepted, so it need not check it: it only finds where keys, values,
strings and comments begin and end.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from typing import Final

from pitboss_tournament.text.validation import KeyPath

_GAP: Final = re.compile(r"(?:[ \t\n=,]|#[^\n]*)*")
_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")
_STRING: Final = re.compile(
    r'"""(?:\\.|[^\\])*?"""(?:"{0,2})'  # up to two quotes may stand before the closing three
    r"|'''.*?'''(?:'{0,2})"
    r'|"(?:\\.|[^"\\])*"'
    r"|'[^']*'",
    re.DOTALL,
)
_SCALAR: Final = re.compile(r"[^,\]}#\n]+|.", re.DOTALL)  # one character at least, so that the scanner comes to an end


def find_key_lines(text: str) -> dict[KeyPath, int]:
    """Return the line, from 1, of every key, table and list entry of a valid TOML text (lines ending in LF).

    The place of an entry of `[[bots]]` is ("bots", 0), ("bots", 1), …, and its line is that of its header.
    """
    scanner = _KeyScanner(text)
    scanner.scan_document()
    return scanner.lines


class _KeyScanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.lines: dict[KeyPath, int] = {}
        self._starts = [0, *(newline.end() for newline in re.finditer("\n", text))]
        self._last_entry: dict[KeyPath, int] = {}  # by array of tables

    def scan_document(self) -> None:
        table: KeyPath = ()
        while self._skip_gap():
            if self._accept("[["):
                table = self._scan_header(is_entry=True)
            elif self._accept("["):
                table = self._scan_header(is_entry=False)
            else:
                self._scan_pair(table)

    def _scan_header(self, *, is_entry: bool) -> KeyPath:
        """Read a header from its first key on; return the place of the table that it opens."""
        line, parts = self._line_number(), self._scan_key()
        self._accept("]]" if is_entry else "]")
        place: KeyPath = ()
        for depth, part in enumerate(parts, 1):
            place = (*place, part)
            self.lines.setdefault(place, line)
            if is_entry and depth == len(parts):
                self._last_entry[place] = self._last_entry.get(place, -1) + 1
            if place in self._last_entry:
                place = (*place, self._last_entry[place])
        self.lines[place] = line
        return place

    def _scan_pair(self, place: KeyPath) -> None:
        line = self._line_number()
        for part in self._scan_key():
            place = (*place, part)
            self.lines.setdefault(place, line)
        self._scan_value(place)

    def _scan_key(self) -> list[str]:
        """Read a dotted key, and the gap around it."""
        parts = []
        while True:
            self._skip_gap()
            quoted = self._match(_STRING)
            parts.append(str(tomllib.loads(f"key = {quoted}")["key"]) if quoted else self._match(_BARE_KEY))
            self._skip_gap()
            if not self._accept("."):
                return parts

    def _scan_value(self, place: KeyPath) -> None:
        if self._accept("["):
            index = 0
            while self._skip_gap() and not self._accept("]"):
                self.lines[(*place, index)] = self._line_number()
                self._scan_value((*place, index))
                index += 1
        elif self._accept("{"):
            while self._skip_gap() and not self._accept("}"):
                self._scan_pair(place)
        elif not self._match(_STRING):
            self._match(_SCALAR)

    def _skip_gap(self) -> bool:
        """Go past blanks, line ends, comments, commas and equals signs; tell whether there is text left."""
        self._match(_GAP)
        return self.position < len(self.text)

    def _match(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.position)
        self.position = found.end() if found else self.position
        return found[0] if found else ""

    def _accept(self, mark: str) -> bool:
        found = self.text.startswith(mark, self.position)
        self.position += len(mark) if found else 0
        return found

    def _line_number(self) -> int:
        return bisect_right(self._starts, self.position)
