"""A TOML file that a person wrote: its values, and errors that name the file, the line and the key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from pitboss.errors import ConfigError
from pitboss.text import suggest_nearest
from pitboss_tournament.config.toml_lines import find_key_lines
from pitboss_tournament.text.validation import InvalidValue, KeyPath, convert_value

T = TypeVar("T")


class TomlFileError(ConfigError):
    """A file says something wrong; the text begins with the file and the line."""


class TomlFile:
    """The values of a file, and the lines where they stand. `path` is shown as it was given."""

    def __init__(self, path: Path) -> None:
        """Read the file.

        Raises:
            ConfigError: it cannot be read.
            FileError: it is not TOML.
        """
        self.path = path
        self.values: dict[str, object] = {}
        self.lines: dict[KeyPath, int] = {}
        text = _read_text(path)
        try:
            self.values = tomllib.loads(text)
            self.lines = find_key_lines(text)
        except tomllib.TOMLDecodeError as wrong:
            raise TomlFileError(_syntax_error_text(path, text, str(wrong))) from None
        except RecursionError:
            raise TomlFileError(f"{path}: the values are nested too deeply") from None

    def error_at(self, place: KeyPath, text: str) -> TomlFileError:
        """Return an error about what stands at a place; where that is not in the file, about what is around it."""
        while place and place not in self.lines:
            place = place[:-1]
        return TomlFileError(f"{self.path}:{self.lines.get(place, 1)}: {text}")

    def convert(self, wanted: type[T]) -> T:
        """Return the file's values as a struct.

        Raises:
            FileError: they do not fit.
        """
        try:
            return convert_value(self.values, wanted)
        except InvalidValue as wrong:
            raise self.error_at(wrong.key_path, str(wrong)) from None

    @contextmanager
    def locate_errors(self, *place: str | int) -> Iterator[None]:
        """Say of every `ConfigError` from within that it is about this place; one about another file stays as it is."""
        try:
            yield
        except TomlFileError:
            raise
        except InvalidValue as wrong:
            raise self.error_at((*place, *wrong.key_path), str(wrong)) from None
        except ConfigError as wrong:
            raise self.error_at(place, str(wrong)) from None


def _read_text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")  # some editors begin a file with a mark
    except FileNotFoundError:
        others = [other.name for other in path.parent.glob(f"*{path.suffix}")] if path.parent.is_dir() else []
        raise ConfigError(f"there is no file {str(path)!r}{suggest_nearest(path.name, others)}") from None
    except UnicodeDecodeError as wrong:
        line = wrong.object[: wrong.start].count(b"\n") + 1
        raise TomlFileError(
            f"{path}:{line}: byte {wrong.object[wrong.start]:#04x} is not UTF-8; a TOML file is UTF-8 text"
        ) from None
    except OSError as wrong:
        raise ConfigError(f"{str(path)!r} cannot be read: {(wrong.strerror or str(wrong)).lower()}") from None


def _syntax_error_text(path: Path, text: str, message: str) -> str:
    """Return tomllib's words, which end in "(at line 3, column 5)" or "(at end of document)", with the line in front."""
    what, _, where = message.rpartition(" (at ")
    found = re.match(r"line (\d+), column (\d+)", where)
    line = int(found[1]) if found else max(1, len(text.splitlines()))
    column = f", column {found[2]}" if found else ", at its end"
    return f"{path}:{line}: not TOML{column}: {what[:1].lower()}{what[1:]}"
