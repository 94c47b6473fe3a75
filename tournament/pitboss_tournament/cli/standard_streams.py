"""Standard input, output and error that may be closed, at once (`2>&-`) or later (`| head`), without a trace."""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING, TextIO, cast

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


def open_standard_streams() -> None:
    """Make a closed stream an empty one, and let output whose reader has gone vanish: a command's status is its own."""
    sys.stdin = sys.stdin or _open_null("r")  # in this order each gets its own number, which may be inherited
    sys.stdout = _outlive_reader(sys.stdout) if sys.stdout else _open_null("w")
    sys.stderr = _outlive_reader(sys.stderr) if sys.stderr else _open_null("w")


def _open_null(mode: str) -> TextIO:
    return cast(TextIO, open(os.devnull, mode))  # noqa: PTH123


def _outlive_reader(stream: TextIO) -> TextIO:
    """Return a stream like this one that drops what is written after its reader has gone."""
    if not isinstance(stream, io.TextIOWrapper):
        return stream
    stream.flush()
    buffer = io.BufferedWriter(_PipeEnd(stream.fileno(), "w", closefd=False))
    return io.TextIOWrapper(
        buffer,
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )


class _PipeEnd(io.FileIO):
    def write(self, data: ReadableBuffer, /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())
            return super().write(data)
