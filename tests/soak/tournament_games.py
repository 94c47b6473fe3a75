"""Tournaments played to their end: all games, or an exception that says why not."""

from __future__ import annotations

from typing import NamedTuple

from pitboss.records.record import Record
from pitboss_tournament.plan.plan import Plan
from pitboss_tournament.statistics.scoring import GameResult
from tests.tournament.small_tournaments import play_tournament


class StoredTournament(NamedTuple):
    """All games of a tournament's store, by number."""

    results: list[GameResult]
    records: list[Record]


def play_whole_tournament(made: Plan) -> StoredTournament:
    """Play a tournament and return its games.

    Raises:
        KeyboardInterrupt: somebody has stopped it; all has been cleaned up.
        AssertionError: games are missing, though nobody has.
    """
    ended = play_tournament(made)
    if ended.tournament.was_stopped:
        raise KeyboardInterrupt
    assert len(ended.games) == ended.tournament.total_games, (
        f"{len(ended.games)} of {ended.tournament.total_games} games were played"
    )
    return StoredTournament([result for result, _ in ended.games], [record for _, record in ended.games])
