"""Standard input, output and error that no command fails at.

They may be closed, at once (`2>&-`) or later (`| head`). Output may have an encoding without some of the characters:
a sign of ours is then written in plain characters ("1-2" for "1–2"), any other character by its number.
"""

from __future__ import annotations

import codecs
import io
import os
import sys
from encodings import ascii as ascii_codec
from typing import TYPE_CHECKING, Final, TextIO, cast

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

PLAIN_SIGNS: Final = {
    "…": "...",
    "±": "+-",
    "–": "-",
    "−": "-",
    "─": "-",
    "·": ".",
    "≥": ">=",
    "≤": "<=",
    "→": "->",
    "×": "x",
    "µ": "u",
}
_IN_PLAIN_SIGNS: Final = "pitboss-plain"  # an error handler for encoding
_PLAIN_ASCII: Final = "plain_ascii"  # ASCII by a name under which typer does not take it for a mistake and write UTF-8


def open_standard_streams() -> None:
    """Make a closed stream an empty one, let output whose reader has gone vanish, and escape what the encoding of the
    output lacks: a command's status is its own.
    """
    codecs.register_error(_IN_PLAIN_SIGNS, _replace_by_plain_signs)
    codecs.register(_find_plain_ascii)
    sys.stdin = sys.stdin or _open_null("r")  # in this order each gets its own number, which may be inherited
    sys.stdout = _make_failsafe(sys.stdout) if sys.stdout else _open_null("w")
    sys.stderr = _make_failsafe(sys.stderr) if sys.stderr else _open_null("w")


def _open_null(mode: str) -> TextIO:
    return cast(TextIO, open(os.devnull, mode))  # noqa: PTH123


def _make_failsafe(stream: TextIO) -> TextIO:
    """Return a stream like this one that drops what is written after its reader has gone, and encodes any text."""
    if not isinstance(stream, io.TextIOWrapper):
        return stream
    stream.flush()
    buffer = io.BufferedWriter(_PipeEnd(stream.fileno(), "w", closefd=False))
    return io.TextIOWrapper(
        buffer,
        encoding=_PLAIN_ASCII if codecs.lookup(stream.encoding).name == "ascii" else stream.encoding,
        errors=_IN_PLAIN_SIGNS,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )


def _find_plain_ascii(name: str) -> codecs.CodecInfo | None:
    if name != _PLAIN_ASCII:
        return None
    return codecs.CodecInfo(
        codecs.ascii_encode,
        codecs.ascii_decode,
        incrementalencoder=ascii_codec.IncrementalEncoder,
        incrementaldecoder=ascii_codec.IncrementalDecoder,
        name=_PLAIN_ASCII,
    )


def _replace_by_plain_signs(error: UnicodeError) -> tuple[str, int]:
    """Return what is written in place of characters that an encoding lacks, and where encoding goes on."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacked = error.object[error.start : error.end]
    plain = (PLAIN_SIGNS.get(sign) or sign.encode("ascii", "backslashreplace").decode() for sign in lacked)
    return "".join(plain), error.end


class _PipeEnd(io.FileIO):
    def write(self, data: ReadableBuffer, /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())
            return super().write(data)
