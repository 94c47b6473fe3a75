"""Tables as text: in columns, as many as fit a width, and as CSV, whose lines spreadsheets read."""

from __future__ import annotations

import csv
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, Final, Generic, NamedTuple, TypeVar, get_args

from msgspec import Struct
from msgspec.structs import fields

from pitboss_tournament.text.terminal_text import count_cells, escape_line, pad_cells, truncate_cells, wrap_text

COLUMN_GAP: Final = "  "
SHORTEST_NAME: Final = 10

R = TypeVar("R")

FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")  # of a text that a spreadsheet would compute
CSV_LINE_END: Final = "\r\n"  # a text with either is quoted then


class TableLine(NamedTuple):
    """A line of a table."""

    text: str
    is_heading: bool = False


class TextColumn(NamedTuple, Generic[R]):
    """A column: its heading, and the text of its cell in a row."""

    heading: str
    cell: Callable[[R], str]


def format_table(header: Sequence[str], rows: Sequence[Sequence[str]], right: Collection[str] = ()) -> list[TableLine]:
    """Return a heading and a line for each row; the columns named in `right` are set to the right."""
    widths = [max(map(count_cells, column)) for column in zip(header, *rows, strict=True)]
    lines = (
        COLUMN_GAP.join(
            pad_cells(cell, width, is_right=name in right)
            for name, cell, width in zip(header, row, widths, strict=True)
        ).rstrip()
        for row in (header, *rows)
    )
    return [TableLine(line, is_heading=number == 0) for number, line in enumerate(lines)]


def fit_table(
    rows: Sequence[R], names: Sequence[TextColumn[R]], choices: Sequence[Sequence[TextColumn[R]]], width: int | None
) -> list[TableLine]:
    """Return the table with the first choice of columns that fits `width`.

    If none does, it is the last choice with shortened names.
    """
    if (fitting := find_fitting_table(rows, names, choices, width)) is not None:
        return fitting
    longest = max(count_cells(escape_line(name.cell(row))) for row in rows for name in names)
    lines = _format_columns(rows, names, choices[-1], longest)
    while not _fits(lines, width) and longest > SHORTEST_NAME:
        longest -= 1
        lines = _format_columns(rows, names, choices[-1], longest)
    return lines


def find_fitting_table(
    rows: Sequence[R], names: Sequence[TextColumn[R]], choices: Sequence[Sequence[TextColumn[R]]], width: int | None
) -> list[TableLine] | None:
    """Return the table with the first choice of columns that fits `width` (None: any width), if one does."""
    tables = (_format_columns(rows, names, columns) for columns in choices)
    return next((table for table in tables if _fits(table, width)), None)


def _fits(lines: Sequence[TableLine], width: int | None) -> bool:
    return width is None or max(count_cells(line.text) for line in lines) <= width


def _format_columns(
    rows: Sequence[R], names: Sequence[TextColumn[R]], numbers: Sequence[TextColumn[R]], longest_name: int | None = None
) -> list[TableLine]:
    cells = [
        [*(_shorten_name(name.cell(row), longest_name) for name in names), *(number.cell(row) for number in numbers)]
        for row in rows
    ]
    right = [number.heading for number in numbers]
    return format_table([*(name.heading for name in names), *right], cells, right)


def _shorten_name(name: str, longest: int | None) -> str:
    name = escape_line(name)
    return name if longest is None else truncate_cells(name, longest)


def fold_lines(lines: Iterable[str], width: int | None) -> Iterator[TableLine]:
    """Yield lines of text, escaped and wrapped."""
    for line in lines:
        yield from (TableLine(part) for part in wrap_text(line.replace("\n", " "), width))


def format_csv(values: Sequence[object]) -> str:
    """Return a line of CSV without its end."""
    return next(format_csv_lines([values]))


def format_csv_lines(rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """Yield a line of CSV for each row, without its end."""
    return format_guarded_lines(
        [guard_cell(value) if isinstance(value, str) else value for value in row] for row in rows
    )


def format_guarded_lines(rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """Yield a line of CSV for each row, whose texts are guarded (`guard_cell`), without its end."""
    write_row = csv.writer(_LineReturner(), lineterminator=CSV_LINE_END).writerow  # one for all: it takes long to make
    for row in rows:
        line: str = write_row(row)
        yield line.removesuffix(CSV_LINE_END)


class _LineReturner:
    """A file for `csv.writer` whose `writerow` returns what its file's `write` does: the line."""

    def write(self, line: str) -> str:
        """Return the line."""
        return line


def struct_rows(kind: type[Struct], rows: Iterable[Struct]) -> Iterator[dict[str, object]]:
    """Yield each row by its keys, those of the columns that `struct_lines` writes; None where there is no value."""
    keys = _list_keys(kind)
    for row in rows:
        yield dict(zip(keys, _list_cells(kind, row), strict=True))


def struct_lines(kind: type[Struct], rows: Iterable[Struct]) -> Iterator[str]:
    """Yield a header, then a line for each row.

    A struct in a field is spread over columns of its own, `points_mean` and `points_half_width`, empty where there is
    none; of a dict of counts there is the sum.
    """
    yield from format_csv_lines(chain([_list_keys(kind)], (_list_cells(kind, row) for row in rows)))


def _list_keys(kind: type[Struct]) -> list[str]:
    keys = []
    for field in fields(kind):
        inner = _find_struct(field.type)
        keys += [field.name] if inner is None else [f"{field.name}_{key}" for key in _list_keys(inner)]
    return keys


def _list_cells(kind: type[Struct], row: Struct | None) -> list[object]:
    cells: list[object] = []
    for field in fields(kind):
        value = getattr(row, field.name, None)
        inner = _find_struct(field.type)
        if inner is not None:
            cells += _list_cells(inner, value)
        else:
            cells.append(sum(value.values()) if isinstance(value, dict) else value)
    return cells


def _find_struct(kind: Any) -> type[Struct] | None:  # noqa: ANN401 - any annotation
    """Return the struct in an annotation such as `Annotated[Estimate | None, …]`; None if there is none."""
    if isinstance(kind, type) and issubclass(kind, Struct):
        return kind
    return next((found for part in get_args(kind) if (found := _find_struct(part)) is not None), None)


def guard_cell(text: str) -> str:
    """Return a text that a spreadsheet would take for a formula behind an apostrophe, any other unchanged."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text
