"""Tables of plain text: columns two blanks apart, numbers to the right, and as many columns as fit a width."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Final, Generic, NamedTuple, TypeVar

from pitboss_tournament.text.terminal_text import count_cells, escape_line, pad_cells, truncate_cells, wrap_text

COLUMN_GAP: Final = "  "
SHORTEST_NAME: Final = 10

R = TypeVar("R")


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
