"""A bot of the house at the table: `python -m pitboss_house_bots random`, `first`, or `search` with its options.

The first two use the standard library alone, not the SDK: a bot that starts in 25 ms and not in 75 is worth the few
lines, as a tournament starts thousands of them. `search` is in `search_bot`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from random import Random
from typing import Any, Final, TypeAlias

Chooser: TypeAlias = Callable[[int, Random], int]


def choose_first(count: int, rng: Random) -> int:
    """Choose the first of so many actions."""
    return 0


def choose_random(count: int, rng: Random) -> int:
    """Choose one of so many actions, all equally likely.

    Python promises the same numbers on every version for `random()` alone, so it is not `randrange`.
    """
    return int(rng.random() * count)


BOTS: Final[dict[str, Chooser]] = {"first": choose_first, "random": choose_random}


def play(choose: Chooser) -> None:
    """Talk to the runner until it says bye or closes the pipe."""
    rng = Random("")
    for line in sys.stdin.buffer:
        message: dict[str, Any] = json.loads(line)
        match message["type"]:
            case "hello":
                send({"type": "ready"})
            case "start":
                rng = Random(message["seed"])
            case "decide":
                send({"type": "act", "id": message["id"], "choose": choose(len(message["legal"]), rng)})
            case "bye":
                return


def send(message: dict[str, Any]) -> None:
    """Write a line to the runner."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def main(arguments: list[str]) -> str | None:
    """Play as the bot that is named; return what is wrong with the name."""
    if arguments[:1] == ["search"]:
        from pitboss_house_bots import search_bot

        return search_bot.main(arguments[1:])
    if len(arguments) != 1 or arguments[0] not in BOTS:
        return f"the house has no bot {' '.join(arguments)!r}; it has {', '.join((*BOTS, 'search'))}"
    play(BOTS[arguments[0]])
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
