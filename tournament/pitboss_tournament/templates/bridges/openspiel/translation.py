"""A hand of Pitboss's Kuhn or Leduc poker as actions of OpenSpiel, and what its actions mean here. It needs no package.

Player 0 is there who acts first: the seat left of the button.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

NUMBERS = {"kuhn": {"f": 0, "k": 0, "c": 1, "b": 1}, "leduc": {"f": 0, "k": 1, "c": 1, "b": 2, "r": 2}}
MEANINGS = {"kuhn": ("fold check", "call bet"), "leduc": ("fold", "call check", "bet raise")}  # by number


def number_card(face: str, cards: str) -> int:
    """Return the number of a card: in Kuhn the rank, in Leduc two cards of each rank."""
    rank = "JQK".index(face[1])
    return rank if cards == "kuhn" else 2 * rank + (face[0] == "H")


def list_actions(view: Mapping[str, Any], seat: int, cards: str) -> list[int]:
    """Return all actions of a hand, those of chance too, with some card that is possible for the other player."""
    own, board = number_card(view["cards"][0], cards), [number_card(face, cards) for face in view["board"]]
    other = next(number for number in range(6 if cards == "leduc" else 3) if number not in (own, *board))
    actions = [other, own] if seat == view["button"] else [own, other]
    for number, street in enumerate(view["history"]):
        actions += board if number else []
        actions += [NUMBERS[cards][word[1]] for word in street.split()]
    return actions


def find_choice(action: int, legal: Sequence[Mapping[str, Any]], cards: str) -> int:
    """Return the index of the legal action that an action of OpenSpiel means."""
    words = MEANINGS[cards][action].split()
    return next(index for index, one in enumerate(legal) if one["do"] in words)
