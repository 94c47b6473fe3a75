"""Tournaments played to their end: all games, or an exception that says why not."""

from __future__ import annotations

from typing import NamedTuple

from pitboss.record import Record
from pitboss_tournament.planning.plan import Plan
from pitboss_tournament.results.scoring import GameResult
from tests.tournament.plans import run


class Played(NamedTuple):
    """All games of a tournament's store, by number."""

    results: list[GameResult]
    records: list[Record]


def played(made: Plan) -> Played:
    """Play a tournament and return its games.

    Raises:
        KeyboardInterrupt: somebody has stopped it; all has been cleaned up.
        AssertionError: games are missing, though nobody has.
    """
    ended = run(made)
    if ended.tournament.was_stopped:
        raise KeyboardInterrupt
    assert len(ended.games) == ended.tournament.total, f"{len(ended.games)} of {ended.tournament.total} games were played"
    return Played([result for result, _ in ended.games], [record for _, record in ended.games])
