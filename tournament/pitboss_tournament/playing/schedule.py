"""The schedule: what a game of a tournament is, and by which seeds it is dealt.

A *pairing* is a set of entrants that fits a table. Each pairing plays a number of *deals*, each of its own, and each deal once in every order of the seat design: in rotation r seat s is
taken by the pairing's entrant number (r + s) mod seats. A deal in all its orders is a *block*.
The games of one pairing and order are a *lane*, with processes of its own, so that no process sees a deal twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import NamedTuple

from pitboss.table.randomness import Random
from pitboss_tournament.plan.plan import Plan
from pitboss_tournament.store.header import Header


class ScheduledGame(NamedTuple):
    """A game of the schedule. `entrants[seat]` is an index into the plan's entrants; `deal` counts the deals of the pairing, in whatever rounds; `rotation` is the number of the order."""

    game_id: int
    pairing: int
    deal: int
    rotation: int
    entrants: tuple[int, ...]


class GameBatch(NamedTuple):
    """Games that one lane plays in a row, with the same processes."""

    entrants: tuple[int, ...]
    games: tuple[ScheduledGame, ...]


def pairing_number(entrants: Sequence[int], bots: int) -> int:
    """Return the number of a set of entrants, given in ascending order, among all sets of as many of `bots`: as `itertools.combinations` counts them."""
    number, begin = 0, 0
    for place, entrant in enumerate(entrants):
        for other in range(begin, entrant):
            number += comb(bots - other - 1, len(entrants) - place - 1)
        begin = entrant + 1
    return number


def deal_seed(tournament: Plan | Header, slot: ScheduledGame) -> str:
    """Return the seed of a game's cards: the same for all orders, another for each pairing and deal. Nothing that bots do has a part in it."""
    names = sorted(tournament.bots[entrant] for entrant in slot.entrants)
    return f"{tournament.seed}/{'+'.join(names)}/{slot.deal}"


def bot_seeds(tournament: Plan | Header, game_id: int) -> Sequence[str]:
    """Return the seed of each seat's bot for a game: nothing about the cards can be told from it."""
    words = Random(f"{tournament.seed}/bots/{game_id}").draw_words(tournament.seats)
    return [f"{word:016x}" for word in words]
