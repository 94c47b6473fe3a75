"""The roster of a class: students and their teams from a file as Canvas, Moodle and spreadsheets write it."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from pitboss.errors import ConfigError
from pitboss_tournament.plan.names import NAME_RULE, BotName, clean_name
from pitboss_tournament.text.validation import InvalidValue, convert_checked

LARGEST_ROSTER: Final = 10 << 20  # bytes
DELIMITERS: Final = (",", ";", "\t")
WHOLE_NAMES: Final = ("owner", "name", "student", "student name", "full name", "display name")  # headings
FIRST_NAMES: Final = ("first name", "firstname", "first", "given name", "given names", "forename")
LAST_NAMES: Final = ("last name", "lastname", "last", "surname", "family name")
TEAMS: Final = ("team", "team name")
IDS: Final = (  # headings of what tells students of one name apart, the shortest first
    *("id", "id number", "sis user id", "sis login id", "login", "username", "email address", "email"),
)
NO_STUDENTS: Final = ("points possible", "student, test", "test student")  # lines of Canvas


class RosterLine(NamedTuple):
    """A line of a roster."""

    cells: list[str]
    name: str  # of the student; "": this line is none of a student
    team: str = ""  # whose bots are theirs together; "": the student is alone

    @property
    def owner(self) -> str:
        """Who submits the bots of this student."""
        return self.team or self.name


class ClassRoster(NamedTuple):
    """A class: all lines of a file, as they were written."""

    headings: list[str]  # empty if the file has none
    lines: list[RosterLine]
    delimiter: str
    told_apart: Sequence[str] = ()  # students whose name has an ID behind it, because another one is called so, too

    @property
    def students(self) -> list[RosterLine]:
        """The lines of students."""
        return [line for line in self.lines if line.name]

    @property
    def owners(self) -> list[str]:
        """Who submits, each once."""
        return [*dict.fromkeys(line.owner for line in self.students)]

    @property
    def teams(self) -> dict[str, list[str]]:
        """The students of each team."""
        found: dict[str, list[str]] = {}
        for line in self.students:
            if line.team:
                found.setdefault(line.team, []).append(line.name)
        return found


def read_class(path: Path) -> ClassRoster:
    """Return the class that a file lists, a student a line.

    With a line of headings the names are those under `Name`, `Student` or `owner`, or under `First name` and
    `Last name`, and the teams under `Team`. Without headings names are in the first column. Columns are separated by
    commas, semicolons or tabs. "Lovelace, Ada" is Ada Lovelace. Students of one name are distinguished by their IDs or
    logins, if the file has them: Min Kim (41). The text is UTF-8, UTF-16 or Windows-1252.

    Raises:
        ConfigError: the file cannot be read, has no name, or one twice, or a name that no owner can have.
    """
    rows, delimiter = _split_rows(path)
    columns = _find_columns(rows[0][1]) if rows else None
    headings = rows[0][1] if columns is not None else []
    team_at = next((at for at, one in enumerate(headings) if one.strip().casefold() in TEAMS), None)
    lines, found = list[RosterLine](), dict[str, int]()
    named = [_NamedRow(line, row, _read_name(path, line, row, columns)) for line, row in rows[columns is not None :]]
    apart = _tell_apart(headings, named)
    for line, row, called in named:
        if not called:
            lines.append(RosterLine(row, ""))
            continue
        name = apart.get(line, called)
        if name in found:
            cure = "; keep one line" + (", or give each an ID of their own, in a column ID" if headings else "")
            raise ConfigError(f"{path}: {name!r} occurs twice, in lines {found[name]} and {line}{cure}")
        found[name] = line
        team = row[team_at].strip() if team_at is not None and team_at < len(row) else ""
        lines.append(RosterLine(row, name, check_owner(team, f"{path}: line {line}: ") if team else ""))
    if not found:
        raise ConfigError(f"{path}: there is no owner in it; it has one a line")
    for one in lines:
        if one.team in found and not any(other.name == other.team == one.team for other in lines):
            raise ConfigError(f"{path}: the team {one.team!r} is called like a student; call the team otherwise")
    return ClassRoster(headings, lines, delimiter, [*apart.values()])


class _NamedRow(NamedTuple):
    line: int
    cells: list[str]
    name: str  # of the student; "": the row is none of a student


def _read_name(path: Path, line: int, row: Sequence[str], columns: Sequence[int] | None) -> str:
    words = " ".join(_turn_round(row[at].strip()) for at in columns or (0,) if at < len(row)).strip()
    if not words or any(row[at].strip().casefold() in NO_STUDENTS for at in columns or () if at < len(row)):
        return ""
    return check_owner(words, f"{path}: line {line}: ")


def _tell_apart(headings: Sequence[str], rows: Sequence[_NamedRow]) -> dict[int, str]:
    """Return by line another name for students of one name, with what the first fitting column of IDs has of each."""
    folded = [heading.strip().casefold() for heading in headings]
    same: dict[str, list[_NamedRow]] = {}
    for row in rows:
        if row.name:
            same.setdefault(row.name, []).append(row)
    found: dict[int, str] = {}
    for name, namesakes in same.items():
        for at in (folded.index(known) for known in IDS if known in folded) if len(namesakes) > 1 else ():
            ids = [row.cells[at].strip().partition("@")[0] if at < len(row.cells) else "" for row in namesakes]
            names = [f"{name} ({one})" for one in ids]
            if all(ids) and len(set(ids)) == len(ids) and all(_is_owner_name(one) for one in names):
                found.update((row.line, one) for row, one in zip(namesakes, names, strict=True))
                break
    return found


def read_roster(path: Path) -> list[str]:
    """Return the owners that a file lists, as `read_class` reads it: students, and in their place their teams.

    Raises:
        ConfigError: as `read_class`.
    """
    return read_class(path).owners


def check_owner(name: str, where: str = "") -> str:
    """Return the name of an owner without what readers cannot see.

    Raises:
        ConfigError: no owner can be called so.
    """
    try:
        return convert_checked(clean_name(name), BotName)
    except InvalidValue:
        raise ConfigError(f"{where}{name!r} is no name of an owner; it must be {NAME_RULE}") from None


def _is_owner_name(name: str) -> bool:
    try:
        return check_owner(name) == name
    except ConfigError:
        return False


def _split_rows(path: Path) -> tuple[list[tuple[int, list[str]]], str]:
    """Return the rows of a file that are not empty, with the numbers of their lines, and what separates columns."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_ROSTER + 1)
    except FileNotFoundError:
        raise ConfigError(f"there is no file {str(path)!r}") from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror or error}") from None
    if len(data) > LARGEST_ROSTER:
        raise ConfigError(f"{path}: has more than {LARGEST_ROSTER:,} bytes")
    lines = _decode(data).splitlines(keepends=True)
    first = next((line for line in lines if line.strip()), "")
    delimiter = max(DELIMITERS, key=first.count)
    rows = csv.reader(lines, delimiter=delimiter)
    try:
        return [(rows.line_num, row) for row in rows if any(cell.strip() for cell in row)], delimiter
    except csv.Error as error:
        raise ConfigError(f"{path}: line {rows.line_num}: cannot be read as CSV: {error}") from None


def _decode(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def _find_columns(row: Sequence[str]) -> tuple[int, ...] | None:
    """Return the columns that make a name, in their order; None if this is no line of headings."""
    headings = [cell.strip().casefold() for cell in row]
    first, last, whole = (
        next((at for at, heading in enumerate(headings) if heading in known), None)
        for known in (FIRST_NAMES, LAST_NAMES, WHOLE_NAMES)
    )
    if first is not None and last is not None:
        return (first, last)
    return None if whole is None else (whole,)


def _turn_round(words: str) -> str:
    """Return "Ada Lovelace" of "Lovelace, Ada"."""
    last, comma, first = words.partition(",")
    return f"{first.strip()} {last.strip()}" if comma else words
