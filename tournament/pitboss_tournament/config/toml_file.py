"""A TOML file that a person wrote: its values, and errors that name the file, the line and the key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeVar

from pitboss.errors import ConfigError
from pitboss.foreign_input import InputRefused, read_toml
from pitboss.text import suggest_nearest
from pitboss_tournament.config.toml_lines import find_key_lines
from pitboss_tournament.text.validation import InvalidValue, KeyPath, convert_checked

T = TypeVar("T")
EXCERPT_WIDTH: Final = 72
LARGEST_FILE: Final = 1 << 20  # bytes


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
        """Put a value in place of the file's; errors of it name these words."""
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
