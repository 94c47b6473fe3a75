"""The schedule: which games a tournament consists of, in what order they are played, and by which seeds.

A *pairing* is a set of entrants that fits a table. Each pairing plays a number of *deals*, each of its own, and each deal once in every
*rotation*: in rotation r seat s is taken by the pairing's entrant number (r + s) mod seats. A deal in all its rotations is a *block*.
The games of one pairing and rotation are a *lane*, with processes of its own, so that no process sees a deal twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb
from typing import NamedTuple

from pitboss.randomness import Random
from pitboss_tournament.planning.plan import Plan

STRETCH = 20  # deals that a lane plays before another has its turn: blocks fill up early, processes live long


class Slot(NamedTuple):
    """A game of the schedule. `entrants[seat]` is an index into the plan's entrants."""

    game_id: int
    pairing: int
    deal: int
    rotation: int
    entrants: tuple[int, ...]


class Sitting(NamedTuple):
    """Games that one lane plays in a row, with the same processes."""

    entrants: tuple[int, ...]
    slots: tuple[Slot, ...]


def game_count(plan: Plan) -> int:
    """Return how many games the tournament has."""
    return comb(len(plan.entrants), plan.seats) * plan.deals * plan.seats


def sittings(plan: Plan) -> Iterator[Sitting]:
    """Yield all games of the tournament, in the order in which they are begun. The number of a game does not depend on how many deals there are."""
    pairings = list(combinations(range(len(plan.entrants)), plan.seats))
    for first in range(0, plan.deals, STRETCH):
        deals = range(first, min(first + STRETCH, plan.deals))
        for number, pairing in enumerate(pairings):
            for rotation in range(plan.seats):
                entrants = pairing[rotation:] + pairing[:rotation]
                slots = (
                    Slot((deal * len(pairings) + number) * plan.seats + rotation, number, deal, rotation, entrants)
                    for deal in deals
                )
                yield Sitting(entrants, tuple(slots))


def deal_seed(plan: Plan, slot: Slot) -> str:
    """Return the seed of a game's cards: the same for all rotations, another for each pairing and deal."""
    names = sorted(plan.entrants[entrant].name for entrant in slot.entrants)
    return f"{plan.seed}/{'+'.join(names)}/{slot.deal}"


def bot_seeds(plan: Plan, slot: Slot) -> Sequence[str]:
    """Return the seed of each seat's bot for a game: nothing about the cards can be told from it."""
    words = Random(f"{plan.seed}/bots/{slot.game_id}").words(plan.seats)
    return [f"{word:016x}" for word in words]
