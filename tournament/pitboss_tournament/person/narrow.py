"""The picture of a table where the terminal is narrower than the picture: names are cut, gaps closed, and what is still too wide is set in parts, one below the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from pitboss.game import AnyState
from pitboss.picture import cut, picture

COMFORT: Final = 60  # columns: what a game's own picture may have
SHORT_NAME: Final = 8


def table_picture(state: AnyState, seat: int, names: Sequence[str], width: int) -> list[str]:
    """Return the picture of a table for a seat, so wide at most as far as that can be done without folding lines."""
    if width >= COMFORT:
        return picture(state, seat, names, width)
    return list(narrowed(picture(state, seat, [cut(name, SHORT_NAME) for name in names], width), width))


def narrowed(lines: Sequence[str], width: int) -> Iterator[str]:
    """Yield the lines of a picture; neighbours that are too wide keep their columns."""
    for is_wide, run in groupby(lines, lambda line: len(line) > width):
        block = list(run)
        yield from _in_parts(_squeezed(block), width) if is_wide else block


def _squeezed(lines: Sequence[str]) -> list[str]:
    """Return lines without the columns that are empty in all of them, but for one between two others."""
    empty = _empty_columns(lines)
    begin = empty.index(False)
    kept = [column for column in range(len(empty)) if column < begin or not (empty[column] and empty[column - 1])]
    return ["".join(line.ljust(len(empty))[column] for column in kept).rstrip() for line in lines]


def _in_parts(lines: Sequence[str], width: int) -> Iterator[str]:
    """Yield a table part by part, if it is one and too wide: the beginnings of its rows stand before each part."""
    empty = _empty_columns(lines)
    indent = max(len(line) - len(line.lstrip()) for line in lines)
    head = max((column for column in range(indent) if empty[column]), default=0)
    cuts = [*(column for column in range(head, len(empty)) if empty[column]), len(empty)]
    if len(empty) <= width or len(lines) == 1 or head > width // 2:
        yield from lines
        return
    begin = head
    while begin < len(empty):
        end = max((column for column in cuts if begin < column <= begin + width - head), default=len(empty))
        yield from (f"{line[:head].ljust(head)}{line[begin:end]}".rstrip() for line in lines)
        begin = end


def _empty_columns(lines: Sequence[str]) -> list[bool]:
    """Return for each column whether it is empty in all lines."""
    longest = max(map(len, lines))
    return [all(line[column : column + 1] in ("", " ") for line in lines) for column in range(longest)]
