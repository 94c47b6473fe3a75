"""A bridge: a bot of MIT's Pokerbots plays Hold'em for two at Pitboss's tables, over TCP on the machine `localhost`.

    python bridge.py FOLDER SMALL_BLIND BIG_BLIND STACK

FOLDER is the bot's, with its `commands.json`; the numbers are those of its skeleton. A game is a match: the bot is
started for each, and hears of all hands but of the end of the last one. A `python3` in `commands.json` is the Python
of this bridge.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pitboss_bot import Choice, End, Hello, Question, Start, run
from poker_hands import list_ended_hands, require_table
from translation import begin_hand, end_hand, list_actions, read_answer

HOST = "127.0.0.1"


class Match:
    """A bot's program, and what it has been told of a match."""

    def __init__(self, folder: Path, options: dict[str, Any]) -> None:
        self.folder, self.options = folder, options
        self.start_s = 0.0  # the longest that the program may take to connect
        self.program: subprocess.Popen[bytes] | None = None
        self.wire: Any = None
        self.asked: Question | None = None  # the last question
        self.told = 0  # clauses of the actions of its hand

    def prepare(self, hello: Hello) -> None:
        """Start the program for the first match; end with a sentence if the table is another one."""
        require_table(hello, 2, self.options, f"the bot in {self.folder}")
        self.start_s = hello.clock.start_ms / 1000
        self.begin()

    def begin(self) -> None:
        """Start the program, and wait for its connection."""
        words = json.loads((self.folder / "commands.json").read_text(encoding="utf-8"))["run"]
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
        with socket.create_server((HOST, 0)) as server:
            server.settimeout(self.start_s)
            self.program = subprocess.Popen(
                [*words, str(server.getsockname()[1])],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                env={**os.environ, "PATH": path},
            )
            self.wire = server.accept()[0].makefile("rw", encoding="ascii", newline="\n")
        self.asked, self.told = None, 0

    def start_game(self, hello: Hello, start: Start) -> None:
        """Begin a match, if the program of the last one has been let go."""
        if self.program is None:
            self.begin()

    def choose(self, question: Question) -> Choice:
        """Send the program the clauses since its last answer; return the choice that its next answer means."""
        self.finish_hands(question)
        is_new = self.asked is None or self.asked.view["hand"] != question.view["hand"]
        actions = list_actions(question.view)
        clauses = [
            *(begin_hand(question.view, question.seat) if is_new else ()),
            *actions[0 if is_new else self.told :],
        ]
        self.asked, self.told = question, len(actions)
        return read_answer(self.tell(question, clauses), question.legal)

    def finish_hands(self, question: Question) -> None:
        """Tell the program of the hands that have ended since its last answer."""
        asked, seat = self.asked, question.seat
        if asked is not None and asked.view["hand"] == question.view["hand"]:
            return
        for hand in list_ended_hands(None if asked is None else asked.view, question.events):
            is_known = asked is not None and hand["hand"] == asked.view["hand"]
            head = () if is_known else begin_hand(hand, seat)
            actions = list_actions(hand)[self.told if is_known else 0 :]
            self.tell(question, [*head, *actions, *end_hand(hand, seat)])  # the program acknowledges it

    def tell(self, question: Question, clauses: Iterable[str]) -> str:
        """Send clauses to the program, with the time left in seconds; return the line that it answers."""
        left = question.decision_ms if question.game_ms is None else question.game_ms
        self.wire.write(" ".join((f"T{left / 1000:.3f}", *clauses)) + "\n")
        self.wire.flush()
        answer = self.wire.readline()
        if not answer:
            sys.exit("the bot has closed its connection")
        return str(answer.strip())

    def end_game(self, end: End) -> None:
        """Tell the program that the match is over, and let it go."""
        if self.program is not None:
            self.wire.write("Q\n")
            self.wire.close()
            self.program.wait()
            self.program = None


small_blind, big_blind, stack = map(int, sys.argv[2:])
match = Match(
    Path(sys.argv[1]).resolve(),
    {
        "cards": "holdem",
        "betting": "no-limit",
        "small_blind": small_blind,
        "big_blind": big_blind,
        "ante": 0,
        "stack": stack,
        "stacks": "reset",
    },
)
run(match.choose, on_hello=match.prepare, on_start=match.start_game, on_end=match.end_game, want="both")
