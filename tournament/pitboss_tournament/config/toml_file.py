"""A TOML file that a person wrote: its values, and errors that name the file, the line and the key.

`tomllib` reads the values but forgets their positions. A scanner walks over a text that `tomllib` has accepted, so it
need not check it: it only finds where keys, values, strings and comments begin and end.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeVar

from pitboss.errors import ConfigError
from pitboss.foreign_input import InputRefused, read_toml
from pitboss.text import suggest_nearest
from pitboss_tournament.text.validation import InvalidValue, KeyPath, convert_checked

T = TypeVar("T")
EXCERPT_WIDTH: Final = 72
LARGEST_FILE: Final = 1 << 20  # bytes

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


class TomlFileError(ConfigError):
    """A file says something wrong; the text begins with the file and the line."""


class TomlSyntaxError(TomlFileError):
    """A file is not TOML. `excerpt` is the line where that shows, and below it a caret at the column."""

    def __init__(self, path: Path, text: str, message: str) -> None:
        """Take tomllib's message, which ends in "(at line 3, column 5)" or "(at end of document)"."""
        what, _, where = message.rpartition(" (at ")
        found = re.match(r"line (\d+), column (\d+)", where)
        lines = text.removesuffix("\n").split("\n")
        line, column = (int(found[1]), int(found[2])) if found else (len(lines), len(lines[-1]) + 1)
        place = f", column {column}" if found else ", at its end"
        super().__init__(f"{path}:{line}: not TOML{place}: {what[:1].lower()}{what[1:]}")
        self.excerpt = _point_at(lines[line - 1] if line <= len(lines) else "", column)


class TomlFile:
    """The values of a file, and the lines where they stand. `path` is shown as it was given."""

    def __init__(self, path: Path) -> None:
        """Read the file.

        Raises:
            ConfigError: it cannot be read.
            TomlFileError: it is not TOML.
        """
        self.path = path
        self._said: dict[KeyPath, str] = {}
        text = _read_text(path)
        try:
            self.values = read_toml(text)
            self.lines: dict[KeyPath, int] = find_key_lines(text)
        except tomllib.TOMLDecodeError as error:
            raise TomlSyntaxError(path, text, str(error)) from None
        except InputRefused as refused:
            if refused.offset is not None:
                raise TomlFileError(f"{path}:{_line_at(text, refused.offset)}: {refused}") from None
            self.lines = find_key_lines(text) if refused.path else {}
            raise self.error_at(refused.path, str(refused)) from None

    def change(self, place: KeyPath, value: object, words: str) -> None:
        """Put a value in place of the file's; its errors name these words."""
        table = self.values
        for step in place[:-1]:
            inner = table.setdefault(str(step), {})
            if not isinstance(inner, dict):
                raise self.error_at(place, f"{step} is no table")
            table = inner
        table[str(place[-1])] = value
        self._said[place] = words

    def error_at(self, place: KeyPath, text: str) -> TomlFileError:
        """Return an error located at `place`, or at its nearest ancestor that is in the file."""
        words = next((words for changed, words in self._said.items() if place[: len(changed)] == changed), None)
        return TomlFileError(f"{words or f'{self.path}:{self.find_line(place)}'}: {text}")

    def find_line(self, place: KeyPath) -> int:
        """Return the line of `place`, or of its nearest ancestor that is in the file."""
        while place and place not in self.lines:
            place = place[:-1]
        return self.lines.get(place, 1)

    def convert(self, wanted: type[T]) -> T:
        """Return the file's values as a struct.

        Raises:
            TomlFileError: they do not fit.
        """
        try:
            return convert_checked(self.values, wanted)
        except InvalidValue as error:
            raise self.error_at(error.key_path, str(error)) from None

    @contextmanager
    def locate_errors(self, *place: str | int) -> Iterator[None]:
        """Give every ConfigError raised inside the file and line of `place`; a TomlFileError keeps its own."""
        try:
            yield
        except TomlFileError:
            raise
        except InvalidValue as error:
            raise self.error_at((*place, *error.key_path), str(error)) from None
        except ConfigError as error:
            raise self.error_at(place, str(error)) from None


def _read_text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            read = file.read(LARGEST_FILE + 1)
        if len(read) > LARGEST_FILE:
            raise TomlFileError(f"{path}: it is larger than {LARGEST_FILE:,} bytes")
        return read.decode("utf-8-sig").replace("\r\n", "\n")  # some editors begin a file with a mark
    except FileNotFoundError:
        others = [other.name for other in path.parent.glob(f"*{path.suffix}")] if path.parent.is_dir() else []
        raise ConfigError(f"there is no file {str(path)!r}{suggest_nearest(path.name, others)}") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise TomlFileError(
            f"{path}:{line}: byte {error.object[error.start]:#04x} is not UTF-8; a TOML file is UTF-8 text"
        ) from None
    except OSError as error:
        raise ConfigError(f"{str(path)!r} cannot be read: {(error.strerror or str(error)).lower()}") from None


def _line_at(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def _point_at(line: str, column: int) -> tuple[str, str]:
    """Return the part of a line around a column, counted from 1, and a caret below that column."""
    first = max(0, column - EXCERPT_WIDTH // 2)
    before, after = line[first : column - 1].replace("\t", " "), line[column - 1 : first + EXCERPT_WIDTH]
    return f"{before}{after}".rstrip(), f"{' ' * len(before)}^"


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
