"""A bot in Python, with the standard library only. It plays any game of Pitboss, at random.

The function to change is `choose`, below: it gets a question and returns the index of one of its legal actions.
What actions and views look like: `pitboss games GAME`, and GAME.md, if `pitboss new bot` was told a game.

    pitboss check .                       whether the bot keeps the rules of the wire, and what to do if not
    pitboss match GAME . house:random     let it play

Standard output is the wire. Print for yourself to standard error: print(…, file=sys.stderr); `pitboss log` shows it.
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any


class Table:
    """The process's `hello`, the game's `start`, and random numbers from the game's seed."""

    def __init__(self) -> None:
        self.hello: dict[str, Any] = {}  # game, options, seats, clock
        self.start: dict[str, Any] = {}  # players, seed
        self.luck = random.Random()


def choose(question: dict[str, Any], table: Table) -> int | dict[str, Any]:
    """Answer a question with an index into `question["legal"]`. Write your own bot here.

    `question` has seat (yours, from 0, clockwise), phase (what is to be decided), legal (all actions that you may
    choose from), view (all that you may know now) and clock (the time left). For example, the first action
    that plays, else the first of all:

        legal = question["legal"]
        return next((at for at, action in enumerate(legal) if action["do"] == "play"), 0)

    A bot that draws may state the probabilities that it drew with (docs: stated policies):

        return {"choose": at, "policy": [[0, 0.25], [1, 0.75]]}
    """
    return table.luck.randrange(len(question["legal"]))


# ---- the wire: one JSON object a line; types and fields that are not known here are ignored


def main() -> None:
    """Talk to the runner until it says bye or closes the pipe."""
    table = Table()
    for line in sys.stdin.buffer:
        if not line.endswith(b"\n"):
            break  # half a line: the runner has gone
        message = json.loads(line)
        if message["type"] == "hello":
            table.hello = message
            say({"type": "ready", "policy": True} if message.get("policy") else {"type": "ready"})
        elif message["type"] == "start":
            table.start = message
            table.luck.seed(message["seed"])
        elif message["type"] == "decide":
            say({"type": "act", "id": message["id"], **answer(choose(message, table), table)})
        elif message["type"] == "bye":
            break


def answer(choice: int | dict[str, Any], table: Table) -> dict[str, Any]:
    """Return what `act` says of a choice: a policy only to a runner that takes policies."""
    if isinstance(choice, int):
        return {"choose": choice}
    return choice if table.hello.get("policy") else {"choose": choice["choose"]}


def say(message: dict[str, Any]) -> None:
    """Send a line at once: without the flush it would wait in a buffer, and the clock would run out."""
    print(json.dumps(message), flush=True)


if __name__ == "__main__":
    main()
