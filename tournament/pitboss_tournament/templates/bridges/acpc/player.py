"""A client of the ACPC's dealer that always calls, in limit games for two players: put your own in its place.

python player.py GAME_FILE HOST PORT
"""

from __future__ import annotations

import socket
import sys
from pathlib import Path

from game_file import GameFile, read_game_file


def is_on_turn(state: str, game: GameFile) -> bool:
    """Tell whether the player of a state has to act."""
    _, position, _, betting, _ = state.split(":")
    rounds = betting.split("/")
    actions = rounds[-1]
    is_over = actions.endswith("f") or (actions.endswith("c") and len(actions) > 1)  # else a slash would follow
    return not is_over and int(position) == (game.first_players[len(rounds) - 1] + len(actions)) % game.players


def main() -> None:
    """Play until the dealer is gone."""
    game = read_game_file(Path(sys.argv[1]))
    with socket.create_connection((sys.argv[2], int(sys.argv[3]))) as connection:
        wire = connection.makefile("rw", encoding="ascii", newline="\r\n")
        wire.write("VERSION:2.0.0\r\n")
        wire.flush()
        for line in wire:
            if is_on_turn(line.strip(), game):
                wire.write(f"{line.strip()}:c\r\n")
                wire.flush()


if __name__ == "__main__":
    main()
