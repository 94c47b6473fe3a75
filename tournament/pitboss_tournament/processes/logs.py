"""Logs: what a bot and the runner said to each other in one game, and what the bot wrote to standard error. Bounded: the head and the tail are kept."""

from __future__ import annotations

import zlib
from collections import deque
from typing import Final

from msgspec import Struct

WIRE_BYTES: Final = 131_072  # kept of the head, and as much of the tail
ERROR_BYTES: Final = 32_768
EXCHANGE_LINES: Final = 6  # of the wire's end, for an incident
LINE_SHOWN: Final = 400  # bytes of each of them
LAST_WORDS: Final = 4_096  # bytes of the end of standard error, for an incident
COMPRESSION: Final = 3


class Log(Struct, frozen=True, array_like=True):
    """What is kept of one seat's game: compressed text, empty if there was nothing."""

    seat: int
    errors: bytes
    wire: bytes


class HeadAndTail:
    """Pieces of bytes: the first ones up to a size, and the last ones up to that size; how much lay between is counted."""

    __slots__ = ("_between", "_head", "_head_room", "_size", "_tail", "_tail_size")

    def __init__(self, size: int) -> None:
        self._size = self._head_room = size
        self._head: list[bytes] = []
        self._tail: deque[bytes] = deque()
        self._tail_size = 0
        self._between = 0

    def add(self, piece: bytes) -> None:
        """Take one more piece. One that is longer than the size is itself cut to its head and tail."""
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

    def text(self) -> bytes:
        """Return all that was kept."""
        gap = [b"\n[%d bytes are left out here]\n" % self._between] if self._between else []
        return b"".join([*self._head, *gap, *self._tail])

    def end(self, size: int) -> bytes:
        """Return the last bytes that came."""
        kept = b"".join(self._tail)
        return (kept if len(kept) >= size or self._between else b"".join(self._head) + kept)[-size:]


class WireLog:
    """The lines of one game, with the second at which each was said."""

    __slots__ = ("_began", "_heard_at", "_last", "_lines", "_part")

    def __init__(self, began: float) -> None:
        self._began = began
        self._lines = HeadAndTail(WIRE_BYTES)
        self._last: deque[tuple[str, bytes]] = deque(maxlen=EXCHANGE_LINES)
        self._part = b""  # heard, of a line that has not ended
        self._heard_at = began

    def said(self, line: bytes, now: float) -> None:
        """Note what the runner said."""
        self._finish_part()
        self._last.append((">", line))
        self._lines.add(b"%.6f > %b" % (now - self._began, line))

    def heard(self, part: bytes, now: float) -> None:
        """Note what the bot said: mostly one line, which may come in pieces."""
        self._part += part
        self._heard_at = now
        if part.endswith(b"\n"):
            self._finish_part()

    def exchange(self) -> list[str]:
        """Return the last lines, each with who said it, cut."""
        self._finish_part()
        return [f"{who} {_shown(line)}" for who, line in self._last]

    def text(self) -> bytes:
        """Return all that was kept."""
        self._finish_part()
        return self._lines.text()

    def _finish_part(self) -> None:
        if self._part:
            self._last.append(("<", self._part))
            for line in self._part.splitlines():
                self._lines.add(b"%.6f < %b\n" % (self._heard_at - self._began, line))
            self._part = b""


def _shown(line: bytes) -> str:
    text = line[:LINE_SHOWN].decode("utf-8", "backslashreplace").rstrip("\n")
    return f"{text}… ({len(line)} bytes)" if len(line) > LINE_SHOWN else text


def packed(text: bytes) -> bytes:
    """Return a text as it is stored."""
    return zlib.compress(text, COMPRESSION) if text else b""


def unpacked(stored: bytes) -> bytes:
    """Return a stored text as it was."""
    return zlib.decompress(stored) if stored else b""
