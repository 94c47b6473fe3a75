"""Columns: tables of text that fit a width: names to the left, cut if they must be, numbers to the right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Generic, NamedTuple, TypeVar

from pitboss_tournament.text.terminal import escape_line

GAP: Final = "  "
SHORTEST_NAME: Final = 10

R = TypeVar("R")


class TableLine(NamedTuple):
    """A line of a table."""

    text: str
    is_heading: bool = False


class Column(NamedTuple, Generic[R]):
    """A column, and what it says of a row."""

    heading: str
    cell: Callable[[R], str]


def fit_table(
    rows: Sequence[R], names: Sequence[Column[R]], choices: Sequence[Sequence[Column[R]]], width: int | None
) -> list[TableLine]:
    """Return the table with the first choice of columns that fits, or the last one with the names cut."""
    for columns in choices:
        lines = format_table(rows, names, columns)
        if is_within_width(lines, width):
            return lines
    longest = max(len(escape_line(name.cell(row))) for row in rows for name in names)
    while not is_within_width(lines, width) and longest > SHORTEST_NAME:
        longest -= 1
        lines = format_table(rows, names, columns, longest)
    return lines


def is_within_width(lines: Sequence[TableLine], width: int | None) -> bool:
    """Tell whether a table fits; None: any does."""
    return width is None or table_width(lines) <= width


def table_width(lines: Sequence[TableLine]) -> int:
    """Return how wide a table is."""
    return max(len(line.text) for line in lines)


def format_table(
    rows: Sequence[R], names: Sequence[Column[R]], numbers: Sequence[Column[R]], longest_name: int | None = None
) -> list[TableLine]:
    """Return a heading and a line for each row, columns two blanks apart."""
    heading = [column.heading for column in (*names, *numbers)]
    cells = [heading, *(_row_cells(row, names, numbers, longest_name) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [TableLine(_format_row(row, widths, len(names)), is_heading=at == 0) for at, row in enumerate(cells)]


def _row_cells(row: R, names: Sequence[Column[R]], numbers: Sequence[Column[R]], longest_name: int | None) -> list[str]:
    return [*(_shorten_name(name.cell(row), longest_name) for name in names), *(number.cell(row) for number in numbers)]


def _format_row(cells: Sequence[str], widths: Sequence[int], names: int) -> str:
    padded = (
        cell.ljust(wide) if at < names else cell.rjust(wide)
        for at, (cell, wide) in enumerate(zip(cells, widths, strict=True))
    )
    return GAP.join(padded).rstrip()


def _shorten_name(name: str, longest: int | None) -> str:
    name = escape_line(name)
    return name if longest is None or len(name) <= longest else f"{name[: longest - 1]}…"
