"""What the commands print: tables and paragraphs, or JSON for programs.

In a terminal a table is wrapped to its width and its header is bold; in a pipe each row is one line of plain text.
Colour is for verdicts only.
"""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from time import monotonic
from typing import TYPE_CHECKING, Final

import msgspec
import typer

from pitboss.text import escape_json
from pitboss_tournament.text.columns import TableLine, fold_lines, format_table
from pitboss_tournament.text.terminal_text import escape_line

if TYPE_CHECKING:
    from pitboss.records.record import Record
    from pitboss.testing.framework.check import CheckResult

WIDEST_TEXT: Final = 100
PIPED_WIDTH: Final = 80
SECONDS_BETWEEN_LINES: Final = 5.0  # of progress, where standard error is no terminal
_CHECK_MARKS: Final = {
    "passed": ("ok", "green"),
    "note": ("note", "yellow"),
    "failed": ("FAILED", "red"),
    "skipped": ("skip", "cyan"),
    "not applicable": ("n/a", "cyan"),
}


def print_json(value: object) -> None:
    """Print a value as indented JSON."""
    print_data_lines([escape_json(msgspec.json.format(msgspec.json.encode(value)).decode())])


def print_compact_json(value: object) -> None:
    """Print a value as one line of JSON."""
    print_data_lines([escape_json(msgspec.json.encode(value).decode())])


def print_data_lines(lines: Iterable[str]) -> None:
    """Print lines that programs read: in UTF-8, as in a file, but in a terminal in its encoding."""
    if sys.stdout.isatty():
        sys.stdout.writelines(f"{line}\n" for line in lines)
        return
    sys.stdout.flush()
    sys.stdout.buffer.writelines(f"{line}\n".encode() for line in lines)


def print_table(header: Sequence[str], rows: Sequence[Sequence[str]], right: Collection[str] = ()) -> None:
    """Print a table; the columns named in `right` are set to the right, as numbers are."""
    if sys.stdout.isatty():
        _print_rich(header, rows, right)
        return
    for line in format_table(header, rows, right):
        typer.echo(line.text)


def print_table_lines(lines: Iterable[TableLine]) -> None:
    """Print the lines of a table that has been fitted to the terminal: unchanged, its heading bold in a terminal."""
    if not sys.stdout.isatty():
        for line in lines:
            typer.echo(line.text)
        return
    from rich.console import Console  # noqa: PLC0415 - a pipe needs no screen
    from rich.text import Text  # noqa: PLC0415 - a pipe needs no screen

    console = Console(highlight=False)
    for line in lines:
        console.print(Text(line.text, style="bold" if line.is_heading else ""), soft_wrap=True)


def print_lines(lines: Iterable[str]) -> None:
    """Print lines of text, folded where the terminal is narrower."""
    for text, _ in fold_lines(lines, terminal_width()):
        typer.echo(text)


def terminal_width() -> int | None:
    """Return the columns of the terminal on standard output; None for a pipe or a file."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def print_game_heading(game_id: int, record: Record) -> None:
    """Print which recorded game follows."""
    typer.echo(escape_line(f"Game {game_id}: {record.game}, seed {record.seed!r}"))


def print_note(text: str) -> None:
    """Print a line for the person on standard error."""
    typer.echo(escape_line(f"pitboss: {text}"), err=True)


@contextmanager
def progress_line(total: int) -> Iterator[Callable[[str], None]]:
    """Yield a function to call after each of `total` steps: "3 of 8" and its text are one line of standard error,
    which is cleared at the end; where that is no terminal, in a line now and then.
    """
    steps = count(1)
    latest = monotonic()

    def show_step(text: str) -> None:
        nonlocal latest
        said = f"{next(steps)} of {total}{text}"
        if sys.stderr.isatty():
            _rewrite_line(said)
        elif monotonic() - latest >= SECONDS_BETWEEN_LINES:
            typer.echo(said, err=True)
            latest = monotonic()

    try:
        yield show_step
    finally:
        _rewrite_line("")


def _rewrite_line(text: str) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()


def print_paragraph(text: str, indent: int = 0, hanging: int = 0) -> None:
    """Print a wrapped text unless it is empty; lines after the first are indented by `hanging` more."""
    if text:
        typer.echo(_wrap(text, " " * indent, " " * (indent + hanging)))


def print_item(mark: str, text: str, colour: str | None = None) -> None:
    """Print a mark and a text: in a terminal wrapped beside the coloured mark, in a pipe as one line."""
    if sys.stdout.isatty():
        wrapped = _wrap(text, f"{mark}  ", " " * (len(mark) + 2))
        shown = typer.style(mark, fg=colour, bold=True) if colour and not os.environ.get("NO_COLOR") else mark
        typer.echo(shown + wrapped.removeprefix(mark))
    else:
        typer.echo(f"{mark}  {text}")


def print_check(result: CheckResult, remark: str = "") -> None:
    """Print the outcome, name and promise of a check of a game or of a bot."""
    mark, colour = _CHECK_MARKS["note" if result.is_note else result.outcome]
    print_item(f"{mark:6}", f"{result.name}: {result.promise}{remark}", colour)


def _wrap(text: str, first: str, later: str) -> str:
    wide = min(shutil.get_terminal_size((PIPED_WIDTH, 24)).columns, WIDEST_TEXT) if sys.stdout.isatty() else PIPED_WIDTH
    return textwrap.fill(
        text,
        max(wide, len(later) + 20),
        initial_indent=first,
        subsequent_indent=later,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _print_rich(header: Sequence[str], rows: Sequence[Sequence[str]], right: Collection[str]) -> None:
    from rich.console import Console  # noqa: PLC0415 - a pipe needs no screen
    from rich.table import Table  # noqa: PLC0415 - slow to import
    from rich.text import Text  # noqa: PLC0415 - slow to import

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for name in header:
        table.add_column(name, justify="right" if name in right else "left", overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    Console(highlight=False).print(table)
