"""A small game as a program, for tests: `python coin_program.py WAY`. It tells no more than it must, or goes wrong.

A coin is tossed in secret; seat 0 sees it and says heads or tails; seat 1 believes it or not.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from itertools import count
from pathlib import Path
from typing import Any, Final

from pitboss.foreign_input import read_json

WAY: Final = sys.argv[1]
HELLO: Final = {
    "name": "coin-program",
    "title": "A coin",
    "version": "1",
    "seats": [2],
    "options": {
        "stake": {"default": 1, "about": "The stake.", "least": 1, "most": 9},
        "wild": {"default": False, "about": "Whether it is refused."},
    },
    "decisions": 2,
    "least": -9,
    "most": 9,
    "total": 0,
}
states: Final[dict[int, list[int]]] = {}
stakes: Final[dict[int, int]] = {}


def tell(steps: list[int]) -> dict[str, Any]:
    """Return who decides; Pitboss has to ask for all else."""
    if not steps:
        return {"chance": [[0, 1], [1, 1]]}
    return {"over": True} if len(steps) == 3 else {"turns": [len(steps) - 1]}


def answer(asked: dict[str, Any]) -> dict[str, Any]:
    """Answer one question."""
    match asked:
        case {"do": "hello", "options": {"wild": True}}:
            return {"error": "nothing wild is played"}
        case {"do": "hello"}:
            if WAY == "numbers":
                return {**HELLO, "moves": int(sys.argv[2]), "observation": read_json(sys.argv[3], list[int])}
            return HELLO
        case {"do": "deal", "state": state, "options": options}:
            states[state], stakes[state] = [], options["stake"]
            return tell([])
        case {"do": "play", "state": state, "to": to, "numbers": numbers}:
            states[to], stakes[to] = [*states[state], *numbers], stakes[state]
            return tell(states[to])
        case {"do": "state", "state": state, "seat": seat} if WAY == "numbers":
            steps = [step + 1 for step in states[state]]
            seen = steps[:1] if seat == 0 or len(steps) == 3 else [0]
            return {"data": [*(seen or [0]), *steps[1:], *[0] * (3 - max(1, len(steps)))]}
        case {"do": "state", "state": state, "seat": seat}:
            steps = states[state]
            return {"data": [steps[:1] if seat == 0 or len(steps) == 3 else [], steps[1:], bool(steps)]}
        case {"do": "state", "state": state}:
            return {"text": f"{states[state]}" if WAY != "counts" else f"{len(states)} states"}
        case {"do": "legal", "seat": seat}:
            return {"moves": [[0, "tails"], [1, "heads"]] if seat == 0 else [[0, "no"], [1, "yes"]]}
        case {"do": "outcome", "state": state}:
            coin, said, believed = states[state]
            won = stakes[state] * (1 if (coin == said) == bool(believed) else -1)
            return {"points": [-won, won]}
        case {"do": "drop", "states": dropped}:
            for state in dropped:
                del states[state], stakes[state]
            return {}
    raise AssertionError(asked)


def go_wrong(asked: dict[str, Any]) -> str:
    """Return another answer to a step, or do something else that is wrong."""
    match WAY:
        case "dies":
            sys.exit("the deck has burnt")
        case "crashes":
            os.kill(os.getpid(), signal.SIGSEGV)
        case "hangs":
            time.sleep(3600)
        case "floods":
            for _ in count():
                sys.stdout.write("x" * 4096)
        case "chatters":
            for _ in count():
                print("{}")
        case "adds-a-line":
            return json.dumps(answer(asked)) + '\n{"turns":[0]}'
        case "interrupts":
            os.kill(os.getppid(), signal.SIGUSR1)
            while not Path(sys.argv[2]).exists():
                time.sleep(0.01)
        case "shouts":
            sys.stderr.write("a warning\n" * 50_000)
            sys.stderr.flush()
        case "answers":
            return sys.argv[2]
    return json.dumps(answer(asked))


for line in sys.stdin:
    question = read_json(line, dict[str, Any])
    if question["do"] == "play" and WAY not in ("well", "counts", "numbers"):
        print(go_wrong(question), flush=True)
    else:
        print(json.dumps(answer(question)), flush=True)
