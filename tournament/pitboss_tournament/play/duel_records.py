"""A person's record against each bot: games won, lost and drawn, counted from the store of the games."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from pitboss.outcome import Sides
from pitboss_tournament.statistics.scoring import GameResult


class DuelRecord(NamedTuple):
    """How a person has fared against one bot, in all games in which they were not partners."""

    person: int  # among the entrants
    bot: int  # among the entrants
    won: int
    lost: int
    drawn: int


def count_duels(results: Iterable[GameResult], people: Collection[int], sides: Sides) -> list[DuelRecord]:
    """Return the record of each person against each bot that was an opponent, by the numbers of the entrants.

    `people` are the entrants that are no bots. The one of the two with the better place has won, wherever the others
    came in.
    """
    counts: dict[tuple[int, int], list[int]] = {}
    for result in results:
        for person, bot, difference in _list_duels(result, people, sides):
            count = counts.setdefault((person, bot), [0, 0, 0])
            count[0 if difference > 0 else 1 if difference < 0 else 2] += 1
    return [DuelRecord(*pair, *counts[pair]) for pair in sorted(counts)]


def _list_duels(result: GameResult, people: Collection[int], sides: Sides) -> Iterator[tuple[int, int, int]]:
    """Yield person, bot, and by how many places the person was better."""
    side_of = {seat: number for number, side in enumerate(sides) for seat in side}
    for at, one in enumerate(result.seats):
        for there, other in enumerate(result.seats):
            if one.entrant in people and other.entrant not in people and side_of[at] != side_of[there]:
                yield one.entrant, other.entrant, other.place - one.place


def word_duels(found: DuelRecord, names: Sequence[str]) -> str:
    """Return a record as a line: "You against sorter: 3 won, 5 lost, 1 drawn"."""
    return f"{names[found.person]} against {names[found.bot]}: {found.won} won, {found.lost} lost, {found.drawn} drawn"
