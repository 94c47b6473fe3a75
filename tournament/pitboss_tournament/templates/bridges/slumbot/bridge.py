"""A bridge: a client of Slumbot's API plays no-limit Hold'em for two at Pitboss's tables, by HTTP on `localhost`.

    python bridge.py PROGRAM ARGUMENT...     the address is added, as http://127.0.0.1:40123, in place of slumbot.com

The client asks for a hand (`POST /api/new_hand`), and acts in it (`POST /api/act`). It hears of all hands; of the last
one of a game it hears what it has won, but not how the hand has ended. A client that has played its hands and ended
with status 0 is started again.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Empty, Queue
from typing import Any

from pitboss_bot import Choice, End, Hello, NoChoice, Question, run
from poker_hands import Hand, list_ended_hands, require_table
from translation import describe_hand, read_answer

HOST = "127.0.0.1"
TOKEN = "pitboss"
LOOK_S = 0.2  # until it is looked whether the client still runs
OPTIONS = {
    "cards": "holdem",
    "betting": "no-limit",
    "small_blind": 50,
    "big_blind": 100,
    "ante": 0,
    "stack": 20_000,
    "stacks": "reset",
}


class Session:
    """The process of a client, its request that waits for an answer, and the hand that it plays."""

    def __init__(self, command: Sequence[str]) -> None:
        self.command = command
        self.requests: Queue[dict[str, Any]] = Queue()  # each answered before the client sends another
        self.replies: Queue[dict[str, Any]] = Queue()
        self.program: subprocess.Popen[bytes] | None = None
        self.address = ""
        self.request: dict[str, Any] | None = None  # that waits for its answer
        self.asked: Question | None = None  # the last question of a hand that has not ended
        self.action = ""  # of its hand, as the client was told last
        self.hands, self.total = 0, 0  # that have ended, and what was won in them

    def start(self, hello: Hello) -> None:
        """Serve the API, and start the client; end with a sentence if the table is another one than Slumbot's."""
        require_table(hello, 2, OPTIONS, "Slumbot's table")
        server = ThreadingHTTPServer((HOST, 0), make_handler(self))
        self.address = f"http://{HOST}:{server.server_port}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.program = self.start_program()
        self.receive("/api/new_hand")

    def start_program(self) -> subprocess.Popen[bytes]:
        """Start the client with the address of the API."""
        return subprocess.Popen([*self.command, self.address], stdin=subprocess.DEVNULL)

    def receive(self, path: str) -> dict[str, Any]:
        """Return the request of the client that waits for its answer; it has to be of this path."""
        while self.request is None or self.request["path"] != path:
            if self.request is not None:
                wrong, self.request = self.request["path"], None
                self.replies.put({"error_msg": f"{path} comes next, not {wrong}"})
            try:
                self.request = self.requests.get(timeout=LOOK_S)
            except Empty:
                self.look_after()
        return self.request

    def look_after(self) -> None:
        """Start the client again if it has played its hands; end the program if it has failed."""
        status = None if self.program is None else self.program.poll()
        if status:
            sys.exit(f"the client has ended with status {status}")
        if status == 0:
            self.program = self.start_program()

    def tell(self, hand: Hand, seat: int) -> None:
        """Answer the request that waits."""
        told = describe_hand(hand, seat)
        told |= {"token": TOKEN, "old_action": self.action}
        self.action = told["action"]
        if "winnings" in told:
            self.hands, self.total = self.hands + 1, self.total + told["winnings"]
            told |= {"session_num_hands": self.hands, "session_total": self.total}
            self.action, self.asked = "", None
        self.request = None
        self.replies.put(told)

    def choose(self, question: Question) -> Choice:
        """Tell the client what has happened since it acted, and return what it answers."""
        self.finish_hands(question)
        self.receive("/api/new_hand" if self.asked is None else "/api/act")
        self.asked = question
        self.tell(question.view, question.seat)
        answer = str(self.receive("/api/act").get("incr", ""))
        try:
            return read_answer(answer, question.legal)
        except ValueError as error:
            self.request = None
            self.replies.put({"error_msg": str(error)})
            return NoChoice(str(error))

    def finish_hands(self, question: Question) -> None:
        """Tell the client of the hands that have ended since its last answer."""
        asked = self.asked
        if asked is not None and asked.view["hand"] == question.view["hand"]:
            return
        for hand in list_ended_hands(None if asked is None else asked.view, question.events):
            self.receive("/api/new_hand" if self.asked is None else "/api/act")
            self.tell(hand, question.seat)

    def end_game(self, end: End) -> None:
        """Tell the client what it has won in the hand that the game's end has cut off."""
        if self.asked is not None:
            view, seat = self.asked.view, self.asked.seat
            won = {seat: int(end.points[seat]) - view["net"][seat]}
            self.receive("/api/act")
            self.tell({**view, "shown": {}, "won": won}, seat)


def make_handler(session: Session) -> type[BaseHTTPRequestHandler]:
    """Return the handler of requests, which hands them to the session and waits for its answer."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            if self.path == "/api/login":
                self.reply({"token": TOKEN})
                return
            session.requests.put({**json.loads(body or b"{}"), "path": self.path})
            self.reply(session.replies.get())

        def reply(self, told: dict[str, Any]) -> None:
            text = json.dumps(told).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing: standard error is for the client."""

    return Handler


session = Session(sys.argv[1:])
run(session.choose, on_hello=session.start, on_end=session.end_game, want="both")
