"""A WebSocket as bytes: what no browser would do can be done with it."""

from __future__ import annotations

import json
import os
import socket
import struct
from typing import Any, Final

TIMEOUT_S: Final = 600  # only a server that hangs takes so long
TEXT, CLOSE = 1, 8


class RawWebSocket:
    """A connection to a path of a server on this machine."""

    def __init__(self, port: int, path: str, origin: str | None = None) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), TIMEOUT_S)
        origin_line = "" if origin == "" else f"Origin: {origin or f'http://127.0.0.1:{port}'}\r\n"
        self._socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{origin_line}\r\n".encode()
        )
        self._file = self._socket.makefile("rb")
        self.status = int(self._file.readline().split()[1])
        while self._file.readline().strip():
            pass

    def send(self, text: str) -> None:
        """Send a text."""
        data, mask = text.encode(), os.urandom(4)
        size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack(">H", len(data))
        masked = bytes(byte ^ mask[at % 4] for at, byte in enumerate(data))
        self._socket.sendall(bytes([0x80 | TEXT]) + size + mask + masked)

    def read(self) -> Any:  # noqa: ANN401 - any JSON
        """Return the next message, or the code with which the server closes; None: it has ended the connection."""
        try:
            head = self._file.read(2)
        except ConnectionResetError:
            return None
        if len(head) < 2:
            return None
        size = head[1] & 0x7F
        if size > 125:
            kind, count = (">H", 2) if size == 126 else (">Q", 8)
            size = struct.unpack(kind, self._file.read(count))[0]
        data = self._file.read(size)
        return struct.unpack(">H", data[:2])[0] if head[0] & 15 == CLOSE else json.loads(data)

    def read_until_closed(self) -> int | None:
        """Return the code with which the server closes."""
        while not isinstance(said := self.read(), int | None):
            pass
        return said

    def close(self) -> None:
        """Close the connection without a word."""
        self._file.close()
        self._socket.close()


def try_socket(port: int, path: str, origin: str | None = None) -> int:
    """Return the status with which the server answers somebody who wants a WebSocket."""
    opened = RawWebSocket(port, path, origin)
    opened.close()
    return opened.status
