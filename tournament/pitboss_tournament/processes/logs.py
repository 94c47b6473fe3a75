"""Logs of a seat in one game: the conversation and standard error. Bounded: the head and the tail are kept."""

from __future__ import annotations

import zlib
from collections import deque
from typing import Final

from msgspec import Struct

WIRE_BYTES: Final = 131_072  # kept of the head, and as much of the tail
STDERR_BYTES: Final = 32_768
EXCHANGE_LINES: Final = 6  # of the wire's end, for an incident
LINE_SHOWN: Final = 400  # bytes of each of them
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

    def to_bytes(self) -> bytes:
        """Return all that was kept."""
        gap = [b"\n[%d bytes are left out here]\n" % self._between] if self._between else []
        return b"".join([*self._head, *gap, *self._tail])

    def tail(self, size: int) -> bytes:
        """Return the last `size` bytes."""
        kept = b"".join(self._tail)
        return (kept if len(kept) >= size or self._between else b"".join(self._head) + kept)[-size:]


class WireLog:
    """The lines of one game, each with its time in seconds."""

    def __init__(self, began: float) -> None:
        self._began = began
        self._lines = HeadTailBuffer(WIRE_BYTES)
        self._last: deque[tuple[str, bytes]] = deque(maxlen=EXCHANGE_LINES)
        self._partial = b""  # received, of a line that has not ended
        self._received_at = began

    def log_sent(self, line: bytes, now: float) -> None:
        """Log a line of the runner."""
        self._flush_partial()
        self._last.append((">", line))
        self._lines.append(b"%.6f > %b" % (now - self._began, line))

    def log_received(self, part: bytes, now: float) -> None:
        """Log output of the bot: mostly one line, which may come in pieces."""
        self._partial += part
        self._received_at = now
        if part.endswith(b"\n"):
            self._flush_partial()

    def last_lines(self) -> list[str]:
        """Return the last lines, cut, each behind > or <."""
        self._flush_partial()
        return [f"{who} {_line_text(line)}" for who, line in self._last]

    def to_bytes(self) -> bytes:
        """Return all that was kept."""
        self._flush_partial()
        return self._lines.to_bytes()

    def _flush_partial(self) -> None:
        if self._partial:
            self._last.append(("<", self._partial))
            for line in self._partial.splitlines():
                self._lines.append(b"%.6f < %b\n" % (self._received_at - self._began, line))
            self._partial = b""


def _line_text(line: bytes) -> str:
    text = line[:LINE_SHOWN].decode("utf-8", "backslashreplace").rstrip("\n")
    return f"{text}… ({len(line)} bytes)" if len(line) > LINE_SHOWN else text


def compress_text(text: bytes) -> bytes:
    """Return a text as it is stored."""
    return zlib.compress(text, COMPRESSION) if text else b""


def decompress_text(stored: bytes) -> bytes:
    """Return a stored text as it was."""
    return zlib.decompress(stored) if stored else b""
