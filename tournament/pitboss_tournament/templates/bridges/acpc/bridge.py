"""A bridge: a client of the ACPC's dealer plays at Pitboss's tables, over TCP on the machine `localhost`.

    python bridge.py GAME_FILE PROGRAM ARGUMENT...     host and port are added to the arguments

The client hears of each action of a hand and of its end, as from the dealer, but not of the end of the last hand of a
game. It has one connection for as long as this process lives; hands are numbered through.
"""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from game_file import GameFile, UnknownGame, read_game_file
from pitboss_bot import Choice, Hello, Question, run
from poker_hands import list_ended_hands, require_table
from translation import find_choice, list_states

HOST = "127.0.0.1"


class Client:
    """A player's program, and what it has been told."""

    def __init__(self, game: GameFile, command: Sequence[str]) -> None:
        self.game, self.command = game, command
        self.asked: Question | None = None  # the last question
        self.hand_count = 0  # of the hands before that of the last question
        self.wire: Any = None

    def start(self, hello: Hello) -> None:
        """Start the program and wait for its connection; end with a sentence if it cannot play this game."""
        require_table(hello, self.game.players, {**self.game.options, "stacks": "reset"}, "the game file")
        with socket.create_server((HOST, 0)) as server:
            server.settimeout(hello.clock.start_ms / 1000)
            subprocess.Popen([*self.command, HOST, str(server.getsockname()[1])])
            self.wire = server.accept()[0].makefile("rw", encoding="ascii", newline="\r\n")
        greeting = self.wire.readline().strip()
        if not greeting.startswith("VERSION:2"):
            sys.exit(
                f"the player's first line is {greeting!r}; it should be its version of the protocol, VERSION:2.0.0"
            )

    def choose(self, question: Question) -> Choice:
        """Tell the program what has happened since it acted, and return what it answers."""
        if self.asked is not None and find_hand(self.asked) != find_hand(question):
            self.finish(self.asked, question)
            self.hand_count += 1
        self.asked = question
        states = self.tell(question.view, question.seat)
        answer = self.wire.readline().strip()
        if not answer.startswith(f"{states[-1]}:"):
            sys.exit(f"the player answered {answer!r} to {states[-1]!r}; an answer repeats the state, a colon after it")
        return find_choice(answer.rpartition(":")[2], question.view, question.seat, question.legal)

    def finish(self, asked: Question, question: Question) -> None:
        """Tell the program how the hand of an earlier question has ended, if that is known."""
        if asked.start.game_id == question.start.game_id:
            ended = next(list_ended_hands(asked.view, question.events), None)
            if ended is not None:
                self.tell(ended, asked.seat)

    def tell(self, view: Any, seat: int) -> list[str]:
        """Tell the program what has happened since it acted; return the states."""
        states = list_states(view, seat, self.hand_count, self.game)
        self.wire.write("".join(f"{state}\r\n" for state in states))
        self.wire.flush()
        return states


def find_hand(question: Question) -> tuple[int, int]:
    """Return the number of a question's game, and that of its hand in it."""
    return question.start.game_id, question.view["hand"]


try:
    client = Client(read_game_file(Path(sys.argv[1])), sys.argv[2:])
except UnknownGame as error:
    sys.exit(str(error))
run(client.choose, on_hello=client.start, want="both")
