"""A bot that needs only Python's standard library; in Rack-O each card has a home slot.

The function to change is `choose`. Below it stands all that the wire needs: read a line, answer a line, flush. In a
game that it does not know, the bot plays the first legal action. Whatever you print for yourself must go to standard
error.
"""

from __future__ import annotations

import json
import sys
from itertools import pairwise
from typing import Any, TypeAlias

Message: TypeAlias = dict[str, Any]


def choose(question: Message, hello: Message) -> int:
    """Answer one question with an index into `question["legal"]`. Write your own bot here."""
    legal: list[Message] = question["legal"]
    if hello["game"] != "racko":
        return 0
    return legal.index(racko_action(question["phase"], question["view"], hello["options"]["deck_size"]))


def racko_action(phase: str, view: Message, deck_size: int) -> Message:
    """Bring the card at hand home, unless somebody who belongs there is in already."""
    if phase == "declare":
        return {"do": "declare"}
    card = view["drawn"] if phase == "place" else view["discard"][-1]
    at = useful_slot(card, view["rack"], deck_size)
    if at is None:
        return {"do": "discard" if phase == "place" else "draw"}
    return {"do": "swap" if phase == "place" else "take", "slot": 5 * (at + 1)}


def useful_slot(card: int, rack: list[int], deck_size: int) -> int | None:
    """Return the index of the slot where the card completes the rack, or else comes home; None if it is of no use."""
    for at in range(len(rack)):
        if all(low < high for low, high in pairwise([*rack[:at], card, *rack[at + 1 :]])):
            return at
    at = home(card, deck_size)
    return at if home(rack[at], deck_size) != at else None


def home(card: int, deck_size: int) -> int:
    """Return the index of a card's home slot: with 40 cards 1..4 belong into the first, 5..8 into the second."""
    return (card - 1) * 10 // deck_size


def answer(message: Message, hello: Message) -> Message | None:
    """Return what is to be said to a message of the runner; None: nothing.

    Types and fields that are not known here are ignored.
    """
    match message["type"]:
        case "hello":
            hello.update(message)
            return {"type": "ready", "name": "homes", "version": "1"}
        case "decide":
            return {"type": "act", "id": message["id"], "choose": choose(message, hello)}
        case "bye":
            sys.exit()
    return None


def main() -> None:
    """Talk to the runner until it says bye or closes the pipe."""
    hello: Message = {}
    for line in sys.stdin.buffer:
        said = answer(json.loads(line), hello)
        if said is not None:
            # without the flush the line would wait in a buffer, and the clock would run out
            print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main()
