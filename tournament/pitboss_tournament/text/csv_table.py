"""Tables as CSV: lines that spreadsheets read, and rows of structs, spread over columns."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, get_args

from msgspec import Struct
from msgspec.structs import fields

FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")  # of a text that a spreadsheet would compute


def format_csv(values: Sequence[object]) -> str:
    """Return a line of CSV without its end."""
    line = io.StringIO()
    csv.writer(line, lineterminator="\r\n").writerow(map(_guard_cell, values))  # a text with either is quoted then
    return line.getvalue().removesuffix("\r\n")


def struct_lines(kind: type[Struct], rows: Iterable[Struct]) -> Iterator[str]:
    """Yield a header, then a line for each row.

    A struct in a field is spread over columns of its own, `points_mean` and `points_half_width`, empty where there is
    none; of a dict of counts there is the sum.
    """
    yield format_csv(_list_keys(kind))
    for row in rows:
        yield format_csv(_list_cells(kind, row))


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


def _guard_cell(value: object) -> object:
    """Return a text that a spreadsheet would take for a formula behind an apostrophe, any other value unchanged."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA_STARTS) else value
