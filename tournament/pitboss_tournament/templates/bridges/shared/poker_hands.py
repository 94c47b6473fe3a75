"""Hands of Pitboss's poker as bridges need them: how they ended, and what a bot's answer means. It needs no package."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

Hand: TypeAlias = Mapping[str, Any]  # a view, with "shown" (cards by seat) and "won" (chips by seat) once it has ended
Entry: TypeAlias = Mapping[str, Any]

LETTERS = {"check": "k", "call": "c", "bet": "b", "raise": "r"}  # in a view's history


def write_card(face: str) -> str:
    """Return a card with its rank first, the suit small: "H10" is "Th"."""
    return face[1:].replace("10", "T") + face[0].lower()


def require_table(hello: Any, players: int, options: Mapping[str, Any], source: str) -> None:
    """End the program with a sentence if a table is not as a program expects it; `source` says so to people."""
    if hello.game != "poker" or hello.seats != players:
        sys.exit(f"{source} is for poker with {players} players")
    for name, value in options.items():
        if hello.options[name] != value:
            sys.exit(f"the table has {name} = {hello.options[name]!r}, {source} {value!r}")


def list_ended_hands(view: Hand | None, events: Sequence[Any]) -> Iterator[dict[str, Any]]:
    """Yield the hands that ended by the events since a view was shown, also those in which the seat was not asked.

    A hand that loses need not be shown. Of a hand whose beginning is neither in the view nor in the events nothing is
    told.
    """
    hand = None if view is None else {**view, "history": [*view["history"]], "board": [*view["board"]], "shown": {}}
    for event in events:
        name = event["event"]
        if name == "hand":
            hand = {**event["facts"], "cards": [], "board": [], "history": [""], "shown": {}}
        elif hand is None:
            continue
        elif name == "fold":
            hand["history"][-1] += f" {event['seat']}f"
        elif name in LETTERS:
            hand["history"][-1] += f" {event['facts']['seat']}{LETTERS[name]}{event['facts'].get('to', '')}"
        elif name == "show":
            hand["shown"][event["seat"]] = event["cards"]
        elif name == "deal":
            hand["cards"] = next((cards for cards in event["cards"].values() if None not in cards), [])
        elif event["verb"] == "deal":
            hand["board"] += event["cards"]["board"]
            hand["history"].append("")
        elif name == "hand_end":
            yield {**hand, "won": event["facts"]["won"]}
            hand = None


def find_choice(kind: str, to: int, legal: Sequence[Entry]) -> int | dict[str, Any] | None:
    """Return the choice of an action; None if it is not legal.

    `kind` is fold, check, call, or raise, which is a bet as well; `to`: all that the player then has in the round.
    """
    names = ("bet", "raise") if kind == "raise" else (kind,)
    index = next((index for index, action in enumerate(legal) if action["do"] in names), None)
    if index is None or kind != "raise":
        return index
    bounds = legal[index]["to"]
    lowest, highest = bounds if isinstance(bounds, list) else (bounds, bounds)
    if not lowest <= to <= highest:
        return None
    return {**legal[index], "to": to} if isinstance(bounds, list) else index
