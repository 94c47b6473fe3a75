"""`duel:aggressive` and `duel:controlling`, two bots for Ember Duel with opposite tastes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any, Final

from duel_cards import CARDS, Card
from pitboss.bot import Question, run


def rate_aggressive(card: Card, view: Mapping[str, Any], seat: int) -> float:
    """Return how much a card hurts: power now, or soon."""
    if card.bolt or card.storm:
        guards = [unit for unit in view["units"][1 - seat] if CARDS[unit["card"]].guard]
        return 4.0 if guards else 0.5
    return 2.0 * card.power + 3.0 * card.burn + card.swift + card.draw - 0.5 * card.heal


def rate_controlling(card: Card, view: Mapping[str, Any], seat: int) -> float:
    """Return how much a card keeps the other from winning: what it removes, guards, and what is large."""
    others = view["units"][1 - seat]
    if card.storm:
        return sum(2.0 + CARDS[unit["card"]].power for unit in others) - 3.0
    if card.bolt:
        return max(CARDS[unit["card"]].power for unit in others) + 2.0
    if card.heal:
        return 3.0 if view["life"][seat] <= 10 else -1.0
    if card.burn:
        return 9.0 if view["life"][1 - seat] <= 4 else -1.0
    return card.power + card.health + 3.0 * card.guard + 2.0 * card.draw


RATERS: Final[Mapping[str, Callable[[Card, Mapping[str, Any], int], float]]] = {
    "aggressive": rate_aggressive,
    "controlling": rate_controlling,
}


def main() -> None:
    """Play in the way that the first argument names."""
    way = sys.argv[1]
    rate = RATERS[way]

    def choose(question: Question) -> int:
        """Return the card of most worth; the end of the turn, which is the last action, if none has any."""
        worth = [rate(CARDS[action["card"]], question.view, question.seat) for action in question.legal[:-1]]
        best = max(range(len(worth)), key=worth.__getitem__, default=-1)
        return best if best >= 0 and worth[best] > 0 else len(question.legal) - 1

    run(choose, name=f"duel:{way}", version="1")


if __name__ == "__main__":
    main()
