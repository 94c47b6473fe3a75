"""Plays the first legal action, but with bad manners: `rude.py MANNER`. For the runner's tests."""

import fcntl
import json
import os
import signal
import sys
import termios
import time
from pathlib import Path
from typing import Final

MANNER: Final = sys.argv[1]
LAST_QUESTION: Final = 20  # of a game of ten turns, each of which is a draw and a swap


def say(line: str) -> None:
    """Write a line at once."""
    os.write(1, f"{line}\n".encode())


def act(number: int) -> None:
    """Answer a question, or one that has not been asked."""
    say(json.dumps({"type": "act", "id": number, "choose": 0}))


def stuff_ears() -> None:
    """Fill the pipe that the runner writes to."""
    ear = os.open("/proc/self/fd/0", os.O_WRONLY | os.O_NONBLOCK)
    try:
        while True:
            os.write(ear, b"x" * 512)
    except BlockingIOError:
        return


def kill_guardian() -> None:
    """Kill the runner's other child that is none of the bots."""
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == os.getppid() and "guardian.py" in (entry / "cmdline").read_text():
                os.kill(int(entry.name), signal.SIGKILL)
        except OSError:
            continue


def daemon_with_open_pipes() -> None:
    """Leave a grandchild in a session of its own, which holds the pipes open."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(60)
        os._exit(0)


def foresee(number: int) -> None:
    """Answer what has not been asked, as soon as the last answer has been read; then tell the test, in a FIFO."""
    unread = bytearray(4)
    while fcntl.ioctl(1, termios.FIONREAD, unread) or int.from_bytes(unread, sys.byteorder):
        time.sleep(0.001)
    act(number)
    Path("foreseen").write_text("!")


def answer(number: int) -> None:
    """Answer in the bot's manner."""
    match MANNER, number:
        case "close_stdin", 2:
            os.close(0)
            act(number)
            time.sleep(60)
        case "close_stdout", 2:
            os.close(1)
            time.sleep(60)
        case "stop_itself", 2:
            os.kill(os.getpid(), signal.SIGSTOP)
        case "kill_runner", 2:
            os.kill(os.getppid(), signal.SIGKILL)
            time.sleep(60)
        case "kill_guardian", 2:
            kill_guardian()
        case "nonsense_and_leave", 1:
            say("nonsense")
            os._exit(0)
        case "drip", 2:
            daemon_with_open_pipes()
            while True:
                os.write(1, b" ")
                time.sleep(0.001)
        case "stuff_ears", n if n == LAST_QUESTION:
            stuff_ears()
            act(number)
            time.sleep(60)
        case "leave_late", 1 if games > 1:
            os._exit(0)
        case "crash_late", 1 if games > 1:
            os._exit(3)
    act(number)
    if MANNER == "foresee" and number == 1:
        foresee(2)


games = 0
for text in iter(sys.stdin.buffer.readline, b""):
    message = json.loads(text)
    match message["type"]:
        case "hello":
            say('{"type":"ready"}')
        case "start":
            games += 1
        case "decide":
            if MANNER != "foresee" or message["id"] != 2:
                answer(message["id"])
        case "end":
            if MANNER == "leave_at_end":
                os._exit(0)
        case "bye":
            break
