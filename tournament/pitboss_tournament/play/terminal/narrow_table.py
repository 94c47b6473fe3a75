"""Rendering for narrow terminals: shorten names, close gaps, split tables into parts, fold other lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from pitboss.game import AnyState, render_state
from pitboss.text import truncate_text

COMFORTABLE_WIDTH: Final = 60  # columns that a game's own rendering may take
SHORT_NAME: Final = 8
FOLD_INDENT: Final = 4  # columns


def render_for_terminal(state: AnyState, seat: int, names: Sequence[str], width: int) -> list[str]:
    """Return the game's rendering for a seat, fitted to `width`."""
    if width >= COMFORTABLE_WIDTH:
        return render_state(state, seat, names, width)
    short = [truncate_text(name, SHORT_NAME) for name in names]
    return list(narrow_lines(render_state(state, seat, short, width), width))


def narrow_lines(lines: Sequence[str], width: int) -> Iterator[str]:
    """Yield lines of at most `width`: rows of a table keep their columns, other lines are folded."""
    for is_wide, run in groupby(lines, lambda line: len(line) > width):
        block = list(run)
        yield from _fit_block(block, width) if is_wide else block


def _fit_block(lines: Sequence[str], width: int) -> Iterator[str]:
    """Fit adjacent lines that are all too wide; some of them may be a table."""
    begin = 0
    while begin < len(lines):
        end = next((end for end in range(len(lines), begin + 1, -1) if _is_table(lines[begin:end])), begin)
        if end > begin:
            yield from _split_table(_drop_empty_columns(lines[begin:end]), width)
        else:
            yield from _fold_line(lines[begin], width)
        begin = max(end, begin + 1)


def _is_table(lines: Sequence[str]) -> bool:
    """Whether the lines are a heading row and named rows whose columns align."""
    empty = _find_empty_columns(lines)
    head = _head_width(lines, empty)
    gaps = (gap for line in lines for gap in re.finditer(r"(?<=[^ ]) +(?=[^ ])", line) if gap.start() >= head)
    return (
        not lines[0][:head].strip()
        and all(line[:head].strip() for line in lines[1:])
        and all(any(empty[gap.start() : gap.end()]) for gap in gaps)
    )


def _fold_line(line: str, width: int) -> Iterator[str]:
    """Yield a line in pieces of whole words; later pieces are indented to its last column, if that leaves room."""
    columns = [gap.end() for gap in re.finditer(r"(?<=[^ ])  +(?=[^ ])", line)]
    indent = columns[-1] if columns and columns[-1] <= width // 2 else FOLD_INDENT
    first = len(line) - len(line.lstrip())
    piece = line[:first] if first <= width // 2 else " " * FOLD_INDENT
    for gap, word in re.findall(r"( *)([^ ]+)", line[first:]):
        if piece.strip() and len(piece) + len(gap) + len(word) > width:
            yield piece
            piece, gap = " " * indent, ""
        piece += gap + word
    yield piece


def _drop_empty_columns(lines: Sequence[str]) -> list[str]:
    """Return the lines with each gap that they share closed to one blank."""
    empty = _find_empty_columns(lines)
    begin = empty.index(False)
    kept = [column for column in range(len(empty)) if column < begin or not (empty[column] and empty[column - 1])]
    return ["".join(line.ljust(len(empty))[column] for column in kept).rstrip() for line in lines]


def _split_table(lines: Sequence[str], width: int) -> Iterator[str]:
    """Yield a table that is too wide in parts, one below the other, each with the row names before it."""
    empty = _find_empty_columns(lines)
    head = _head_width(lines, empty)
    cuts = [*(column for column in range(head, len(empty)) if empty[column]), len(empty)]
    if len(empty) <= width or len(lines) == 1 or head > width // 2:
        yield from lines
        return
    begin = head
    while begin < len(empty):
        end = max((column for column in cuts if begin < column <= begin + width - head), default=len(empty))
        yield from (f"{line[:head].ljust(head)}{line[begin:end]}".rstrip() for line in lines)
        begin = end


def _head_width(lines: Sequence[str], empty: Sequence[bool]) -> int:
    """Return the width of the column of row names."""
    indent = max(len(line) - len(line.lstrip()) for line in lines)
    return max((column for column in range(indent) if empty[column]), default=0)


def _find_empty_columns(lines: Sequence[str]) -> list[bool]:
    """Return for each column whether it is empty in all lines."""
    longest = max(map(len, lines))
    return [all(line[column : column + 1] in ("", " ") for line in lines) for column in range(longest)]
