"""The order in which a format has ranked the bots, where it does: a knockout has a winner, whatever the ratings say."""

from __future__ import annotations

from collections.abc import Sequence

from pitboss.errors import PitbossError
from pitboss_tournament.playing.round_progress import RoundProgress
from pitboss_tournament.statistics.running_standings import RunningStandings
from pitboss_tournament.store.store import Store


def rank_by_format(store: Store) -> Sequence[int] | None:
    """Return the bots by number, the first first; None if the format ranks nobody, is not over, or is not installed here."""
    header = store.header
    try:
        course = RoundProgress(header)
        if course.is_static:
            return None
        tally = RunningStandings(header.bots, header.block_games or header.seats, header.faults.disqualify_after)
        for result in store.results(with_times=False):
            course.advance_to(result.game_id, tally.disqualified)
            course.add_result(result)
            tally.add(result)
        course.advance_round(tally.disqualified())
    except PitbossError:
        return None
    return course.ranking if course.is_over else None
