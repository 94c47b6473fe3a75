"""Looks for a way out by UDP (without sending anything), for somebody on the machine's own network, and notes what it
found.
"""

import socket
import sys

from polite import answer, questions


def reached(kind: socket.SocketKind, where: tuple[str, int]) -> bool:
    """Tell whether there is a way to a place."""
    try:
        with socket.socket(socket.AF_INET, kind) as line:
            line.settimeout(0.2)
            line.connect(where)
    except OSError:
        return False
    return True


outside = reached(socket.SOCK_DGRAM, ("192.0.2.1", 9))
inside = reached(socket.SOCK_STREAM, ("127.0.0.1", int(sys.argv[1])))
note = " ".join(what for what, is_open in (("outside", outside), ("inside", inside)) if is_open) or "refused"
for number in questions():
    answer(number, note)
