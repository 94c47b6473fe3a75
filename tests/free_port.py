"""Ports of this machine for servers that tests start."""

from __future__ import annotations

import socket


def find_free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return int(asked.getsockname()[1])
