"""Logs of a seat in one game: the conversation and standard error. Bounded: the head and the tail are kept."""

from __future__ import annotations

import zlib
from collections import deque
from typing import Final, TypeAlias

from msgspec import Struct

WIRE_BYTES: Final = 131_072  # kept of the head, and as much of the tail
STDERR_BYTES: Final = 32_768
EXCHANGE_LINES: Final = 6  # of the wire's end, for an incident
LINE_SHOWN: Final = 400  # bytes of each of them
LARGEST_TEXT: Final = 16 << 20  # of a log or a record when it is unpacked: hundreds of times what a long game has
STDERR_TAIL_BYTES: Final = 4_096  # bytes of the end of standard error, for an incident
COMPRESSION: Final = 3


class SeatLog(Struct, frozen=True, array_like=True):
    """Logs of one seat and game: compressed text, empty if there was nothing."""

    seat: int
    errors: bytes
    wire: bytes


class HeadTailBuffer:
    """Bounded byte buffer: keeps the first and the last `size` bytes and counts what it dropped."""

    def __init__(self, size: int) -> None:
        self._size = self._head_room = size
        self._head: list[bytes] = []
        self._tail: deque[bytes] = deque()
        self._tail_size = 0
        self._between = 0

    def append(self, piece: bytes) -> None:
        """Append a piece; one longer than `size` is itself cut to its head and tail."""
        length = len(piece)
        if length <= self._head_room:
            self._head_room -= length
            self._head.append(piece)
            return
        if self._head_room:
            self._head.append(piece[: self._head_room])
            piece = piece[self._head_room :]
            self._head_room = 0
        if len(piece) > self._size:
            self._between += len(piece) - self._size
            piece = piece[-self._size :]
        self._tail.append(piece)
        self._tail_size += len(piece)
        while self._tail_size > self._size:
            gone = len(self._tail.popleft())
            self._tail_size -= gone
            self._between += gone

    def skip(self, size: int) -> None:
        """Count bytes as dropped that come next; by now `size` bytes or more fill the head, and will fill the tail."""
        self._between += size

    def to_bytes(self) -> bytes:
        """Return all that was kept."""
        gap = [b"\n[%d bytes are left out here]\n" % self._between] if self._between else []
        return b"".join([*self._head, *gap, *self._tail])

    def tail(self, size: int) -> bytes:
        """Return the last `size` bytes."""
        kept = b"".join(self._tail)
        return (kept if len(kept) >= size or self._between else b"".join(self._head) + kept)[-size:]


_Exchanged: TypeAlias = tuple[float, str, bytes]  # time, > or <, what was said


class WireLog:
    """The lines of one game, each with its time in seconds. They are formatted when somebody wants to read them."""

    def __init__(self, began: float, size: int = WIRE_BYTES) -> None:
        """Keep `size` bytes of the head, and as much of the tail."""
        self._began = began
        self._size = self._head_room = size
        self._head: list[_Exchanged] = []
        self._tail: deque[_Exchanged] = deque()
        self._tail_bytes = 0
        self._dropped_bytes = 0  # of formatted lines between head and tail
        self._partial = b""  # received, of a line that has not ended
        self._received_at = began

    def log_sent(self, line: bytes, now: float) -> None:
        """Log a line of the runner."""
        if self._partial:
            self._flush_partial()
        self._add((now, ">", line))

    def log_received(self, part: bytes, now: float) -> None:
        """Log output of the bot: mostly one line, which may come in pieces."""
        if self._partial or not part.endswith(b"\n"):
            self._partial += part
            self._received_at = now
            if part.endswith(b"\n"):
                self._flush_partial()
        else:
            self._add((now, "<", part))

    def last_lines(self) -> list[str]:
        """Return the last lines, cut, each behind > or <."""
        self._flush_partial()
        last = [*self._head[-EXCHANGE_LINES:], *self._tail][-EXCHANGE_LINES:]
        return [f"{who} {_line_text(line)}" for _, who, line in last]

    def to_bytes(self) -> bytes:
        """Return all that was kept."""
        self._flush_partial()
        kept = HeadTailBuffer(self._size)
        for exchanged in self._head:
            for line in self._format_lines(exchanged):
                kept.append(line)
        kept.skip(self._dropped_bytes)
        for exchanged in self._tail:
            for line in self._format_lines(exchanged):
                kept.append(line)
        return kept.to_bytes()

    def _add(self, exchanged: _Exchanged) -> None:
        """Keep what was said if the head has room; else in the tail, of which all that is not needed is dropped."""
        length = len(exchanged[2])
        if self._head_room > 0:
            self._head_room -= length
            self._head.append(exchanged)
            return
        self._tail.append(exchanged)
        self._tail_bytes += length
        while self._tail_bytes - len(self._tail[0][2]) >= self._size and len(self._tail) > EXCHANGE_LINES:
            dropped = self._tail.popleft()
            self._tail_bytes -= len(dropped[2])
            self._dropped_bytes += sum(map(len, self._format_lines(dropped)))

    def _format_lines(self, exchanged: _Exchanged) -> list[bytes]:
        """Return the log's lines of what was said at once; no line of a bot can be taken for another's."""
        at, who, said = exchanged
        lines = [said.removesuffix(b"\n")] if who == ">" else said.splitlines()
        return [b"%.6f %b %b\n" % (at - self._began, who.encode(), line) for line in lines]

    def _flush_partial(self) -> None:
        if self._partial:
            self._add((self._received_at, "<", self._partial))
            self._partial = b""


def _line_text(line: bytes) -> str:
    text = line[:LINE_SHOWN].decode("utf-8", "backslashreplace").rstrip("\n")
    return f"{text}… ({len(line)} bytes)" if len(line) > LINE_SHOWN else text


def compress_text(text: bytes) -> bytes:
    """Return a text as it is stored."""
    return zlib.compress(text, COMPRESSION) if text else b""


def decompress_text(stored: bytes) -> bytes:
    """Return a stored text as it was.

    Raises:
        zlib.error: it is damaged, or too large.
    """
    return inflate(stored) if stored else b""


def inflate(stored: bytes, wbits: int = zlib.MAX_WBITS, dictionary: bytes = b"") -> bytes:
    """Return what was compressed, at most LARGEST_TEXT.

    Raises:
        zlib.error: it is damaged, or too large.
    """
    unpacking = zlib.decompressobj(wbits, zdict=dictionary)
    text = unpacking.decompress(stored, LARGEST_TEXT + 1)
    if len(text) > LARGEST_TEXT:
        raise zlib.error(f"it unpacks to more than {LARGEST_TEXT >> 20} MiB, which no game does")
    if not unpacking.eof or unpacking.unused_data:
        raise zlib.error("incomplete or surplus data")
    return text
