"""A bot of MIT's Pokerbots without a skeleton, which checks and calls: put your own folder in the place of this one.

python player.py PORT
"""

from __future__ import annotations

import socket
import sys


def main() -> None:
    """Play until the engine says Q."""
    button, street, pips = 0, 0, [1, 2]
    with socket.create_connection(("localhost", int(sys.argv[1]))) as connection:
        wire = connection.makefile("rw", encoding="ascii", newline="\n")
        for line in wire:
            is_over = False
            for clause in line.split():
                kind, rest = clause[0], clause[1:]
                if kind == "Q":
                    return
                if kind == "H":
                    button, street, pips = 0, 0, [1, 2]
                elif kind == "B":
                    button, street, pips = 1, street + 1, [0, 0]
                elif kind == "R":
                    pips[button % 2] = int(rest)
                    button += 1
                elif kind in "CK":
                    pips[button % 2] = max(pips)
                    button += 1
                is_over = is_over or kind == "D"
            wire.write("K\n" if is_over or pips[0] == pips[1] else "C\n")
            wire.flush()


if __name__ == "__main__":
    main()
