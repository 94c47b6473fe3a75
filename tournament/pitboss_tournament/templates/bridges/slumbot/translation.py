"""A hand of Pitboss's no-limit Hold'em for two as Slumbot's API tells it, and what a client's answers mean here.

A number after b is all that the player has put into the betting round, as `to` is here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from poker_hands import Entry, Hand, find_choice, write_card

KINDS = {"f": "fold", "c": "call", "k": "check", "b": "raise"}


def describe_hand(hand: Hand, seat: int) -> dict[str, Any]:
    """Return what a client is told of a hand: position 0 has the big blind, 1 the small blind and the button."""
    told = {
        "action": write_actions(hand),
        "client_pos": int(seat == hand["button"]),
        "hole_cards": [*map(write_card, hand["cards"])],
        "board": [*map(write_card, hand["board"])],
    }
    if "won" in hand:
        told["winnings"] = hand["won"][seat]
        if 1 - seat in hand["shown"]:
            told["bot_hole_cards"] = [*map(write_card, hand["shown"][1 - seat])]
    return told


def write_actions(hand: Hand) -> str:
    """Return the actions of a hand, a slash after each betting round that is over: "b200c/kk/"."""
    return "/".join("".join(_write_action(word) for word in street.split()) for street in hand["history"])


def read_answer(answer: str, legal: Sequence[Entry]) -> int | dict[str, Any]:
    """Return the choice that an answer means: k, c, f, or b and a number.

    Raises:
        ValueError: it is none, or not legal.
    """
    found = re.fullmatch(r"([fck])|b(\d+)", answer)
    choice = None if found is None else find_choice(KINDS[answer[0]], int(found[2] or 0), legal)
    if choice is None:
        raise ValueError(f"{answer!r} is not legal here: k, c, f, or b and all that is bet in the round")
    return choice


def _write_action(word: str) -> str:
    _, letter, size = re.split("([a-z])", word)
    return f"{'b' if letter in 'br' else letter}{size}"
